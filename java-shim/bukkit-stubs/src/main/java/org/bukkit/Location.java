package org.bukkit;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Objects;

/** A mutable position in a world, which it does not keep alive. */
public class Location implements Cloneable {
  private Reference<World> world;
  private double x;
  private double y;
  private double z;
  private float pitch;
  private float yaw;

  public Location(World world, double x, double y, double z) {
    this(world, x, y, z, 0, 0);
  }

  public Location(World world, double x, double y, double z, float yaw, float pitch) {
    this.world = world == null ? null : new WeakReference<>(world);
    this.x = x;
    this.y = y;
    this.z = z;
    this.yaw = yaw;
    this.pitch = pitch;
  }

  public void setWorld(World world) {
    this.world = world == null ? null : new WeakReference<>(world);
  }

  public boolean isWorldLoaded() {
    World found = world == null ? null : world.get();
    return found != null && Bukkit.getWorld(found.getUID()) != null;
  }

  /**
   * The world, or null when it was never set.
   *
   * @throws IllegalArgumentException when the world was unloaded and is gone
   */
  public World getWorld() {
    if (world == null) {
      return null;
    }
    World found = world.get();
    if (found == null) {
      throw new IllegalArgumentException("World unloaded");
    }
    return found;
  }

  public Chunk getChunk() {
    return getWorld().getChunkAt(getBlockX() >> 4, getBlockZ() >> 4);
  }

  public void setX(double x) {
    this.x = x;
  }

  public double getX() {
    return x;
  }

  public int getBlockX() {
    return floor(x);
  }

  public void setY(double y) {
    this.y = y;
  }

  public double getY() {
    return y;
  }

  public int getBlockY() {
    return floor(y);
  }

  public void setZ(double z) {
    this.z = z;
  }

  public double getZ() {
    return z;
  }

  public int getBlockZ() {
    return floor(z);
  }

  public void setYaw(float yaw) {
    this.yaw = yaw;
  }

  public float getYaw() {
    return yaw;
  }

  public void setPitch(float pitch) {
    this.pitch = pitch;
  }

  public float getPitch() {
    return pitch;
  }

  public Location add(double x, double y, double z) {
    this.x += x;
    this.y += y;
    this.z += z;
    return this;
  }

  public Location subtract(double x, double y, double z) {
    return add(-x, -y, -z);
  }

  /**
   * The distance in blocks.
   *
   * @throws IllegalArgumentException when the worlds differ or one is missing
   */
  public double distance(Location other) {
    return Math.sqrt(distanceSquared(other));
  }

  public double distanceSquared(Location other) {
    if (other == null) {
      throw new IllegalArgumentException("Cannot measure distance to a null location");
    }
    World here = getWorld();
    World there = other.getWorld();
    if (here == null || there == null) {
      throw new IllegalArgumentException("Cannot measure distance to a null world");
    }
    if (!here.equals(there)) {
      throw new IllegalArgumentException(
          "Cannot measure distance between " + here.getName() + " and " + there.getName());
    }
    double dx = x - other.x;
    double dy = y - other.y;
    double dz = z - other.z;
    return dx * dx + dy * dy + dz * dz;
  }

  private static int floor(double value) {
    return (int) Math.floor(value);
  }

  @Override
  @SuppressWarnings("EqualsGetClass") // as the real one: a subclass is another kind of place
  public boolean equals(Object object) {
    return object != null
        && getClass() == object.getClass()
        && object instanceof Location other
        && Objects.equals(worldOrNull(), other.worldOrNull())
        && Double.doubleToLongBits(x) == Double.doubleToLongBits(other.x)
        && Double.doubleToLongBits(y) == Double.doubleToLongBits(other.y)
        && Double.doubleToLongBits(z) == Double.doubleToLongBits(other.z)
        && Float.floatToIntBits(pitch) == Float.floatToIntBits(other.pitch)
        && Float.floatToIntBits(yaw) == Float.floatToIntBits(other.yaw);
  }

  @Override
  public int hashCode() {
    return Objects.hash(worldOrNull(), x, y, z, pitch, yaw);
  }

  private World worldOrNull() {
    return world == null ? null : world.get();
  }

  @Override
  public String toString() {
    return "Location{world="
        + worldOrNull()
        + ",x="
        + x
        + ",y="
        + y
        + ",z="
        + z
        + ",pitch="
        + pitch
        + ",yaw="
        + yaw
        + '}';
  }

  @Override
  public Location clone() {
    try {
      return (Location) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
