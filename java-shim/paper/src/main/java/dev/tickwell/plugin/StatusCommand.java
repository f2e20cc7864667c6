package dev.tickwell.plugin;

import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.TextComponent;
import net.kyori.adventure.text.format.NamedTextColor;
import net.kyori.adventure.text.format.TextColor;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.command.TabExecutor;

/**
 * {@code /tickwell status | stats | help}: how the databases are doing, for people. Called on a
 * tick thread; reads counters only, and whether a database answers is asked off the tick.
 */
final class StatusCommand implements TabExecutor {
  private static final List<String> SUBCOMMANDS = List.of("help", "stats", "status");
  private static final String PERMISSION = "tickwell.command.";

  private final String title;
  private final String unavailable;
  private final Engine engine;
  private final Databases databases;
  private final Dependants dependants;

  /** The command of a Tickwell that works. */
  StatusCommand(
      String version, String server, Engine engine, Databases databases, Dependants dependants) {
    this.title = "Tickwell " + version + " on " + server;
    this.unavailable = null;
    this.engine = engine;
    this.databases = databases;
    this.dependants = dependants;
  }

  private StatusCommand(String version, String reason) {
    this.title = "Tickwell " + version;
    this.unavailable = reason;
    this.engine = null;
    this.databases = null;
    this.dependants = null;
  }

  /** The command of a Tickwell that could not start: it says why. */
  static StatusCommand unavailable(String version, String reason) {
    return new StatusCommand(version, reason);
  }

  @Override
  public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
    String subcommand = args.length == 0 ? "help" : args[0].toLowerCase(Locale.ROOT);
    switch (subcommand) {
      case "help" -> help(sender, label);
      case "status" -> {
        if (mayUse(sender, subcommand)) {
          status(sender);
        }
      }
      case "stats" -> {
        if (mayUse(sender, subcommand)) {
          stats(sender);
        }
      }
      default -> {
        String nearest = Nearest.of(subcommand, SUBCOMMANDS);
        sender.sendMessage(
            bad(
                "There is no /"
                    + label
                    + " "
                    + subcommand
                    + (nearest == null ? "; try /" + label + " help" : "; did you mean " + nearest)
                    + (nearest == null ? "" : "?")));
      }
    }
    return true;
  }

  @Override
  public List<String> onTabComplete(
      CommandSender sender, Command command, String label, String[] args) {
    if (args.length != 1) {
      return List.of();
    }
    String begun = args[0].toLowerCase(Locale.ROOT);
    return SUBCOMMANDS.stream()
        .filter(name -> name.startsWith(begun))
        .filter(name -> name.equals("help") || sender.hasPermission(PERMISSION + name))
        .toList();
  }

  private static boolean mayUse(CommandSender sender, String subcommand) {
    if (sender.hasPermission(PERMISSION + subcommand)) {
      return true;
    }
    sender.sendMessage(bad("You need the permission " + PERMISSION + subcommand + " for that."));
    return false;
  }

  private void help(CommandSender sender, String label) {
    sender.sendMessage(heading(title));
    sender.sendMessage(entry("/" + label + " status", "whether the databases answer, what waits"));
    sender.sendMessage(entry("/" + label + " stats", "how long requests take, by statement"));
    sender.sendMessage(entry("/" + label + " help", "this list"));
  }

  private void status(CommandSender sender) {
    sender.sendMessage(heading(title));
    if (unavailable != null) {
      sender.sendMessage(bad("No databases: " + unavailable));
      return;
    }
    Collection<String> plugins = dependants.names();
    sender.sendMessage(
        entry("Used by", plugins.isEmpty() ? "no plugin" : String.join(", ", plugins)));
    for (Component line : StatisticsText.status(engine.statistics())) {
      sender.sendMessage(line);
    }
    for (String name : databases.names()) {
      TickwellException refusal = databases.refusal(name);
      if (refusal == null) {
        ping(sender, name);
      } else {
        sender.sendMessage(entry(name, bad("closed: " + refusal.getMessage())));
      }
    }
  }

  /**
   * Asks the database itself: a counter cannot know whether it answers now. The answer is put
   * together and sent off the tick.
   */
  private void ping(CommandSender sender, String name) {
    long asked = System.nanoTime();
    databases
        .probe(name)
        .async(
            rows -> {
              String time = StatisticsText.time(System.nanoTime() - asked);
              answer(sender, name, good("ready, answered within " + time));
            },
            e -> answer(sender, name, bad("fails: " + e.getMessage())));
  }

  private void answer(CommandSender sender, String name, TextComponent state) {
    String counts = StatisticsText.database(engine.statistics(), name);
    sender.sendMessage(
        entry(name, state.append(plain("; " + counts + "; " + databases.place(name)))));
  }

  private void stats(CommandSender sender) {
    sender.sendMessage(heading(title));
    if (unavailable != null) {
      sender.sendMessage(bad("No databases: " + unavailable));
      return;
    }
    Map<String, String> statistics = engine.statistics();
    List<Component> lines = StatisticsText.statements(statistics);
    if (lines.isEmpty()) {
      sender.sendMessage(plain("No request has ended yet."));
    }
    lines.forEach(sender::sendMessage);
  }

  static TextComponent heading(String text) {
    return Component.text(text, NamedTextColor.GOLD);
  }

  static TextComponent entry(String name, String text) {
    return entry(name, plain(text));
  }

  static TextComponent entry(String name, Component text) {
    return Component.text("  " + name + ": ", NamedTextColor.GRAY).append(text);
  }

  static TextComponent plain(String text) {
    return colored(text, NamedTextColor.WHITE);
  }

  private static TextComponent good(String text) {
    return colored(text, NamedTextColor.GREEN);
  }

  private static TextComponent bad(String text) {
    return colored(text, NamedTextColor.RED);
  }

  private static TextComponent colored(String text, TextColor color) {
    return Component.text(text, color);
  }
}
