package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A panic in the library is an exception of that call, and nothing else is harmed. */
class PanicTest {
  private Bed bed;
  private long armed;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** Lets every call of one export panic until {@link #disarm}; the setting is the library's. */
  private void arm(String export) {
    armed = Native.openRuntime(Wire.pairs(Map.of("test-panic", export)));
  }

  private void disarm() {
    long plain = Native.openRuntime(Wire.pairs(Map.of()));
    for (long runtime : new long[] {plain, armed}) {
      Native.closeRuntime(runtime, 0);
      assertEquals(null, Native.awaitCompletions(runtime, 1, 0));
    }
  }

  private void assertPanics(String export, Executable call) {
    arm(export);
    TickwellException e = assertThrows(TickwellException.class, call);
    disarm();
    assertEquals(ErrorCode.INTERNAL, e.code(), e.getMessage());
    assertEquals(1, Bed.await(bed.db.query("SELECT 1 AS one")).size());
  }

  @Test
  void inSubmit() {
    assertPanics("submit", () -> Bed.await(bed.db.query("SELECT 1")));
  }

  @Test
  void inStatistics() {
    assertPanics("statistics", bed.engine::statistics);
  }

  @Test
  void inOpenOwner() {
    assertPanics("openOwner", () -> bed.engine.owner("x"));
  }

  @Test
  void inOpenDatabase() {
    Path path = bed.folder.resolve("x.db");
    assertPanics(
        "openDatabase",
        () -> bed.engine.openDatabase("x", Map.of("type", "sqlite", "path", path.toString())));
  }

  @Test
  void inCancel() {
    Pending<Rows<Row>> endless =
        bed.db.query(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                + " SELECT count(*) FROM n");
    Bed.eventually("the query runs", () -> bed.statistic("main.running") == 1);
    assertPanics("cancel", endless::cancel);
    assertTrue(endless.cancel());
  }

  @ParameterizedTest
  @ValueSource(strings = {"awaitCompletions", "execute", "next", "tickStart", "tickEnd", "ready"})
  void inWhatOurThreadsCall(String export) {
    arm(export);
    Pending<Rows<Row>> during = bed.db.query("SELECT 1").on(new Target.Global(), rows -> {});
    bed.onServer(() -> null);
    disarm();
    // A lane that could not take the work says so; everything else goes on where it was.
    assertEquals(1, Bed.await(during).size());
    var after = bed.db.query("SELECT 1").on(new Target.Global(), rows -> {});
    assertEquals(1, Bed.await(after.phases()).rowsReceived());
  }
}
