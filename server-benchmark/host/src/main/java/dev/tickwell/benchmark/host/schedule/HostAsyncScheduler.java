package dev.tickwell.benchmark.host.schedule;

import io.papermc.paper.threadedregions.scheduler.AsyncScheduler;
import io.papermc.paper.threadedregions.scheduler.ScheduledTask;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bukkit.plugin.Plugin;

/** Runs tasks on a pool, by time instead of ticks. Any thread may schedule and cancel. */
public final class HostAsyncScheduler implements AsyncScheduler {
  private final ExecutorService pool;
  private final ScheduledExecutorService timer;
  private final Set<Run> known = ConcurrentHashMap.newKeySet();

  /**
   * @param pool runs the tasks
   * @param timer hands them to the pool when they are due; both belong to the caller
   */
  public HostAsyncScheduler(ExecutorService pool, ScheduledExecutorService timer) {
    this.pool = pool;
    this.timer = timer;
  }

  private Run make(Plugin plugin, Consumer<ScheduledTask> task, boolean repeating) {
    if (plugin == null) {
      throw new IllegalArgumentException("Plugin may not be null");
    }
    if (task == null) {
      throw new IllegalArgumentException("Task may not be null");
    }
    HostScheduler.requireEnabled(plugin);
    Run[] made = new Run[1];
    made[0] =
        new Run(plugin, task, repeating ? 1 : 0, () -> false, null, () -> known.remove(made[0]));
    known.add(made[0]);
    return made[0];
  }

  @Override
  public ScheduledTask runNow(Plugin plugin, Consumer<ScheduledTask> task) {
    Run run = make(plugin, task, false);
    pool.execute(run::run);
    return run;
  }

  @Override
  public ScheduledTask runDelayed(
      Plugin plugin, Consumer<ScheduledTask> task, long delay, TimeUnit unit) {
    Run run = make(plugin, task, false);
    after(delay, unit, () -> pool.execute(run::run));
    return run;
  }

  @Override
  public ScheduledTask runAtFixedRate(
      Plugin plugin, Consumer<ScheduledTask> task, long initialDelay, long period, TimeUnit unit) {
    if (period <= 0) {
      throw new IllegalArgumentException("Period may not be <= 0");
    }
    Run run = make(plugin, task, true);
    after(initialDelay, unit, () -> repeat(run, period, unit));
    return run;
  }

  private void after(long delay, TimeUnit unit, Runnable step) {
    // The run itself is what callers cancel; a step of a cancelled one does nothing.
    Future<?> _ = timer.schedule(step, delay, unit);
  }

  private void repeat(Run run, long period, TimeUnit unit) {
    if (!run.isCancelled()) {
      pool.execute(run::run);
      after(period, unit, () -> repeat(run, period, unit));
    }
  }

  @Override
  public void cancelTasks(Plugin plugin) {
    for (Run run : known) {
      if (run.getOwningPlugin().equals(plugin)) {
        run.cancel();
      }
    }
  }
}
