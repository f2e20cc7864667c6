package dev.tickwell.benchmark.host.schedule;

import dev.tickwell.benchmark.host.tick.TickTasks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.bukkit.plugin.IllegalPluginAccessException;
import org.bukkit.plugin.Plugin;
import org.bukkit.scheduler.BukkitScheduler;
import org.bukkit.scheduler.BukkitTask;

/**
 * The classic scheduler: synchronous tasks run in {@link #heartbeat} on the tick thread,
 * asynchronous ones on the pool that it is given. Any thread may schedule and cancel.
 */
@SuppressWarnings("overloads") // the interface's
public final class HostScheduler implements BukkitScheduler {
  private final TickTasks tasks = new TickTasks();
  private final Map<Integer, HostTask> known = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final ExecutorService pool;

  /**
   * @param pool runs the asynchronous tasks; its owner shuts it down
   */
  public HostScheduler(ExecutorService pool) {
    this.pool = pool;
  }

  /** Runs what is due; on the tick thread. */
  public void heartbeat(int tick) {
    tasks.heartbeat(tick);
  }

  void onWorker(HostTask task) {
    pool.execute(task::work);
  }

  void forget(HostTask task) {
    known.remove(task.getTaskId());
  }

  private HostTask add(
      Plugin plugin,
      Consumer<? super BukkitTask> work,
      boolean sync,
      long delayTicks,
      long periodTicks) {
    if (plugin == null) {
      throw new IllegalArgumentException("Plugin cannot be null");
    }
    if (work == null) {
      throw new IllegalArgumentException("Task cannot be null");
    }
    requireEnabled(plugin);
    HostTask task = new HostTask(this, ids.incrementAndGet(), plugin, sync, periodTicks, work);
    known.put(task.getTaskId(), task);
    tasks.add(task, delayTicks);
    return task;
  }

  static void requireEnabled(Plugin plugin) {
    if (!plugin.isEnabled()) {
      throw new IllegalPluginAccessException("Plugin attempted to register task while disabled");
    }
  }

  private static Consumer<BukkitTask> ignoring(Runnable task) {
    return task == null ? null : scheduled -> task.run();
  }

  /** The real scheduler takes a period of 0 for 1. */
  private static long repeating(long period) {
    return Math.max(1, period);
  }

  @Override
  public int scheduleSyncDelayedTask(Plugin plugin, Runnable task, long delay) {
    return runTaskLater(plugin, task, delay).getTaskId();
  }

  @Override
  public int scheduleSyncDelayedTask(Plugin plugin, Runnable task) {
    return runTask(plugin, task).getTaskId();
  }

  @Override
  public int scheduleSyncRepeatingTask(Plugin plugin, Runnable task, long delay, long period) {
    return runTaskTimer(plugin, task, delay, period).getTaskId();
  }

  @Override
  public <T> Future<T> callSyncMethod(Plugin plugin, Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    runTask(plugin, (Runnable) future);
    return future;
  }

  @Override
  public void cancelTask(int taskId) {
    HostTask task = known.remove(taskId);
    if (task != null) {
      task.cancelTask();
    }
  }

  @Override
  public void cancelTasks(Plugin plugin) {
    for (HostTask task : known.values()) {
      if (task.getOwner().equals(plugin)) {
        task.cancel();
      }
    }
  }

  @Override
  public boolean isCurrentlyRunning(int taskId) {
    HostTask task = known.get(taskId);
    return task != null && task.isRunning();
  }

  @Override
  public boolean isQueued(int taskId) {
    HostTask task = known.get(taskId);
    return task != null && (task.isRepeating() || !task.isRunning());
  }

  @Override
  public List<BukkitTask> getPendingTasks() {
    return List.copyOf(known.values());
  }

  @Override
  public BukkitTask runTask(Plugin plugin, Runnable task) {
    return add(plugin, ignoring(task), true, 0, 0);
  }

  @Override
  public void runTask(Plugin plugin, Consumer<? super BukkitTask> task) {
    add(plugin, task, true, 0, 0);
  }

  @Override
  public BukkitTask runTaskAsynchronously(Plugin plugin, Runnable task) {
    return add(plugin, ignoring(task), false, 0, 0);
  }

  @Override
  public void runTaskAsynchronously(Plugin plugin, Consumer<? super BukkitTask> task) {
    add(plugin, task, false, 0, 0);
  }

  @Override
  public BukkitTask runTaskLater(Plugin plugin, Runnable task, long delay) {
    return add(plugin, ignoring(task), true, delay, 0);
  }

  @Override
  public void runTaskLater(Plugin plugin, Consumer<? super BukkitTask> task, long delay) {
    add(plugin, task, true, delay, 0);
  }

  @Override
  public BukkitTask runTaskLaterAsynchronously(Plugin plugin, Runnable task, long delay) {
    return add(plugin, ignoring(task), false, delay, 0);
  }

  @Override
  public void runTaskLaterAsynchronously(
      Plugin plugin, Consumer<? super BukkitTask> task, long delay) {
    add(plugin, task, false, delay, 0);
  }

  @Override
  public BukkitTask runTaskTimer(Plugin plugin, Runnable task, long delay, long period) {
    return add(plugin, ignoring(task), true, delay, repeating(period));
  }

  @Override
  public void runTaskTimer(
      Plugin plugin, Consumer<? super BukkitTask> task, long delay, long period) {
    add(plugin, task, true, delay, repeating(period));
  }

  @Override
  public BukkitTask runTaskTimerAsynchronously(
      Plugin plugin, Runnable task, long delay, long period) {
    return add(plugin, ignoring(task), false, delay, repeating(period));
  }

  @Override
  public void runTaskTimerAsynchronously(
      Plugin plugin, Consumer<? super BukkitTask> task, long delay, long period) {
    add(plugin, task, false, delay, repeating(period));
  }

  @Override
  public Executor getMainThreadExecutor(Plugin plugin) {
    return task -> runTask(plugin, task);
  }
}
