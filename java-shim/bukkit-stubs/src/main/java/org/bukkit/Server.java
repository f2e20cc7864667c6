package org.bukkit;

import io.papermc.paper.threadedregions.scheduler.AsyncScheduler;
import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import io.papermc.paper.threadedregions.scheduler.RegionScheduler;
import java.io.File;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.logging.Logger;
import net.kyori.adventure.audience.ForwardingAudience;
import net.kyori.adventure.text.Component;
import org.bukkit.command.CommandMap;
import org.bukkit.command.CommandSender;
import org.bukkit.command.ConsoleCommandSender;
import org.bukkit.command.PluginCommand;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;
import org.bukkit.inventory.Inventory;
import org.bukkit.inventory.InventoryHolder;
import org.bukkit.inventory.ItemFactory;
import org.bukkit.plugin.PluginManager;
import org.bukkit.plugin.ServicesManager;
import org.bukkit.scheduler.BukkitScheduler;

/** The running server. */
public interface Server extends ForwardingAudience {
  String getName();

  String getVersion();

  String getBukkitVersion();

  String getMinecraftVersion();

  Collection<? extends Player> getOnlinePlayers();

  int getMaxPlayers();

  int getPort();

  String getIp();

  Player getPlayer(String name);

  Player getPlayerExact(String name);

  Player getPlayer(UUID id);

  Entity getEntity(UUID id);

  File getPluginsFolder();

  File getWorldContainer();

  List<World> getWorlds();

  World getWorld(String name);

  World getWorld(UUID id);

  World createWorld(WorldCreator creator);

  boolean unloadWorld(String name, boolean save);

  boolean unloadWorld(World world, boolean save);

  PluginManager getPluginManager();

  BukkitScheduler getScheduler();

  ServicesManager getServicesManager();

  RegionScheduler getRegionScheduler();

  AsyncScheduler getAsyncScheduler();

  GlobalRegionScheduler getGlobalRegionScheduler();

  Logger getLogger();

  PluginCommand getPluginCommand(String name);

  CommandMap getCommandMap();

  boolean dispatchCommand(CommandSender sender, String commandLine);

  ConsoleCommandSender getConsoleSender();

  int broadcast(Component message);

  ItemFactory getItemFactory();

  Inventory createInventory(InventoryHolder owner, int size);

  Inventory createInventory(InventoryHolder owner, int size, Component title);

  UnsafeValues getUnsafe();

  boolean isPrimaryThread();

  boolean isGlobalTickThread();

  boolean isOwnedByCurrentRegion(Location location);

  boolean isOwnedByCurrentRegion(World world, int chunkX, int chunkZ);

  boolean isOwnedByCurrentRegion(Entity entity);

  double[] getTPS();

  /** How long each of the last 100 ticks took, in nanoseconds. */
  long[] getTickTimes();

  /** The mean of {@link #getTickTimes} in milliseconds. */
  double getAverageTickTime();

  int getCurrentTick();

  boolean isStopping();

  boolean isPaused();

  void shutdown();
}
