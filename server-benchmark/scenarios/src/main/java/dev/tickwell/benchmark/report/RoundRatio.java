package dev.tickwell.benchmark.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How many times one side's rounds took as long as the other's, round by round, so that what slows
 * the machine for a while slows both. The interval holds the true median in at least 95 of 100 such
 * runs, whatever the distribution: it reaches from one order statistic to another. Six rounds are
 * the least that can give one.
 *
 * @param median the middle ratio; of an even number the geometric mean of the middle two
 * @param low where the interval begins; NaN when there are too few rounds
 * @param high where it ends
 */
record RoundRatio(double median, double low, double high) {
  private static final double OUTSIDE = 0.05;

  /** The peer's time divided by Tickwell's in the measured rounds; empty when there is none. */
  static Optional<RoundRatio> of(SmallResult ours, SmallResult theirs) {
    String field = ours.doneField();
    List<Sample> left = measured(ours);
    List<Sample> right = measured(theirs);
    double[] ratios = new double[Math.min(left.size(), right.size())];
    for (int round = 0; round < ratios.length; round++) {
      double own = Math.max(1, left.get(round).fields().get(field));
      ratios[round] = right.get(round).fields().get(field) / own;
    }
    return ratios.length == 0 ? Optional.empty() : Optional.of(of(ratios));
  }

  private static List<Sample> measured(SmallResult result) {
    return result.rounds().stream().filter(round -> !round.warmup()).toList();
  }

  static RoundRatio of(double... ratios) {
    double[] sorted = ratios.clone();
    Arrays.sort(sorted);
    int count = sorted.length;
    double median = Math.sqrt(sorted[(count - 1) / 2] * sorted[count / 2]);
    int cut = cut(count);
    return cut == 0
        ? new RoundRatio(median, Double.NaN, Double.NaN)
        : new RoundRatio(median, sorted[cut - 1], sorted[count - cut]);
  }

  /**
   * The rank, from either end, at which the interval may begin: fewer than that many of {@code
   * count} values lie on one side of the true median with a chance of half the rest. 0 for none.
   */
  private static int cut(int count) {
    double chance = Math.pow(0.5, count);
    double below = 0;
    int cut = 0;
    for (int k = 0; 2 * (below + chance) <= OUTSIDE; k++) {
      below += chance;
      chance = chance * (count - k) / (k + 1);
      cut = k + 1;
    }
    return cut;
  }

  /** The ratio for people, such as {@code 3.14× (3.02 to 3.30)}. */
  String text() {
    String middle = String.format(Locale.ROOT, "%.2f×", median);
    return Double.isNaN(low)
        ? middle
        : middle + String.format(Locale.ROOT, " (%.2f to %.2f)", low, high);
  }
}
