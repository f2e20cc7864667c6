package dev.tickwell.paper;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.bukkit.World;

/**
 * The loaded worlds, as a snapshot that any thread may read: the server's own list belongs to the
 * server thread. Changed by the Tickwell plugin when worlds load and unload; owns no world.
 */
public final class Worlds {
  private volatile Map<UUID, World> byId = Map.of();

  /** Replaces the snapshot. */
  public synchronized void reset(Collection<World> worlds) {
    Map<UUID, World> next = new HashMap<>();
    for (World world : worlds) {
      next.put(world.getUID(), world);
    }
    byId = Map.copyOf(next);
  }

  /** Adds a world that was loaded. */
  public synchronized void add(World world) {
    Map<UUID, World> next = new HashMap<>(byId);
    next.put(world.getUID(), world);
    byId = Map.copyOf(next);
  }

  /** Removes a world that is being unloaded. */
  public synchronized void remove(World world) {
    Map<UUID, World> next = new HashMap<>(byId);
    next.remove(world.getUID());
    byId = Map.copyOf(next);
  }

  /**
   * The loaded world with this id, or else with this name (a world that was made again under its
   * old name has a new id), or null.
   */
  World find(UUID id, String name) {
    Map<UUID, World> worlds = byId;
    World world = worlds.get(id);
    if (world != null) {
      return world;
    }
    for (World candidate : worlds.values()) {
      if (candidate.getName().equals(name)) {
        return candidate;
      }
    }
    return null;
  }
}
