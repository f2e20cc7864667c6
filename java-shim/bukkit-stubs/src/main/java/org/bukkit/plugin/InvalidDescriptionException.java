package org.bukkit.plugin;

/** A plugin.yml is missing or wrong. */
public class InvalidDescriptionException extends Exception {
  public InvalidDescriptionException(Throwable cause, String message) {
    super(message, cause);
  }

  public InvalidDescriptionException(Throwable cause) {
    super("Invalid plugin.yml", cause);
  }

  public InvalidDescriptionException(String message) {
    super(message);
  }
}
