package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutagesTest {
  private final AtomicLong clock = new AtomicLong(-5);
  private final Outages outages = new Outages(clock::get);

  private boolean full(String request) {
    return outages.tells("main", ErrorCode.DISK_FULL, request);
  }

  private static String more(int count, String last) {
    return count
        + " more requests to main failed with DISK_FULL since the last such line and nobody handled"
        + " it; the last was "
        + last;
  }

  @Test
  void ofManyFailuresOneIsToldAndTheOthersAreCountedOnce() {
    assertTrue(full("a"));
    for (int number = 0; number < 10_000; number++) {
      assertFalse(full("b"));
    }
    clock.addAndGet(Outages.PAUSE_NANOS - 1);
    assertEquals(List.of(), outages.due());
    clock.addAndGet(1);
    // It came after the pause, and before anybody asked what is due.
    assertFalse(full("c"));
    assertEquals(List.of(more(10_001, "c")), outages.due());
    assertEquals(List.of(), outages.due());
    assertFalse(full("d"));
    clock.addAndGet(Outages.PAUSE_NANOS);
    assertEquals(List.of(more(1, "d")), outages.due());
    clock.addAndGet(Outages.PAUSE_NANOS);
    assertTrue(full("e"), "it is news again");
  }

  @Test
  void eachKindAndDatabaseIsToldOnItsOwn() {
    assertTrue(full("a"));
    assertTrue(outages.tells("main", ErrorCode.CORRUPT, "a"));
    assertTrue(outages.tells("other", ErrorCode.DISK_FULL, "a"));
    assertFalse(outages.tells("other", ErrorCode.DISK_FULL, "a"));
  }

  @Test
  void aRequestsOwnFaultIsAlwaysTold() {
    for (int number = 0; number < 3; number++) {
      assertTrue(outages.tells("main", ErrorCode.UNIQUE_VIOLATION, "a"));
      assertTrue(outages.tells("main", ErrorCode.SYNTAX, "a"));
    }
  }

  @Test
  void theEndTellsTheRest() {
    assertTrue(full("a"));
    assertEquals(List.of(), outages.rest());
    assertFalse(full("b"));
    assertEquals(List.of(more(1, "b")), outages.rest());
    assertEquals(List.of(), outages.rest());
  }
}
