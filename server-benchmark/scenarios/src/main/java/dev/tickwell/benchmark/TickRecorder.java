package dev.tickwell.benchmark;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.report.TickResults;
import dev.tickwell.benchmark.report.TickSummary;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;

/**
 * Records the server's own ticks: their durations as the server reports them, and which began late.
 * Events arrive on the server thread; the rest may be called from anywhere.
 */
final class TickRecorder implements Listener {
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private final TickGrid grid = new TickGrid();
  private final Ticks run = new Ticks();
  private final Map<CaseKey, Ticks> cases = new LinkedHashMap<>();
  private CaseKey current;
  private boolean recording;
  private boolean late;
  private long firstStart;
  private long lastStart;
  private volatile long ended;

  private static final class Ticks {
    private final Histogram durations = new Histogram(1, LONGEST_NANOS, 3);
    private long late;

    void add(long nanos, boolean wasLate) {
      durations.recordValue(Math.clamp(nanos, 1, LONGEST_NANOS));
      late += wasLate ? 1 : 0;
    }

    TickSummary summary() {
      return new TickSummary(
          durations.getTotalCount(),
          late,
          durations.getValueAtPercentile(50),
          durations.getValueAtPercentile(90),
          durations.getValueAtPercentile(99),
          durations.getValueAtPercentile(99.9),
          durations.getTotalCount() == 0 ? 0 : durations.getMaxValue());
    }
  }

  /** How many ticks have ended since the plugin began; grows after all other work of a tick. */
  long endedTicks() {
    return ended;
  }

  /** Begins the run that {@link #results} sums up. */
  synchronized void begin() {
    recording = true;
  }

  /** Ends it. */
  synchronized void end() {
    recording = false;
  }

  /** Counts ticks for a case too, from now on; null for none. */
  synchronized void enter(CaseKey key) {
    current = key;
  }

  /** What was recorded. */
  synchronized TickResults results() {
    Map<CaseKey, TickSummary> summaries = new LinkedHashMap<>();
    cases.forEach((key, ticks) -> summaries.put(key, ticks.summary()));
    return new TickResults(run.summary(), lastStart - firstStart, summaries);
  }

  /** A tick begins. */
  @EventHandler(priority = EventPriority.LOWEST)
  public void onTickStart(ServerTickStartEvent event) {
    started(System.nanoTime());
  }

  /** A tick ends; after everyone else's listeners, so that their work counts to this tick. */
  @EventHandler(priority = EventPriority.MONITOR)
  public void onTickEnd(ServerTickEndEvent event) {
    ended(Math.round(event.getTickDuration() * 1e6));
  }

  synchronized void started(long now) {
    late = grid.late(now);
    if (recording) {
      if (run.durations.getTotalCount() == 0) {
        firstStart = now;
      }
      lastStart = now;
    }
  }

  synchronized void ended(long durationNanos) {
    // Before the first start nothing is known of this tick's place on the grid.
    if (recording && lastStart != 0) {
      run.add(durationNanos, late);
      if (current != null) {
        cases.computeIfAbsent(current, key -> new Ticks()).add(durationNanos, late);
      }
    }
    ended++;
  }
}
