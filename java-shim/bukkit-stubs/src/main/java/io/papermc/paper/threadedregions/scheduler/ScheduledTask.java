package io.papermc.paper.threadedregions.scheduler;

import org.bukkit.plugin.Plugin;

/** A task of one of the region-aware schedulers. */
public interface ScheduledTask {
  Plugin getOwningPlugin();

  boolean isRepeatingTask();

  CancelledState cancel();

  ExecutionState getExecutionState();

  default boolean isCancelled() {
    ExecutionState state = getExecutionState();
    return state == ExecutionState.CANCELLED || state == ExecutionState.CANCELLED_RUNNING;
  }

  /** What a cancellation came to. */
  enum CancelledState {
    CANCELLED_BY_CALLER,
    CANCELLED_ALREADY,
    RUNNING,
    ALREADY_EXECUTED,
    NEXT_RUNS_CANCELLED,
    NEXT_RUNS_CANCELLED_ALREADY
  }

  /** Where a task is in its life. */
  enum ExecutionState {
    IDLE,
    RUNNING,
    FINISHED,
    CANCELLED,
    CANCELLED_RUNNING
  }
}
