package dev.tickwell.benchmark.host.schedule;

import dev.tickwell.benchmark.host.tick.TickTasks;
import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import io.papermc.paper.threadedregions.scheduler.RegionScheduler;
import io.papermc.paper.threadedregions.scheduler.ScheduledTask;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bukkit.World;
import org.bukkit.plugin.Plugin;

/**
 * The region-aware schedulers on a server with one tick thread: all tasks run in {@link
 * #heartbeat}, at the earliest in the tick after the one that scheduled them. Any thread may
 * schedule and cancel.
 */
public final class RegionTasks {
  private final TickTasks tasks = new TickTasks();
  private final Set<Run> known = ConcurrentHashMap.newKeySet();
  private final GlobalRegionScheduler global = new Global();
  private final RegionScheduler regions = new Regions();

  /** Runs what is due; on the tick thread. */
  public void heartbeat(int tick) {
    tasks.heartbeat(tick);
  }

  /** The scheduler of the global region. */
  public GlobalRegionScheduler global() {
    return global;
  }

  /** The scheduler of regions by their chunks. */
  public RegionScheduler regions() {
    return regions;
  }

  /** Forgets a plugin's tasks, whatever they were scheduled on. */
  public void cancelAll(Plugin plugin) {
    for (Run run : known) {
      if (run.getOwningPlugin().equals(plugin)) {
        run.cancel();
      }
    }
  }

  Run add(
      Plugin plugin,
      Consumer<ScheduledTask> work,
      long delayTicks,
      long periodTicks,
      BooleanSupplier gone,
      Runnable retired,
      Consumer<Run> ended) {
    if (plugin == null) {
      throw new IllegalArgumentException("Plugin may not be null");
    }
    if (work == null) {
      throw new IllegalArgumentException("Task may not be null");
    }
    if (delayTicks <= 0) {
      throw new IllegalArgumentException("Delay ticks may not be <= 0");
    }
    HostScheduler.requireEnabled(plugin);
    Run[] made = new Run[1];
    made[0] =
        new Run(
            plugin,
            work,
            periodTicks,
            gone,
            retired,
            () -> {
              known.remove(made[0]);
              ended.accept(made[0]);
            });
    known.add(made[0]);
    tasks.add(made[0], delayTicks);
    return made[0];
  }

  private ScheduledTask add(
      Plugin plugin, Consumer<ScheduledTask> work, long delayTicks, long periodTicks) {
    return add(plugin, work, delayTicks, periodTicks, () -> false, null, run -> {});
  }

  static long requirePeriod(long periodTicks) {
    if (periodTicks <= 0) {
      throw new IllegalArgumentException("Period ticks may not be <= 0");
    }
    return periodTicks;
  }

  private final class Global implements GlobalRegionScheduler {
    @Override
    public void execute(Plugin plugin, Runnable run) {
      run(plugin, task -> run.run());
    }

    @Override
    public ScheduledTask run(Plugin plugin, Consumer<ScheduledTask> task) {
      return add(plugin, task, 1, 0);
    }

    @Override
    public ScheduledTask runDelayed(Plugin plugin, Consumer<ScheduledTask> task, long delayTicks) {
      return add(plugin, task, delayTicks, 0);
    }

    @Override
    public ScheduledTask runAtFixedRate(
        Plugin plugin, Consumer<ScheduledTask> task, long initialDelayTicks, long periodTicks) {
      return add(plugin, task, initialDelayTicks, requirePeriod(periodTicks));
    }

    @Override
    public void cancelTasks(Plugin plugin) {
      cancelAll(plugin);
    }
  }

  private final class Regions implements RegionScheduler {
    @Override
    public void execute(Plugin plugin, World world, int chunkX, int chunkZ, Runnable run) {
      run(plugin, world, chunkX, chunkZ, task -> run.run());
    }

    @Override
    public ScheduledTask run(
        Plugin plugin, World world, int chunkX, int chunkZ, Consumer<ScheduledTask> task) {
      return runDelayed(plugin, world, chunkX, chunkZ, task, 1);
    }

    @Override
    public ScheduledTask runDelayed(
        Plugin plugin,
        World world,
        int chunkX,
        int chunkZ,
        Consumer<ScheduledTask> task,
        long delayTicks) {
      requireWorld(world);
      return add(plugin, task, delayTicks, 0);
    }

    @Override
    public ScheduledTask runAtFixedRate(
        Plugin plugin,
        World world,
        int chunkX,
        int chunkZ,
        Consumer<ScheduledTask> task,
        long initialDelayTicks,
        long periodTicks) {
      requireWorld(world);
      return add(plugin, task, initialDelayTicks, requirePeriod(periodTicks));
    }

    private static void requireWorld(World world) {
      if (world == null) {
        throw new IllegalArgumentException("World may not be null");
      }
    }
  }
}
