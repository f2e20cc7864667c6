package org.bukkit.event;

/** Something that happened and that listeners hear of. */
public abstract class Event {
  private final boolean async;
  private String name;

  protected Event() {
    this(false);
  }

  protected Event(boolean isAsync) {
    this.async = isAsync;
  }

  public String getEventName() {
    if (name == null) {
      name = getClass().getSimpleName();
    }
    return name;
  }

  public abstract HandlerList getHandlers();

  public final boolean isAsynchronous() {
    return async;
  }

  /** What an event comes to. */
  public enum Result {
    DENY,
    DEFAULT,
    ALLOW
  }
}
