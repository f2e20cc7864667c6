package dev.tickwell.benchmark.host.tick;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Runs ticks on a grid of 50 ms on the thread that calls {@link #run}. A tick that overran is
 * followed at once by the next; further than two seconds behind, the missed ones are skipped, as a
 * Minecraft server does. Waits by parking, never by spinning.
 */
public final class TickLoop {
  /** Ticks in a second. */
  public static final int PER_SECOND = 20;

  /** The time between two ticks' starts. */
  public static final long TICK_NANOS = 1_000_000_000L / PER_SECOND;

  /** How far behind the loop may be before it gives ticks up. */
  static final long MAX_BEHIND_NANOS = 2_000_000_000L;

  /** Time as the loop sees it. */
  public interface Clock {
    /** The time that real servers have. */
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public void park(long nanos) {
            LockSupport.parkNanos(nanos);
          }
        };

    /** A monotonic time in nanoseconds. */
    long nanoTime();

    /** Waits for up to that long; may return early. */
    void park(long nanos);
  }

  private final Clock clock;
  private final TickStatistics statistics;
  private final Runnable tick;
  private final LongConsumer onSkipped;
  private volatile boolean stopping;
  private volatile long due;
  private volatile Thread thread;

  /**
   * @param tick one tick's work
   * @param onSkipped told how many ticks are given up when the loop is too far behind
   */
  public TickLoop(Clock clock, TickStatistics statistics, Runnable tick, LongConsumer onSkipped) {
    this.clock = clock;
    this.statistics = statistics;
    this.tick = tick;
    this.onSkipped = onSkipped;
  }

  /** Runs until {@link #stop} or, when {@code limit} is not 0, that many ticks. */
  public void run(long limit) {
    thread = Thread.currentThread();
    due = clock.nanoTime();
    while (!stopping && (limit == 0 || statistics.ticks() < limit)) {
      if (awaitDue()) {
        runOne();
      }
    }
  }

  private boolean awaitDue() {
    long wait;
    while ((wait = due - clock.nanoTime()) > 0) {
      if (stopping) {
        return false;
      }
      clock.park(wait);
    }
    return !stopping;
  }

  private void runOne() {
    long start = clock.nanoTime();
    statistics.started(start, start - due);
    tick.run();
    long end = clock.nanoTime();
    statistics.finished(start, end);
    long next = due + TICK_NANOS;
    long behind = end - next;
    if (behind > MAX_BEHIND_NANOS) {
      long count = behind / TICK_NANOS;
      statistics.skipped(count);
      onSkipped.accept(count);
      next += count * TICK_NANOS;
    }
    due = next;
  }

  /** Nanoseconds from now until the next tick is due; for the tick thread, while in a tick. */
  public long remainingNanos() {
    return due + TICK_NANOS - clock.nanoTime();
  }

  /** Makes {@link #run} return after the current tick; for any thread. */
  public void stop() {
    stopping = true;
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
    }
  }

  /** Whether {@link #stop} was called. */
  public boolean isStopping() {
    return stopping;
  }
}
