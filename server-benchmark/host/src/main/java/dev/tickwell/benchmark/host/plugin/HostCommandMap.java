package dev.tickwell.benchmark.host.plugin;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.bukkit.command.Command;
import org.bukkit.command.CommandException;
import org.bukkit.command.CommandMap;
import org.bukkit.command.CommandSender;
import org.bukkit.command.PluginIdentifiableCommand;
import org.bukkit.plugin.Plugin;

/**
 * The commands by their names and, after a prefix, by their owners. A name belongs to whom
 * registered it first; an alias never takes a name away. Commands run on the tick thread.
 */
public final class HostCommandMap implements CommandMap {
  private final Map<String, Command> commands = Collections.synchronizedMap(new TreeMap<>());

  @Override
  public void registerAll(String fallbackPrefix, List<Command> commands) {
    commands.forEach(command -> register(fallbackPrefix, command));
  }

  @Override
  public boolean register(String fallbackPrefix, Command command) {
    String prefix = lower(fallbackPrefix) + ':';
    String name = lower(command.getName());
    commands.put(prefix + name, command);
    boolean first = commands.putIfAbsent(name, command) == null;
    for (String alias : command.getAliases()) {
      commands.put(prefix + lower(alias), command);
      commands.putIfAbsent(lower(alias), command);
    }
    return first;
  }

  void unregisterAll(Plugin plugin) {
    commands
        .values()
        .removeIf(
            command ->
                command instanceof PluginIdentifiableCommand owned
                    && owned.getPlugin().equals(plugin));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean dispatch(CommandSender sender, String commandLine) {
    String[] words = commandLine.strip().split(" +", -1);
    Command command = getCommand(words[0]);
    if (command == null) {
      return false;
    }
    try {
      command.execute(sender, words[0], Arrays.copyOfRange(words, 1, words.length));
    } catch (CommandException e) {
      throw e;
    } catch (Throwable e) {
      throw new CommandException(
          "Unhandled exception executing '" + commandLine + "' in " + command.getName(), e);
    }
    return true;
  }

  @Override
  public List<String> tabComplete(CommandSender sender, String commandLine) {
    // The empty last word counts: it is what is to be completed.
    String[] words = commandLine.split(" ", -1);
    if (words.length == 1) {
      String start = lower(words[0]);
      synchronized (commands) {
        return commands.entrySet().stream()
            .filter(each -> each.getKey().startsWith(start))
            .filter(each -> each.getValue().testPermissionSilent(sender))
            .map(Map.Entry::getKey)
            .toList();
      }
    }
    Command command = getCommand(words[0]);
    if (command == null || !command.testPermissionSilent(sender)) {
      return List.of();
    }
    return command.tabComplete(sender, words[0], Arrays.copyOfRange(words, 1, words.length));
  }

  @Override
  public Command getCommand(String name) {
    return commands.get(lower(name));
  }

  @Override
  public Map<String, Command> getKnownCommands() {
    return commands;
  }
}
