package dev.tickwell.plugin;

import dev.tickwell.paper.Worlds;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.event.world.WorldLoadEvent;
import org.bukkit.event.world.WorldUnloadEvent;

/** Keeps the snapshot of loaded worlds up to date. Runs on the server thread. */
final class WorldListener implements Listener {
  private final Worlds worlds;

  WorldListener(Worlds worlds) {
    this.worlds = worlds;
  }

  /** Adds the world. */
  @EventHandler(priority = EventPriority.LOWEST)
  public void onLoad(WorldLoadEvent event) {
    worlds.add(event.getWorld());
  }

  /** Removes the world, unless another plugin kept it loaded. */
  @EventHandler(priority = EventPriority.MONITOR, ignoreCancelled = true)
  public void onUnload(WorldUnloadEvent event) {
    worlds.remove(event.getWorld());
  }
}
