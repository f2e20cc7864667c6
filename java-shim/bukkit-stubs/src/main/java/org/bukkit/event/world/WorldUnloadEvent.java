package org.bukkit.event.world;

import org.bukkit.World;
import org.bukkit.event.Cancellable;
import org.bukkit.event.HandlerList;

/** A world is about to be unloaded. */
public class WorldUnloadEvent extends WorldEvent implements Cancellable {
  private static final HandlerList HANDLERS = new HandlerList();

  private boolean cancelled;

  public WorldUnloadEvent(World world) {
    super(world);
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void setCancelled(boolean cancel) {
    cancelled = cancel;
  }

  @Override
  public HandlerList getHandlers() {
    return HANDLERS;
  }

  public static HandlerList getHandlerList() {
    return HANDLERS;
  }
}
