package org.bukkit.event.server;

import org.bukkit.event.Event;

/** Something about the server. */
public abstract class ServerEvent extends Event {
  public ServerEvent() {}

  public ServerEvent(boolean isAsync) {
    super(isAsync);
  }
}
