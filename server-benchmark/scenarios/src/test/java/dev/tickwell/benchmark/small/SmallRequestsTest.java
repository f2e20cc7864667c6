package dev.tickwell.benchmark.small;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.benchmark.arm.Scheduling;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.report.Check;
import dev.tickwell.benchmark.report.SmallResult;
import dev.tickwell.benchmark.shape.Numbers;
import dev.tickwell.benchmark.shape.Numbers.Stats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The peer's real arm under the rounds, and what a round refuses. */
class SmallRequestsTest {
  private static final SmallRequests.Sizes SIZES = new SmallRequests.Sizes(100, 4, 250, 60, 20, 2);

  @TempDir Path folder;

  private final ExecutorService server = Executors.newSingleThreadExecutor();
  private final ExecutorService async = Executors.newCachedThreadPool();
  private final Numbers shape = new Numbers("small_requests");
  private final List<SmallResult> results = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();
  private final Scheduling scheduling =
      new Scheduling() {
        @Override
        public void async(Runnable task) {
          async.execute(task);
        }

        @Override
        public void sync(Runnable task) {
          server.execute(task);
        }

        @Override
        public void nextTick(Runnable task) {
          server.execute(task);
        }
      };

  @AfterEach
  void stop() {
    server.shutdown();
    async.shutdown();
  }

  private SmallRequests requests(SmallRequests.Sizes sizes) {
    return new SmallRequests(
        sizes,
        1,
        2,
        scheduling,
        () -> 0,
        new SmallRequests.Findings() {
          @Override
          public void enter(CaseKey key) {}

          @Override
          public void result(SmallResult result) {
            results.add(result);
          }

          @Override
          public void check(Check check) {
            checks.add(check);
          }

          @Override
          public void progress(String line) {}
        });
  }

  @Test
  void countsEveryRequestAndComparesTheWholeTable() throws Exception {
    try (SmallArm arm = new SmallJdbc(folder.resolve("peer.db"), shape, scheduling)) {
      requests(SIZES).callers(List.of(arm));
      requests(SIZES).crowds(List.of(arm));
    }
    List<String> found = new ArrayList<>();
    for (SmallResult result : results) {
      found.add(
          "%s %s %d rounds, %d requests timed"
              .formatted(
                  result.key().id(),
                  result.key().operation(),
                  result.rounds().size(),
                  result.latency().requests()));
    }
    assertEquals(
        List.of(
            "callers read 3 rounds, 500 requests timed",
            "callers write 3 rounds, 120 requests timed",
            "crowd read 3 rounds, 40 requests timed",
            "crowd write 3 rounds, 40 requests timed"),
        found);
    assertEquals(2, checks.size());
    for (Check check : checks) {
      assertTrue(check.passed(), check.toString());
      assertEquals("100 rows, checksum as written", check.measured());
    }
  }

  @Test
  void noticesAWriteThatWasAcknowledgedAndNotStored() throws Exception {
    try (SmallArm arm =
        new SmallJdbc(folder.resolve("peer.db"), shape, scheduling) {
          @Override
          int save(Stats row) throws java.sql.SQLException {
            return row.id() == 7 ? 1 : super.save(row);
          }
        }) {
      // Every row is saved, so the seventh too.
      requests(new SmallRequests.Sizes(100, 4, 100, 100, 20, 0)).callers(List.of(arm));
    }
    assertEquals(1, checks.size());
    assertFalse(checks.get(0).passed());
    assertEquals("100 rows, checksum differs", checks.get(0).measured());
  }

  @Test
  void aRoundEndsWithTheFirstWrongAnswer() {
    List<Stats> rows = shape.rows(1, 3);
    CallerRound round = new CallerRound(rows, 1);
    round.loaded(round.next(), 10, rows.get(0));
    round.loaded(round.next(), 10, rows.get(0));
    assertEquals(CallerRound.NONE, round.next(), "the third is not sent any more");
    round.callerEnded();
    IllegalStateException error = assertThrows(IllegalStateException.class, round::await);
    assertTrue(error.getMessage().contains("read " + rows.get(0) + ", not " + rows.get(1)));
  }

  @Test
  void aWriteHasToAffectItsRow() {
    CallerRound round = new CallerRound(shape.rows(1, 1), 1);
    round.saved(round.next(), 10, 0);
    round.callerEnded();
    assertThrows(IllegalStateException.class, round::await);
    CrowdRound crowd = new CrowdRound(shape.rows(1, 1), () -> 0);
    crowd.submit(() -> crowd.saved(0, 2));
    assertThrows(IllegalStateException.class, crowd::await);
  }

  @Test
  void aCallerThatStopsEarlyIsNoticed() {
    CallerRound round = new CallerRound(shape.rows(1, 2), 1);
    round.saved(round.next(), 10, 1);
    round.callerEnded();
    IllegalStateException error = assertThrows(IllegalStateException.class, round::await);
    assertEquals("1 of 2 requests were answered", error.getMessage());
  }

  @Test
  void aCrowdAddsUpWhatTheServerThreadDid() throws Exception {
    List<Stats> rows = shape.rows(1, 2);
    long[] tick = {5};
    CrowdRound crowd = new CrowdRound(rows, () -> tick[0]);
    crowd.submit(() -> {});
    tick[0] = 7;
    for (int request = 0; request < 2; request++) {
      crowd.loaded(request, rows.get(request));
      crowd.cost(100 + request);
    }
    crowd.await();
    assertEquals(201, crowd.fields().get("mainNs"));
    assertEquals(2, crowd.fields().get("ticks"));
    assertTrue(crowd.fields().get("wallNs") >= crowd.fields().get("submitNs"));
  }
}
