package dev.tickwell.benchmark.host.schedule;

import dev.tickwell.benchmark.host.tick.TickTask;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.bukkit.plugin.Plugin;
import org.bukkit.scheduler.BukkitTask;

/** A task of {@link HostScheduler}. */
final class HostTask extends TickTask implements BukkitTask {
  private final HostScheduler scheduler;
  private final int id;
  private final Plugin owner;
  private final boolean sync;
  private final Consumer<? super BukkitTask> work;
  private volatile Thread worker;

  HostTask(
      HostScheduler scheduler,
      int id,
      Plugin owner,
      boolean sync,
      long periodTicks,
      Consumer<? super BukkitTask> work) {
    super(periodTicks);
    this.scheduler = scheduler;
    this.id = id;
    this.owner = owner;
    this.sync = sync;
    this.work = work;
  }

  @Override
  protected void run() {
    if (sync) {
      work();
    } else {
      scheduler.onWorker(this);
    }
  }

  void work() {
    worker = Thread.currentThread();
    try {
      work.accept(this);
    } catch (Throwable e) {
      owner
          .getLogger()
          .log(
              Level.WARNING,
              "Task #"
                  + id
                  + " for "
                  + owner.getDescription().getFullName()
                  + " generated an exception",
              e);
    } finally {
      worker = null;
      if (!isRepeating()) {
        scheduler.forget(this);
      }
    }
  }

  boolean isRunning() {
    return worker != null;
  }

  @Override
  public int getTaskId() {
    return id;
  }

  @Override
  public Plugin getOwner() {
    return owner;
  }

  @Override
  public boolean isSync() {
    return sync;
  }

  @Override
  public boolean isCancelled() {
    return isTaskCancelled();
  }

  @Override
  public void cancel() {
    scheduler.cancelTask(id);
  }
}
