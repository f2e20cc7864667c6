package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.Key;
import dev.tickwell.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Another copy of SQLite in this process, as servers carry one, opens the file beside ours. Locks
 * belong to the process: neither sees those of the other, and each close drops those of both.
 */
class SecondSqliteTest {
  record Account(@Key long id, String name) {}

  private Bed bed;
  private Path file;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    file = bed.folder.resolve("test.db");
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static long count(Path file) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      try (var check = statement.executeQuery("PRAGMA integrity_check")) {
        check.next();
        assertEquals("ok", check.getString(1));
      }
      try (var rows = statement.executeQuery("SELECT count(*) FROM demo_accounts")) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  /** The rows that a server would find which was killed now. */
  private long countAfterACrash() throws IOException, SQLException {
    Path crashed = Files.createDirectories(bed.folder.resolve("crashed"));
    for (String suffix : new String[] {"", "-wal"}) {
      Path part = bed.folder.resolve("test.db" + suffix);
      Path copy = crashed.resolve("test.db" + suffix);
      Files.deleteIfExists(copy);
      if (Files.exists(part)) {
        Files.copy(part, copy);
      }
    }
    Files.deleteIfExists(crashed.resolve("test.db-shm"));
    return count(crashed.resolve("test.db"));
  }

  @Test
  void anotherThatOpensAndClosesTheFileTakesNoAnsweredWriteAway() throws Exception {
    Table<Account> table = bed.db.table("accounts", Account.class).register();
    for (int id = 0; id < 200; id++) {
      assertEquals(1, Bed.await(table.insert(new Account(id, "n" + id))));
      assertEquals(id + 1, count(file), "what the other reads");
      if (id % 20 == 19) {
        assertEquals(id + 1, countAfterACrash());
      }
    }
    assertEquals(200, Bed.await(table.count()));
    bed.engine.closeDatabase("main", Bed.LIMIT);
    assertEquals(200, count(file));
  }

  @Test
  void anotherCannotChangeTheJournalModeUnderOurs() throws Exception {
    Table<Account> table = bed.db.table("accounts", Account.class).register();
    Bed.await(table.insert(new Account(0, "first")));
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=10");
        var statement = connection.createStatement()) {
      SQLException e =
          assertThrows(SQLException.class, () -> statement.execute("PRAGMA journal_mode = DELETE"));
      assertTrue(e.getMessage().contains("SQLITE_BUSY"), e.getMessage());
    }
    Bed.await(table.insert(new Account(1, "second")));
    assertEquals(2, countAfterACrash());
  }
}
