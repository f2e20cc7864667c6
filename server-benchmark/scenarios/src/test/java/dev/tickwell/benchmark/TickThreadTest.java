package dev.tickwell.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.benchmark.arm.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TickThreadTest {
  private long ended;
  private final TickThread thread = new TickThread(() -> ended);

  private void tick() {
    thread.observe();
    ended++;
  }

  private static void answer(Measurement measurement) {
    measurement.asyncArrived();
    measurement.consumed(42);
    measurement.tickArrived();
    measurement.phases(Map.of("mainNs", 7L));
  }

  @Test
  void submitsOneStatementAtATimeAndClosesItOneTickAfterItsCallback() {
    List<Measurement> submitted = new ArrayList<>();
    Measurement first = thread.run(submitted::add);
    Measurement second = thread.run(submitted::add);
    assertEquals(List.of(), submitted, "nothing before a tick begins");
    tick();
    tick();
    assertEquals(List.of(first), submitted);
    answer(first);
    assertFalse(first.answered().isDone(), "the gap of the callback's tick is not known yet");
    tick();
    assertTrue(first.answered().isDone());
    assertEquals(List.of(first, second), submitted);
    assertEquals(2, first.fields().get("ticks"));
    assertEquals(7, first.fields().get("mainNs"));
    assertEquals(42, first.value());
    assertNull(first.fault());
  }

  @Test
  void observesTheLargestGap() {
    Measurement measurement = thread.run(one -> {});
    tick();
    tick();
    tick();
    answer(measurement);
    tick();
    long gap = measurement.fields().get("gapNs");
    assertTrue(gap > 0, "three gaps were observed");
    measurement.observedGap(gap - 1);
    assertEquals(gap, measurement.fields().get("gapNs"));
    measurement.observedGap(gap + 1);
    assertEquals(gap + 1, measurement.fields().get("gapNs"));
  }

  @Test
  void endsWhenSubmittingThrows() {
    IllegalStateException error = new IllegalStateException("refused at once");
    Measurement failing =
        thread.run(
            one -> {
              throw error;
            });
    List<Measurement> submitted = new ArrayList<>();
    Measurement next = thread.run(submitted::add);
    tick();
    assertTrue(failing.answered().isDone());
    assertSame(error, failing.fault());
    tick();
    assertEquals(List.of(next), submitted);
  }

  @Test
  void noticesACallbackThatRunsTwice() {
    Measurement measurement = thread.run(one -> {});
    tick();
    answer(measurement);
    measurement.tickArrived();
    tick();
    assertEquals(
        "callbacks ran 1 times off and 2 times on the server thread, and have to run once each",
        measurement.fault().getMessage());
  }
}
