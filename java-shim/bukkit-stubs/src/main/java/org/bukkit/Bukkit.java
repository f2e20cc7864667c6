package org.bukkit;

import io.papermc.paper.threadedregions.scheduler.AsyncScheduler;
import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import io.papermc.paper.threadedregions.scheduler.RegionScheduler;
import java.io.File;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.logging.Logger;
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

/** The one server of this process, by static methods. */
public final class Bukkit {
  private static Server server;

  private Bukkit() {}

  public static Server getServer() {
    return server;
  }

  /** Set once by the server as it starts. */
  public static void setServer(Server server) {
    if (Bukkit.server != null) {
      throw new UnsupportedOperationException("Cannot redefine singleton Server");
    }
    Bukkit.server = server;
  }

  public static String getName() {
    return server.getName();
  }

  public static String getVersion() {
    return server.getVersion();
  }

  public static String getBukkitVersion() {
    return server.getBukkitVersion();
  }

  public static String getMinecraftVersion() {
    return server.getMinecraftVersion();
  }

  public static Collection<? extends Player> getOnlinePlayers() {
    return server.getOnlinePlayers();
  }

  public static int getMaxPlayers() {
    return server.getMaxPlayers();
  }

  public static Player getPlayer(String name) {
    return server.getPlayer(name);
  }

  public static Player getPlayerExact(String name) {
    return server.getPlayerExact(name);
  }

  public static Player getPlayer(UUID id) {
    return server.getPlayer(id);
  }

  public static Entity getEntity(UUID id) {
    return server.getEntity(id);
  }

  public static File getPluginsFolder() {
    return server.getPluginsFolder();
  }

  public static File getWorldContainer() {
    return server.getWorldContainer();
  }

  public static List<World> getWorlds() {
    return server.getWorlds();
  }

  public static World getWorld(String name) {
    return server.getWorld(name);
  }

  public static World getWorld(UUID id) {
    return server.getWorld(id);
  }

  public static World createWorld(WorldCreator creator) {
    return server.createWorld(creator);
  }

  public static boolean unloadWorld(String name, boolean save) {
    return server.unloadWorld(name, save);
  }

  public static boolean unloadWorld(World world, boolean save) {
    return server.unloadWorld(world, save);
  }

  public static PluginManager getPluginManager() {
    return server.getPluginManager();
  }

  public static BukkitScheduler getScheduler() {
    return server.getScheduler();
  }

  public static ServicesManager getServicesManager() {
    return server.getServicesManager();
  }

  public static RegionScheduler getRegionScheduler() {
    return server.getRegionScheduler();
  }

  public static AsyncScheduler getAsyncScheduler() {
    return server.getAsyncScheduler();
  }

  public static GlobalRegionScheduler getGlobalRegionScheduler() {
    return server.getGlobalRegionScheduler();
  }

  public static Logger getLogger() {
    return server.getLogger();
  }

  public static PluginCommand getPluginCommand(String name) {
    return server.getPluginCommand(name);
  }

  public static CommandMap getCommandMap() {
    return server.getCommandMap();
  }

  public static boolean dispatchCommand(CommandSender sender, String commandLine) {
    return server.dispatchCommand(sender, commandLine);
  }

  public static ConsoleCommandSender getConsoleSender() {
    return server.getConsoleSender();
  }

  public static int broadcast(Component message) {
    return server.broadcast(message);
  }

  public static ItemFactory getItemFactory() {
    return server.getItemFactory();
  }

  public static Inventory createInventory(InventoryHolder owner, int size) {
    return server.createInventory(owner, size);
  }

  public static Inventory createInventory(InventoryHolder owner, int size, Component title) {
    return server.createInventory(owner, size, title);
  }

  public static UnsafeValues getUnsafe() {
    return server.getUnsafe();
  }

  public static boolean isPrimaryThread() {
    return server.isPrimaryThread();
  }

  public static boolean isGlobalTickThread() {
    return server.isGlobalTickThread();
  }

  public static boolean isOwnedByCurrentRegion(Location location) {
    return server.isOwnedByCurrentRegion(location);
  }

  public static boolean isOwnedByCurrentRegion(World world, int chunkX, int chunkZ) {
    return server.isOwnedByCurrentRegion(world, chunkX, chunkZ);
  }

  public static boolean isOwnedByCurrentRegion(Entity entity) {
    return server.isOwnedByCurrentRegion(entity);
  }

  public static double[] getTPS() {
    return server.getTPS();
  }

  public static long[] getTickTimes() {
    return server.getTickTimes();
  }

  public static double getAverageTickTime() {
    return server.getAverageTickTime();
  }

  public static int getCurrentTick() {
    return server.getCurrentTick();
  }

  public static boolean isStopping() {
    return server.isStopping();
  }

  public static void shutdown() {
    server.shutdown();
  }
}
