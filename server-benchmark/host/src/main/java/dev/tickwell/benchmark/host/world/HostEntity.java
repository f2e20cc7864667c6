package dev.tickwell.benchmark.host.world;

import dev.tickwell.benchmark.host.schedule.HostEntityScheduler;
import dev.tickwell.benchmark.host.schedule.RegionTasks;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import net.kyori.adventure.text.Component;
import net.minestom.server.coordinate.Pos;
import org.bukkit.Location;
import org.bukkit.Server;
import org.bukkit.World;
import org.bukkit.entity.Entity;

/** An entity over one of Minestom's. */
class HostEntity implements Entity {
  private final HostEntities entities;
  private final net.minestom.server.entity.Entity handle;
  private final HostEntityScheduler scheduler;

  HostEntity(HostEntities entities, net.minestom.server.entity.Entity handle, RegionTasks tasks) {
    this.entities = entities;
    this.handle = handle;
    this.scheduler = new HostEntityScheduler(tasks);
  }

  net.minestom.server.entity.Entity handle() {
    return handle;
  }

  HostEntities entities() {
    return entities;
  }

  @Override
  public Location getLocation() {
    HostWorld world = entities.worlds().of(handle.getInstance());
    Pos position = handle.getPosition();
    return world == null
        ? new Location(null, position.x(), position.y(), position.z())
        : world.location(position);
  }

  @Override
  public World getWorld() {
    return entities.worlds().of(handle.getInstance());
  }

  @Override
  public boolean teleport(Location location) {
    if (!(location.getWorld() instanceof HostWorld world)) {
      throw new IllegalArgumentException("location.world");
    }
    Pos position =
        new Pos(
            location.getX(),
            location.getY(),
            location.getZ(),
            location.getYaw(),
            location.getPitch());
    boolean stays = world.instance().equals(handle.getInstance());
    // Either completes when the chunk is loaded; the real method has no way to tell.
    CompletableFuture<Void> _ =
        stays ? handle.teleport(position) : handle.setInstance(world.instance(), position);
    return true;
  }

  @Override
  public int getEntityId() {
    return handle.getEntityId();
  }

  @Override
  public UUID getUniqueId() {
    return handle.getUuid();
  }

  @Override
  public void remove() {
    handle.remove();
  }

  @Override
  public boolean isDead() {
    return handle.isRemoved();
  }

  @Override
  public boolean isValid() {
    return handle.isActive();
  }

  @Override
  public HostEntityScheduler getScheduler() {
    return scheduler;
  }

  @Override
  public void sendMessage(String message) {}

  @Override
  public void sendMessage(String... messages) {
    for (String message : messages) {
      sendMessage(message);
    }
  }

  @Override
  public Server getServer() {
    return entities.server();
  }

  @Override
  public String getName() {
    return handle.getEntityType().key().value();
  }

  @Override
  public Component name() {
    return Component.text(getName());
  }

  @Override
  public boolean isPermissionSet(String name) {
    return false;
  }

  @Override
  public boolean hasPermission(String name) {
    return false;
  }

  @Override
  public boolean isOp() {
    return false;
  }

  @Override
  public void setOp(boolean value) {
    throw new UnsupportedOperationException("Cannot change operator status of an entity");
  }
}
