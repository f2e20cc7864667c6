package dev.tickwell.paper;

import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.bukkit.Location;
import org.bukkit.World;

/**
 * Keeps locations in {@code location} columns, in the form of {@code docs/page-format.md}: the
 * world by id and name, so that a location outlives its world. Works on any thread, off the tick.
 */
public final class LocationCodec implements ObjectCodec<Location> {
  /** The id that is kept for a location without a world. */
  static final UUID NO_WORLD = new UUID(0, 0);

  private static final int FIXED_BYTES = 48;

  private final Worlds worlds;

  /** A codec that finds worlds in this snapshot. */
  public LocationCodec(Worlds worlds) {
    this.worlds = worlds;
  }

  @Override
  public Class<Location> type() {
    return Location.class;
  }

  @Override
  public ValueType storage() {
    return ValueType.LOCATION;
  }

  /** Copies the coordinates and notes the world: a location itself holds its world only weakly. */
  @Override
  public StoredLocation snapshot(Location location) {
    UUID id;
    String name;
    if (location instanceof StoredLocation stored) {
      id = stored.worldId();
      name = stored.worldName();
    } else {
      World world = worldOf(location);
      id = world == null ? NO_WORLD : world.getUID();
      name = world == null ? "" : world.getName();
    }
    return new StoredLocation(
        worlds,
        id,
        name,
        location.getX(),
        location.getY(),
        location.getZ(),
        location.getYaw(),
        location.getPitch());
  }

  @Override
  public byte[] encode(Location location) {
    StoredLocation stored =
        location instanceof StoredLocation already ? already : snapshot(location);
    byte[] name = stored.worldName().getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + name.length);
    bytes
        .putLong(stored.worldId().getMostSignificantBits())
        .putLong(stored.worldId().getLeastSignificantBits());
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    bytes.putDouble(stored.getX()).putDouble(stored.getY()).putDouble(stored.getZ());
    bytes.putFloat(stored.getYaw()).putFloat(stored.getPitch());
    return bytes.put(name).array();
  }

  /**
   * A plain location when the world is loaded or there was none, else a {@link StoredLocation}.
   *
   * @throws TickwellException {@code INVALID_VALUE} when the bytes are too few for a location
   */
  @Override
  public Location decode(byte[] bytes) {
    if (bytes.length < FIXED_BYTES) {
      throw new TickwellException(
          ErrorCode.INVALID_VALUE,
          "read location",
          "a location has at least " + FIXED_BYTES + " bytes, this value has " + bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    UUID id = new UUID(in.getLong(), in.getLong());
    in.order(ByteOrder.LITTLE_ENDIAN);
    double x = in.getDouble();
    double y = in.getDouble();
    double z = in.getDouble();
    float yaw = in.getFloat();
    float pitch = in.getFloat();
    String name = StandardCharsets.UTF_8.decode(in).toString();
    boolean worldless = id.equals(NO_WORLD) && name.isEmpty();
    World world = worldless ? null : worlds.find(id, name);
    return world != null || worldless
        ? new Location(world, x, y, z, yaw, pitch)
        : new StoredLocation(worlds, id, name, x, y, z, yaw, pitch);
  }

  private static World worldOf(Location location) {
    try {
      return location.getWorld();
    } catch (IllegalArgumentException unloaded) {
      // Bukkit's way to say that the world was unloaded and collected: its id is gone with it.
      throw new TickwellException(
          ErrorCode.INVALID_VALUE,
          "write location",
          "the location's world was unloaded and its name is lost; read the location again or set"
              + " its world");
    }
  }
}
