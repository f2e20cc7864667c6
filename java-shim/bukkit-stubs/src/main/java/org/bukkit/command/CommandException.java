package org.bukkit.command;

/** A command failed while it ran. */
public class CommandException extends RuntimeException {
  public CommandException(String message) {
    super(message);
  }

  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
