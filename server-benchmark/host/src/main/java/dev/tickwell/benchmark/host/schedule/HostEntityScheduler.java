package dev.tickwell.benchmark.host.schedule;

import io.papermc.paper.threadedregions.scheduler.EntityScheduler;
import io.papermc.paper.threadedregions.scheduler.ScheduledTask;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.bukkit.plugin.Plugin;

/** The tasks of one entity. Any thread may schedule; the tick thread retires. */
public final class HostEntityScheduler implements EntityScheduler {
  private final RegionTasks tasks;
  private final Set<Run> own = ConcurrentHashMap.newKeySet();
  private volatile boolean retired;

  /**
   * @param tasks where the tasks wait
   */
  public HostEntityScheduler(RegionTasks tasks) {
    this.tasks = tasks;
  }

  /** The entity is gone for good: ends what waits, telling each; on the tick thread. */
  public void retire() {
    retired = true;
    for (Run run : own) {
      run.retire();
    }
  }

  @Override
  public boolean execute(Plugin plugin, Runnable run, Runnable retired, long delay) {
    return runDelayed(plugin, task -> run.run(), retired, Math.max(1, delay)) != null;
  }

  @Override
  public ScheduledTask run(Plugin plugin, Consumer<ScheduledTask> task, Runnable retired) {
    return runDelayed(plugin, task, retired, 1);
  }

  @Override
  public ScheduledTask runDelayed(
      Plugin plugin, Consumer<ScheduledTask> task, Runnable retired, long delayTicks) {
    return add(plugin, task, retired, delayTicks, 0);
  }

  @Override
  public ScheduledTask runAtFixedRate(
      Plugin plugin,
      Consumer<ScheduledTask> task,
      Runnable retired,
      long initialDelayTicks,
      long periodTicks) {
    return add(plugin, task, retired, initialDelayTicks, RegionTasks.requirePeriod(periodTicks));
  }

  private ScheduledTask add(
      Plugin plugin,
      Consumer<ScheduledTask> task,
      Runnable retired,
      long delayTicks,
      long periodTicks) {
    if (this.retired) {
      return null;
    }
    Run run =
        tasks.add(plugin, task, delayTicks, periodTicks, () -> this.retired, retired, own::remove);
    own.add(run);
    if (run.isOver()) {
      own.remove(run);
    }
    return run;
  }
}
