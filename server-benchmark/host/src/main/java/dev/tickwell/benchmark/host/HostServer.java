package dev.tickwell.benchmark.host;

import dev.tickwell.benchmark.host.item.HostInventory;
import dev.tickwell.benchmark.host.item.HostItems;
import dev.tickwell.benchmark.host.plugin.HostCommandMap;
import dev.tickwell.benchmark.host.plugin.HostPluginManager;
import dev.tickwell.benchmark.host.plugin.HostServices;
import dev.tickwell.benchmark.host.schedule.HostAsyncScheduler;
import dev.tickwell.benchmark.host.schedule.HostScheduler;
import dev.tickwell.benchmark.host.schedule.RegionTasks;
import dev.tickwell.benchmark.host.tick.TickLoop;
import dev.tickwell.benchmark.host.tick.TickStatistics;
import dev.tickwell.benchmark.host.world.HostEntities;
import dev.tickwell.benchmark.host.world.HostPlayer;
import dev.tickwell.benchmark.host.world.HostWorlds;
import io.papermc.paper.threadedregions.scheduler.AsyncScheduler;
import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import io.papermc.paper.threadedregions.scheduler.RegionScheduler;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.kyori.adventure.audience.Audience;
import net.kyori.adventure.text.Component;
import net.minestom.server.MinecraftServer;
import org.bukkit.Location;
import org.bukkit.Server;
import org.bukkit.UnsafeValues;
import org.bukkit.World;
import org.bukkit.WorldCreator;
import org.bukkit.command.CommandMap;
import org.bukkit.command.CommandSender;
import org.bukkit.command.ConsoleCommandSender;
import org.bukkit.command.PluginCommand;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;
import org.bukkit.inventory.Inventory;
import org.bukkit.inventory.InventoryHolder;
import org.bukkit.inventory.ItemFactory;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.PluginManager;
import org.bukkit.plugin.ServicesManager;
import org.bukkit.scheduler.BukkitScheduler;

/**
 * The server as plugins see it: it owns the schedulers, the plugins, the worlds and the pool of
 * asynchronous tasks. The thread that makes it is the tick thread.
 */
final class HostServer implements Server {
  private static final long ASYNC_TASKS_LIMIT_SECONDS = 5;

  private final Logger logger = Logger.getLogger("Minecraft");
  private final Thread tickThread = Thread.currentThread();
  private final HostOptions options;
  private final TickStatistics statistics;
  private final Queue<Runnable> arrived = new ConcurrentLinkedQueue<>();
  private final ExecutorService pool =
      Executors.newCachedThreadPool(daemons("Async Task ").factory());
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(daemons("Async Timer ").factory());
  private final HostScheduler scheduler = new HostScheduler(pool);
  private final RegionTasks regionTasks = new RegionTasks();
  private final HostAsyncScheduler asyncScheduler = new HostAsyncScheduler(pool, timer);
  private final HostServices services = new HostServices();
  private final HostCommandMap commands = new HostCommandMap();
  private final HostItems items = new HostItems();
  private final HostPluginManager plugins;
  private final HostEntities entities;
  private final HostWorlds worlds;
  private final ConsoleCommandSender console = new ConsoleSender(this, logger);
  private final Runnable stop;
  private volatile boolean stopping;
  private volatile int currentTick;

  /**
   * @param stop makes the tick loop end
   */
  HostServer(HostOptions options, TickStatistics statistics, Runnable stop) {
    this.options = options;
    this.statistics = statistics;
    this.stop = stop;
    plugins = new HostPluginManager(this, options.plugins(), commands, this::cancelTasks);
    entities = new HostEntities(this, regionTasks, arrived::add);
    worlds = new HostWorlds(options.work(), plugins, entities);
    new HostCommands(this, plugins, worlds, statistics).register(commands);
  }

  private static Thread.Builder.OfPlatform daemons(String prefix) {
    return Thread.ofPlatform().daemon().name(prefix, 1);
  }

  private void cancelTasks(Plugin plugin) {
    scheduler.cancelTasks(plugin);
    regionTasks.cancelAll(plugin);
    asyncScheduler.cancelTasks(plugin);
  }

  HostPluginManager plugins() {
    return plugins;
  }

  HostWorlds worlds() {
    return worlds;
  }

  HostEntities entities() {
    return entities;
  }

  /** Has this run in the next tick; for any thread. */
  void onTickThread(Runnable work) {
    arrived.add(work);
  }

  /** The work of a tick between its two events; on the tick thread. */
  void tick(int tick) {
    currentTick = tick;
    scheduler.heartbeat(tick);
    regionTasks.heartbeat(tick);
    MinecraftServer.process().ticker().tick(System.nanoTime());
    // What arrives while this runs waits for the next tick, so that a tick ends.
    for (int left = arrived.size(); left > 0; left--) {
      Runnable work = arrived.poll();
      try {
        work.run();
      } catch (Throwable e) {
        logger.log(Level.SEVERE, "Work on the tick thread failed", e);
      }
    }
  }

  /** Ends asynchronous tasks; after the plugins are disabled. */
  void close() {
    timer.shutdownNow();
    pool.shutdown();
    try {
      if (!pool.awaitTermination(ASYNC_TASKS_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        logger.warning(
            "Asynchronous tasks still run after "
                + ASYNC_TASKS_LIMIT_SECONDS
                + " seconds; they are interrupted");
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** From here on {@link #isStopping} is true. */
  void markStopping() {
    stopping = true;
  }

  @Override
  public String getName() {
    return "Tickwell benchmark host";
  }

  @Override
  public String getVersion() {
    return "Minestom for Minecraft " + getMinecraftVersion();
  }

  @Override
  public String getBukkitVersion() {
    return getMinecraftVersion() + "-R0.1-SNAPSHOT";
  }

  @Override
  public String getMinecraftVersion() {
    return MinecraftServer.VERSION_NAME;
  }

  @Override
  public Collection<? extends Player> getOnlinePlayers() {
    return entities.online();
  }

  @Override
  public int getMaxPlayers() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int getPort() {
    return MinecraftServer.getServer().getPort();
  }

  @Override
  public String getIp() {
    return "127.0.0.1";
  }

  /** By the whole name first, else by the shortest that begins so. */
  @Override
  public Player getPlayer(String name) {
    Player exact = getPlayerExact(name);
    if (exact != null) {
      return exact;
    }
    String start = name.toLowerCase(Locale.ROOT);
    Player shortest = null;
    for (HostPlayer player : entities.online()) {
      boolean fits = player.getName().toLowerCase(Locale.ROOT).startsWith(start);
      if (fits && (shortest == null || player.getName().length() < shortest.getName().length())) {
        shortest = player;
      }
    }
    return shortest;
  }

  @Override
  public Player getPlayerExact(String name) {
    for (HostPlayer player : entities.online()) {
      if (player.getName().equalsIgnoreCase(name)) {
        return player;
      }
    }
    return null;
  }

  @Override
  public Player getPlayer(UUID id) {
    return entities.online(id);
  }

  @Override
  public Entity getEntity(UUID id) {
    return entities.find(id);
  }

  @Override
  public File getPluginsFolder() {
    return options.plugins();
  }

  @Override
  public File getWorldContainer() {
    return worlds.container();
  }

  @Override
  public List<World> getWorlds() {
    return worlds.all();
  }

  @Override
  public World getWorld(String name) {
    return worlds.byName(name);
  }

  @Override
  public World getWorld(UUID id) {
    return worlds.byId(id);
  }

  @Override
  public World createWorld(WorldCreator creator) {
    requireTickThread("World creation");
    return worlds.load(creator.name());
  }

  @Override
  public boolean unloadWorld(String name, boolean save) {
    return unloadWorld(getWorld(name), save);
  }

  @Override
  public boolean unloadWorld(World world, boolean save) {
    requireTickThread("World unload");
    return worlds.unload(world);
  }

  private void requireTickThread(String what) {
    if (!isPrimaryThread()) {
      throw new IllegalStateException("Asynchronous " + what.toLowerCase(Locale.ROOT) + "!");
    }
  }

  @Override
  public PluginManager getPluginManager() {
    return plugins;
  }

  @Override
  public BukkitScheduler getScheduler() {
    return scheduler;
  }

  @Override
  public ServicesManager getServicesManager() {
    return services;
  }

  @Override
  public RegionScheduler getRegionScheduler() {
    return regionTasks.regions();
  }

  @Override
  public AsyncScheduler getAsyncScheduler() {
    return asyncScheduler;
  }

  @Override
  public GlobalRegionScheduler getGlobalRegionScheduler() {
    return regionTasks.global();
  }

  @Override
  public Logger getLogger() {
    return logger;
  }

  @Override
  public PluginCommand getPluginCommand(String name) {
    return commands.getCommand(name) instanceof PluginCommand command ? command : null;
  }

  @Override
  public CommandMap getCommandMap() {
    return commands;
  }

  @Override
  public boolean dispatchCommand(CommandSender sender, String commandLine) {
    requireTickThread("Command dispatch");
    return commands.dispatch(sender, commandLine);
  }

  @Override
  public ConsoleCommandSender getConsoleSender() {
    return console;
  }

  @Override
  public int broadcast(Component message) {
    int receivers = 0;
    for (Audience audience : audiences()) {
      audience.sendMessage(message);
      receivers++;
    }
    return receivers;
  }

  @Override
  public Iterable<? extends Audience> audiences() {
    List<Audience> all = new ArrayList<>(entities.online());
    all.add(console);
    return all;
  }

  @Override
  public ItemFactory getItemFactory() {
    return items;
  }

  @Override
  public UnsafeValues getUnsafe() {
    return items;
  }

  @Override
  public Inventory createInventory(InventoryHolder owner, int size) {
    return createInventory(owner, size, Component.text("Chest"));
  }

  @Override
  public Inventory createInventory(InventoryHolder owner, int size, Component title) {
    return HostInventory.chest(owner, size, title);
  }

  @Override
  public boolean isPrimaryThread() {
    return Thread.currentThread() == tickThread;
  }

  @Override
  public boolean isGlobalTickThread() {
    return isPrimaryThread();
  }

  @Override
  public boolean isOwnedByCurrentRegion(Location location) {
    return isPrimaryThread();
  }

  @Override
  public boolean isOwnedByCurrentRegion(World world, int chunkX, int chunkZ) {
    return isPrimaryThread();
  }

  @Override
  public boolean isOwnedByCurrentRegion(Entity entity) {
    return isPrimaryThread();
  }

  @Override
  public double[] getTPS() {
    return statistics.tps(TickLoop.Clock.SYSTEM.nanoTime());
  }

  @Override
  public long[] getTickTimes() {
    return statistics.lastTickNanos();
  }

  @Override
  public double getAverageTickTime() {
    return statistics.averageMillis();
  }

  @Override
  public int getCurrentTick() {
    return currentTick;
  }

  @Override
  public boolean isStopping() {
    return stopping;
  }

  @Override
  public boolean isPaused() {
    return false;
  }

  @Override
  public void shutdown() {
    stop.run();
  }
}
