package org.bukkit.event.server;

import org.bukkit.event.HandlerList;

/** The server finished starting: every plugin is enabled. */
public class ServerLoadEvent extends ServerEvent {
  private static final HandlerList HANDLERS = new HandlerList();

  private final LoadType type;

  public ServerLoadEvent(LoadType type) {
    this.type = type;
  }

  public LoadType getType() {
    return type;
  }

  @Override
  public HandlerList getHandlers() {
    return HANDLERS;
  }

  public static HandlerList getHandlerList() {
    return HANDLERS;
  }

  /** Why the server loaded. */
  public enum LoadType {
    STARTUP,
    RELOAD
  }
}
