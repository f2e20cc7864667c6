package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SlowCallbacksTest {
  private static final long MILLI = 1_000_000;

  private final AtomicLong clock = new AtomicLong(-5);
  private final SlowCallbacks slow = new SlowCallbacks(clock::get);

  private void pass(long nanos) {
    clock.addAndGet(nanos);
  }

  @Test
  void theFirstIsToldAtOnce() {
    assertNull(slow.due());
    assertEquals(
        "the callbacks of a took 3000 µs of a tick; do less there, or use async",
        slow.add("a", 3 * MILLI));
    assertNull(slow.due());
  }

  @Test
  void thePauseHidesNoneThatIsSlower() {
    slow.add("a", 3 * MILLI);
    assertNull(slow.add("b", 4 * MILLI));
    assertNull(slow.add("c", 90 * MILLI));
    assertNull(slow.add("d", 2 * MILLI));
    pass(SlowCallbacks.PAUSE_NANOS - 1);
    assertNull(slow.due());
    pass(1);
    assertEquals(
        "the callbacks of c took 90000 µs of a tick, the slowest of 3 since the last such line;"
            + " do less there, or use async",
        slow.due());
    assertNull(slow.due());
  }

  @Test
  void oneThatComesAfterThePauseTellsTheOthersToo() {
    slow.add("a", 3 * MILLI);
    slow.add("b", 9 * MILLI);
    pass(SlowCallbacks.PAUSE_NANOS);
    assertEquals(
        "the callbacks of b took 9000 µs of a tick, the slowest of 2 since the last such line;"
            + " do less there, or use async",
        slow.add("c", 4 * MILLI));
    // The pause begins again, and what was told is told once.
    assertNull(slow.add("d", 5 * MILLI));
    pass(SlowCallbacks.PAUSE_NANOS);
    assertEquals(
        "the callbacks of d took 5000 µs of a tick; do less there, or use async", slow.due());
  }
}
