package dev.tickwell.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One case of many small requests on both sides.
 *
 * @param tickwell Tickwell's result
 * @param jdbc the peer's result
 * @param ratio the peer's time divided by Tickwell's
 */
record SmallPair(SmallResult tickwell, SmallResult jdbc, RoundRatio ratio) {

  /** The cases that both sides ran, in the order in which they ran. */
  static List<SmallPair> of(RunResults results) {
    List<SmallPair> pairs = new ArrayList<>();
    for (SmallResult ours : results.small()) {
      if (ours.key().implementation().equals(CaseKey.TICKWELL)) {
        peer(results, ours)
            .flatMap(
                theirs ->
                    RoundRatio.of(ours, theirs).map(ratio -> new SmallPair(ours, theirs, ratio)))
            .ifPresent(pairs::add);
      }
    }
    return List.copyOf(pairs);
  }

  private static Optional<SmallResult> peer(RunResults results, SmallResult ours) {
    CaseKey key = ours.key().of(CaseKey.JDBC);
    return results.small().stream().filter(result -> result.key().equals(key)).findFirst();
  }

  boolean is(String id) {
    return tickwell.key().id().equals(id);
  }

  boolean isWrite() {
    return tickwell.key().operation().equals(CaseKey.WRITE);
  }

  /** What the requests do, for people. */
  String title() {
    String what = isWrite() ? "saves" : "loads";
    return is(SmallResult.CALLERS)
        ? tickwell.key().scope() + ", single-row " + what
        : Figures.count(tickwell.key().rows()) + " " + what + " submitted in one tick";
  }
}
