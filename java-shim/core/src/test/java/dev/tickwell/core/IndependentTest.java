package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Row;
import dev.tickwell.StoredParts;
import dev.tickwell.StoredParts.Part;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inserts whose parts are stored or refused by themselves; ten rows are a part here. */
class IndependentTest {
  record Line(@Key long id, String text) {}

  private Bed bed;
  private Table<Line> lines;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary(), Map.of(), Map.of("fast-chunk-rows", "10"));
    lines = bed.db.table("lines", Line.class).register();
    Bed.await(lines.insert(new Line(14, "there")));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static List<Line> upTo(long end) {
    return LongStream.range(0, end).mapToObj(id -> new Line(id, "new")).toList();
  }

  @Test
  void whatIsRefusedInOnePartLeavesTheOthers() {
    StoredParts stored = Bed.await(lines.independently().insert(upTo(25)));
    assertFalse(stored.isComplete());
    assertEquals(15, stored.stored());
    assertEquals(3, stored.parts().size());
    assertEquals(new Part(0, 10, 10, null), stored.parts().get(0));
    assertEquals(new Part(20, 5, 5, null), stored.parts().get(2));
    Part refused = stored.parts().get(1);
    assertEquals(List.of(refused), stored.failed());
    assertEquals(10, refused.firstRow());
    assertEquals(10, refused.rows());
    assertEquals(0, refused.stored());
    TickwellException failure = refused.failure();
    assertEquals(ErrorCode.UNIQUE_VIOLATION, failure.code());
    assertEquals(Effect.NONE, failure.effect());
    assertEquals("14", failure.context().get("row"));
    assertEquals(16, Bed.await(lines.count()));
    // All or none, by contrast.
    assertEquals(
        ErrorCode.UNIQUE_VIOLATION,
        Bed.failure(lines.insert(List.of(new Line(99, "x"), new Line(14, "x")))).code());
    assertEquals(16, Bed.await(lines.count()));
  }

  @Test
  void ifAbsentAndUpsertTellTheirNumbers() {
    StoredParts absent = Bed.await(lines.independently().insertIfAbsent(upTo(20)));
    assertEquals(List.of(10L, 9L), absent.parts().stream().map(Part::stored).toList());
    assertTrue(absent.isComplete());
    StoredParts upsert = Bed.await(lines.unordered().independently().upsert(upTo(20)));
    assertEquals(20, upsert.stored());
    assertEquals(20, Bed.await(lines.count()));
    assertEquals(List.of(), Bed.await(lines.independently().insert(List.of())).parts());
  }

  @Test
  void aValueThatNoColumnKeepsRefusesAllOfIt() {
    Table<Row> names = bed.db.table("names").column("name", ValueType.STRING, 3).register();
    List<Row> rows =
        LongStream.range(0, 12)
            .mapToObj(i -> Row.builder().set("name", i < 11 ? "a" : "long").build())
            .toList();
    TickwellException failure = Bed.failure(names.independently().insert(rows));
    assertEquals(ErrorCode.INVALID_VALUE, failure.code());
    assertEquals("11", failure.context().get("row"));
    assertEquals(0, Bed.await(names.count()));
  }

  @Test
  void aTickThreadMayAskForIt() {
    StoredParts stored = Bed.await(bed.onServer(() -> lines.independently().insert(upTo(10))));
    assertEquals(1, stored.parts().size());
    assertNull(stored.parts().get(0).failure());
  }
}
