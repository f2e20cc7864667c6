package dev.tickwell.benchmark.host.tick;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What the ticks cost. The tick thread writes; any thread may read. Owns the last tick times, the
 * start times that TPS is counted from, and a histogram of the whole run.
 */
public final class TickStatistics {
  /** A tick that starts this much after it was due counts as late. */
  public static final long LATE_NANOS = 5_000_000;

  private static final int SAMPLED_TICKS = 100;
  private static final long[] TPS_WINDOWS_NANOS = {
    60_000_000_000L, 300_000_000_000L, 900_000_000_000L
  };
  private static final int REMEMBERED_STARTS = 15 * 60 * 20 + 1;

  private final long[] lastNanos = new long[SAMPLED_TICKS];
  private final long[] starts = new long[REMEMBERED_STARTS];
  private final Histogram durations = new Histogram(3);
  private final Histogram delays = new Histogram(3);
  private long ticks;
  private long late;
  private long skipped;
  private long firstStart;
  private long lastEnd;

  /** A tick began {@code delayNanos} after it was due. */
  synchronized void started(long startNanos, long delayNanos) {
    if (ticks == 0) {
      firstStart = startNanos;
      lastEnd = startNanos;
    }
    starts[(int) (ticks % REMEMBERED_STARTS)] = startNanos;
    delays.recordValue(Math.max(0, delayNanos));
    if (delayNanos > LATE_NANOS) {
      late++;
    }
  }

  synchronized void finished(long startNanos, long endNanos) {
    long duration = endNanos - startNanos;
    lastNanos[(int) (ticks % SAMPLED_TICKS)] = duration;
    durations.recordValue(Math.max(0, duration));
    lastEnd = endNanos;
    ticks++;
  }

  synchronized void skipped(long count) {
    skipped += count;
  }

  /** Ticks that finished. */
  public synchronized long ticks() {
    return ticks;
  }

  /** Ticks that started more than {@link #LATE_NANOS} after they were due. */
  public synchronized long lateTicks() {
    return late;
  }

  /** Ticks that never ran because the loop was too far behind. */
  public synchronized long skippedTicks() {
    return skipped;
  }

  /** How long each of the last 100 ticks took, in nanoseconds; 0 where there were not so many. */
  public synchronized long[] lastTickNanos() {
    return lastNanos.clone();
  }

  /** The mean of the last ticks in milliseconds. */
  public synchronized double averageMillis() {
    int known = (int) Math.min(ticks, SAMPLED_TICKS);
    long sum = 0;
    for (int i = 0; i < known; i++) {
      sum += lastNanos[i];
    }
    return known == 0 ? 0 : sum / 1e6 / known;
  }

  /** Ticks per second over the last 1, 5 and 15 minutes, or since the start, at most 20. */
  public synchronized double[] tps(long nowNanos) {
    double[] result = new double[TPS_WINDOWS_NANOS.length];
    long known = Math.min(ticks, REMEMBERED_STARTS);
    for (int window = 0; window < result.length; window++) {
      long from = nowNanos - TPS_WINDOWS_NANOS[window];
      long counted = 0;
      while (counted < known
          && starts[(int) ((ticks - 1 - counted) % REMEMBERED_STARTS)] - from >= 0) {
        counted++;
      }
      long span = Math.min(TPS_WINDOWS_NANOS[window], nowNanos - firstStart);
      result[window] = known == 0 || span <= 0 ? TickLoop.PER_SECOND : rate(counted, span);
    }
    return result;
  }

  private static double rate(long count, long spanNanos) {
    return Math.min(TickLoop.PER_SECOND, count * 1e9 / spanNanos);
  }

  /** One line on the whole run. */
  public synchronized String summary() {
    // Up to the end of the last tick's slot, so that a run that never lagged says 20.
    long span = Math.max(lastEnd - firstStart, ticks * TickLoop.TICK_NANOS);
    double tps = ticks == 0 ? 0 : rate(ticks, span);
    return String.format(
        Locale.ROOT,
        "ticks=%d tps=%.2f late=%d skipped=%d"
            + " mspt[p50=%.3f p90=%.3f p99=%.3f p99.9=%.3f max=%.3f] startDelayMs[p99=%.3f max=%.3f]",
        ticks,
        tps,
        late,
        skipped,
        durations.getValueAtPercentile(50) / 1e6,
        durations.getValueAtPercentile(90) / 1e6,
        durations.getValueAtPercentile(99) / 1e6,
        durations.getValueAtPercentile(99.9) / 1e6,
        durations.getMaxValue() / 1e6,
        delays.getValueAtPercentile(99) / 1e6,
        delays.getMaxValue() / 1e6);
  }
}
