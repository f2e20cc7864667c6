package org.bukkit.entity;

import io.papermc.paper.threadedregions.scheduler.EntityScheduler;
import java.util.UUID;
import org.bukkit.Location;
import org.bukkit.World;
import org.bukkit.command.CommandSender;

/** Something that lives in a world. */
public interface Entity extends CommandSender {
  Location getLocation();

  World getWorld();

  boolean teleport(Location location);

  default java.util.concurrent.CompletableFuture<Boolean> teleportAsync(Location location) {
    return java.util.concurrent.CompletableFuture.completedFuture(teleport(location));
  }

  int getEntityId();

  UUID getUniqueId();

  void remove();

  boolean isDead();

  boolean isValid();

  EntityScheduler getScheduler();
}
