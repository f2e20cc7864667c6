package dev.tickwell.core;

import dev.tickwell.Target;

/**
 * The work of one request that needs the tick thread of one target: values to convert or to read, a
 * publication, callbacks. Made by the core, taken by {@link Platform#dispatch}, run by a {@link
 * Lane}.
 */
public abstract sealed class TickTask permits InputTask, ResultTask {
  static final int DELIVER = 1;
  static final int CONVERT = 2;
  static final int READ = 4;
  static final int PUBLISH = 8;

  private final Request<?> request;
  private final Target target;
  // Where it is queued; written by the thread that queues it.
  private volatile Lane lane;
  private volatile long laneId;
  // Whether a step of it was run since it was queued; the lane's thread alone.
  private boolean ran;

  TickTask(Request<?> request, Target target) {
    this.request = request;
    this.target = target;
  }

  /** Where it must run. */
  public final Target target() {
    return target;
  }

  /** The plugin that it is for. */
  public final Owner owner() {
    return request.owner();
  }

  /**
   * Ends it without running it, as {@code GONE}: the target does not exist any more. Nothing
   * happens when it has ended. May be called on any thread.
   *
   * @param reason what is gone, for the message
   */
  public final void gone(String reason) {
    Lane from = lane;
    if (from != null) {
      from.forget(laneId);
    }
    lose(reason);
  }

  final Request<?> request() {
    return request;
  }

  /** Remembers that a lane has it under this id. */
  final void queued(Lane lane, long id) {
    this.laneId = id;
    this.lane = lane;
    this.ran = false;
  }

  final long laneId() {
    return laneId;
  }

  final boolean hasRun() {
    return ran;
  }

  /** Runs one step in the tick that began at this time; gives whether the task goes on. */
  final boolean step(int kind, long tickStartedAt) {
    if (!ran) {
      ran = true;
      request.taskBegins(laneId, tickStartedAt);
    }
    return run(kind);
  }

  abstract boolean run(int kind);

  /** How many single values are left. */
  abstract int slices();

  /** What those are: {@link #CONVERT} or {@link #READ}. */
  abstract int sliceKind();

  /** Which of {@link #PUBLISH} and {@link #DELIVER} are left. */
  abstract int finals();

  /** Ends it because its target is gone. */
  abstract void lose(String reason);
}
