package dev.tickwell.benchmark.host;

import dev.tickwell.benchmark.host.plugin.HostPluginManager;
import dev.tickwell.benchmark.host.tick.TickStatistics;
import dev.tickwell.benchmark.host.world.HostWorlds;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bukkit.Server;
import org.bukkit.World;
import org.bukkit.command.Command;
import org.bukkit.command.CommandMap;
import org.bukkit.command.CommandSender;
import org.bukkit.plugin.Plugin;

/** The host's own commands. They run on the tick thread. */
final class HostCommands {
  private static final String PREFIX = "host";

  private final Server server;
  private final HostPluginManager plugins;
  private final HostWorlds worlds;
  private final TickStatistics statistics;

  HostCommands(
      Server server, HostPluginManager plugins, HostWorlds worlds, TickStatistics statistics) {
    this.server = server;
    this.plugins = plugins;
    this.worlds = worlds;
    this.statistics = statistics;
  }

  void register(CommandMap commands) {
    commands.register(
        PREFIX,
        command(
            "stop",
            "stop",
            "Stops the server",
            (sender, args) -> server.shutdown(),
            HostCommands::none));
    commands.register(
        PREFIX,
        command(
            "plugins",
            "plugins",
            "Lists the plugins",
            (sender, args) -> plugins(sender),
            HostCommands::none));
    commands.register(
        PREFIX,
        command(
            "tps",
            "tps",
            "Says how the ticks go",
            (sender, args) -> tps(sender),
            HostCommands::none));
    commands.register(
        PREFIX,
        command(
            "help",
            "help",
            "Lists the commands",
            (sender, args) -> help(sender),
            HostCommands::none));
    commands.register(
        PREFIX,
        command(
            "reload",
            "reload <plugin>",
            "Disables a plugin and those that use it, and loads them again from their jars",
            this::reload,
            args -> args.length == 1 ? pluginNames() : List.of()));
    commands.register(
        PREFIX,
        command(
            "world",
            "world load|unload <name>",
            "Loads or unloads a world",
            this::world,
            args ->
                switch (args.length) {
                  case 1 -> List.of("load", "unload");
                  case 2 -> worlds.all().stream().map(World::getName).toList();
                  default -> List.of();
                }));
  }

  private static List<String> none(String[] args) {
    return List.of();
  }

  private static Command command(
      String name,
      String usage,
      String description,
      BiConsumer<CommandSender, String[]> body,
      Function<String[], List<String>> completions) {
    Command command =
        new Command(name) {
          @Override
          public boolean execute(CommandSender sender, String label, String[] args) {
            if (testPermission(sender)) {
              body.accept(sender, args);
            }
            return true;
          }

          @Override
          public List<String> tabComplete(CommandSender sender, String alias, String[] args) {
            String start = args[args.length - 1].toLowerCase(Locale.ROOT);
            return completions.apply(args).stream()
                .filter(each -> each.toLowerCase(Locale.ROOT).startsWith(start))
                .toList();
          }
        };
    command.setUsage(usage);
    command.setDescription(description);
    // Nobody declares it, so operators and the console have it.
    command.setPermission("host.command." + name);
    return command;
  }

  private List<String> pluginNames() {
    return Arrays.stream(plugins.getPlugins()).map(Plugin::getName).toList();
  }

  private void plugins(CommandSender sender) {
    sender.sendMessage(
        "Plugins ("
            + plugins.getPlugins().length
            + "): "
            + Arrays.stream(plugins.getPlugins())
                .map(each -> each.getName() + (each.isEnabled() ? "" : " (disabled)"))
                .collect(Collectors.joining(", ")));
  }

  private void tps(CommandSender sender) {
    sender.sendMessage(
        "TPS from last 1m, 5m, 15m: "
            + Arrays.stream(server.getTPS())
                .mapToObj(each -> String.format(Locale.ROOT, "%.2f", each))
                .collect(Collectors.joining(", ")));
    sender.sendMessage(statistics.summary());
  }

  private void help(CommandSender sender) {
    for (Command command :
        new TreeSet<>(server.getCommandMap().getKnownCommands().keySet())
            .stream()
                .filter(name -> name.indexOf(':') < 0)
                .map(server.getCommandMap()::getCommand)
                .distinct()
                .toList()) {
      if (command.testPermissionSilent(sender)) {
        sender.sendMessage(command.getName() + ": " + command.getDescription());
      }
    }
  }

  private void reload(CommandSender sender, String[] args) {
    Plugin plugin = args.length == 1 ? plugins.getPlugin(args[0]) : null;
    if (plugin == null) {
      sender.sendMessage(
          args.length == 1
              ? "There is no plugin '" + args[0] + "'. See \"plugins\"."
              : "Usage: reload <plugin>");
      return;
    }
    List<Plugin> loaded = plugins.reload(plugin);
    sender.sendMessage(
        "Reloaded "
            + loaded.stream()
                .map(each -> each.getName() + (each.isEnabled() ? "" : " (disabled)"))
                .collect(Collectors.joining(", ")));
  }

  private void world(CommandSender sender, String[] args) {
    if (args.length != 2 || !List.of("load", "unload").contains(args[0])) {
      sender.sendMessage("Usage: world load|unload <name>");
      return;
    }
    if (args[0].equals("load")) {
      try {
        sender.sendMessage("World " + worlds.load(args[1]).getName() + " is loaded");
      } catch (IllegalArgumentException e) {
        sender.sendMessage("Cannot load: " + e.getMessage());
      }
      return;
    }
    boolean unloaded = server.unloadWorld(args[1], true);
    sender.sendMessage(
        unloaded
            ? "World " + args[1] + " is unloaded"
            : "World "
                + args[1]
                + " was not unloaded: it is not loaded, is the default one, has players, or a"
                + " plugin objects");
  }
}
