package dev.tickwell.paper;

import java.util.Objects;
import java.util.UUID;
import org.bukkit.Location;
import org.bukkit.World;

/**
 * A location that was read while its world was not loaded. It keeps the world's id and name, so
 * that nothing is lost when it is written again, and {@link #getWorld()} gives the world as soon as
 * it is loaded. A location whose world is loaded when it is read is a plain {@link Location}.
 *
 * <p>As mutable as any location; not thread-safe.
 */
public final class StoredLocation extends Location {
  private final Worlds worlds;
  private UUID worldId;
  private String worldName;

  StoredLocation(
      Worlds worlds,
      UUID worldId,
      String worldName,
      double x,
      double y,
      double z,
      float yaw,
      float pitch) {
    super(null, x, y, z, yaw, pitch);
    this.worlds = worlds;
    this.worldId = worldId;
    this.worldName = worldName;
  }

  /** The id of the world, loaded or not. */
  public UUID worldId() {
    return worldId;
  }

  /** The name of the world, loaded or not. */
  public String worldName() {
    return worldName;
  }

  /** The world, or null while it is not loaded. */
  @Override
  public World getWorld() {
    return worlds.find(worldId, worldName);
  }

  @Override
  public boolean isWorldLoaded() {
    return getWorld() != null;
  }

  /** Moves the location to another world, or to none. */
  @Override
  public void setWorld(World world) {
    worldId = world == null ? LocationCodec.NO_WORLD : world.getUID();
    worldName = world == null ? "" : world.getName();
  }

  @Override
  public StoredLocation clone() {
    return (StoredLocation) super.clone();
  }

  @Override
  public boolean equals(Object other) {
    return super.equals(other)
        && other instanceof StoredLocation stored
        && worldId.equals(stored.worldId)
        && worldName.equals(stored.worldName);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), worldId, worldName);
  }
}
