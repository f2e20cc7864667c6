package dev.tickwell.core;

import static dev.tickwell.Filters.between;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.gt;
import static dev.tickwell.Filters.lt;
import static dev.tickwell.Filters.or;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values of many rows, and deletes with a limit, from Java to the file and back. */
class AggregateTest {
  record Visit(@Key int id, String player, Long coins, double hours, Instant at) {}

  private Bed bed;
  private Table<Visit> visits;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    visits = bed.db.table("visits", Visit.class).register();
    Bed.await(visits.insert(List.of(visit(1, 10L), visit(2, 20L), visit(3, null), visit(4, 5L))));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static Visit visit(int id, Long coins) {
    return new Visit(id, "p" + id % 2, coins, id / 2.0, Instant.ofEpochSecond(id));
  }

  private static ErrorCode refused(Pending<?> pending) {
    return Bed.failure(pending).code();
  }

  @Test
  void oneValueHasTheTypeThatItsColumnGivesIt() {
    assertEquals(Optional.of(35L), Bed.await(visits.sum("coins")));
    assertEquals(Optional.of(5.0), Bed.await(visits.sum("hours")));
    assertEquals(Optional.of(10L), Bed.await(visits.sum("id")), "a sum of ints is a bigint");
    assertEquals(Optional.of(5L), Bed.await(visits.min("coins", Long.class)));
    assertEquals(Optional.of(4), Bed.await(visits.max("id", Integer.class)));
    assertEquals(Optional.of("p1"), Bed.await(visits.max("player", String.class)));
    assertEquals(
        Optional.of(Instant.ofEpochSecond(2)),
        Bed.await(visits.min("at", Instant.class, eq("player", "p0"))));
    assertEquals(
        Optional.of(7.5), Bed.await(visits.average("coins", or(eq("id", 1), gt("id", 2)))));
  }

  @Test
  void noValuesAreNoValue() {
    assertEquals(Optional.empty(), Bed.await(visits.sum("coins", eq("id", 3))));
    assertEquals(Optional.empty(), Bed.await(visits.min("coins", Long.class, eq("id", 9))));
    assertEquals(Optional.empty(), Bed.await(visits.average("hours", eq("id", 9))));
  }

  @Test
  void severalValuesComeAtOnceUnderTheirNames() {
    Row row =
        Bed.await(
            visits
                .aggregate()
                .count()
                .sum("coins")
                .min("coins")
                .max("at")
                .average("hours")
                .sum("coins")
                .where(lt("id", 4), gt("id", 1))
                .fetch());
    assertEquals(5, row.columnCount());
    assertEquals(2L, row.get("count"));
    assertEquals(20L, row.get("sum(coins)", Long.class));
    assertEquals(20L, row.get("min(coins)"));
    assertEquals(Instant.ofEpochSecond(3), row.get("max(at)"));
    assertEquals(1.25, row.get("average(hours)"));
    Row none = Bed.await(visits.aggregate().count().max("id").where(eq("id", 9)).fetch());
    assertEquals(0L, none.get("count"));
    assertNull(none.get("max(id)"));
  }

  @Test
  void whatCannotBeAggregatedIsRefusedByName() {
    assertEquals(ErrorCode.INVALID_STATEMENT, refused(visits.aggregate().fetch()));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, refused(visits.sum("gold")));
    TickwellException text = Bed.failure(visits.sum("player"));
    assertEquals("player", text.context().get("column"), text.getMessage());
    TickwellException other = Bed.failure(visits.min("coins", Integer.class));
    assertEquals(ErrorCode.INVALID_VALUE, other.code());
    assertTrue(other.getMessage().contains("min(coins)"), other.getMessage());
    Bed.await(visits.insert(visit(5, Long.MAX_VALUE)));
    assertEquals("coins", Bed.failure(visits.sum("coins")).context().get("column"));
  }

  @Test
  void aDeleteTakesTheFirstRowsByTheKey() {
    assertEquals(2, Bed.await(visits.delete().where(gt("id", 1)).limit(2).run()));
    assertEquals(0, Bed.await(visits.delete().all().limit(0).run()));
    assertEquals(Optional.of(5L), Bed.await(visits.sum("id")));
    assertEquals(1, Bed.await(visits.delete().all().limit(1).run()));
    assertEquals(1, Bed.await(visits.delete().where(between("id", 4, 5)).run()));
    assertEquals(0, Bed.await(visits.count()));
  }

  @Test
  void aDeleteSaysWhichRowsItMeans() {
    assertEquals(ErrorCode.FILTER_REQUIRED, refused(visits.delete().run()));
    assertEquals(ErrorCode.FILTER_REQUIRED, refused(visits.delete().limit(1).run()));
    assertEquals(
        ErrorCode.INVALID_STATEMENT, refused(visits.delete().where(eq("id", 1)).all().run()));
    assertEquals(ErrorCode.FILTER_REQUIRED, refused(visits.delete().where(or()).run()));
    assertThrows(TickwellException.class, () -> visits.delete().limit(-1));
    assertEquals(4, Bed.await(visits.count()));
  }
}
