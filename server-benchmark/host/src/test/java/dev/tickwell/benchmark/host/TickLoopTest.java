package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.benchmark.host.tick.TickLoop;
import dev.tickwell.benchmark.host.tick.TickStatistics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TickLoopTest {
  private static final long MILLI = 1_000_000;

  /** A time that passes by parking and by the ticks' own work. */
  private static final class FakeClock implements TickLoop.Clock {
    private long now = 1_000;
    private int parked;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void park(long nanos) {
      parked++;
      // Wakes early once in a while, as real parking may.
      now += parked % 3 == 0 ? nanos / 2 : nanos;
    }
  }

  private final FakeClock clock = new FakeClock();
  private final TickStatistics statistics = new TickStatistics();
  private final List<Long> starts = new ArrayList<>();
  private final List<Long> skipped = new ArrayList<>();
  private TickLoop loop;

  private void run(long limit, long... workMillis) {
    long first = clock.now;
    loop =
        new TickLoop(
            clock,
            statistics,
            () -> {
              int tick = starts.size();
              starts.add((clock.now - first) / MILLI);
              clock.now += (tick < workMillis.length ? workMillis[tick] : 1) * MILLI;
            },
            skipped::add);
    loop.run(limit);
  }

  @Test
  void ticksStartOnAGridOfFiftyMilliseconds() {
    run(5, 10, 49, 0, 50, 10);
    assertEquals(List.of(0L, 50L, 100L, 150L, 200L), starts);
    assertEquals(0, statistics.lateTicks());
    assertEquals(5, statistics.ticks());
  }

  @Test
  void afterATickThatOverranTheLoopCatchesUp() {
    run(6, 120, 10, 10, 1);
    assertEquals(List.of(0L, 120L, 130L, 150L, 200L, 250L), starts);
    assertEquals(2, statistics.lateTicks());
    assertEquals(0, statistics.skippedTicks());
  }

  @Test
  void ticksAreGivenUpWhenTooFarBehind() {
    run(4, 2_130, 1);
    // Behind by 2,080 ms: 41 ticks are given up, and the next is due 30 ms before now.
    assertEquals(List.of(0L, 2_130L, 2_150L, 2_200L), starts);
    assertEquals(List.of(41L), skipped);
    assertEquals(41, statistics.skippedTicks());
    assertEquals(1, statistics.lateTicks());
  }

  @Test
  void stoppingEndsTheLoopAfterTheCurrentTick() {
    loop =
        new TickLoop(
            clock,
            statistics,
            () -> {
              starts.add(clock.now);
              if (starts.size() == 3) {
                loop.stop();
              }
            },
            skipped::add);
    loop.run(0);
    assertEquals(3, starts.size());
    assertTrue(loop.isStopping());
  }

  @Test
  void whatIsLeftOfATickIsCountedFromTheGrid() {
    List<Long> left = new ArrayList<>();
    loop =
        new TickLoop(
            clock,
            statistics,
            () -> {
              clock.now += 20 * MILLI;
              left.add(loop.remainingNanos() / MILLI);
              clock.now += 40 * MILLI;
            },
            skipped::add);
    loop.run(3);
    assertEquals(List.of(30L, 20L, 10L), left);
  }

  @Test
  void statisticsCountWhatRan() {
    run(20 * 60 * 2);
    double[] tps = statistics.tps(clock.now + 49 * MILLI);
    assertEquals(20.0, tps[0], 0.05);
    assertEquals(20.0, tps[2], 0.05);
    assertEquals(1.0, statistics.averageMillis());
    assertEquals(100, statistics.lastTickNanos().length);
    assertEquals(MILLI, statistics.lastTickNanos()[0]);
    assertTrue(
        statistics.summary().startsWith("ticks=2400 tps=20.00 late=0 skipped=0 "),
        statistics.summary());
  }

  @Test
  void slowTicksShowInTheRate() {
    long[] work = new long[100];
    java.util.Arrays.fill(work, 100);
    run(100, work);
    assertEquals(10.0, statistics.tps(clock.now)[0], 0.2);
    // Twice the loop falls more than two seconds behind, and the tick after that is on time.
    assertEquals(List.of(41L, 41L), skipped);
    assertEquals(97, statistics.lateTicks());
  }
}
