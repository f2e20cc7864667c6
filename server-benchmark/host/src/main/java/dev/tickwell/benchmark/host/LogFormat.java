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
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/** Log lines as a Minecraft server writes them, on standard output. */
final class LogFormat extends Formatter {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  /** Makes this the one way of all loggers. */
  static void install() {
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
    return level == Level.WARNING ? "WARN" : level.getName();
  }
}
