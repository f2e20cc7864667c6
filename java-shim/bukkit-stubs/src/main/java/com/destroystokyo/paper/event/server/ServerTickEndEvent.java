package com.destroystokyo.paper.event.server;

import org.bukkit.event.Event;
import org.bukkit.event.HandlerList;

/** A tick has done its work. */
public class ServerTickEndEvent extends Event {
  private static final HandlerList HANDLERS = new HandlerList();

  private final int tickNumber;
  private final double tickDuration;
  private final long timeEnd;

  /**
   * @param tickDuration in milliseconds
   * @param timeRemaining in nanoseconds from now until the next tick is due
   */
  public ServerTickEndEvent(int tickNumber, double tickDuration, long timeRemaining) {
    this.tickNumber = tickNumber;
    this.tickDuration = tickDuration;
    this.timeEnd = System.nanoTime() + timeRemaining;
  }

  public int getTickNumber() {
    return tickNumber;
  }

  /** How long the tick took, in milliseconds. */
  public double getTickDuration() {
    return tickDuration;
  }

  /** How many nanoseconds are left until the next tick is due; negative when it is late. */
  public long getTimeRemaining() {
    return timeEnd - System.nanoTime();
  }

  @Override
  public HandlerList getHandlers() {
    return HANDLERS;
  }

  public static HandlerList getHandlerList() {
    return HANDLERS;
  }
}
