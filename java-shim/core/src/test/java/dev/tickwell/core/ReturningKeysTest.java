package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.eq;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.AutoIncrement;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.ReturningKeys;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The keys of inserted rows, and upserts that overwrite some columns, from Java and back. */
class ReturningKeysTest {
  record Offer(@Key @AutoIncrement Long id, String title, Integer price) {}

  record Score(@Key String player, @Key int game, int value, int plays) {}

  private Bed bed;
  private Table<Offer> offers;
  private Table<Score> scores;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary(), Map.of(), Map.of("max-result-rows", "50"));
    offers = bed.db.table("offers", Offer.class).unique("title").register();
    scores = bed.db.table("scores", Score.class).register();
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static List<Long> ids(Rows<Row> keys) {
    assertEquals(1, keys.columnCount());
    return IntStream.range(0, keys.size()).mapToObj(row -> keys.getLong(row, 0)).toList();
  }

  private static Offer offer(String title) {
    return new Offer(null, title, 1);
  }

  @Test
  void theNumbersThatTheDatabaseGaveComeBackInTheOrderOfTheRows() {
    ReturningKeys<Offer, Pending<Rows<Row>>> inserts = offers.returningKeys();
    Rows<Row> first = Bed.await(inserts.insert(offer("sword")));
    assertEquals(List.of(1L), ids(first));
    assertEquals("id", first.columnName(0));
    List<Offer> more = List.of(offer("a"), new Offer(40L, "b", 2), offer("c"), offer("d"));
    assertEquals(List.of(2L, 40L, 41L, 42L), ids(Bed.await(inserts.insert(more))));
    assertEquals(List.of(), ids(Bed.await(inserts.insert(List.of()))));
    assertEquals("c", Bed.await(offers.find(41L)).orElseThrow().title());
  }

  @Test
  void aRowThatIsLeftOutHasTheKeyOfTheOneThatIsThere() {
    Bed.await(offers.insert(List.of(offer("a"), offer("b"))));
    List<Long> keys =
        ids(
            Bed.await(
                offers
                    .returningKeys()
                    .insertIfAbsent(List.of(offer("b"), offer("c"), offer("a")))));
    // What number the new one has is the database's: one may have been left out for a row that was.
    long third = keys.get(1);
    assertEquals(List.of(2L, third, 1L), keys);
    assertEquals("c", Bed.await(offers.find(third)).orElseThrow().title());
    assertEquals(List.of(third), ids(Bed.await(offers.returningKeys().insertIfAbsent(offer("c")))));
    assertEquals(3, Bed.await(offers.count()));
  }

  @Test
  void aKeyOfSeveralColumnsComesBackWhole() {
    Rows<Row> keys =
        Bed.await(
            scores
                .returningKeys()
                .upsert(List.of(new Score("b", 2, 5, 1), new Score("a", 1, 7, 1)), "value"));
    assertEquals(2, keys.size());
    assertEquals("b", keys.row(0).get("player"));
    assertEquals(2, keys.row(0).get("game"));
    assertEquals("a", keys.row(1).get("player"));
    assertEquals(1, keys.row(1).get("game"));
  }

  @Test
  void anUpsertOverwritesTheColumnsThatItNames() {
    Bed.await(scores.insert(new Score("a", 1, 7, 3)));
    assertEquals(
        2,
        Bed.await(
            scores.upsert(List.of(new Score("a", 1, 9, 0), new Score("b", 1, 4, 1)), "value")));
    assertEquals(1, Bed.await(scores.upsert(new Score("b", 1, 0, 2), "plays")));
    assertEquals(
        List.of(new Score("a", 1, 9, 3), new Score("b", 1, 4, 2)),
        Bed.await(scores.select().orderBy(asc("player")).fetch()).toList());
    TickwellException unknown = Bed.failure(scores.upsert(new Score("a", 1, 0, 0), "points"));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, unknown.code());
    TickwellException key = Bed.failure(scores.upsert(new Score("a", 1, 0, 0), "game"));
    assertTrue(key.getMessage().contains("game is part of the key"), key.getMessage());
    assertEquals(List.of(9, 4), values());
  }

  private List<Integer> values() {
    return Bed.await(scores.select().orderBy(asc("player")).fetch()).toList().stream()
        .map(Score::value)
        .toList();
  }

  @Test
  void moreKeysThanAResultMayHaveAreRefusedBeforeAnythingIsStored() {
    List<Offer> many =
        LongStream.range(0, 51).mapToObj(number -> offer("offer " + number)).toList();
    TickwellException e = Bed.failure(offers.returningKeys().insert(many));
    assertEquals(ErrorCode.RESULT_TOO_LARGE, e.code());
    assertEquals(0, Bed.await(offers.count()));
    Table<Row> keyless = bed.db.table("keyless").column("n", ValueType.INT).register();
    TickwellException none =
        Bed.failure(keyless.returningKeys().insert(Row.builder().set("n", 1).build()));
    assertEquals(ErrorCode.INVALID_STATEMENT, none.code());
    assertTrue(none.getMessage().contains("key"), none.getMessage());
    assertEquals(0, Bed.await(keyless.count()));
  }

  @Test
  void aTransactionUsesTheKeysThatItMade() {
    Bed.await(scores.insert(new Score("a", 1, 7, 3)));
    Bed.await(
        bed.db.transaction(
            tx -> {
              long id = tx.returningKeys(offers).insert(offer("sword")).getLong(0, 0);
              assertEquals(
                  List.of(id), ids(tx.returningKeys(offers).insertIfAbsent(offer("sword"))));
              assertEquals(1, tx.update(offers).set("price", 9).where(eq("id", id)).run());
              assertEquals(0, tx.insertIfAbsent(offers, offer("sword")));
              assertEquals(1, tx.upsert(scores, new Score("a", 1, 8, 0), "value"));
            }));
    assertEquals(List.of(new Offer(1L, "sword", 9)), Bed.await(offers.select().fetch()).toList());
    assertEquals(List.of(new Score("a", 1, 8, 3)), Bed.await(scores.select().fetch()).toList());
  }
}
