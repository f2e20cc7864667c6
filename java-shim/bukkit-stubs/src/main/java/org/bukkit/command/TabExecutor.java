package org.bukkit.command;

/** Runs a command and suggests its arguments. */
public interface TabExecutor extends TabCompleter, CommandExecutor {}
