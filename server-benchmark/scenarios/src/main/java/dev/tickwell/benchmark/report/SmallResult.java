package dev.tickwell.benchmark.report;

import java.util.List;
import java.util.Map;

/**
 * Everything measured for one case of many small requests.
 *
 * @param key which case; its rows are the requests of a round, one row each
 * @param database the database's type
 * @param rounds in the order in which they ran, warm-ups included
 * @param latency how long the requests of the measured rounds took
 */
public record SmallResult(CaseKey key, String database, List<Sample> rounds, Latency latency) {
  /** Callers that each go on as soon as they are answered. */
  public static final String CALLERS = "callers";

  /** Requests that are all submitted in one tick. */
  public static final String CROWD = "crowd";

  /** Copies the rounds. */
  public SmallResult {
    rounds = List.copyOf(rounds);
  }

  /** The measured rounds' summary of every field. */
  public Map<String, Summary> summary() {
    return new CaseResult(key, database, 1, false, rounds).summary();
  }

  /** What ends a round: the last answer of a closed loop, the last delivery of a crowd. */
  public String doneField() {
    return key.id().equals(CALLERS) ? "elapsedNs" : "wallNs";
  }

  /** The median round's requests per second. */
  public long perSecond() {
    return Math.round(key.rows() * 1e9 / summary().get(doneField()).median());
  }
}
