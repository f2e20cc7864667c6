package dev.tickwell.benchmark.host.world;

import org.bukkit.Chunk;
import org.bukkit.World;

/** A chunk by its place; it need not be loaded. */
record HostChunk(HostWorld world, int x, int z) implements Chunk {
  @Override
  public int getX() {
    return x;
  }

  @Override
  public int getZ() {
    return z;
  }

  @Override
  public World getWorld() {
    return world;
  }

  @Override
  public boolean isLoaded() {
    return world.isChunkLoaded(x, z);
  }
}
