package org.bukkit.entity;

import io.papermc.paper.threadedregions.scheduler.EntityScheduler;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.bukkit.Location;
import org.bukkit.World;
import org.bukkit.command.CommandSender;

/** Something that lives in a world. */
public interface Entity extends CommandSender {
  Location getLocation();

  World getWorld();

  boolean teleport(Location location);

  default CompletableFuture<Boolean> teleportAsync(Location location) {
    return CompletableFuture.completedFuture(teleport(location));
  }

  int getEntityId();

  UUID getUniqueId();

  void remove();

  boolean isDead();

  boolean isValid();

  EntityScheduler getScheduler();
}
