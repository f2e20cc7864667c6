package dev.tickwell.plugin;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import dev.tickwell.core.RegisteredTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.kyori.adventure.text.Component;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.command.TabExecutor;

/**
 * {@code /tickwell status | stats | tables | reload | backup | help}, for people. Called on a tick
 * thread; what takes longer than reading counters runs on the {@link Background} thread, and is
 * answered from there.
 */
final class TickwellCommand implements TabExecutor {
  private static final List<String> SUBCOMMANDS =
      List.of("status", "stats", "tables", "reload", "backup", "help");
  private static final String PERMISSION = "tickwell.command.";

  /**
   * What the command works with.
   *
   * @param databases the databases of the configuration
   * @param dependants the plugins that use Tickwell
   * @param reload reads the configuration again
   * @param backup copies databases
   * @param background where long work runs
   */
  record Parts(
      Engine engine,
      Databases databases,
      Dependants dependants,
      Reload reload,
      Backup backup,
      Background background) {}

  private final String version;
  private final String server;
  private final Supplier<Messages> messages;
  // Null when Tickwell could not start; then there is a reason.
  private final Parts parts;
  private final String unavailable;

  /** The command of a Tickwell that works. */
  TickwellCommand(String version, String server, Supplier<Messages> messages, Parts parts) {
    this(version, server, messages, parts, null);
  }

  private TickwellCommand(
      String version, String server, Supplier<Messages> messages, Parts parts, String reason) {
    this.version = version;
    this.server = server;
    this.messages = messages;
    this.parts = parts;
    this.unavailable = reason;
  }

  /** The command of a Tickwell that could not start: it says why. */
  static TickwellCommand unavailable(
      String version, String server, Messages messages, String reason) {
    return new TickwellCommand(version, server, () -> messages, null, reason);
  }

  @Override
  public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
    String subcommand = args.length == 0 ? "help" : args[0].toLowerCase(Locale.ROOT);
    if (!SUBCOMMANDS.contains(subcommand)) {
      String nearest = Nearest.of(subcommand, SUBCOMMANDS);
      tell(
          sender,
          nearest == null ? "unknown-subcommand" : "unknown-subcommand-nearest",
          "label",
          label,
          "subcommand",
          args[0],
          "nearest",
          nearest);
    } else if (!sender.hasPermission(PERMISSION + subcommand)) {
      tell(sender, "no-permission", "permission", PERMISSION + subcommand);
    } else if (subcommand.equals("help")) {
      help(sender, label);
    } else if (unavailable != null) {
      title(sender);
      tell(sender, "no-databases", "reason", unavailable);
    } else {
      run(sender, label, subcommand, args.length > 1 ? args[1] : null);
    }
    return true;
  }

  private void run(CommandSender sender, String label, String subcommand, String database) {
    switch (subcommand) {
      case "status" -> status(sender);
      case "stats" -> stats(sender);
      case "tables" -> tables(sender, database);
      case "reload" -> reload(sender, label);
      default -> backup(sender, label, database);
    }
  }

  @Override
  public List<String> onTabComplete(
      CommandSender sender, Command command, String label, String[] args) {
    String begun = args[args.length - 1].toLowerCase(Locale.ROOT);
    Stream<String> known = Stream.of();
    if (args.length == 1) {
      known = SUBCOMMANDS.stream().filter(name -> sender.hasPermission(PERMISSION + name));
    } else if (args.length == 2 && parts != null && takesDatabase(args[0])) {
      known =
          sender.hasPermission(PERMISSION + args[0].toLowerCase(Locale.ROOT))
              ? parts.databases.names().stream()
              : known;
    }
    return known.filter(name -> name.toLowerCase(Locale.ROOT).startsWith(begun)).toList();
  }

  private static boolean takesDatabase(String subcommand) {
    return subcommand.equalsIgnoreCase("tables") || subcommand.equalsIgnoreCase("backup");
  }

  private void tell(CommandSender sender, String text, Object... values) {
    sender.sendMessage(messages.get().text(text, values));
  }

  private void title(CommandSender sender) {
    tell(sender, "title", "version", version, "server", server);
  }

  private void help(CommandSender sender, String label) {
    title(sender);
    for (String subcommand : SUBCOMMANDS) {
      if (sender.hasPermission(PERMISSION + subcommand)) {
        tell(sender, "help-" + subcommand, "label", label);
      }
    }
  }

  private void status(CommandSender sender) {
    title(sender);
    String id = parts.reload.settings().serverId();
    if (!id.isEmpty()) {
      tell(sender, "server-id", "id", id);
    }
    Collection<String> plugins = parts.dependants.names();
    tell(
        sender,
        plugins.isEmpty() ? "used-by-nobody" : "used-by",
        "plugins",
        String.join(", ", plugins));
    for (Component line : StatisticsText.status(messages.get(), parts.engine.statistics())) {
      sender.sendMessage(line);
    }
    for (String name : parts.databases.names()) {
      TickwellException refusal = parts.databases.refusal(name);
      if (refusal == null) {
        ping(sender, name);
      } else {
        tell(sender, "database-closed", "database", name, "reason", refusal.getMessage());
      }
    }
  }

  /**
   * Asks the database itself: a counter cannot know whether it answers now. The answer is put
   * together and sent off the tick.
   */
  private void ping(CommandSender sender, String name) {
    long asked = System.nanoTime();
    String place = parts.databases.place(name);
    parts
        .databases
        .probe(name)
        .async(
            rows ->
                sender.sendMessage(
                    StatisticsText.database(
                        messages.get(),
                        parts.engine.statistics(),
                        name,
                        System.nanoTime() - asked,
                        place)),
            e ->
                tell(
                    sender,
                    "database-fails",
                    "database",
                    name,
                    "reason",
                    e.getMessage(),
                    "place",
                    place));
  }

  private void stats(CommandSender sender) {
    title(sender);
    List<Component> lines = StatisticsText.statements(messages.get(), parts.engine.statistics());
    if (lines.isEmpty()) {
      tell(sender, "stats-none");
    }
    lines.forEach(sender::sendMessage);
  }

  private void tables(CommandSender sender, String database) {
    if (database != null && !isKnown(sender, database)) {
      return;
    }
    for (String name : database == null ? parts.databases.names() : List.of(database)) {
      TickwellException refusal = parts.databases.refusal(name);
      if (refusal == null) {
        askTables(sender, name);
      } else {
        tell(sender, "database-closed", "database", name, "reason", refusal.getMessage());
      }
    }
  }

  /** Reads the book of one database, and answers off the tick. */
  private void askTables(CommandSender sender, String name) {
    parts
        .databases
        .book(name)
        .async(
            book -> tellTables(sender, name, TablesText.read(book)),
            e -> {
              // The statement is ours, so what the database does not know is the book.
              if (e.code() != ErrorCode.SYNTAX) {
                tell(sender, "tables-unread", "database", name, "reason", e.getMessage());
              }
              tellTables(sender, name, List.of());
            });
  }

  private void tellTables(CommandSender sender, String name, List<TablesText.Noted> noted) {
    List<RegisteredTable> running = parts.engine.tables();
    TablesText.lines(messages.get(), name, running, noted).forEach(sender::sendMessage);
  }

  private boolean isKnown(CommandSender sender, String database) {
    if (parts.databases.names().contains(database)) {
      return true;
    }
    String names = String.join(", ", parts.databases.names());
    tell(sender, "unknown-database", "database", database, "databases", names);
    return false;
  }

  private void reload(CommandSender sender, String label) {
    List<Component> lines = Collections.synchronizedList(new ArrayList<>());
    // Told when it is over, so that whoever reads the answer may reload again.
    inBackground(
        sender,
        label,
        () -> parts.reload.run(lines::add),
        () -> lines.forEach(sender::sendMessage));
  }

  private void backup(CommandSender sender, String label, String asked) {
    String database = asked == null ? parts.databases.defaultName() : asked;
    if (isKnown(sender, database)) {
      inBackground(sender, label, () -> parts.backup.run(database, sender::sendMessage), () -> {});
    }
  }

  private void inBackground(CommandSender sender, String label, Runnable task, Runnable after) {
    Consumer<RuntimeException> failed =
        e -> tell(sender, "failed", "label", label, "reason", String.valueOf(e));
    if (!parts.background.start(task, failed, after)) {
      tell(sender, "busy", "label", label);
    }
  }
}
