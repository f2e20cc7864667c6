package org.bukkit.plugin;

/** A plugin depends on one that is not there. */
public class UnknownDependencyException extends RuntimeException {
  public UnknownDependencyException(String message) {
    super(message);
  }
}
