package dev.tickwell.benchmark.host;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/** Log lines as a Minecraft server writes them, on standard output. */
public final class LogFormat extends Formatter {
  /**
   * Keeps the handlers while the process ends: the host stops in a shutdown hook, and what plugins
   * say then must be read.
   */
  public static final class Manager extends LogManager {
    /** Made by the logging framework, by name. */
    public Manager() {}

    @Override
    public void reset() {}
  }

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  /** Makes this the one way of all loggers; to be called before the first of them is used. */
  static void install() {
    System.setProperty("java.util.logging.manager", Manager.class.getName());
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      if (handler instanceof ConsoleHandler) {
        root.removeHandler(handler);
      }
    }
    root.addHandler(new StandardOutput());
  }

  private static final class StandardOutput extends StreamHandler {
    StandardOutput() {
      super(System.out, new LogFormat());
      setLevel(Level.ALL);
    }

    @Override
    public synchronized void publish(LogRecord entry) {
      super.publish(entry);
      flush();
    }

    /** Standard output is not this handler's to close. */
    @Override
    public synchronized void close() {
      flush();
    }
  }

  @Override
  public String format(LogRecord entry) {
    StringWriter text = new StringWriter();
    text.append('[')
        .append(TIME.format(LocalTime.ofInstant(entry.getInstant(), ZoneId.systemDefault())))
        .append(' ')
        .append(name(entry.getLevel()))
        .append("]: ")
        .append(formatMessage(entry))
        .append('\n');
    if (entry.getThrown() != null) {
      entry.getThrown().printStackTrace(new PrintWriter(text, true));
    }
    return text.toString();
  }

  private static String name(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    return level.equals(Level.WARNING) ? "WARN" : level.getName();
  }
}
