package dev.tickwell.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void takesTheNearestRank() {
    assertEquals(new Summary(5, 10, 10), Summary.of(10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
    assertEquals(new Summary(7, 7, 7), Summary.of(7));
    assertEquals(new Summary(2, 3, 3), Summary.of(3, 1, 2));
    long[] hundred = new long[100];
    for (int i = 0; i < hundred.length; i++) {
      hundred[i] = i + 1L;
    }
    assertEquals(new Summary(50, 95, 100), Summary.of(hundred));
  }

  @Test
  void leavesTheGivenOrderAlone() {
    long[] values = {3, 1, 2};
    Summary.of(values);
    assertEquals(3, values[0]);
  }

  @Test
  void refusesNoValues() {
    assertThrows(IllegalArgumentException.class, Summary::of);
  }

  @Test
  void leavesWarmupsOut() {
    CaseKey key = new CaseKey("x", CaseKey.TICKWELL, CaseKey.READ, "local", 1000);
    // Ten measured samples of 200,000 × 1…10; the warm-ups are a hundred times that.
    assertEquals(
        new Summary(1_000_000, 2_000_000, 2_000_000),
        Synthetic.result(key, 1).summary().get("asyncWallNs"));
  }
}
