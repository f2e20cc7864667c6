package dev.tickwell.benchmark.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One case on both sides.
 *
 * @param key the case, as Tickwell's
 * @param tickwell Tickwell's result, if it has one
 * @param jdbc the peer's result, if it has one
 */
record CasePair(CaseKey key, Optional<CaseResult> tickwell, Optional<CaseResult> jdbc) {

  /** All cases of a run, in the order in which they first ran. */
  static List<CasePair> of(RunResults results) {
    Map<CaseKey, CasePair> pairs = new LinkedHashMap<>();
    for (CaseResult result : results.cases()) {
      pairs.computeIfAbsent(
          result.key().of(CaseKey.TICKWELL),
          key -> new CasePair(key, results.find(key), results.find(key.of(CaseKey.JDBC))));
    }
    return List.copyOf(pairs.values());
  }

  /** Tickwell's median of a field. */
  OptionalLong ours(String field) {
    return median(tickwell, field);
  }

  /** The peer's median of a field. */
  OptionalLong theirs(String field) {
    return median(jdbc, field);
  }

  private static OptionalLong median(Optional<CaseResult> side, String field) {
    return side.map(result -> result.median(field)).orElse(OptionalLong.empty());
  }

  /** Whether Tickwell had to refuse it, so that there is nothing to compare. */
  boolean refused() {
    return tickwell.map(CaseResult::refused).orElse(false);
  }

  /** Whether both sides did it and have this field. */
  boolean comparable(String field) {
    return !refused() && ours(field).isPresent() && theirs(field).isPresent();
  }

  /** The peer's median divided by Tickwell's, for people; a dash where nothing can be compared. */
  String ratio(String field) {
    return comparable(field)
        ? Figures.ratio(theirs(field).getAsLong(), ours(field).getAsLong())
        : Figures.NONE;
  }

  boolean is(String operation) {
    return key.operation().equals(operation);
  }

  /** What ends a case for whoever waits for it: every value read, or the rows stored. */
  String doneField() {
    return is(CaseKey.READ) ? "consumedNs" : "asyncWallNs";
  }
}
