package org.bukkit.command;

import java.util.List;
import java.util.Map;

/** The commands that the server knows. */
public interface CommandMap {
  void registerAll(String fallbackPrefix, List<Command> commands);

  boolean register(String fallbackPrefix, Command command);

  /**
   * Runs a command line without its slash; false when no such command exists.
   *
   * @throws CommandException when the command threw
   */
  boolean dispatch(CommandSender sender, String commandLine);

  Command getCommand(String name);

  List<String> tabComplete(CommandSender sender, String commandLine);

  Map<String, Command> getKnownCommands();
}
