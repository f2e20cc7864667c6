package dev.tickwell.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RoundRatioTest {
  private static double[] upTo(int count) {
    double[] ratios = new double[count];
    for (int i = 0; i < count; i++) {
      // Backwards, so that the order has to be made.
      ratios[i] = count - i;
    }
    return ratios;
  }

  @Test
  void theIntervalReachesBetweenTheRanksOfTheSignTest() {
    // 2 × 0.5^6 is 3.1 %; with a rank more, 2 × 7 × 0.5^6, it would be 22 %.
    assertEquals(new RoundRatio(Math.sqrt(3 * 4), 1, 6), RoundRatio.of(upTo(6)));
    // 2 × (1 + 8) × 0.5^8 is 7 %, 2 × (1 + 9) × 0.5^9 is 3.9 %.
    assertEquals(1, RoundRatio.of(upTo(8)).low());
    assertEquals(new RoundRatio(5, 2, 8), RoundRatio.of(upTo(9)));
    assertEquals(2, RoundRatio.of(upTo(10)).low());
    assertEquals(9, RoundRatio.of(upTo(10)).high());
    // The tables of the sign test have 6 for twenty.
    assertEquals(6, RoundRatio.of(upTo(20)).low());
    assertEquals(15, RoundRatio.of(upTo(20)).high());
  }

  @Test
  void fiveRoundsAreTooFewForOne() {
    RoundRatio ratio = RoundRatio.of(upTo(5));
    assertEquals(3, ratio.median());
    assertTrue(Double.isNaN(ratio.low()));
    assertEquals("3.00×", ratio.text());
    assertEquals("5.00× (2.00 to 8.00)", RoundRatio.of(upTo(9)).text());
  }

  @Test
  void comparesRoundWithRoundAndNoWarmUp() {
    CaseKey key = new CaseKey(SmallResult.CALLERS, "tickwell", CaseKey.READ, "16 callers", 1000);
    SmallResult ours = Synthetic.small(key, "elapsedNs", 10, 1);
    // Round by round twice as long, whatever the order of either side's own times.
    SmallResult theirs = Synthetic.small(key.of("jdbc"), "elapsedNs", 20, 2);
    assertEquals(new RoundRatio(2, 2, 2), RoundRatio.of(ours, theirs).orElseThrow());
  }
}
