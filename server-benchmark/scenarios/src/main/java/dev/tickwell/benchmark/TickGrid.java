package dev.tickwell.benchmark;

/**
 * Says which ticks begin late. Ticks are due every 50 ms; a tick is late when it begins more than 5
 * ms after it was due. The grid is moved to a tick that begins before its place, since then the
 * grid was wrong, and to one that begins a whole tick late, since the server then gives that time
 * up instead of catching up. Not thread-safe.
 */
final class TickGrid {
  /** The time between two ticks. */
  static final long INTERVAL_NANOS = 50_000_000;

  private static final long TOLERANCE_NANOS = 5_000_000;

  private boolean begun;
  private long due;

  /**
   * Notes the begin of a tick.
   *
   * @param now on the clock of {@link System#nanoTime}
   * @return whether it is late
   */
  boolean late(long now) {
    if (!begun) {
      begun = true;
      due = now;
    }
    long lateness = now - due;
    if (lateness < 0 || lateness > INTERVAL_NANOS) {
      due = now;
    }
    due += INTERVAL_NANOS;
    return lateness > TOLERANCE_NANOS;
  }
}
