package org.bukkit.configuration;

/** A configuration's text is wrong. */
public class InvalidConfigurationException extends Exception {
  public InvalidConfigurationException() {}

  public InvalidConfigurationException(String message) {
    super(message);
  }

  public InvalidConfigurationException(Throwable cause) {
    super(cause);
  }

  public InvalidConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
