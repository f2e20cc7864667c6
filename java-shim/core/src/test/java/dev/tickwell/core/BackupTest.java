package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies of a database in use, from Java. */
class BackupTest {
  record Line(@Key long id, String text) {}

  private Bed bed;
  private Table<Line> lines;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    lines = bed.db.table("lines", Line.class).register();
    Bed.await(lines.insert(rows(0, 2_000)));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static List<Line> rows(long first, int count) {
    return LongStream.range(first, first + count)
        .mapToObj(id -> new Line(id, "line " + id))
        .toList();
  }

  private Path file(String name) {
    return bed.folder.resolve(name);
  }

  private ErrorCode refused(String database, Path file) {
    return assertThrows(TickwellException.class, () -> bed.engine.backup(database, file)).code();
  }

  @Test
  void aCopyOpensAsADatabaseWithTheSameRows() {
    bed.engine.backup("main", file("copy.db"));
    bed.engine.openDatabase("copy", Map.of("type", "sqlite", "path", file("copy.db").toString()));
    Table<Line> copied =
        bed.engine.database(bed.owner, "copy").table("lines", Line.class).register();
    assertEquals(rows(0, 2_000), Bed.await(copied.select().orderBy(asc("id")).fetch()).toList());
    // It is another database: what is written to one is not in the other.
    Bed.await(copied.insert(new Line(2_000, "only there")));
    assertEquals(2_000, Bed.await(lines.count()));
    assertEquals(0, bed.statistic("main.backup.total"));
  }

  @Test
  void whatIsThereIsNotOverwrittenAndUnknownNamesAreSaid() throws Exception {
    Files.writeString(file("mine.db"), "mine");
    assertEquals(ErrorCode.INVALID_CONFIG, refused("main", file("mine.db")));
    assertEquals("mine", Files.readString(file("mine.db")));
    assertEquals(ErrorCode.INVALID_CONFIG, refused("other", file("copy.db")));
    assertEquals(ErrorCode.INVALID_CONFIG, refused("main", file("none").resolve("copy.db")));
    assertFalse(Files.exists(file("copy.db")));
  }

  @Test
  void aCopyThatTheEndOvertakesLeavesNoFileOrAWholeOne() throws Exception {
    for (int block = 1; block <= 20; block++) {
      Bed.await(lines.insert(rows(block * 2_000L, 2_000)));
    }
    try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
      Future<ErrorCode> copy =
          caller.submit(
              () -> {
                try {
                  bed.engine.backup("main", file("copy.db"));
                  return null;
                } catch (TickwellException e) {
                  return e.code();
                }
              });
      bed.engine.closeDatabase("main", Bed.LIMIT);
      ErrorCode code = copy.get();
      assertEquals(code == null, Files.exists(file("copy.db")));
      assertTrue(
          code == null
              || code == ErrorCode.CANCELLED
              || code == ErrorCode.CLOSED
              || code == ErrorCode.INVALID_HANDLE
              || code == ErrorCode.INVALID_CONFIG,
          () -> "code " + code);
    }
  }
}
