package dev.tickwell.benchmark;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TickGridTest {
  private static final long MILLI = 1_000_000;

  private final TickGrid grid = new TickGrid();

  @Test
  void allowsFiveMilliseconds() {
    assertFalse(grid.late(0));
    assertFalse(grid.late(55 * MILLI));
    assertTrue(grid.late(105 * MILLI + 1));
    assertFalse(grid.late(150 * MILLI), "the grid stays where it was");
  }

  @Test
  void movesToATickThatBeginsTooEarly() {
    assertFalse(grid.late(20 * MILLI));
    assertFalse(grid.late(60 * MILLI), "the first tick was itself late");
    assertTrue(grid.late(116 * MILLI));
  }

  @Test
  void countsALongPauseOnce() {
    assertFalse(grid.late(0));
    assertTrue(grid.late(450 * MILLI));
    assertFalse(grid.late(500 * MILLI));
    assertFalse(grid.late(550 * MILLI));
  }
}
