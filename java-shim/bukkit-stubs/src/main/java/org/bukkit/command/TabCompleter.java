package org.bukkit.command;

import java.util.List;

/** Suggests arguments of a command. */
public interface TabCompleter {
  /** The suggestions for the last argument; null leaves them to the server. */
  List<String> onTabComplete(CommandSender sender, Command command, String label, String[] args);
}
