package org.bukkit;

/** A column of 16 by 16 blocks. */
public interface Chunk {
  int getX();

  int getZ();

  World getWorld();

  boolean isLoaded();
}
