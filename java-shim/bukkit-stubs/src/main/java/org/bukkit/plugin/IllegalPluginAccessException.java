package org.bukkit.plugin;

/** A plugin did what it may not in its present state, such as while it is disabled. */
public class IllegalPluginAccessException extends RuntimeException {
  public IllegalPluginAccessException(String message) {
    super(message);
  }
}
