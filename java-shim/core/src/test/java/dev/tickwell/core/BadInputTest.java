package dev.tickwell.core;

import static dev.tickwell.Filters.and;
import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.gt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Filters;
import dev.tickwell.Key;
import dev.tickwell.NotNull;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.StreamEnd;
import dev.tickwell.Table;
import dev.tickwell.TableBuilder;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import dev.tickwell.TransactionOptions;
import dev.tickwell.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What is wrong is said: what, where, what to do. And nothing of it is half stored. */
class BadInputTest {
  record Account(@Key long id, long coins, @NotNull String name) {}

  private static final int PAGE_BYTES = 4_096;

  private Bed bed;
  private Table<Account> accounts;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    accounts = bed.db.table("accounts", Account.class).register();
    Bed.await(accounts.insert(new Account(1, 10, "a")));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void unchanged() {
    assertEquals(List.of(new Account(1, 10, "a")), Bed.await(accounts.select().fetch()).toList());
  }

  /** A failure with this code, without an effect, whose message holds all of these. */
  private static TickwellException says(TickwellException e, ErrorCode code, String... parts) {
    assertEquals(code, e.code(), e.getMessage());
    assertEquals(Effect.NONE, e.effect(), e.getMessage());
    assertFalse(e.operation().isEmpty());
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
    return e;
  }

  private static TickwellException says(Pending<?> pending, ErrorCode code, String... parts) {
    return says(Bed.failure(pending), code, parts);
  }

  private Table<Row> loose() {
    return bed.db
        .table("loose")
        .column("id", ValueType.INT)
        .column("level", ValueType.TINYINT)
        .column("name", ValueType.TEXT)
        .column("item", ValueType.ITEM)
        .notNull("name")
        .key("id")
        .register();
  }

  private static Row row(Object id, Object level, Object name) {
    return Row.builder().set("id", id).set("level", level).set("name", name).build();
  }

  @Test
  void valuesOfAWrongTypeAreNamedWithRowColumnAndType() {
    Table<Row> table = loose();
    for (Object wrong : new Object[] {"three", 300, 2.5, true}) {
      TickwellException e =
          says(
              table.insert(List.of(row(1, 1, "a"), row(2, wrong, "b"), row(3, 3, "c"))),
              ErrorCode.INVALID_VALUE,
              "row: 1",
              "column: level",
              "tinyint");
      assertEquals("1", e.context().get("row"));
      assertEquals("level", e.context().get("column"));
    }
    assertEquals(0, Bed.await(table.count()));
    says(
        accounts.update().set("coins", "many").where(eq("id", 1)).run(),
        ErrorCode.INVALID_VALUE,
        "coins",
        "bigint");
    says(accounts.count(eq("coins", "many")), ErrorCode.INVALID_VALUE, "coins", "bigint");
    unchanged();
  }

  @Test
  void unknownColumnsAreNamedWithTheirTable() {
    List<Pending<?>> requests =
        List.of(
            accounts.select().where(eq("gold", 1)).fetch(),
            accounts.count(gt("gold", 1)),
            accounts.delete(eq("gold", 1)),
            accounts.update().set("gold", 1).all().run(),
            accounts.update().add("gold", 1).where(eq("id", 1)).run());
    for (Pending<?> request : requests) {
      says(request, ErrorCode.UNKNOWN_COLUMN, "gold", "demo_accounts");
    }
    says(
        loose().insert(Row.builder().set("id", 1).set("gold", 1).set("name", "x").build()),
        ErrorCode.UNKNOWN_COLUMN,
        "gold",
        "demo_loose");
    unchanged();
  }

  @Test
  void aNullWhereNoneMayBeIsNamedAndTheWholeWriteIsRefused() {
    TickwellException e =
        says(
            accounts.insert(List.of(new Account(2, 0, "b"), new Account(3, 0, null))),
            ErrorCode.NOT_NULL_VIOLATION,
            "null");
    assertEquals("1", e.context().get("row"));
    assertEquals("name", e.context().get("column"));
    e = says(loose().insert(List.of(row(1, 1, "a"), row(2, 1, null))), e.code(), "null");
    assertEquals("1", e.context().get("row"));
    assertEquals("name", e.context().get("column"));
    assertEquals(0, Bed.await(loose().count()));
    says(
        accounts.update().set("name", null).where(eq("id", 1)).run(),
        ErrorCode.NOT_NULL_VIOLATION,
        "name");
    says(
        bed.db.update("UPDATE {accounts} SET name = NULL WHERE id = ?", 1),
        ErrorCode.NOT_NULL_VIOLATION,
        "may not be null",
        "demo_accounts.name");
    unchanged();
  }

  @Test
  void aChangeOfAllRowsMustBeAskedFor() {
    for (Supplier<Pending<Long>> change :
        List.<Supplier<Pending<Long>>>of(
            () -> accounts.update().set("coins", 0).run(), () -> accounts.delete(and()))) {
      says(change.get(), ErrorCode.FILTER_REQUIRED, "demo_accounts", "ll()");
    }
    unchanged();
  }

  @Test
  void aColumnThatCannotBeComparedIsNamed() {
    Table<Row> table = loose();
    byte[] item = {1, 2, 3};
    for (Pending<?> request :
        List.of(
            table.count(gt("item", item)),
            table.delete(gt("item", item)),
            table.select().orderBy(asc("item")).fetch())) {
      TickwellException e = says(request, ErrorCode.UNSUPPORTED, "item");
      assertEquals("item", e.context().get("column"), e.getMessage());
    }
  }

  @Test
  void aTransactionLeftOpenLosesItsTurnAndIsRolledBack() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Pending<Long> open =
        bed.db.transactionResult(
            TransactionOptions.DEFAULT.idleLimit(Duration.ofMillis(20)),
            tx -> {
              tx.insert(accounts, new Account(2, 2, "b"));
              inside.countDown();
              over.await();
              return tx.insert(accounts, new Account(3, 3, "c"));
            });
    inside.await();
    // Whoever comes next waits for the limit and not for the body.
    assertEquals(1, Bed.await(accounts.count()));
    Bed.await(accounts.update().set("coins", 10).where(eq("id", 1)).run());
    over.countDown();
    says(open, ErrorCode.TIMEOUT, "rolled back", "do nothing slow between its statements");
    unchanged();
  }

  @Test
  void aCallbackThatThrowsIsLoggedWithPluginAndRequestAndTheNextOnesRun() {
    Pending<Long> count = accounts.count();
    CountDownLatch others = new CountDownLatch(3);
    for (int number = 0; number < 2; number++) {
      count.async(
          n -> {
            throw new IllegalStateException("the plugin's own");
          });
      count.async(n -> others.countDown());
    }
    count.on(new Target.Global(), n -> others.countDown());
    Bed.eventually("the others ran", () -> others.getCount() == 0);
    Bed.eventually("both are logged", () -> bed.log.size() == 2);
    for (String line : bed.log) {
      assertTrue(line.startsWith("ERROR Demo "), line);
      assertTrue(line.contains("count on demo_accounts"), line);
      assertTrue(line.contains("the plugin's own"), line);
    }
    unchanged();
  }

  @Test
  void aLockedFileIsNamedAndTheLogHasOneLine() throws IOException {
    Bed locked = new Bed(Bed.temporary(), Map.of(), Map.of("busy-timeout-millis", "10"));
    try {
      Table<Account> table = locked.db.table("accounts", Account.class).register();
      Bed.await(table.registration());
      Path file = locked.folder.resolve("test.db");
      LockHolder holder = new LockHolder(file);
      try {
        TickwellException e =
            says(
                table.insert(new Account(1, 1, "a")),
                ErrorCode.LOCKED,
                "holds the lock",
                "busy-timeout-millis",
                file.toString());
        assertTrue(e.retryable());
        // Nobody handles these.
        for (int id = 2; id < 52; id++) {
          table.insert(new Account(id, 1, "a"));
        }
        assertEquals(0, Bed.await(table.count()));
        Bed.eventually("all have failed", () -> locked.statistic("java.requests.open") == 0);
        Bed.eventually("the log has it", () -> !locked.log.isEmpty());
      } finally {
        holder.close();
      }
      assertEquals(1, Bed.await(table.insert(new Account(1, 1, "a"))));
    } finally {
      locked.close();
    }
    assertEquals(2, locked.log.size(), locked.log::toString);
    assertTrue(locked.log.getFirst().contains("insert on demo_accounts"), locked.log::toString);
    assertTrue(locked.log.getLast().contains("49 more requests to main"), locked.log::toString);
  }

  @Test
  void aDamagedFileIsSaidOnceAndNotWrittenAnyMore() throws IOException {
    Table<Row> broken =
        bed.db
            .table("broken")
            .column("id", ValueType.INT)
            .column("t", ValueType.TEXT)
            .key("id")
            .register();
    Bed.await(
        broken.insert(
            IntStream.range(0, 2_000)
                .mapToObj(id -> Row.builder().set("id", id).set("t", "x".repeat(90)).build())
                .toList()));
    Path file = bed.folder.resolve("test.db");
    bed.engine.closeDatabase("main", Bed.LIMIT);
    byte[] bytes = Files.readAllBytes(file);
    int pages = bytes.length / PAGE_BYTES;
    assertTrue(pages > 40, "pages: " + pages);
    for (int page = pages / 2; page < pages; page++) {
      Arrays.fill(bytes, page * PAGE_BYTES, page * PAGE_BYTES + 64, (byte) 0xa5);
    }
    Files.write(file, bytes);
    bed.engine.openDatabase("main", Map.of("type", "sqlite", "path", file.toString()));
    says(
        bed.db.query("SELECT count(t) FROM {broken}"),
        ErrorCode.CORRUPT,
        "damaged",
        "restore a backup",
        file.toString());
    // Nobody handles these.
    for (int id = 2; id < 52; id++) {
      accounts.insert(new Account(id, 1, "a"));
    }
    says(
        accounts.insert(new Account(99, 1, "a")),
        ErrorCode.CORRUPT,
        "nothing more is written",
        file.toString());
    Bed.eventually("all have failed", () -> bed.statistic("java.requests.open") == 0);
    Bed.eventually("the log has it", () -> !bed.log.isEmpty());
    unchanged();
    bed.engine.closeDatabase("main", Bed.LIMIT);
    assertTrue(Arrays.equals(bytes, Files.readAllBytes(file)), "the damaged file was written");
    assertEquals(1, bed.log.size(), bed.log::toString);
  }

  @Test
  void aFileThatIsNoDatabaseIsRefusedAndStaysAsItIs() throws IOException {
    Path file = bed.folder.resolve("notes.db");
    String text = "motd=hello\n".repeat(500);
    Files.writeString(file, text);
    bed.engine.openDatabase("notes", Map.of("type", "sqlite", "path", file.toString()));
    var notes = bed.engine.database(bed.owner, "notes");
    says(
        notes.query("SELECT 1"),
        ErrorCode.CORRUPT,
        "is no SQLite database",
        "choose another path",
        file.toString());
    assertEquals(text, Files.readString(file));
    assertThrows(
        TickwellException.class,
        () -> bed.engine.openDatabase("worse", Map.of("type", "sqlite", "pth", file.toString())));
  }

  @Test
  void nullsAreRefusedWhereTheyAreGiven() {
    List<Executable> calls =
        List.of(
            () -> asc(null),
            () -> eq(null, 1),
            () -> Filters.in(null, List.of(1)),
            () -> Filters.in("id", null),
            () -> Filters.like(null, "a"),
            () -> Filters.between(null, 1, 2),
            () -> Filters.isNull(null),
            () -> Filters.not(null),
            () -> and(eq("id", 1), null),
            () -> Filters.or((Filter) null),
            () -> new Filter.And(Arrays.asList((Filter) null)),
            () -> new Filter.Compare("id", null, 1),
            () -> new Target.Entity(null),
            () -> new Target.Region(null, 0, 0),
            () -> accounts.select().columns("id", null));
    for (Executable call : calls) {
      assertThrows(NullPointerException.class, call);
    }
  }

  @Test
  void aFilterDoesNotChangeWithTheListItWasMadeOf() {
    List<Object> values = new ArrayList<>(List.of(1L));
    List<Filter> parts = new ArrayList<>(List.of(new Filter.In("id", values)));
    Filter filter = new Filter.And(parts);
    values.set(0, 2L);
    parts.add(eq("id", 2L));
    assertEquals(1, Bed.await(accounts.count(filter)));
  }

  @Test
  void namesAndListsPastSixteenBitsAreRefused() {
    String name = "x".repeat(100_000);
    assertEquals(
        ErrorCode.INVALID_STATEMENT,
        assertThrows(TickwellException.class, () -> bed.db.table(name, Account.class).register())
            .code());
    TableBuilder<Row> wide = bed.db.table("wide");
    IntStream.range(0, 70_000).forEach(index -> wide.column("c" + index, ValueType.INT));
    says(
        assertThrows(TickwellException.class, wide::register),
        ErrorCode.INVALID_STATEMENT,
        "70000",
        "65535");
  }

  @Test
  void limitsOfAnyLengthAreTaken() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    TransactionOptions options = TransactionOptions.DEFAULT.limit(longest).idleLimit(longest);
    assertEquals(
        Long.valueOf(1), Bed.await(bed.db.transactionResult(options, tx -> tx.count(accounts))));
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().stream(1).idleLimit(longest).async((page, stream) -> {}, end::complete);
    assertEquals(new StreamEnd(1, null), Bed.await(end));
    Duration negative = Duration.ofSeconds(Long.MIN_VALUE);
    assertThrows(TickwellException.class, () -> TransactionOptions.DEFAULT.limit(negative));
    assertThrows(TickwellException.class, () -> accounts.select().stream(1).idleLimit(negative));
  }

  /** A row whose accessors throw. */
  record Broken(@Key long id, String name) {
    @Override
    public String name() {
      throw new IllegalStateException("no name yet");
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void aRowThatCannotBeReadIsNamed() {
    List<Account> rows = (List) Arrays.asList(new Account(2, 1, "b"), "an account");
    says(accounts.insert(rows), ErrorCode.INVALID_VALUE, "row: 1", "cannot be read");
    Table<Row> table = loose();
    List<Row> others = (List) List.of(new Account(2, 1, "b"));
    says(table.insert(others), ErrorCode.INVALID_VALUE, "row: 0", "cannot be read");
    Table<Broken> broken = bed.db.table("broken", Broken.class).register();
    says(
        broken.insert(new Broken(1, "a")),
        ErrorCode.INVALID_VALUE,
        "row: 0",
        "column: name",
        "no name yet");
    unchanged();
  }

  /** A value whose codec throws. */
  record Mark(String text) {}

  record Marked(@Key long id, Mark mark) {}

  @Test
  void aCodecThatThrowsInAFilterIsNamedWithTheColumn() {
    bed.engine.register(
        bed.owner,
        new ObjectCodec<Mark>() {
          @Override
          public Class<Mark> type() {
            return Mark.class;
          }

          @Override
          public byte[] encode(Mark value) {
            throw new IllegalStateException("no bytes yet");
          }

          @Override
          public Mark decode(byte[] bytes) {
            return new Mark("");
          }

          @Override
          public Mark snapshot(Mark value) {
            return value;
          }
        });
    Table<Marked> table = bed.db.table("marked", Marked.class).register();
    says(
        table.count(eq("mark", new Mark("a"))),
        ErrorCode.INVALID_VALUE,
        "column: mark",
        "no bytes yet");
    says(
        table.update().set("mark", new Mark("a")).all().run(),
        ErrorCode.INVALID_VALUE,
        "column: mark",
        "no bytes yet");
  }

  @Test
  void aPathThatIsNoneIsRefused() {
    says(
        assertThrows(
            TickwellException.class,
            () -> bed.engine.openDatabase("z", Map.of("type", "sqlite", "path", "a\0b"))),
        ErrorCode.INVALID_CONFIG,
        "database: z");
  }
}
