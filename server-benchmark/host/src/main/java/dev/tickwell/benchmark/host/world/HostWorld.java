package dev.tickwell.benchmark.host.world;

import java.util.List;
import java.util.UUID;
import net.minestom.server.coordinate.Pos;
import net.minestom.server.instance.Instance;
import org.bukkit.Chunk;
import org.bukkit.Location;
import org.bukkit.NamespacedKey;
import org.bukkit.World;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;

/** A flat world over one of Minestom's instances. */
public final class HostWorld implements World {
  /** The first free height above the ground. */
  static final int GROUND = 40;

  private final String name;
  private final NamespacedKey key;
  private final Instance instance;
  private final HostEntities entities;

  HostWorld(String name, NamespacedKey key, Instance instance, HostEntities entities) {
    this.name = name;
    this.key = key;
    this.instance = instance;
    this.entities = entities;
  }

  Instance instance() {
    return instance;
  }

  Location location(Pos position) {
    return new Location(
        this, position.x(), position.y(), position.z(), position.yaw(), position.pitch());
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public UUID getUID() {
    return instance.getUuid();
  }

  @Override
  public NamespacedKey getKey() {
    return key;
  }

  @Override
  public List<Player> getPlayers() {
    return instance.getPlayers().stream().map(entities::player).map(Player.class::cast).toList();
  }

  @Override
  public List<Entity> getEntities() {
    return instance.getEntities().stream().map(entities::of).map(Entity.class::cast).toList();
  }

  @Override
  public Location getSpawnLocation() {
    return new Location(this, 0.5, GROUND, 0.5);
  }

  @Override
  public Chunk getChunkAt(int x, int z) {
    return new HostChunk(this, x, z);
  }

  @Override
  public boolean isChunkLoaded(int x, int z) {
    return instance.isChunkLoaded(x, z);
  }

  @Override
  public String toString() {
    return "World{name=" + name + '}';
  }
}
