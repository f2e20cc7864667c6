package dev.tickwell.core;

import static dev.tickwell.Filters.and;
import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.between;
import static dev.tickwell.Filters.desc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.ge;
import static dev.tickwell.Filters.in;
import static dev.tickwell.Filters.isNull;
import static dev.tickwell.Filters.like;
import static dev.tickwell.Filters.not;
import static dev.tickwell.Filters.or;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Key;
import dev.tickwell.Length;
import dev.tickwell.NotNull;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole way from Java to SQLite and back, with the real library. */
class EngineTest {
  private static final String ENDLESS =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS m FROM n";

  private static final Target GLOBAL = new Target.Global();

  enum Rank {
    MEMBER,
    ADMIN
  }

  @SuppressWarnings("ArrayRecordComponent") // a column of bytes
  record Everything(
      @Key UUID id,
      boolean flag,
      byte tiny,
      short small,
      int medium,
      long big,
      float single,
      double twice,
      Boolean boxedFlag,
      Byte boxedTiny,
      Short boxedSmall,
      Integer boxedInt,
      Long boxedLong,
      Float boxedFloat,
      Double boxedDouble,
      BigDecimal decimal,
      @Length(16) String name,
      @NotNull String text,
      byte[] bytes,
      LocalDate date,
      LocalTime time,
      Instant at,
      Duration span,
      Rank rank) {}

  record Account(@Key long id, long coins, String name) {}

  private Bed bed;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private Table<Account> accounts() {
    return bed.db.table("accounts", Account.class).index("coins").register();
  }

  private static List<Account> accounts(int count) {
    return LongStream.range(0, count).mapToObj(id -> new Account(id, id * 10, "n" + id)).toList();
  }

  @Test
  void everyTypeOfARecordRoundTrips() {
    Table<Everything> table = bed.db.table("everything", Everything.class).register();
    Everything full =
        new Everything(
            UUID.randomUUID(),
            true,
            Byte.MIN_VALUE,
            Short.MAX_VALUE,
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            1.1f,
            Double.NEGATIVE_INFINITY,
            false,
            (byte) 3,
            (short) 4,
            5,
            6L,
            Float.MIN_VALUE,
            Math.PI,
            new BigDecimal("2800003753376.20000000000000000000"),
            "Zoë 😀",
            "a\0b 🍸☆👨‍👩‍👧",
            new byte[] {0, -1, 1},
            LocalDate.of(-1, 1, 1),
            LocalTime.of(23, 59, 59, 999_999_000),
            Instant.parse("2026-01-01T10:00:00.123456Z"),
            Duration.ofNanos(-1),
            Rank.ADMIN);
    Everything empty =
        new Everything(
            new UUID(0, 0),
            false,
            (byte) 0,
            (short) 0,
            0,
            0,
            0,
            0,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            "",
            null,
            null,
            null,
            null,
            null,
            null);
    assertEquals(2, Bed.await(table.insert(List.of(full, empty))));
    Rows<Everything> rows = Bed.await(table.select().orderBy(desc("big")).fetch());
    assertEquals(2, rows.size());
    assertSameValues(full, rows.row(0));
    assertSameValues(empty, rows.toList().get(1));
    assertEquals("demo_everything", table.physicalName());
  }

  private static void assertSameValues(Everything expected, Everything found) {
    for (RecordShape.Component component : RecordShape.of(Everything.class).components()) {
      Object wanted = component.get(expected);
      if (wanted instanceof byte[] bytes) {
        assertArrayEquals(bytes, (byte[]) component.get(found), component.name());
      } else {
        assertEquals(wanted, component.get(found), component.name());
      }
    }
  }

  @Test
  void rowTablesTakeAndGiveRows() {
    Table<Row> table =
        bed.db
            .table("notes")
            .column("id", ValueType.BIGINT)
            .column("title", ValueType.STRING, 8)
            .column("body", ValueType.JSON)
            .key("id")
            .register();
    Bed.await(
        table.insert(
            List.of(
                Row.builder().set("id", 1).set("title", "a").set("body", "{}").build(),
                Row.builder().set("id", 2L).build())));
    List<Row> rows = Bed.await(table.select().orderBy(asc("id")).fetch()).toList();
    assertEquals(1L, rows.get(0).get("id"));
    assertEquals("{}", rows.get(0).get("body", String.class));
    assertTrue(rows.get(1).has("title"));
    assertNull(rows.get(1).get("title"));
    Row detached = rows.get(0).detach();
    assertEquals("a", detached.get("title"));
    // A row of a result can be written again.
    assertEquals(1, Bed.await(table.delete(eq("id", 1))));
    assertEquals(1, Bed.await(table.insert(rows.get(0))));

    TickwellException unknown =
        Bed.failure(table.insert(Row.builder().set("id", 3).set("titel", "b").build()));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, unknown.code());
    assertEquals("titel", unknown.context().get("column"));
    assertEquals(2, Bed.await(table.count()));
  }

  @Test
  void filtersOrdersLimitsAndCounts() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(100)));
    assertEquals(100, Bed.await(table.count()));
    assertEquals(10, Bed.await(table.count(ge("coins", 900))));
    assertEquals(3, Bed.await(table.count(between("id", 1, 3L))));
    assertEquals(2, Bed.await(table.count(in("id", List.of(1L, 2L, 1_000L)))));
    assertEquals(0, Bed.await(table.count(in("id", List.of()))));
    assertEquals(100, Bed.await(table.count(not(in("id", List.of())))));
    assertEquals(11, Bed.await(table.count(like("name", "n1%"))));
    assertEquals(0, Bed.await(table.count(isNull("name"))));
    assertEquals(1, Bed.await(table.count(ge("id", 5), eq("name", "n7"))));
    Rows<Account> top =
        Bed.await(table.select().orderBy(desc("coins")).limit(2).columns("id").fetch());
    assertEquals(2, top.size());
    assertEquals(1, top.columnCount());
    assertEquals(99, top.getLong(0, 0));
    TickwellException incomplete = assertThrows(TickwellException.class, () -> top.row(0));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, incomplete.code());
    assertEquals(2, Bed.await(table.delete(in("id", List.of(1L, 2L)))));
    assertEquals(98, Bed.await(table.deleteAll()));
  }

  @Test
  void groupsOfNothingChooseRowsButDeleteNone() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(3)));
    assertEquals(3, Bed.await(table.select().where(and()).fetch()).size());
    assertEquals(0, Bed.await(table.count(or())));
    for (Filter filter : List.of(and(), or(), not(or()), and(eq("id", 1), and()))) {
      TickwellException e = Bed.failure(table.delete(filter));
      assertEquals(ErrorCode.FILTER_REQUIRED, e.code());
      assertEquals("demo_accounts", e.context().get("table"));
    }
    assertEquals(3, Bed.await(table.count()));
  }

  @Test
  void rawSqlWithNamesAndParameters() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(3)));
    assertEquals(
        1L, Bed.await(bed.db.update("UPDATE {accounts} SET coins = ? WHERE id = ?", 77, 2)));
    Rows<Row> rows =
        Bed.await(
            bed.db.query(
                "SELECT id, coins, '{accounts}?' AS text FROM {accounts} WHERE coins > ? ORDER BY id",
                5));
    assertEquals(2, rows.size());
    assertEquals(77, rows.getLong(1, rows.column("coins")));
    assertEquals("{accounts}?", rows.row(0).get("text"));

    record Sum(int id, long coins) {}
    assertEquals(new Sum(1, 10), rows.toList(Sum.class).getFirst());

    TickwellException count = Bed.failure(bed.db.query("SELECT ?", 1, 2));
    assertEquals(ErrorCode.PARAMETER_COUNT, count.code());
    for (Object bad : new Object[] {Double.NaN, "\uD83D", new Object()}) {
      TickwellException e = Bed.failure(bed.db.query("SELECT ?, ?", 1, bad));
      assertEquals(ErrorCode.INVALID_VALUE, e.code());
      assertEquals("2", e.context().get("parameter"), e.getMessage());
      assertFalse(e.context().containsKey("row"), e.getMessage());
      assertFalse(e.context().containsKey("column"), e.getMessage());
    }
    TickwellException table404 = Bed.failure(bed.db.query("SELECT * FROM {nobody}"));
    assertEquals(ErrorCode.UNKNOWN_TABLE, table404.code());
    TickwellException syntax = Bed.failure(bed.db.query("SELEKT 1"));
    assertEquals(ErrorCode.SYNTAX, syntax.code());
  }

  @Test
  void unicodeCrossesUnchanged() {
    Table<Account> table = accounts();
    String[] texts = {"😀", "a\0b", "漢字 é", "😀".repeat(2_500_000), ""};
    for (int index = 0; index < texts.length; index++) {
      Bed.await(table.insert(new Account(index, 0, texts[index])));
      List<Account> found = Bed.await(table.select().where(eq("id", index)).fetch()).toList();
      assertEquals(texts[index], found.getFirst().name());
    }
    Rows<Row> emoji = Bed.await(bed.db.query("SELECT '😀' AS \"😀\", ? AS x", "😀"));
    assertEquals("😀", emoji.row(0).get("😀"));
    TickwellException half = Bed.failure(table.insert(new Account(99, 0, "\uD83D")));
    assertEquals(ErrorCode.INVALID_VALUE, half.code());
    assertEquals("name", half.context().get("column"));
    TickwellException unknown = Bed.failure(bed.db.query("SELECT * FROM \"😀\""));
    assertTrue(unknown.getMessage().contains("😀"), unknown.getMessage());
  }

  @Test
  void halfASurrogatePairInANameOrStatementIsRefused() {
    assertEquals(
        ErrorCode.INVALID_STATEMENT, Bed.failure(bed.db.query("SELECT '\uD83D' AS a")).code());
    var table = bed.db.table("a\uDE00", Account.class);
    assertEquals(
        ErrorCode.INVALID_STATEMENT, assertThrows(TickwellException.class, table::register).code());
    assertEquals("😀", Bed.await(bed.db.query("SELECT '😀' AS a")).get(0, 0));
  }

  @Test
  void aNullAmongTheValuesOfInNamesItsColumn() {
    List<String> names = new ArrayList<>();
    names.add(null);
    TickwellException e = assertThrows(TickwellException.class, () -> in("name", names));
    assertEquals(ErrorCode.INVALID_VALUE, e.code());
    assertTrue(e.getMessage().contains("name"), e.getMessage());
  }

  @Test
  void mutableValuesAreCopiedBeforeInsertReturns() {
    @SuppressWarnings("ArrayRecordComponent") // a column of bytes
    record Blob(@Key int id, byte[] bytes) {}
    Table<Blob> table = bed.db.table("blobs", Blob.class).register();
    List<Blob> blobs = new ArrayList<>();
    for (int id = 0; id < 200; id++) {
      blobs.add(new Blob(id, new byte[] {(byte) id, 1}));
    }
    Pending<Long> insert = table.insert(blobs);
    for (Blob blob : blobs) {
      blob.bytes()[1] = 2;
    }
    blobs.clear();
    assertEquals(200, Bed.await(insert));
    for (Blob blob : Bed.await(table.select().fetch())) {
      assertArrayEquals(new byte[] {(byte) blob.id(), 1}, blob.bytes());
    }
  }

  @Test
  void aBadRowIsNamedAndNothingIsStored() {
    record Measure(@Key int id, double value, @NotNull String name) {}
    Table<Measure> table = bed.db.table("measures", Measure.class).register();
    List<Measure> rows = new ArrayList<>();
    for (int id = 0; id < 100; id++) {
      rows.add(new Measure(id, id == 50 ? Double.NaN : id, "x"));
    }
    TickwellException nan = Bed.failure(table.insert(rows));
    assertEquals(ErrorCode.INVALID_VALUE, nan.code());
    assertEquals("50", nan.context().get("row"));
    assertEquals("value", nan.context().get("column"));
    assertTrue(nan.getMessage().contains("NaN"), nan.getMessage());

    rows.set(50, new Measure(50, 1, null));
    TickwellException missing = Bed.failure(table.insert(rows));
    assertEquals("50", missing.context().get("row"));
    assertEquals("name", missing.context().get("column"));

    rows.set(50, null);
    assertEquals("50", Bed.failure(table.insert(rows)).context().get("row"));
    assertEquals(0, Bed.await(table.count()));
  }

  @Test
  void aDuplicateKeyIsATypedFailure() {
    Table<Account> table = accounts();
    Bed.await(table.insert(new Account(1, 1, "a")));
    TickwellException e =
        Bed.failure(table.insert(List.of(accounts(2).get(0), accounts(2).get(1))));
    assertEquals(ErrorCode.UNIQUE_VIOLATION, e.code());
    assertEquals(1, Bed.await(table.count()));
  }

  @Test
  void aTableThatDiffersIsRefusedAndSoAreItsRequests() {
    Bed.await(accounts().registration());
    record Other(@Key String id) {}
    Table<Other> other = bed.db.table("accounts", Other.class).register();
    assertEquals(ErrorCode.TABLE_MISMATCH, Bed.failure(other.registration()).code());
    assertEquals(ErrorCode.TABLE_MISMATCH, Bed.failure(other.count()).code());
  }

  @Test
  void tooManyRowsAreRefusedAndNothingIsKept() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(5_001)));
    TickwellException e = Bed.failure(table.select().fetch());
    assertEquals(ErrorCode.RESULT_TOO_LARGE, e.code());
    Bed.eventually("no bytes in flight", () -> bed.statistic("bytes.reads") == 0);
    assertEquals(5_000, Bed.await(table.select().limit(5_000).fetch()).size());
  }

  @Test
  void aResultIsInsertedAgainWithoutDecoding() {
    Table<Account> from = accounts();
    Table<Account> to = bed.db.table("copies", Account.class).register();
    Bed.await(from.insert(accounts(1_000)));
    Rows<Account> rows = Bed.await(from.select().fetch());
    assertEquals(1_000, Bed.await(to.insert(rows)));
    assertEquals(
        Bed.await(from.select().orderBy(asc("id")).fetch()).toList(),
        Bed.await(to.select().orderBy(asc("id")).fetch()).toList());
    TickwellException e = Bed.failure(to.insert(Bed.await(bed.db.query("SELECT 'x' AS id"))));
    assertEquals(ErrorCode.INVALID_VALUE, e.code());
    assertEquals("id", e.context().get("column"));
  }

  @Test
  void submissionsOfOneThreadKeepTheirOrder() {
    Table<Account> table = accounts();
    // Large ones go through the encoder, small ones would go at once: they must not overtake.
    for (int round = 0; round < 50; round++) {
      table.insert(accounts(1_000));
      Pending<Long> after = table.count();
      assertEquals(1_000, Bed.await(after));
      table.insert(accounts(2_000).subList(1_000, 2_000));
      Pending<Long> deleted = table.deleteAll();
      Pending<Long> last = table.count();
      assertEquals(2_000, Bed.await(deleted));
      assertEquals(0, Bed.await(last));
    }
  }

  @Test
  void readsSeeWritesBeforeThemInAThousandRaces() throws Exception {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    AtomicInteger wrong = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      long base = thread * 1_000L;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long id = base; id < base + 250; id++) {
                      table.insert(new Account(id, id, "x"));
                      List<Account> read =
                          Bed.await(table.select().where(eq("id", id)).fetch()).toList();
                      if (!read.equals(List.of(new Account(id, id, "x")))) {
                        wrong.incrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, wrong.get());
    assertEquals(1_000, Bed.await(table.count()));
  }

  /** Counts rows again in each callback; completes with the threads of all callbacks. */
  private static void chain(
      Table<Account> table, int left, Set<Thread> threads, CompletableFuture<Set<Thread>> all) {
    table
        .count()
        .async(
            count -> {
              threads.add(Thread.currentThread());
              if (left == 1) {
                all.complete(threads);
              } else {
                chain(table, left - 1, threads, all);
              }
            });
  }

  @Test
  void aReadOfACallbackIsExecutedByTheThreadOfTheCallback() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(1)));
    // A thread that gets no core for a millisecond in its callback loses the read to others.
    Bed.eventually(
        "a chain of reads stays on one thread",
        () -> {
          CompletableFuture<Set<Thread>> all = new CompletableFuture<>();
          chain(table, 30, ConcurrentHashMap.newKeySet(), all);
          return Bed.await(all).size() == 1;
        });
  }

  @Test
  void callbacksRunWhereTheyBelongAndOnce() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(3)));
    AtomicReference<Thread> async = new AtomicReference<>();
    AtomicReference<Thread> tick = new AtomicReference<>();
    AtomicInteger calls = new AtomicInteger();
    Pending<Rows<Account>> pending =
        table
            .select()
            .fetch()
            .async(rows -> async.set(Thread.currentThread()), e -> calls.addAndGet(100))
            .on(
                GLOBAL,
                rows -> {
                  tick.set(Thread.currentThread());
                  calls.incrementAndGet();
                },
                e -> calls.addAndGet(100));
    var phases = Bed.await(pending.phases());
    Bed.eventually("async callback", () -> async.get() != null);
    assertEquals("server", tick.get().getName());
    assertTrue(async.get().getName().startsWith("tickwell-worker-"), async.get().getName());
    assertEquals(1, calls.get());
    assertTrue(pending.isDone());
    assertTrue(phases.wallNs() >= phases.asyncWallNs(), phases::toString);
    assertTrue(phases.asyncWallNs() > phases.executionNs(), phases::toString);
    assertTrue(phases.executionNs() > 0, phases::toString);
    assertTrue(phases.resultMainNs() > 0, phases::toString);
    assertEquals(phases.mainNs(), phases.resultMainNs(), phases.toString());
    assertTrue(phases.prepareAsyncNs() > 0, phases::toString);
    assertEquals(0, phases.prepareMainNs());
    assertEquals(3, phases.rowsReceived());
    assertEquals(1, phases.statementsSent());

    // A callback that comes late runs all the same.
    CompletableFuture<Integer> late = new CompletableFuture<>();
    pending.on(GLOBAL, rows -> late.complete(rows.size()));
    assertEquals(3, Bed.await(late));
  }

  @Test
  void aTickThreadLeavesEvenSmallRequestsToTheEncoder() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(3)));
    for (int kind = 0; kind < 3; kind++) {
      int each = kind;
      Pending<?> pending =
          bed.onServer(
              () ->
                  switch (each) {
                    case 0 -> table.select().where(eq("id", 1)).fetch();
                    case 1 -> table.count();
                    default -> bed.db.query("SELECT ?", 1L);
                  });
      var phases = Bed.await(pending.phases());
      assertTrue(phases.prepareMainNs() > 0, phases::toString);
      assertTrue(phases.prepareAsyncNs() > 0, phases::toString);
    }
  }

  @Test
  void whatATickThreadSubmittedIsAsItWasThen() {
    Object[] numbers = {1L, 2L};
    byte[] bytes = {1};
    Object[] mixed = {1L, bytes};
    List<Pending<Rows<Row>>> pending =
        bed.onServer(
            () -> {
              List<Pending<Rows<Row>>> both =
                  List.of(
                      bed.db.query("SELECT ? AS a, ? AS b", numbers),
                      bed.db.query("SELECT ? AS a, ? AS b", mixed));
              numbers[0] = 9L;
              mixed[0] = 9L;
              bytes[0] = 9;
              return both;
            });
    assertEquals(1L, Bed.await(pending.get(0)).row(0).get("a"));
    Row row = Bed.await(pending.get(1)).row(0);
    assertEquals(1L, row.get("a"));
    assertArrayEquals(new byte[] {1}, (byte[]) row.get("b"));
  }

  @Test
  void aCallbackThatBlocksHoldsUpNoResult() throws Exception {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(3)));
    CountDownLatch release = new CountDownLatch(1);
    int threads = callbackThreads();
    CountDownLatch blocked = new CountDownLatch(threads);
    CompletableFuture<Integer> late = new CompletableFuture<>();
    try {
      for (int thread = 0; thread < threads; thread++) {
        table
            .count()
            .async(
                n -> {
                  blocked.countDown();
                  awaitQuietly(release);
                });
      }
      assertTrue(blocked.await(20, TimeUnit.SECONDS));
      // All that may run callbacks are blocked. Results still reach the tick, many times over.
      for (int round = 0; round < 20; round++) {
        CompletableFuture<Integer> onTick = new CompletableFuture<>();
        table
            .select()
            .fetch()
            .on(GLOBAL, rows -> onTick.complete(rows.size()))
            .async(rows -> late.complete(rows.size()));
        assertEquals(3, Bed.await(onTick));
      }
      assertFalse(late.isDone());
    } finally {
      release.countDown();
    }
    assertEquals(3, Bed.await(late));
  }

  @Test
  void refusedRequestsQueueNoMoreCallbacksThanOthers() {
    Table<Account> table = accounts();
    Pending<Long> ended = table.count();
    Bed.await(ended);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    int queued = 0;
    try {
      // All that may run callbacks are blocked, until the callbacks that wait reach the limit.
      for (int thread = 0; thread < callbackThreads(); thread++) {
        ended.async(n -> awaitQuietly(release));
      }
      Bed.eventually("they run", () -> bed.engine.workers().queued() == 0);
      while (bed.engine.workers().queued() <= Engine.MAX_QUEUED_CALLBACKS) {
        ended.async(n -> told.incrementAndGet());
        queued++;
      }
      for (int refused = 0; refused < 1_000; refused++) {
        TickwellException e =
            assertThrows(
                TickwellException.class,
                () -> table.count().async(n -> told.incrementAndGet(), f -> told.addAndGet(1)));
        assertEquals(ErrorCode.BUSY, e.code());
        assertTrue(e.retryable());
      }
      assertEquals(Engine.MAX_QUEUED_CALLBACKS + 1, bed.engine.workers().queued());
      assertEquals(0, bed.owner.openRequests());
    } finally {
      release.countDown();
    }
    int all = queued;
    Bed.eventually("the callbacks run", () -> told.get() == all);
    assertEquals(0, Bed.await(table.count()));
  }

  private int callbackThreads() {
    return EngineOptions.in(bed.folder).callbackThreads();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void timeOnTheTickThreadIsMainTime() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    var phases =
        Bed.await(bed.onServer(() -> table.insert(accounts(5_000)).on(GLOBAL, n -> {})).phases());
    assertTrue(phases.prepareMainNs() > 0, phases::toString);
    assertTrue(phases.prepareAsyncNs() > 0, phases::toString);
    assertEquals(phases.prepareMainNs() + phases.resultMainNs(), phases.mainNs());
    assertEquals(5_000, phases.rowsSent());
  }

  @Test
  void failuresGoToTheirHandlers() {
    Table<Account> table = accounts();
    CompletableFuture<TickwellException> onTick = new CompletableFuture<>();
    CompletableFuture<TickwellException> async = new CompletableFuture<>();
    table
        .select()
        .where(eq("nothing", 1))
        .fetch()
        .on(GLOBAL, rows -> onTick.complete(null), onTick::complete)
        .async(rows -> async.complete(null), async::complete);
    assertEquals(ErrorCode.UNKNOWN_COLUMN, Bed.await(onTick).code());
    assertEquals(ErrorCode.UNKNOWN_COLUMN, Bed.await(async).code());
    assertEquals(List.of(), bed.log);
  }

  @Test
  void unhandledFailuresAreLoggedWithPluginTableAndCallSite() {
    Table<Account> table = accounts();
    dev.tickwell.elsewhere.Caller.insertDuplicates(table, new Account(1, 1, "a"));
    Bed.eventually("the log has it", () -> !bed.log.isEmpty());
    String line = bed.log.getFirst();
    assertTrue(line.startsWith("ERROR Demo insert on demo_accounts of Demo at "), line);
    assertTrue(line.contains("Caller.insertDuplicates(Caller.java:"), line);
    assertTrue(line.contains("nobody handled it"), line);
    // On a tick thread they are told from the first failure of the plugin on.
    bed.log.clear();
    bed.onServer(
        () -> {
          dev.tickwell.elsewhere.Caller.insertDuplicates(table, new Account(1, 1, "a"));
          return null;
        });
    Bed.eventually("the log has both", () -> bed.log.size() == 2);
    assertTrue(bed.log.getLast().contains("Caller.insertDuplicates("), bed.log::toString);
    // The same, asked for by a callback without a handler for failures.
    bed.log.clear();
    table.insert(new Account(1, 1, "a")).async(n -> {});
    Bed.eventually("the log has it", () -> bed.log.size() == 1);
  }

  @Test
  void aThrowingCallbackIsLoggedAndHarmsNobody() {
    Table<Account> table = accounts();
    table
        .count()
        .on(
            GLOBAL,
            n -> {
              throw new IllegalStateException("plugin's own");
            });
    Bed.eventually("the log has it", () -> !bed.log.isEmpty());
    assertTrue(bed.log.getFirst().contains("plugin's own"), bed.log::toString);
    assertEquals(0, Bed.await(table.count()));
  }

  @Test
  void aSlowCallbackIsNamedAndTheCallsOfItsPluginAreRememberedFromThenOn() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    Consumer<Long> slow = n -> spin(SlowCallbacks.SLOW_NANOS);
    // The first time is Java's work as much as the plugin's, up to a whole tick.
    bed.engine.slow((Request<?>) table.count(), SlowCallbacks.SLOW_FIRST_NANOS - 1, true);
    assertTrue(bed.log.isEmpty(), bed.log::toString);
    assertTrue(bed.owner.isFirstSlow(slow.getClass()));
    assertFalse(bed.owner.isFirstSlow(slow.getClass()));
    bed.onServer(() -> table.count().on(GLOBAL, slow));
    Bed.eventually("the log has it", () -> !bed.log.isEmpty());
    assertEquals(1, bed.log.size());
    String line = bed.log.getFirst();
    assertTrue(line.startsWith("WARNING Demo the callbacks of count on demo_accounts of "), line);
    assertTrue(line.contains("(the next time tells where)"), line);
    assertTrue(line.contains(" µs of a tick;"), line);
    bed.log.clear();
    bed.onServer(
        () -> {
          dev.tickwell.elsewhere.Caller.insertDuplicates(table, new Account(1, 1, "a"));
          return null;
        });
    Bed.eventually("the log has it", () -> !bed.log.isEmpty());
    assertTrue(bed.log.getFirst().contains("Caller.insertDuplicates("), bed.log::toString);
  }

  @Test
  void aFirstCallThatTakesAWholeTickIsNamedAllTheSame() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    bed.onServer(() -> table.count().on(GLOBAL, n -> spin(SlowCallbacks.SLOW_FIRST_NANOS)));
    Bed.eventually("the log has it", () -> !bed.log.isEmpty());
    assertTrue(bed.log.getFirst().contains(" of a tick;"), bed.log::toString);
  }

  private static void spin(long nanos) {
    long startedAt = System.nanoTime();
    while (System.nanoTime() - startedAt < nanos) {
      Thread.onSpinWait();
    }
  }

  @Test
  void blockingOnATickThreadIsRefusedWithTheCallersName() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    bed.onServer(
        () -> {
          Pending<Rows<Row>> endless = bed.db.query(ENDLESS);
          CompletableFuture<Rows<Row>> future = endless.toFuture();
          for (var blocking :
              List.<org.junit.jupiter.api.function.Executable>of(
                  future::join,
                  future::get,
                  () -> future.get(1, TimeUnit.SECONDS),
                  () -> future.thenApply(rows -> rows).join(),
                  () -> endless.phases().join())) {
            TickwellException e = assertThrows(TickwellException.class, blocking);
            assertEquals(ErrorCode.WRONG_THREAD, e.code());
            assertEquals("Demo", e.context().get("plugin"));
            assertTrue(e.context().containsKey("caller"), e.getMessage());
          }
          Bed.eventually("it runs", endless::cancel);
          return null;
        });
  }

  @Test
  void whatHasNotBegunCanBeCancelled() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    Pending<Rows<Row>> slow = bed.db.query(ENDLESS);
    CompletableFuture<Rows<Row>> future = slow.toFuture();
    Bed.eventually("it runs", slow::cancel);
    TickwellException e = assertThrows(TickwellException.class, () -> Bed.await(future));
    assertEquals(ErrorCode.CANCELLED, e.code());
    assertFalse(slow.cancel());
    assertEquals(0, Bed.await(table.count()));
  }

  @Test
  void aCancelledWriteIsNotStored() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    for (int round = 0; round < 4_000; round++) {
      // On its way through the encoder, so that it is cancelled at every stage.
      long first = round * 50L;
      Pending<Long> insert =
          table.insert(
              LongStream.range(first, first + 50).mapToObj(id -> new Account(id, 1, "x")).toList());
      for (int spin = round % 400; spin > 0; spin--) {
        Thread.onSpinWait();
      }
      boolean cancelled = insert.cancel();
      long stored = Bed.await(table.count(ge("id", first)));
      assertEquals(cancelled ? 0 : 50, stored, "round " + round);
    }
  }

  /** A value that is made on the server thread only, and counts how often that happens. */
  static final class Token {
    final long number;

    Token(long number) {
      this.number = number;
    }
  }

  private final class TokenCodec implements ObjectCodec<Token> {
    final AtomicInteger decoded = new AtomicInteger();
    final AtomicInteger encoded = new AtomicInteger();
    final AtomicInteger elsewhere = new AtomicInteger();

    @Override
    public Class<Token> type() {
      return Token.class;
    }

    @Override
    public byte[] encode(Token value) {
      encoded.incrementAndGet();
      check();
      return ByteBuffer.allocate(8).putLong(value.number).array();
    }

    @Override
    public Token decode(byte[] bytes) {
      decoded.incrementAndGet();
      check();
      return new Token(ByteBuffer.wrap(bytes).getLong());
    }

    private void check() {
      if (!bed.onTickThread()) {
        elsewhere.incrementAndGet();
      }
    }

    @Override
    public Token snapshot(Token value) {
      return value;
    }

    @Override
    public boolean requiresTickThread() {
      return true;
    }
  }

  record Owned(@Key int id, Token token) {}

  private List<Owned> owned(int count) {
    return IntStream.range(0, count)
        .mapToObj(id -> new Owned(id, id % 10 == 9 ? null : new Token(id)))
        .toList();
  }

  @Test
  void valuesThatNeedTheTickThreadAreMadeThereOncePerCell() {
    TokenCodec codec = new TokenCodec();
    bed.engine.register(bed.owner, codec);
    Table<Owned> table = bed.db.table("owned", Owned.class).register();
    var insert = table.insert(owned(200)).on(GLOBAL, n -> {});
    assertEquals(200, Bed.await(insert));
    assertEquals(180, codec.encoded.get());
    assertTrue(Bed.await(insert.phases()).inputMainNs() > 0);

    bed.budget(1);
    var fetch = table.select().orderBy(asc("id")).fetch().on(GLOBAL, rows -> {});
    Rows<Owned> rows = Bed.await(fetch);
    assertEquals(180, codec.decoded.get());
    var phases = Bed.await(fetch.phases());
    assertEquals(180, phases.syncConversions());
    assertTrue(phases.conversionMainNs() > 0);
    assertTrue(phases.largestConversionNs() <= phases.conversionMainNs());
    // With no budget there is one step a tick: 180 of them cannot have run in one.
    assertTrue(phases.mainTickMaxNs() < phases.mainNs(), phases::toString);
    for (int id = 0; id < 200; id++) {
      Token token = rows.row(id).token();
      assertEquals(id % 10 == 9 ? null : Long.valueOf(id), token == null ? null : token.number);
      assertSame(token, rows.get(id, 1));
    }
    assertEquals(180, codec.decoded.get());
    assertEquals(0, codec.elsewhere.get());
  }

  @Test
  void theBusiestTickAddsUpWhatOneTickDid() {
    Table<Account> table = bed.db.table("accounts", Account.class).register();
    Bed.await(table.registration());

    // Submitted and answered within one tick: its end delivers what has come by then.
    Pending<Long> within =
        bed.onServer(
            () -> {
              Pending<Long> pending = table.count().on(GLOBAL, n -> {});
              Bed.eventually("the result waits for the tick's end", () -> bed.lane.tasks() == 1);
              return pending;
            });
    var phases = Bed.await(within.phases());
    assertTrue(phases.prepareMainNs() > 0 && phases.resultMainNs() > 0, phases::toString);
    assertEquals(phases.mainNs(), phases.mainTickMaxNs());

    // Answered in a later tick, which does not count with the submit's.
    bed.pause();
    Pending<Long> later = bed.onServer(() -> table.count().on(GLOBAL, n -> {}));
    Bed.eventually("the result waits for a tick", () -> bed.lane.tasks() == 1);
    bed.onServer(() -> null);
    bed.resume();
    phases = Bed.await(later.phases());
    assertTrue(phases.prepareMainNs() > 0 && phases.resultMainNs() > 0, phases::toString);
    assertEquals(Math.max(phases.prepareMainNs(), phases.resultMainNs()), phases.mainTickMaxNs());

    // Answered in the tick of another thread, which has been open for longer.
    LinkedBlockingQueue<TickTask> tasks = new LinkedBlockingQueue<>();
    bed.dispatcher = tasks::add;
    try (Lane region = bed.engine.openLane()) {
      region.start(0);
      Pending<Long> elsewhere = bed.onServer(() -> table.count().on(GLOBAL, n -> {}));
      Bed.eventually("a task is scheduled", () -> !tasks.isEmpty());
      assertTrue(region.runNow(tasks.remove()));
      region.end(0);
      phases = Bed.await(elsewhere.phases());
    }
    assertTrue(phases.prepareMainNs() > 0 && phases.resultMainNs() > 0, phases::toString);
    assertEquals(Math.max(phases.prepareMainNs(), phases.resultMainNs()), phases.mainTickMaxNs());
  }

  @Test
  void aWriteThatWaitsForTheTickThreadHoldsWhatComesAfterIt() {
    TokenCodec codec = new TokenCodec();
    bed.engine.register(bed.owner, codec);
    Table<Owned> table = bed.db.table("owned", Owned.class).register();
    Bed.await(table.registration());
    bed.pause();
    Pending<Long> insert = table.insert(owned(5));
    Pending<Long> count = table.count();
    assertEquals(0, codec.encoded.get());
    // Another plugin is not held.
    Owner other = bed.engine.owner("Other");
    Table<Account> theirs =
        bed.engine.database(other, "main").table("accounts", Account.class).register();
    assertEquals(0, Bed.await(theirs.count()));
    assertFalse(count.isDone());
    bed.resume();
    assertEquals(5, Bed.await(insert));
    assertEquals(5, Bed.await(count));
    other.close();
  }

  @Test
  void whatWaitsForTheTickThreadIsLimitedByItsSize() {
    bed.engine.register(bed.owner, new TokenCodec());
    Table<Owned> table = bed.db.table("owned", Owned.class).register();
    Table<Account> accounts = accounts();
    Bed.await(table.registration());
    Bed.await(accounts.registration());
    bed.pause();
    Pending<Long> head = table.insert(owned(1));
    assertEquals(512 + 2 * 16, bed.statistic("java.encoder.queued-bytes"));
    List<Pending<?>> waiting = new ArrayList<>();
    weighs(512, waiting, accounts::count);
    weighs(512 + 16 + 200, waiting, () -> accounts.count(eq("name", "x".repeat(200))));
    weighs(512 + 16 + 100 + 8, waiting, () -> bed.db.query("SELECT ?", new byte[100]));
    // Many rows are weighed by some of them.
    List<Account> rows = new ArrayList<>();
    for (int id = 0; id < 1_000; id++) {
      rows.add(new Account(id, 1, "x".repeat(100)));
    }
    weighs(512 + 3_000 * 16 + 1_000 * 100, waiting, () -> accounts.insert(rows));

    String large = "x".repeat(8 << 20);
    Pending<Rows<Row>> next = bed.db.query("SELECT length(?)", large);
    while (!next.isDone()) {
      waiting.add(next);
      next = bed.db.query("SELECT length(?)", large);
    }
    assertEquals(ErrorCode.BUSY, Bed.failure(next).code());
    assertEquals(4 + 7, waiting.size());
    weighs(512, waiting, accounts::count);
    bed.resume();
    assertEquals(1, Bed.await(head));
    waiting.forEach(Bed::await);
    assertEquals(0, bed.statistic("java.encoder.queued-bytes"));
  }

  /** Asserts how many bytes a request counts while it waits. */
  private void weighs(long bytes, List<Pending<?>> waiting, Supplier<Pending<?>> request) {
    long before = bed.statistic("java.encoder.queued-bytes");
    waiting.add(request.get());
    assertEquals(before + bytes, bed.statistic("java.encoder.queued-bytes"));
  }

  @Test
  void aFailingConversionFailsTheRequestAlone() {
    bed.engine.register(
        bed.owner,
        new ObjectCodec<Token>() {
          @Override
          public Class<Token> type() {
            return Token.class;
          }

          @Override
          public byte[] encode(Token value) {
            return new byte[] {(byte) value.number};
          }

          @Override
          public Token decode(byte[] bytes) {
            if (bytes[0] == 3) {
              throw new IllegalStateException("three is bad");
            }
            return new Token(bytes[0]);
          }

          @Override
          public Token snapshot(Token value) {
            return value;
          }

          @Override
          public boolean requiresTickThread() {
            return true;
          }
        });
    Table<Owned> table = bed.db.table("owned", Owned.class).register();
    Bed.await(table.insert(owned(5)));
    CompletableFuture<TickwellException> failure = new CompletableFuture<>();
    Pending<Rows<Owned>> fetch =
        table
            .select()
            .orderBy(asc("id"))
            .fetch()
            .on(GLOBAL, rows -> failure.complete(null), failure::complete);
    TickwellException e = Bed.await(failure);
    assertEquals(ErrorCode.INVALID_VALUE, e.code());
    assertEquals("3", e.context().get("row"));
    assertEquals("token", e.context().get("column"));
    Bed.await(fetch.phases());
    assertEquals(1, Bed.await(table.select().where(eq("id", 1)).fetch()).size());
    Bed.eventually("no record is left", () -> bed.statistic("java.tick-records.expected") == 0);
  }

  @Test
  void publishedResultsAreThereBeforeTickCallbacksRun() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(10)));
    CompletableFuture<Optional<Rows<?>>> seen = new CompletableFuture<>();
    CompletableFuture<Optional<Rows<?>>> elsewhere = new CompletableFuture<>();
    var pending =
        table
            .select()
            .publish("top")
            .on(GLOBAL, rows -> seen.complete(bed.engine.shared().get("top")))
            .on(
                new Target.Region("world", 1, 2),
                rows -> elsewhere.complete(bed.engine.shared().get("top")));
    Rows<?> published = Bed.await(seen).orElseThrow();
    assertSame(published, Bed.await(elsewhere).orElseThrow());
    assertSame(published, Bed.await(pending));
    assertEquals(10, published.size());
    assertTrue(Bed.await(pending.phases()).publishMainNs() > 0);
    Bed.await(table.select().limit(1).publish("top").phases());
    assertEquals(1, bed.engine.shared().get("top").orElseThrow().size());
    bed.owner.close();
    assertEquals(java.util.Set.of(), bed.engine.shared().names());
  }

  @Test
  void aTargetThatIsGoneFailsItsCallbackAndNoOther() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(2)));
    Target.Entity gone = new Target.Entity("a player");
    LinkedBlockingQueue<TickTask> scheduled = new LinkedBlockingQueue<>();
    bed.dispatcher = scheduled::add;
    CompletableFuture<TickwellException> failure = new CompletableFuture<>();
    CompletableFuture<Integer> done = new CompletableFuture<>();
    Pending<Rows<Account>> pending =
        table
            .select()
            .fetch()
            .on(gone, rows -> failure.complete(null), failure::complete)
            .async(rows -> done.complete(rows.size()));
    assertEquals(2, Bed.await(done));
    Bed.eventually("the task is there", () -> scheduled.size() == 1);
    assertEquals(gone, scheduled.peek().target());
    scheduled.remove().gone("the player left");
    TickwellException e = Bed.await(failure);
    assertEquals(ErrorCode.GONE, e.code());
    assertTrue(e.getMessage().contains("the player left"), e.getMessage());
    Bed.await(pending.phases());
    Bed.eventually("no record is left", () -> bed.statistic("java.tick-records.expected") == 0);
  }

  @Test
  void regionisedServersRunTasksAtOnceAndAgainWhenTheBudgetEnds() {
    TokenCodec codec = new TokenCodec();
    bed.engine.register(bed.owner, codec);
    Table<Owned> table = bed.db.table("owned", Owned.class).register();
    Bed.await(table.registration());
    LinkedBlockingQueue<TickTask> scheduled = new LinkedBlockingQueue<>();
    bed.dispatcher = scheduled::add;
    Pending<Long> insert = table.insert(owned(10));
    // Behind the insert, which waits for its values, so it cannot be there before its callback is.
    CompletableFuture<Integer> delivered = new CompletableFuture<>();
    Pending<Rows<Owned>> pending =
        table.select().fetch().on(GLOBAL, rows -> delivered.complete(rows.size()));
    try (Lane region = bed.onServer(bed.engine::openLane)) {
      // Nine values to read, one step a tick without a budget.
      assertEquals(9, ticksOf(region, scheduled));
      assertEquals(10, Bed.await(insert));
      // Nine values to make, and the callback.
      assertEquals(10, ticksOf(region, scheduled));
      assertEquals(10, Bed.await(delivered));
      var phases = Bed.await(pending.phases());
      assertEquals(9, phases.syncConversions());
      assertTrue(phases.mainTickMaxNs() < phases.mainNs(), phases::toString);
      assertTrue(scheduled.isEmpty());
    }
  }

  /** Runs the next task as a regionised server does and gives how many ticks it took. */
  private int ticksOf(Lane region, LinkedBlockingQueue<TickTask> scheduled) {
    Bed.eventually("a task is scheduled", () -> !scheduled.isEmpty());
    TickTask task = scheduled.remove();
    int ticks = 1;
    while (!bed.onServer(
        () -> {
          region.start(0);
          boolean finished = region.runNow(task);
          region.end(0);
          return finished;
        })) {
      ticks++;
    }
    return ticks;
  }

  @Test
  void nothingRunsAfterItsPluginIsDisabled() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    bed.pause();
    AtomicInteger calls = new AtomicInteger();
    Pending<Long> insert = table.insert(accounts(5_000)).on(GLOBAL, n -> calls.incrementAndGet());
    CompletableFuture<Long> future = insert.toFuture();
    bed.owner.beginDisable();
    // A wait with a limit is allowed to a plugin that is being disabled.
    assertEquals(5_000, bed.onServer(() -> future.get(20, TimeUnit.SECONDS)));
    Pending<Long> last = table.insert(new Account(5_000, 1, "last"));
    last.on(GLOBAL, n -> calls.incrementAndGet(), e -> calls.incrementAndGet())
        .async(n -> calls.incrementAndGet(), e -> calls.incrementAndGet());
    CompletableFuture<Long> lost = table.count().toFuture();
    bed.owner.close();
    bed.resume();
    assertThrows(TickwellException.class, table::count);
    assertTrue(lost.isDone());
    // What it wrote is there all the same.
    Owner other = bed.engine.owner("Other");
    Rows<Row> rows =
        Bed.await(
            bed.engine.database(other, "main").query("SELECT count(*) AS n FROM demo_accounts"));
    assertEquals(5_001, rows.getLong(0, 0));
    bed.onServer(() -> null);
    int atMost = calls.get();
    assertTrue(atMost <= 1, "callbacks that ran: " + atMost);
    other.close();
  }

  @Test
  void whatWaitsForTheTickThreadIsReadThereWhenItsPluginIsDisabled() {
    TokenCodec codec = new TokenCodec();
    bed.engine.register(bed.owner, codec);
    Table<Owned> table = bed.db.table("owned", Owned.class).register();
    Bed.await(table.registration());
    bed.pause();
    table.insert(owned(5));
    Pending<Long> unwanted = table.insert(List.of(new Owned(7, new Token(7))));
    CompletableFuture<Long> future = unwanted.toFuture();
    assertTrue(unwanted.cancel());
    bed.onServer(
        () -> {
          bed.owner.close();
          return null;
        });
    assertTrue(future.isDone());
    bed.resume();
    Owner other = bed.engine.owner("Other");
    Rows<Row> rows =
        Bed.await(bed.engine.database(other, "main").query("SELECT count(*) AS n FROM demo_owned"));
    assertEquals(5, rows.getLong(0, 0));
    assertEquals(0, codec.elsewhere.get());
    other.close();
  }

  @Test
  void valuesForATickThreadAreNotReadElsewhereWhenTheirPluginIsDisabled() {
    TokenCodec codec = new TokenCodec();
    bed.engine.register(bed.owner, codec);
    Table<Owned> table = bed.db.table("owned", Owned.class).register();
    Bed.await(table.registration());
    bed.pause();
    table.insert(owned(5));
    bed.owner.close();
    bed.resume();
    Owner other = bed.engine.owner("Other");
    Rows<Row> rows =
        Bed.await(bed.engine.database(other, "main").query("SELECT count(*) AS n FROM demo_owned"));
    assertEquals(0, rows.getLong(0, 0));
    assertEquals(0, codec.encoded.get());
    other.close();
  }

  @Test
  void everyFutureEndsWhenItsPluginIsDisabledMeanwhile() throws Exception {
    accounts();
    for (int round = 0; round < 50; round++) {
      Owner other = bed.engine.owner("Other" + round);
      var theirs = bed.engine.database(other, "main");
      List<CompletableFuture<?>> futures = new ArrayList<>();
      CountDownLatch submitting = new CountDownLatch(20);
      Thread submitter =
          new Thread(
              () -> {
                while (!other.isClosed()) {
                  try {
                    futures.add(theirs.query("SELECT 1").toFuture());
                    submitting.countDown();
                  } catch (TickwellException e) {
                    assertEquals(ErrorCode.CLOSED, e.code());
                  }
                }
              });
      submitter.start();
      assertTrue(submitting.await(30, TimeUnit.SECONDS), "the plugin submits");
      other.close();
      submitter.join();
      Bed.eventually(
          "every future ends", () -> futures.stream().allMatch(CompletableFuture::isDone));
    }
  }

  @Test
  void aDisabledPluginLeavesNothingInALane() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    bed.pause();
    List<CompletableFuture<Long>> counts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      counts.add(table.count().on(GLOBAL, n -> {}).toFuture());
    }
    counts.forEach(Bed::await);
    Bed.eventually("all wait", () -> bed.lane.tasks() == 100);
    bed.owner.close();
    assertEquals(0, bed.lane.tasks());
    bed.resume();
    Bed.eventually("no record is left", () -> bed.statistic("java.tick-records.expected") == 0);
  }

  @Test
  void countersAreBackAtTheirBase() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    Bed.await(table.count());
    var before = bed.engine.statistics();
    for (int round = 0; round < 20; round++) {
      Bed.await(table.insert(accounts(500)).on(GLOBAL, n -> {}).phases());
      Bed.await(table.select().fetch().on(GLOBAL, rows -> {}).phases());
      Bed.failure(table.insert(accounts(1)));
      Bed.await(table.deleteAll());
    }
    for (String name :
        List.of(
            "handles",
            "java.requests.open",
            "java.tick-records.expected",
            "java.callbacks.queued",
            "java.encoder.queued-bytes",
            "bytes.reads",
            "bytes.writes")) {
      Bed.eventually(
          name + " is back", () -> before.get(name).equals(bed.engine.statistics().get(name)));
    }
    Bed.eventually("no request is left", () -> bed.owner.openRequests() == 0);
  }

  @Test
  void settingsAndNamesThatAreNotKnownAreNamed() {
    TickwellException setting =
        assertThrows(
            TickwellException.class,
            () ->
                bed.engine.openDatabase(
                    "x", Map.of("type", "sqlite", "path", "x.db", "pathh", "y")));
    assertEquals(ErrorCode.INVALID_CONFIG, setting.code());
    assertTrue(setting.getMessage().contains("pathh"), setting.getMessage());
    TickwellException name =
        assertThrows(TickwellException.class, () -> bed.engine.database(bed.owner, "nowhere"));
    assertTrue(name.getMessage().contains("main"), name.getMessage());
    record Strange(@Key int id, java.io.File file) {}
    TickwellException type =
        assertThrows(TickwellException.class, () -> bed.db.table("t", Strange.class));
    assertEquals(ErrorCode.INVALID_STATEMENT, type.code());
    assertTrue(type.getMessage().contains("file"), type.getMessage());
  }

  @Test
  void aClosedDatabaseRefusesAndCanBeOpenedAgain() {
    Table<Account> table = accounts();
    Bed.await(table.insert(accounts(3)));
    ShutdownReport report = bed.engine.closeDatabase("main", Bed.LIMIT);
    assertTrue(report.complete(), report::toString);
    assertEquals(ErrorCode.INVALID_CONFIG, Bed.failure(table.count()).code());
    bed.engine.openDatabase(
        "main", Map.of("type", "sqlite", "path", bed.folder.resolve("test.db").toString()));
    Table<Account> again = accounts();
    assertEquals(3, Bed.await(again.count()));
  }

  @Test
  void whatAClosedDatabaseDidNotWriteIsReported() {
    Table<Account> table = accounts();
    Bed.await(table.registration());
    Pending<Long> running =
        bed.db.update("INSERT INTO {accounts} (id, coins) SELECT 1, m FROM (" + ENDLESS + ")");
    Bed.eventually("it runs", () -> bed.statistic("main.running") == 1);
    Pending<Long> queued = table.insert(accounts(3));
    Bed.eventually("it waits", () -> bed.statistic("main.queued-writes") == 1);
    ShutdownReport report = bed.engine.closeDatabase("main", Duration.ZERO);
    assertEquals(
        Map.of("main/demo_accounts", "1 writes, 3 rows", "main/raw SQL", "1 writes, 1 rows"),
        report.unwritten());
    assertFalse(report.complete());
    assertEquals(ErrorCode.CANCELLED, Bed.failure(running).code());
    assertEquals(ErrorCode.CANCELLED, Bed.failure(queued).code());
  }

  @Test
  void shutdownWritesWhatWasAccepted() {
    Table<Account> table = accounts();
    List<CompletableFuture<Long>> writes = new ArrayList<>();
    for (int part = 0; part < 20; part++) {
      int base = part * 500;
      writes.add(
          table
              .insert(
                  LongStream.range(base, base + 500)
                      .mapToObj(id -> new Account(id, id, "x"))
                      .toList())
              .toFuture());
    }
    bed.stopTicking();
    ShutdownReport report = bed.engine.close(Bed.LIMIT);
    assertTrue(report.complete(), report::toString);
    assertEquals(0, report.abandonedRequests());
    for (CompletableFuture<Long> write : writes) {
      assertTrue(write.isDone());
    }
    assertSame(report, bed.engine.close(Bed.LIMIT));
    assertThrows(TickwellException.class, () -> bed.engine.owner("Late"));
    Bed reopened = new Bed(bed.folder);
    try {
      Rows<Row> rows = Bed.await(reopened.db.query("SELECT count(*) AS n FROM demo_accounts"));
      assertEquals(10_000, rows.getLong(0, 0));
    } finally {
      reopened.stopTicking();
      reopened.engine.close(Bed.LIMIT);
    }
  }
}
