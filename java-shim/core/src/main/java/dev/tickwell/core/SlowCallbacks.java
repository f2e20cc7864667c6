package dev.tickwell.core;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The callbacks of one plugin that took too much of a tick, as lines for the log: the first at
 * once, then one line in ten seconds at most, which names the slowest of all that came since. All
 * methods may be called on any thread; the log is left to the caller.
 */
final class SlowCallbacks {
  /** From here on callbacks are slow: they take more of a tick than the budget of all plugins. */
  static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /**
   * The same for the first time that a callback is slow, most of which Java mostly spends on
   * loading and interpreting code that it will soon have compiled: a whole tick.
   */
  static final long SLOW_FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long nothing is told after a line. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier clock;
  // Written under the lock; read without it, as every turn of the leading thread asks.
  private volatile int untold;

  // Everything below is guarded by this.
  private String slowest;
  private long slowestNanos;
  private boolean pausing;
  private long toldAt;

  /**
   * None yet.
   *
   * @param clock nanoseconds, such as {@link System#nanoTime}
   */
  SlowCallbacks(LongSupplier clock) {
    this.clock = clock;
  }

  /** Counts callbacks that were slow; gives the line to log now, or null. */
  synchronized String add(String request, long nanos) {
    if (untold == 0 || nanos > slowestNanos) {
      slowest = request;
      slowestNanos = nanos;
    }
    untold++;
    return tell();
  }

  /** The line about those that came in a pause which is over by now, or null. */
  String due() {
    return untold == 0 ? null : tell();
  }

  private synchronized String tell() {
    long now = clock.getAsLong();
    if (untold == 0 || (pausing && now - toldAt < PAUSE_NANOS)) {
      return null;
    }
    String line =
        "the callbacks of "
            + slowest
            + " took "
            + TimeUnit.NANOSECONDS.toMicros(slowestNanos)
            + " µs of a tick"
            + (untold == 1 ? "" : ", the slowest of " + untold + " since the last such line")
            + "; do less there, or use async";
    pausing = true;
    toldAt = now;
    untold = 0;
    slowest = null;
    return line;
  }
}
