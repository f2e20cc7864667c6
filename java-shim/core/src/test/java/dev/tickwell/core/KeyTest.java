package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.desc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.ge;
import static dev.tickwell.Filters.ne;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Key;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Order;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Table;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Single rows by their key, first rows, and pages that go on behind a row. */
class KeyTest {
  record Home(@Key String player, @Key int number, String name, Integer visits) {}

  /** A value that is made on the server thread only. */
  record Token(byte number) {}

  record Owned(@Key int id, Token token) {}

  private Bed bed;
  private Table<Home> homes;
  private final List<Home> stored = new ArrayList<>();

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    homes = bed.db.table("homes", Home.class).register();
    for (int number = 0; number < 24; number++) {
      Integer visits = number % 5 == 0 ? null : number % 3;
      stored.add(new Home("p" + number % 4, number, "home " + number, visits));
    }
    Bed.await(homes.insert(stored));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static TickwellException refused(ErrorCode code, Pending<?> pending) {
    TickwellException e = Bed.failure(pending);
    assertEquals(code, e.code(), e.getMessage());
    return e;
  }

  @Test
  void aRowIsFoundAndDeletedByItsKey() {
    assertEquals(Optional.of(stored.get(5)), Bed.await(homes.find("p1", 5)));
    assertEquals(Optional.empty(), Bed.await(homes.find("p2", 5)));
    assertEquals(1, Bed.await(homes.deleteByKey("p1", 5)));
    assertEquals(0, Bed.await(homes.deleteByKey("p1", 5)));
    assertEquals(Optional.empty(), Bed.await(homes.find("p1", 5)));
    assertEquals(23, Bed.await(homes.count()));
  }

  @Test
  void aKeyIsAskedForInTheOrderInWhichItWasDeclared() {
    Table<Row> scores =
        bed.db
            .table("scores")
            .column("value", ValueType.INT)
            .column("player", ValueType.TEXT)
            .column("game", ValueType.INT)
            .key("game", "player")
            .register();
    scores.insert(Row.builder().set("value", 7).set("player", "a").set("game", 1).build());
    assertEquals(7, Bed.await(scores.find(1, "a")).orElseThrow().get("value"));
    refused(ErrorCode.INVALID_VALUE, scores.find("a", 1));
  }

  @Test
  void whatIsNoKeyIsRefusedByName() {
    TickwellException few = refused(ErrorCode.INVALID_STATEMENT, homes.deleteByKey("p1"));
    assertTrue(few.getMessage().contains("player, number"), few.getMessage());
    refused(ErrorCode.INVALID_STATEMENT, homes.deleteByKey());
    refused(ErrorCode.INVALID_STATEMENT, homes.find("p1", 1, 2));
    TickwellException none = refused(ErrorCode.INVALID_VALUE, homes.find("p1", null));
    assertEquals("number", none.context().get("column"));
    TickwellException type = refused(ErrorCode.INVALID_VALUE, homes.deleteByKey("p1", "5"));
    assertEquals("number", type.context().get("column"));
    Table<Row> keyless = bed.db.table("keyless").column("n", ValueType.INT).register();
    TickwellException no = refused(ErrorCode.INVALID_STATEMENT, keyless.deleteByKey(1));
    assertEquals("demo_keyless", no.context().get("table"));
    assertEquals(24, Bed.await(homes.count()));
  }

  @Test
  void theFirstRowIsTheFirstOfTheOrder() {
    assertEquals(
        Optional.of(stored.get(23)), Bed.await(homes.select().orderBy(desc("number")).first()));
    assertEquals(
        Optional.of(stored.get(22)),
        Bed.await(homes.select().orderBy(desc("number")).limit(9).offset(1).first()));
    assertEquals(Optional.empty(), Bed.await(homes.select().where(eq("number", 99)).first()));
    assertEquals(Optional.empty(), Bed.await(homes.select().limit(0).first()));
    TickwellException e = refused(ErrorCode.UNKNOWN_COLUMN, homes.select().columns("name").first());
    assertEquals("player", e.context().get("column"));
  }

  /** Reads page by page, each behind the last row of the one before. */
  private List<Home> pages(int size, Filter filter, Order... orders) {
    List<Home> all = new ArrayList<>();
    List<Home> page;
    Object[] last = null;
    do {
      var select = homes.select().orderBy(orders).limit(size);
      if (filter != null) {
        select.where(filter);
      }
      if (last != null) {
        select.after(last);
      }
      page = Bed.await(select.fetch()).toList();
      all.addAll(page);
      if (!page.isEmpty()) {
        last = values(page.getLast(), orders);
      }
    } while (page.size() == size);
    return all;
  }

  private static Object[] values(Home row, Order... orders) {
    Object[] values = new Object[orders.length];
    for (int index = 0; index < values.length; index++) {
      values[index] =
          switch (orders[index].column()) {
            case "player" -> row.player();
            case "number" -> row.number();
            case "name" -> row.name();
            default -> row.visits();
          };
    }
    return values;
  }

  @Test
  void pagesBehindARowAreTheWholeOrder() {
    Comparator<Home> visits =
        Comparator.comparing(Home::visits, Comparator.nullsFirst(Comparator.naturalOrder()));
    Comparator<Home> player = Comparator.comparing(Home::player);
    Comparator<Home> number = Comparator.comparingInt(Home::number);
    for (int size : new int[] {1, 3, 5, 24}) {
      check(player.thenComparing(number), pages(size, null, asc("player"), asc("number")));
      check(
          player.reversed().thenComparing(number),
          pages(size, null, desc("player"), asc("number")));
      check(
          visits.thenComparing(number.reversed()).thenComparing(player),
          pages(size, null, asc("visits"), desc("number"), asc("player")));
      check(
          visits.reversed().thenComparing(number).thenComparing(player),
          pages(size, null, desc("visits"), asc("number"), asc("player")));
      check(
          player.thenComparing(visits.reversed()).thenComparing(number),
          pages(size, null, asc("player"), desc("visits"), asc("number")));
    }
    assertEquals(
        stored.stream()
            .filter(home -> home.number() >= 7)
            .sorted(number.reversed().thenComparing(player))
            .toList(),
        pages(4, ge("number", 7), desc("number"), asc("player")));
  }

  private void check(Comparator<Home> order, List<Home> read) {
    assertEquals(stored.stream().sorted(order).toList(), read);
  }

  @Test
  void aPageBehindARowNeedsAPlaceForEachRow() {
    TickwellException order =
        refused(
            ErrorCode.INVALID_STATEMENT,
            homes.select().orderBy(asc("visits"), asc("number")).after(1, 1).fetch());
    assertTrue(order.getMessage().contains("(player, number)"), order.getMessage());
    TickwellException count =
        refused(
            ErrorCode.INVALID_STATEMENT,
            homes.select().orderBy(asc("player"), asc("number")).after("p1").fetch());
    assertTrue(count.getMessage().contains("(player, number), and 1 "), count.getMessage());
    TickwellException none =
        refused(
            ErrorCode.INVALID_VALUE,
            homes.select().orderBy(asc("player"), asc("number")).after("p1", null).fetch());
    assertEquals("number", none.context().get("column"));
    refused(ErrorCode.INVALID_STATEMENT, homes.select().after().fetch());
  }

  private Table<Owned> owned(AtomicInteger elsewhere) {
    bed.engine.register(
        bed.owner,
        new ObjectCodec<Token>() {
          @Override
          public Class<Token> type() {
            return Token.class;
          }

          @Override
          public byte[] encode(Token value) {
            return new byte[] {value.number};
          }

          @Override
          public Token decode(byte[] bytes) {
            if (!bed.onTickThread()) {
              elsewhere.incrementAndGet();
            }
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
    Bed.await(table.insert(List.of(new Owned(1, new Token((byte) 1)), new Owned(2, null))));
    Bed.await(table.insert(new Owned(3, new Token((byte) 3))));
    return table;
  }

  @Test
  void aRowIsMadeAfterItsValuesThatNeedATickThread() {
    AtomicInteger elsewhere = new AtomicInteger();
    Table<Owned> table = owned(elsewhere);
    CompletableFuture<Optional<Owned>> delivered = new CompletableFuture<>();
    table
        .select()
        .orderBy(asc("id"))
        .first()
        .on(new Target.Global(), delivered::complete, delivered::completeExceptionally);
    assertEquals(Optional.of(new Owned(1, new Token((byte) 1))), Bed.await(delivered));
    assertEquals(
        Optional.of(new Owned(1, new Token((byte) 1))), Bed.await(table.find(1)), "a future too");
    assertEquals(Optional.of(new Owned(2, null)), Bed.await(table.find(2)));
    TickwellException bad = refused(ErrorCode.INVALID_VALUE, table.find(3));
    assertEquals("token", bad.context().get("column"));
    assertEquals(0, elsewhere.get());
  }

  @Test
  void aRowThatCannotBeMadeAfterItsValuesFailsItsRequest() {
    AtomicInteger elsewhere = new AtomicInteger();
    Table<Owned> table = owned(elsewhere);
    TickwellException e =
        refused(ErrorCode.UNKNOWN_COLUMN, table.select().columns("token").first());
    assertEquals("id", e.context().get("column"));
    assertEquals(0, elsewhere.get());
  }

  @Test
  void aTransactionDoesTheSame() {
    long left =
        Bed.await(
            bed.db.transactionResult(
                tx -> {
                  assertEquals(Optional.of(stored.get(5)), tx.find(homes, "p1", 5));
                  assertEquals(1, tx.deleteByKey(homes, "p1", 5));
                  assertEquals(Optional.empty(), tx.find(homes, "p1", 5));
                  assertFalse(tx.exists(homes, eq("number", 5)));
                  assertTrue(tx.exists(homes));
                  assertEquals(
                      List.of(stored.get(8), stored.get(4)),
                      tx.select(homes)
                          .where(ne("number", 0))
                          .orderBy(asc("player"), desc("number"))
                          .after("p0", 12)
                          .limit(2)
                          .fetch()
                          .toList());
                  assertEquals(
                      Optional.of(stored.get(23)),
                      tx.select(homes).orderBy(desc("number")).first());
                  assertEquals(Optional.of(271L), tx.sum(homes, "number"));
                  assertEquals(Optional.of(23), tx.max(homes, "number", Integer.class));
                  assertEquals(
                      Optional.of("p3"), tx.min(homes, "player", String.class, eq("number", 7)));
                  assertEquals(Optional.of(2.0), tx.average(homes, "number", eq("number", 2)));
                  assertEquals(23L, tx.aggregate(homes).count().fetch().get("count"));
                  assertEquals(3, tx.delete(homes).where(eq("player", "p0")).limit(3).run());
                  return tx.delete(homes).all().limit(10).run();
                }));
    assertEquals(10, left);
    assertEquals(10, Bed.await(homes.count()));
  }

  @Test
  void aTransactionRefusesValuesThatNeedATickThread() {
    AtomicInteger elsewhere = new AtomicInteger();
    Table<Owned> table = owned(elsewhere);
    for (Pending<?> reads :
        List.of(
            bed.db.transactionResult(tx -> tx.select(table).fetch()),
            bed.db.transactionResult(tx -> tx.find(table, 1)),
            bed.db.transactionResult(tx -> tx.find(table, 2)),
            bed.db.transactionResult(tx -> tx.select(table, eq("id", 1))))) {
      TickwellException e = refused(ErrorCode.UNSUPPORTED, reads);
      assertEquals("token", e.context().get("column"));
      assertTrue(e.getMessage().contains("columns()"), e.getMessage());
    }
    int first =
        Bed.await(
            bed.db.transactionResult(
                tx -> tx.select(table).columns("id").orderBy(asc("id")).fetch().getInt(0, 0)));
    assertEquals(1, first);
    TickwellException write =
        refused(
            ErrorCode.UNSUPPORTED,
            bed.db.transaction(tx -> tx.insert(table, new Owned(4, new Token((byte) 4)))));
    assertTrue(write.getMessage().contains("tick thread"), write.getMessage());
    assertEquals(3, Bed.await(table.count()));
    assertEquals(0, elsewhere.get());
  }
}
