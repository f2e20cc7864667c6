package org.bukkit;

import java.util.List;
import java.util.UUID;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;

/** A world that is loaded. */
public interface World extends Keyed {
  String getName();

  UUID getUID();

  List<Player> getPlayers();

  List<Entity> getEntities();

  Location getSpawnLocation();

  Chunk getChunkAt(int x, int z);

  boolean isChunkLoaded(int x, int z);
}
