package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.in;
import static dev.tickwell.Filters.not;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Key;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inputs that are known to go wrong in drivers and plugins, from Java to the file and back. */
class TroublesTest {
  private static final BigInteger UNSIGNED_MAX = new BigInteger("18446744073709551615");

  record Amount(@Key int id, double value) {}

  record Price(@Key int id, BigDecimal value) {}

  private Bed bed;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static TickwellException refused(Runnable call, ErrorCode code, String... parts) {
    TickwellException e = assertThrows(TickwellException.class, call::run);
    assertEquals(code, e.code(), e.getMessage());
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
    return e;
  }

  @Test
  void numbersPastSignedSixtyFourBitsAreExactOrRefusedByName() {
    record Unsigned(@Key int id, BigInteger balance) {}
    refused(
        () -> bed.db.table("unsigned", Unsigned.class),
        ErrorCode.INVALID_STATEMENT,
        "balance",
        "BigInteger");
    refused(
        () -> Bed.await(bed.db.query("SELECT ? AS a, ? AS b", 1, UNSIGNED_MAX)),
        ErrorCode.INVALID_VALUE,
        "BigInteger",
        "parameter: 2");
    Table<Row> longs =
        bed.db
            .table("longs")
            .column("id", ValueType.INT)
            .column("n", ValueType.BIGINT)
            .key("id")
            .register();
    refused(
        () -> Bed.await(longs.insert(Row.builder().set("id", 1).set("n", UNSIGNED_MAX).build())),
        ErrorCode.INVALID_VALUE,
        "column: n",
        "bigint");
    assertEquals(0, Bed.await(longs.count()));

    // A decimal holds it exactly.
    Table<Price> prices = bed.db.table("prices", Price.class).register();
    BigDecimal exact = new BigDecimal(UNSIGNED_MAX);
    Bed.await(prices.insert(new Price(1, exact)));
    assertEquals(exact, Bed.await(prices.select().fetch()).toList().getFirst().value());
    assertEquals(1, Bed.await(prices.count(eq("value", exact))));

    // SQLite makes a real number of a literal that is too long, which is never taken for an
    // integer.
    Rows<Row> rows =
        Bed.await(bed.db.query("SELECT 9223372036854775807 AS fits, 9223372036854775808 AS past"));
    assertEquals(Long.MAX_VALUE, rows.getLong(0, 0));
    assertEquals(ValueType.DOUBLE, rows.columnType(1));
    refused(() -> rows.getLong(0, 1), ErrorCode.INVALID_VALUE, "past");
    refused(
        () ->
            Bed.await(bed.db.query("SELECT 9223372036854775807 + n AS s FROM (SELECT 1 AS n)"))
                .getLong(0, 0),
        ErrorCode.INVALID_VALUE,
        "s");
  }

  @Test
  void decimalsComeBackDigitByDigit() {
    Table<Price> prices = bed.db.table("prices", Price.class).register();
    List<Price> rows = new ArrayList<>();
    for (String text :
        List.of(
            "2800003753376.20000000000000000000",
            "0.1",
            "12345678901234567890.123456789",
            "-99999999999999999999999999999999999999",
            "12345678901234567890123456789012345.123456789012345678901234567890")) {
      rows.add(new Price(rows.size(), new BigDecimal(text)));
    }
    Bed.await(prices.insert(rows));
    assertEquals(rows, Bed.await(prices.select().orderBy(asc("id")).fetch()).toList());
  }

  @Test
  void ofAHundredSavesOneHasNoNumberAndTheOthersAreStored() {
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      Table<Amount> table =
          bed.db.table(Double.isNaN(bad) ? "nan" : "infinite", Amount.class).register();
      Bed.await(table.registration());
      List<Pending<Long>> saves = new ArrayList<>();
      for (int id = 0; id < 100; id++) {
        saves.add(table.insert(new Amount(id, id == 50 ? bad : id / 2.0)));
      }
      for (int id = 0; id < 100; id++) {
        Pending<Long> save = saves.get(id);
        if (id == 50 && Double.isNaN(bad)) {
          TickwellException e = Bed.failure(save);
          assertEquals(ErrorCode.INVALID_VALUE, e.code());
          assertEquals("value", e.context().get("column"));
          assertTrue(e.getMessage().contains("NaN"), e.getMessage());
        } else {
          assertEquals(1, Bed.await(save));
        }
      }
      // SQLite keeps infinities, so there that save is one like the others.
      assertEquals(Double.isNaN(bad) ? 99 : 100, Bed.await(table.count()));
      assertEquals(Double.isNaN(bad) ? 0 : 1, Bed.await(table.count(eq("id", 50))));
    }
  }

  @Test
  void namesKeepTheirLettersAndReservedWordsAreNames() {
    @SuppressWarnings("VariableNameSameAsType") // the column of the trouble
    record Player(@Key UUID UUID, String playerName, int rank) {}
    UUID id = new UUID(1, 2);
    for (String name :
        List.of("rank", "groups", "order", "user", "key", "two words", "quo\"te", "it's")) {
      Table<Player> table = bed.db.table(name, Player.class).index("playerName").register();
      Bed.await(table.insert(new Player(id, "Alex", 3)));
      Bed.await(table.update().add("rank", 1).where(eq("playerName", "Alex")).run());
      assertEquals(
          List.of(new Player(id, "Alex", 4)),
          Bed.await(table.select().where(eq("UUID", id)).fetch()).toList());

      List<ValueType> types = List.of(ValueType.INT, ValueType.TEXT);
      Table<Row> columns =
          bed.db
              .table("c " + name)
              .column("id", types.get(0))
              .column(name, types.get(1))
              .key("id")
              .register();
      Bed.await(columns.insert(Row.builder().set("id", 1).set(name, "x").build()));
      Rows<Row> rows = Bed.await(columns.select().where(eq(name, "x")).fetch());
      assertEquals("x", rows.row(0).get(name));
      assertEquals(1, Bed.await(columns.delete(eq(name, "x"))));
    }
    Table<Player> order = bed.db.table("order", Player.class).register();
    Rows<Row> raw = Bed.await(bed.db.query("SELECT * FROM {order}"));
    assertEquals("Alex", raw.row(0).get("playerName"));
    assertEquals(1, Bed.await(order.deleteAll()));
  }

  @Test
  void aListOfNothingChoosesNothingAndItsOppositeAllWithNulls() {
    Table<Row> table =
        bed.db
            .table("members")
            .column("id", ValueType.INT)
            .column("name", ValueType.TEXT)
            .key("id")
            .register();
    assertEquals(0, Bed.await(table.count(not(in("name", List.of())))));
    Bed.await(
        table.insert(
            List.of(
                Row.builder().set("id", 1).set("name", "a").build(),
                Row.builder().set("id", 2).set("name", null).build(),
                Row.builder().set("id", 3).set("name", "b").build())));
    Filter nothing = in("name", List.of());
    assertEquals(0, Bed.await(table.count(nothing)));
    assertEquals(0, Bed.await(table.select().where(nothing).fetch()).size());
    assertEquals(0, Bed.await(table.delete(nothing)));
    assertEquals(3, Bed.await(table.count(not(nothing))));
    assertEquals(1, Bed.await(table.count(in("name", List.of("a")))));
    assertEquals(2, Bed.await(table.count(in("name", List.of("a", "b")))));
    // A column that is null is neither in a list nor outside of it.
    assertEquals(1, Bed.await(table.count(not(in("name", List.of("a"))))));
  }

  @Test
  void nullNeedsNoTypeToBeStoredOrToSwitchAFilterOff() {
    Table<Row> table =
        bed.db
            .table("nulls")
            .column("id", ValueType.INT)
            .column("n", ValueType.BIGINT)
            .column("u", ValueType.UUID)
            .column("at", ValueType.TIMESTAMP)
            .column("doc", ValueType.JSON)
            .key("id")
            .register();
    Row.Builder row = Row.builder().set("id", 1);
    for (String column : List.of("n", "u", "at", "doc")) {
      row.set(column, null);
    }
    Bed.await(table.insert(row.build()));
    Bed.await(
        bed.db.update(
            "INSERT INTO {nulls} (id, n, u, at, doc) VALUES (?, ?, ?, ?, ?)",
            2,
            null,
            null,
            null,
            null));
    for (Row stored : Bed.await(table.select().fetch())) {
      for (String column : List.of("n", "u", "at", "doc")) {
        assertTrue(stored.has(column));
        assertNull(stored.get(column));
      }
    }
    String optional = "SELECT id FROM {nulls} WHERE ? IS NULL OR id > ? ORDER BY id";
    assertEquals(2, Bed.await(bed.db.query(optional, null, null)).size());
    assertEquals(1, Bed.await(bed.db.query(optional, 1, 1)).size());
  }

  @Test
  void questionMarksThatAreNoParametersStayWhatTheyAre() {
    Rows<Row> rows =
        Bed.await(
            bed.db.query(
                """
                SELECT '?' AS text, -- is ? one
                       /* or ? */ 'it''s ?' AS "what?", ? AS one
                """,
                7));
    assertEquals("?", rows.row(0).get("text"));
    assertEquals("it's ?", rows.row(0).get("what?"));
    assertEquals(7L, rows.row(0).get("one"));
    for (Object[] wrong : new Object[][] {{}, {7, 8}}) {
      refused(
          () -> Bed.await(bed.db.query("SELECT '?', ? -- ?", wrong)), ErrorCode.PARAMETER_COUNT);
    }
  }

  /** A value that its server can neither always write nor always read, as an item is. */
  record Relic(int number) {}

  record Shelf(@Key int id, Relic relic) {}

  private static final class RelicCodec implements ObjectCodec<Relic> {
    @Override
    public Class<Relic> type() {
      return Relic.class;
    }

    @Override
    public ValueType storage() {
      return ValueType.ITEM;
    }

    @Override
    public byte[] encode(Relic relic) {
      if (relic.number < 0) {
        throw new IllegalArgumentException("a skull without a name");
      }
      return new byte[] {(byte) relic.number};
    }

    @Override
    public Relic decode(byte[] bytes) {
      if (bytes[0] == 50) {
        throw new IllegalArgumentException("of a newer server");
      }
      return new Relic(bytes[0]);
    }

    @Override
    public Relic snapshot(Relic relic) {
      return relic;
    }
  }

  @Test
  void aValueThatCannotBeWrittenOrReadHarmsNoOtherAndItsBytesStay() {
    bed.engine.register(bed.owner, new RelicCodec());
    Table<Shelf> shelves = bed.db.table("shelves", Shelf.class).register();
    List<Pending<Long>> saves = new ArrayList<>();
    for (int id = 0; id < 100; id++) {
      saves.add(shelves.insert(new Shelf(id, new Relic(id == 30 ? -1 : id))));
    }
    TickwellException bad = Bed.failure(saves.remove(30));
    assertEquals(ErrorCode.INVALID_VALUE, bad.code());
    assertEquals("relic", bad.context().get("column"));
    assertTrue(bad.getMessage().contains("a skull without a name"), bad.getMessage());
    saves.forEach(save -> assertEquals(1, Bed.await(save)));
    assertEquals(99, Bed.await(shelves.count()));

    // The one that cannot be read is named where it is looked at; all others are there.
    Rows<Shelf> rows = Bed.await(shelves.select().orderBy(asc("id")).fetch());
    assertEquals(99, rows.size());
    int unread = 0;
    for (int row = 0; row < rows.size(); row++) {
      int at = row;
      if (rows.getInt(row, 0) == 50) {
        TickwellException e = assertThrows(TickwellException.class, () -> rows.row(at));
        assertEquals("relic", e.context().get("column"), e.getMessage());
        assertEquals(Integer.toString(row), e.context().get("row"), e.getMessage());
        unread++;
      } else {
        assertEquals(rows.getInt(row, 0), rows.row(row).relic().number());
      }
    }
    assertEquals(1, unread);
    String bytes = "SELECT CAST(relic AS BLOB) AS bytes FROM {shelves} WHERE id = 50";
    assertArrayEquals(new byte[] {50}, Bed.await(bed.db.query(bytes)).getBytes(0, 0));
  }

  @Test
  void textOfAllKindsComesBackInValuesNamesAndErrors() {
    for (String text : List.of("😀", "a\0b", "☆", "👨‍👩‍👧‍👦")) {
      Rows<Row> rows = Bed.await(bed.db.query("SELECT ? AS x", text));
      assertEquals(text, rows.getString(0, 0));
      if (text.indexOf('\0') >= 0) {
        continue; // refused in a statement
      }
      rows = Bed.await(bed.db.query("SELECT '%s' AS \"%s\"".formatted(text, text)));
      assertEquals(text, rows.columnName(0));
      assertEquals(text, rows.row(0).get(text));
      refused(
          () -> Bed.await(bed.db.query("SELECT \"%s\"".formatted(text))), ErrorCode.SYNTAX, text);
    }
  }

  @Test
  void aClosedDatabasesFileIsFreeAtOnceTwentyTimes() throws Exception {
    Path file = bed.folder.resolve("test.db");
    for (int round = 1; round <= 20; round++) {
      Table<Amount> table = bed.db.table("amounts", Amount.class).register();
      assertEquals(1, Bed.await(table.insert(new Amount(round, round))));
      bed.engine.closeDatabase("main", Bed.LIMIT);
      assertFalse(Files.exists(bed.folder.resolve("test.db-wal")), "the log is left");
      new LockHolder(file).close();
      Path moved = bed.folder.resolve("moved.db");
      Files.move(file, moved);
      Files.move(moved, file);
      bed.engine.openDatabase("main", Map.of("type", "sqlite", "path", file.toString()));
    }
    assertEquals(20, Bed.await(bed.db.query("SELECT id FROM demo_amounts")).size());
  }

  private Table<Row> wide(String name, int columns) {
    var table = bed.db.table(name).column("c0", ValueType.INT);
    for (int column = 1; column < columns; column++) {
      table = table.column("c" + column, ValueType.INT);
    }
    return table.key("c0").register();
  }

  private static List<Row> rows(int rows, int columns) {
    return IntStream.range(0, rows)
        .mapToObj(
            id -> {
              Row.Builder row = Row.builder();
              for (int column = 0; column < columns; column++) {
                row.set("c" + column, id + column);
              }
              return row.build();
            })
        .toList();
  }

  /** 70,000, 65,535 and 65,536 values; then what SQLite binds at most, and one more. */
  @Test
  void moreValuesThanAStatementTakesAreSplitAndStoredOnceInOrder() {
    int[][] sizes = {{7_000, 10}, {4_369, 15}, {4_096, 16}, {16_383, 2}, {32_767, 1}, {1, 3}};
    for (int[] size : sizes) {
      int count = size[0];
      Table<Row> table = wide("wide" + count, size[1]);
      assertEquals(count, Bed.await(table.insert(rows(count, size[1]))));
      Rows<Row> sums =
          Bed.await(
              bed.db.query(
                  "SELECT count(*) AS n, sum(c0) AS s, min(c0 - rowid) AS a, max(c0 - rowid) AS b, sum(c%d - c0) AS last FROM {wide%d}"
                      .formatted(size[1] - 1, count)));
      assertEquals(count, sums.getLong(0, 0));
      assertEquals(count * (count - 1L) / 2, sums.getLong(0, 1));
      assertEquals(sums.getLong(0, 2), sums.getLong(0, 3), "in another order than given");
      assertEquals((size[1] - 1L) * count, sums.getLong(0, 4));
    }
  }

  @Test
  void sixteenThreadsOfAThousandQueriesEndInResults() throws Exception {
    Table<Amount> table = bed.db.table("amounts", Amount.class).register();
    Bed.await(table.insert(IntStream.range(0, 100).mapToObj(id -> new Amount(id, id)).toList()));
    AtomicInteger right = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 16; thread++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    List<Pending<Rows<Amount>>> reads = new ArrayList<>();
                    for (int id = 0; id < 1_000; id++) {
                      reads.add(table.select().where(eq("id", id % 100)).fetch());
                    }
                    for (int id = 0; id < 1_000; id++) {
                      Amount read = Bed.await(reads.get(id)).toList().getFirst();
                      if (read.equals(new Amount(id % 100, id % 100))) {
                        right.incrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(16_000, right.get());
  }

  @Test
  void threeThreadsInsertInBulk() throws Exception {
    Table<Amount> table = bed.db.table("amounts", Amount.class).register();
    List<Pending<Long>> inserts = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 3; thread++) {
      int base = thread * 100_000;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int part = 0; part < 5; part++) {
                      int from = base + part * 2_000;
                      inserts.add(
                          table.insert(
                              IntStream.range(from, from + 2_000)
                                  .mapToObj(id -> new Amount(id, id))
                                  .toList()));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Pending<Long> insert : inserts) {
      assertEquals(2_000, Bed.await(insert));
    }
    assertEquals(30_000, Bed.await(table.count()));
  }

  @Test
  void closingEndsWhatWasCancelledWhileItWasFetched() {
    String endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0";
    for (int round = 0; round < 20; round++) {
      Pending<Rows<Row>> query = bed.db.query(endless);
      Bed.eventually("it runs", () -> bed.statistic("main.running") == 1);
      assertTrue(query.cancel());
      bed.engine.closeDatabase("main", Bed.LIMIT);
      assertEquals(ErrorCode.CANCELLED, Bed.failure(query).code());
      bed.engine.openDatabase(
          "main", Map.of("type", "sqlite", "path", bed.folder.resolve("test.db").toString()));
    }
    assertEquals(1, Bed.await(bed.db.query("SELECT 1")).size());
  }

  @Test
  void aHundredThousandReadyResultsAreSpreadOverTicks() {
    int results = 100_000;
    int workMicros = 5;
    int budgetMicros = 2_000;
    AtomicInteger ran = new AtomicInteger();
    int most = 0;
    try (Lane lane = bed.engine.openLane()) {
      bed.dispatcher = lane::queue;
      for (int request = 0; request < 1_000; request++) {
        Pending<Rows<Row>> query = bed.db.query("SELECT 1");
        for (int number = 0; number < results / 1_000; number++) {
          query.on(new Target.Global(), rows -> work(workMicros, ran));
        }
        Bed.await(query);
      }
      while (ran.get() < results) {
        int before = ran.get();
        lane.start(budgetMicros * 1_000L);
        lane.run();
        lane.end(0);
        most = Math.max(most, ran.get() - before);
      }
    }
    assertEquals(results, ran.get());
    // One more has begun when the budget ends.
    assertTrue(most <= budgetMicros / workMicros + 1, "most in one tick: " + most);
  }

  private static void work(int micros, AtomicInteger ran) {
    long startedAt = System.nanoTime();
    while (System.nanoTime() - startedAt < micros * 1_000L) {
      Thread.onSpinWait();
    }
    ran.incrementAndGet();
  }
}
