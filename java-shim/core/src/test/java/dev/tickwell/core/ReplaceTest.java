package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replacing a database that is in use. */
class ReplaceTest {
  record Coin(@Key int id, String owner) {}

  private Bed bed;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private Map<String, String> settings(String file, int readers) {
    return Map.of(
        "type", "sqlite", "path", bed.folder.resolve(file).toString(), "readers", "" + readers);
  }

  @Test
  void aTableGoesOnInTheDatabaseThatIsOpenedAnew() {
    Table<Coin> coins = bed.db.table("coins", Coin.class).register();
    Bed.await(coins.insert(new Coin(1, "first")));
    ShutdownReport report = bed.engine.replaceDatabase("main", settings("test.db", 3), Bed.LIMIT);
    assertEquals(Map.of(), report.unwritten());
    Bed.await(coins.insert(new Coin(2, "second")));
    assertEquals(2, Bed.await(coins.count()));
    // The writer, three readers, two for streams: the new settings are in force.
    assertEquals(6, bed.statistic("main.threads"));
  }

  @Test
  void anotherFileGetsTheTablesToo() {
    Table<Coin> coins = bed.db.table("coins", Coin.class).register();
    Bed.await(coins.insert(new Coin(1, "first")));
    bed.engine.replaceDatabase("main", settings("other.db", 2), Bed.LIMIT);
    assertEquals(0, Bed.await(coins.count()));
    bed.engine.replaceDatabase("main", settings("test.db", 2), Bed.LIMIT);
    assertEquals(1, Bed.await(coins.count()));
  }

  @Test
  void whatIsSubmittedMeanwhileSucceedsOrMayBeTriedAgain() throws Exception {
    Table<Coin> coins = bed.db.table("coins", Coin.class).register();
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService callers = Executors.newFixedThreadPool(2)) {
      List<Future<Integer>> stored =
          List.of(0, 1).stream().map(n -> callers.submit(() -> insert(coins, n, stop))).toList();
      for (int round = 0; round < 10; round++) {
        bed.engine.replaceDatabase("main", settings("test.db", 1 + round % 2), Bed.LIMIT);
      }
      stop.set(true);
      long all = (long) stored.get(0).get() + stored.get(1).get();
      assertEquals(all, Bed.await(coins.count()));
    }
    // The last registration's result may come behind that of the count.
    Bed.eventually("no request is open", () -> bed.statistic("java.requests.open") == 0);
  }

  /** Inserts until it is told to stop; gives how many were acknowledged. */
  private static int insert(Table<Coin> coins, int caller, AtomicBoolean stop) {
    int stored = 0;
    for (int i = 0; !stop.get(); i++) {
      try {
        Bed.await(coins.insert(new Coin(2 * i + caller, "any")));
        stored++;
      } catch (TickwellException e) {
        assertEquals(ErrorCode.CLOSED, e.code(), e::getMessage);
      }
    }
    return stored;
  }

  @Test
  void aSettingThatIsRefusedIsNamedAndLeavesTheDatabaseClosed() {
    Table<Coin> coins = bed.db.table("coins", Coin.class).register();
    Bed.await(coins.registration());
    TickwellException e =
        assertThrows(
            TickwellException.class,
            () -> bed.engine.replaceDatabase("main", settings("test.db", 0), Bed.LIMIT));
    assertEquals(ErrorCode.INVALID_CONFIG, e.code());
    assertTrue(e.getMessage().contains("readers"), e.getMessage());
    assertEquals(ErrorCode.INVALID_CONFIG, Bed.failure(coins.count()).code());
    bed.engine.openDatabase("main", settings("test.db", 1));
    assertEquals(0, Bed.await(coins.count()));
  }

  @Test
  void theTablesAreListedWithWhatBecameOfThem() {
    Bed.await(bed.db.table("coins", Coin.class).register().registration());
    Owner other = bed.engine.owner("Shop");
    Bed.await(
        bed.engine.database(other, "main").table("prices", Coin.class).register().registration());
    List<RegisteredTable> tables = bed.engine.tables();
    assertEquals(
        List.of("Demo main demo_coins true", "Shop main shop_prices true"),
        tables.stream()
            .map(t -> t.plugin() + " " + t.database() + " " + t.table() + " " + t.answered())
            .toList());
    assertNull(tables.get(0).failure());
    other.close();
    assertEquals(1, bed.engine.tables().size());
    bed.engine.closeDatabase("main", Bed.LIMIT);
    assertEquals(List.of(), bed.engine.tables());
  }
}
