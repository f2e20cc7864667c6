package org.bukkit.event;

/** A listener threw. */
public class EventException extends Exception {
  public EventException(Throwable cause) {
    super(cause);
  }

  public EventException(String message) {
    super(message);
  }

  public EventException(Throwable cause, String message) {
    super(message, cause);
  }
}
