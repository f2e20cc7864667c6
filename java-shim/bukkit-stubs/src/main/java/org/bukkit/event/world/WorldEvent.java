package org.bukkit.event.world;

import org.bukkit.World;
import org.bukkit.event.Event;

/** Something about a world. */
public abstract class WorldEvent extends Event {
  private final World world;

  public WorldEvent(World world) {
    this.world = world;
  }

  public World getWorld() {
    return world;
  }
}
