package dev.tickwell.benchmark.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The ticks of a run.
 *
 * @param run all of them, from the first sample to the last
 * @param elapsedNanos the time between the first and the last tick of {@code run}
 * @param cases those that began while a case's measured statement was on its way
 */
public record TickResults(TickSummary run, long elapsedNanos, Map<CaseKey, TickSummary> cases) {

  /** Copies the cases, keeping their order. */
  public TickResults {
    cases = new LinkedHashMap<>(cases);
  }

  /** Ticks a second over the whole run, in thousandths; 20,000 is a server that keeps up. */
  public long milliTps() {
    return elapsedNanos <= 0
        ? 0
        : Math.round((run.ticks() - 1) * 1_000_000_000_000.0 / elapsedNanos);
  }
}
