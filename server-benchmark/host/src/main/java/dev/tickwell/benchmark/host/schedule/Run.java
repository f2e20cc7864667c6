package dev.tickwell.benchmark.host.schedule;

import dev.tickwell.benchmark.host.tick.TickTask;
import io.papermc.paper.threadedregions.scheduler.ScheduledTask;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.bukkit.plugin.Plugin;

/** A task of one of the region-aware schedulers, or of the asynchronous one. */
final class Run extends TickTask implements ScheduledTask {
  private final Plugin owner;
  private final Consumer<ScheduledTask> work;
  private final Runnable retired;
  private final BooleanSupplier gone;
  private final Runnable ended;
  private ExecutionState state = ExecutionState.IDLE;

  /**
   * @param retired runs instead of the work once {@code gone} says true; may be null
   * @param ended runs when this will not run again
   */
  Run(
      Plugin owner,
      Consumer<ScheduledTask> work,
      long periodTicks,
      BooleanSupplier gone,
      Runnable retired,
      Runnable ended) {
    super(periodTicks);
    this.owner = owner;
    this.work = work;
    this.gone = gone;
    this.retired = retired;
    this.ended = ended;
  }

  @Override
  protected void run() {
    if (!begin()) {
      return;
    }
    try {
      if (!gone.getAsBoolean()) {
        work.accept(this);
      } else {
        cancelTask();
        if (retired != null) {
          retired.run();
        }
      }
    } catch (Throwable e) {
      owner
          .getLogger()
          .log(
              Level.WARNING,
              "Task of " + owner.getDescription().getFullName() + " generated an exception",
              e);
    } finally {
      end();
    }
  }

  /** Ends this because what it belongs to is gone; on the tick thread. */
  void retire() {
    run();
  }

  private synchronized boolean begin() {
    if (state != ExecutionState.IDLE) {
      return false;
    }
    state = ExecutionState.RUNNING;
    return true;
  }

  private void end() {
    boolean over;
    synchronized (this) {
      if (state == ExecutionState.CANCELLED_RUNNING || isTaskCancelled()) {
        state = ExecutionState.CANCELLED;
      } else {
        state = isRepeating() ? ExecutionState.IDLE : ExecutionState.FINISHED;
      }
      over = state != ExecutionState.IDLE;
    }
    if (over) {
      ended.run();
    }
  }

  /** Whether this will not run any more. */
  synchronized boolean isOver() {
    return state == ExecutionState.FINISHED || state == ExecutionState.CANCELLED;
  }

  @Override
  public Plugin getOwningPlugin() {
    return owner;
  }

  @Override
  public boolean isRepeatingTask() {
    return isRepeating();
  }

  @Override
  public CancelledState cancel() {
    CancelledState result;
    synchronized (this) {
      result =
          switch (state) {
            case IDLE -> CancelledState.CANCELLED_BY_CALLER;
            case RUNNING ->
                isRepeating() ? CancelledState.NEXT_RUNS_CANCELLED : CancelledState.RUNNING;
            case CANCELLED_RUNNING -> CancelledState.NEXT_RUNS_CANCELLED_ALREADY;
            case FINISHED -> CancelledState.ALREADY_EXECUTED;
            case CANCELLED -> CancelledState.CANCELLED_ALREADY;
          };
      if (result == CancelledState.CANCELLED_BY_CALLER) {
        state = ExecutionState.CANCELLED;
        cancelTask();
      } else if (result == CancelledState.NEXT_RUNS_CANCELLED) {
        state = ExecutionState.CANCELLED_RUNNING;
        cancelTask();
      }
    }
    if (result == CancelledState.CANCELLED_BY_CALLER) {
      ended.run();
    }
    return result;
  }

  @Override
  public synchronized ExecutionState getExecutionState() {
    return state;
  }
}
