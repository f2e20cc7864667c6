package com.destroystokyo.paper.event.server;

import org.bukkit.event.Event;
import org.bukkit.event.HandlerList;

/** A tick begins. */
public class ServerTickStartEvent extends Event {
  private static final HandlerList HANDLERS = new HandlerList();

  private final int tickNumber;

  public ServerTickStartEvent(int tickNumber) {
    this.tickNumber = tickNumber;
  }

  public int getTickNumber() {
    return tickNumber;
  }

  @Override
  public HandlerList getHandlers() {
    return HANDLERS;
  }

  public static HandlerList getHandlerList() {
    return HANDLERS;
  }
}
