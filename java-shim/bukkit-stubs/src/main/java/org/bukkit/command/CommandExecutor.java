package org.bukkit.command;

/** Runs a command. */
public interface CommandExecutor {
  /** Returns false to have the command's usage shown. */
  boolean onCommand(CommandSender sender, Command command, String label, String[] args);
}
