package org.bukkit.command;

/** The server's console. */
public interface ConsoleCommandSender extends CommandSender {}
