package dev.tickwell.benchmark.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bukkit.command.CommandException;
import org.bukkit.command.CommandMap;
import org.bukkit.command.CommandSender;

/**
 * Reads command lines on a daemon thread of its own and has them run on the tick thread. A line
 * that ends in a tab is not run: what could stand there is printed, in one line.
 */
final class Console {
  private final InputStream input;
  private final Consumer<Runnable> onTickThread;
  private final CommandMap commands;
  private final CommandSender sender;
  private final Logger logger;

  Console(
      InputStream input,
      Consumer<Runnable> onTickThread,
      CommandMap commands,
      CommandSender sender,
      Logger logger) {
    this.input = input;
    this.onTickThread = onTickThread;
    this.commands = commands;
    this.sender = sender;
    this.logger = logger;
  }

  void start() {
    Thread.ofPlatform().name("Console").daemon().start(this::read);
  }

  private void read() {
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String entered = line;
        onTickThread.accept(() -> enter(entered));
      }
    } catch (IOException e) {
      logger.log(Level.WARNING, "Console input ended: " + e.getMessage());
    }
  }

  /** Does what a line says; on the tick thread. */
  void enter(String line) {
    try {
      if (line.endsWith("\t")) {
        String start = line.substring(0, line.length() - 1).stripLeading();
        sender.sendMessage("Completions: " + String.join(" ", commands.tabComplete(sender, start)));
      } else if (!line.isBlank() && !commands.dispatch(sender, line)) {
        sender.sendMessage("Unknown command. Type \"help\" for help.");
      }
    } catch (CommandException e) {
      logger.log(Level.WARNING, e.getMessage(), e.getCause() == null ? e : e.getCause());
    }
  }
}
