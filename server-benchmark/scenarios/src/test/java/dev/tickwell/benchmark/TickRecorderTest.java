package dev.tickwell.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.report.TickResults;
import org.junit.jupiter.api.Test;

class TickRecorderTest {
  private static final long MILLI = 1_000_000;

  private final TickRecorder recorder = new TickRecorder();

  private void tick(long start, long duration) {
    recorder.started(start);
    recorder.ended(duration);
  }

  @Test
  void countsTheRunAndTheCase() {
    CaseKey key = new CaseKey("x", CaseKey.TICKWELL, CaseKey.READ, "local", 1);
    tick(50 * MILLI, 9 * MILLI);
    recorder.begin();
    tick(100 * MILLI, MILLI);
    recorder.enter(key);
    tick(150 * MILLI, 2 * MILLI);
    tick(210 * MILLI, 3 * MILLI);
    recorder.enter(null);
    tick(250 * MILLI, MILLI);
    recorder.end();
    tick(300 * MILLI, 8 * MILLI);
    TickResults results = recorder.results();
    assertEquals(4, results.run().ticks());
    assertEquals(1, results.run().late());
    assertEquals(150 * MILLI, results.elapsedNanos());
    assertEquals(20_000, results.milliTps());
    assertEquals(2, results.cases().get(key).ticks());
    assertEquals(1, results.cases().get(key).late());
    // The histogram keeps three digits.
    assertEquals(3.0, results.run().max() / 1e6, 0.01);
    assertEquals(1.0, results.run().p50() / 1e6, 0.01);
    assertEquals(6, recorder.endedTicks());
  }
}
