package dev.tickwell;

import java.util.Objects;

/**
 * On which tick thread a callback runs. Made by the server's module, such as {@code
 * dev.tickwell.paper.Targets}.
 */
public sealed interface Target {
  /** The server thread; on a regionised server, the global region's. */
  record Global() implements Target {}

  /**
   * The thread that owns an entity when the result arrives.
   *
   * @param entity the server's entity object
   */
  record Entity(Object entity) implements Target {
    /** Refuses null. */
    public Entity {
      Objects.requireNonNull(entity, "entity");
    }
  }

  /**
   * The thread that owns a chunk when the result arrives.
   *
   * @param world the server's world object
   * @param chunkX the chunk's x, in chunks
   * @param chunkZ the chunk's z, in chunks
   */
  record Region(Object world, int chunkX, int chunkZ) implements Target {
    /** Refuses null. */
    public Region {
      Objects.requireNonNull(world, "world");
    }
  }
}
