package dev.tickwell.benchmark.host.tick;

/**
 * Work for a tick, once or again and again. Made on any thread; run, and asked about its next tick,
 * on the tick thread alone.
 */
public abstract class TickTask {
  private final long periodTicks;
  private volatile boolean cancelled;
  private int nextTick;
  private long order;

  /**
   * @param periodTicks how many ticks after a run the next follows; 0 = runs once
   */
  protected TickTask(long periodTicks) {
    this.periodTicks = Math.max(0, periodTicks);
  }

  /** Does the work; must not throw. */
  protected abstract void run();

  /** Whether this runs more than once. */
  public final boolean isRepeating() {
    return periodTicks > 0;
  }

  /** Stops further runs; false when that was done before. */
  public synchronized boolean cancelTask() {
    boolean first = !cancelled;
    cancelled = true;
    return first;
  }

  /** Whether this was cancelled. */
  public final boolean isTaskCancelled() {
    return cancelled;
  }

  final int nextTick() {
    return nextTick;
  }

  final long order() {
    return order;
  }

  final void schedule(int tick, long order) {
    this.nextTick = tick;
    this.order = order;
  }

  final void scheduleAgain(int tick) {
    nextTick = (int) Math.min(Integer.MAX_VALUE, tick + periodTicks);
  }
}
