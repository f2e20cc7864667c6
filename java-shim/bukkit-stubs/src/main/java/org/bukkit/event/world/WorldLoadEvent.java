package org.bukkit.event.world;

import org.bukkit.World;
import org.bukkit.event.HandlerList;

/** A world was loaded. */
public class WorldLoadEvent extends WorldEvent {
  private static final HandlerList HANDLERS = new HandlerList();

  public WorldLoadEvent(World world) {
    super(world);
  }

  @Override
  public HandlerList getHandlers() {
    return HANDLERS;
  }

  public static HandlerList getHandlerList() {
    return HANDLERS;
  }
}
