package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.AutoIncrement;
import dev.tickwell.Database;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.NotNull;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.TableBuilder;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tables can say beside their columns: numbered rows, defaults, owners, added columns. */
class RegistrationTest {
  record Offer(@Key @AutoIncrement Long id, String title) {}

  record Priced(@Key long id, @NotNull String kind, Integer stock, String note) {}

  @TempDir Path folder;
  private Bed bed;

  @BeforeEach
  void open() {
    bed = new Bed(folder);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private TableBuilder<Row> prices() {
    return bed.db.table("prices").column("id", ValueType.BIGINT).key("id");
  }

  @Test
  void recordsWithoutANumberGetTheNext() {
    Table<Offer> offers = bed.db.table("offers", Offer.class).register();
    Bed.await(
        offers.insert(List.of(new Offer(null, "a"), new Offer(7L, "b"), new Offer(null, "c"))));
    assertEquals(
        List.of(new Offer(1L, "a"), new Offer(7L, "b"), new Offer(8L, "c")),
        Bed.await(offers.select().orderBy(asc("id")).fetch()).toList());
    Bed.await(offers.deleteAll());
    Bed.await(offers.insert(new Offer(null, "d")));
    assertEquals(List.of(new Offer(9L, "d")), Bed.await(offers.select().fetch()).toList());
  }

  @Test
  void rowsWithoutANumberGetTheNext() {
    Table<Row> rows =
        bed.db
            .table("numbered")
            .column("id", ValueType.INT)
            .column("title", ValueType.TEXT)
            .key("id")
            .autoIncrement("id")
            .register();
    Row without = Row.builder().set("title", "a").build();
    Row withNull = Row.builder().set("id", null).set("title", "b").build();
    assertEquals(2, Bed.await(rows.insert(List.of(without, withNull))));
    Rows<Row> read = Bed.await(rows.select().orderBy(asc("id")).fetch());
    assertEquals(1, read.get(0, 0));
    assertEquals(2, read.get(1, 0));
  }

  @Test
  void aPrimitiveCannotBeLeftToTheDatabase() {
    record Bad(@Key @AutoIncrement long id) {}
    TickwellException e =
        assertThrows(TickwellException.class, () -> bed.db.table("bad", Bad.class));
    assertEquals(ErrorCode.INVALID_STATEMENT, e.code());
    assertTrue(e.getMessage().contains("make it a Long"), e.getMessage());
  }

  @Test
  void aNumberThatIsNotTheWholeKeyIsRefused() {
    record Bad(@Key String name, @Key @AutoIncrement Long id) {}
    TickwellException e = Bed.failure(bed.db.table("bad", Bad.class).register().registration());
    assertEquals(ErrorCode.INVALID_STATEMENT, e.code());
    assertTrue(e.getMessage().contains("the whole key"), e.getMessage());
  }

  @Test
  void recordsTakeDefaultsWhereNullIsNoValue() {
    Table<Priced> prices =
        bed.db
            .table("prices", Priced.class)
            .defaultValue("kind", "it's \"plain\"")
            .defaultValue("stock", 5)
            .register();
    Bed.await(prices.insert(new Priced(1, null, null, null)));
    // The database has them too.
    Bed.await(bed.db.update("INSERT INTO {prices} (id) VALUES (2)"));
    assertEquals(
        List.of(
            new Priced(1, "it's \"plain\"", null, null), new Priced(2, "it's \"plain\"", 5, null)),
        Bed.await(prices.select().orderBy(asc("id")).fetch()).toList());
  }

  @Test
  void rowsTakeDefaultsForWhatTheyLack() {
    byte[] given = {1, 2};
    Table<Row> prices =
        prices()
            .column("stock", ValueType.INT)
            .column("data", ValueType.BYTES)
            .defaultValue("stock", 5)
            .defaultValue("data", given)
            .register();
    given[0] = 9;
    Bed.await(
        prices.insert(
            List.of(
                Row.builder().set("id", 1).build(),
                Row.builder().set("id", 2).set("stock", null).build())));
    Rows<Row> read = Bed.await(prices.select().orderBy(asc("id")).fetch());
    assertEquals(5, read.get(0, 1));
    assertTrue(read.isNull(1, 1));
    assertEquals("[1, 2]", Arrays.toString(read.getBytes(0, 2)));
  }

  @Test
  void badDefaultsAreNamed() {
    TableBuilder<Row> prices =
        prices().column("stock", ValueType.INT).column("place", ValueType.LOCATION);
    for (Object bad : new Object[] {null, "five", 5_000_000_000L}) {
      TickwellException e =
          assertThrows(TickwellException.class, () -> prices.defaultValue("stock", bad));
      assertEquals(ErrorCode.INVALID_VALUE, e.code());
      assertEquals("stock", e.context().get("column"));
    }
    TickwellException e =
        assertThrows(TickwellException.class, () -> prices.defaultValue("place", new byte[48]));
    assertTrue(e.getMessage().contains("have no defaults"), e.getMessage());
    e = assertThrows(TickwellException.class, () -> prices.defaultValue("nothing", 1));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, e.code());
  }

  @Test
  void missingColumnsAreAddedOnRequestAndLogged() {
    Bed.await(prices().register().registration());
    TableBuilder<Row> wider = prices().column("stock", ValueType.INT).defaultValue("stock", 5);
    TickwellException e = Bed.failure(wider.register().registration());
    assertEquals(ErrorCode.TABLE_MISMATCH, e.code());
    assertEquals("1", e.context().get("differences"));
    assertEquals(List.of(), bed.log);

    Table<Row> added = wider.addMissingColumns().register();
    Bed.await(added.insert(Row.builder().set("id", 1).build()));
    assertEquals(5, Bed.await(added.select().fetch()).get(0, 1));
    assertEquals(
        List.of("INFO Demo table demo_prices of main: added column stock"), List.copyOf(bed.log));
    Bed.await(wider.register().registration());
    assertEquals(1, bed.log.size());
  }

  @Test
  void aTableBelongsToThePluginThatRegisteredItFirst() {
    Database other = bed.engine.database(bed.engine.owner("Other"), "main");
    Bed.await(bed.db.table("global", Offer.class).shared().register().registration());
    Bed.await(other.table("global", Offer.class).shared().register().registration());

    // The name of the one with its prefix is the name of the other as it is.
    Bed.await(bed.db.table("offers", Offer.class).register().registration());
    Table<Offer> stolen = other.table("demo_offers", Offer.class).shared().register();
    TickwellException e = Bed.failure(stolen.registration());
    assertEquals(ErrorCode.TABLE_OWNED, e.code());
    assertEquals("Demo", e.context().get("owner"));
    assertTrue(e.getMessage().contains("belongs to the plugin Demo"), e.getMessage());

    Rows<Row> book =
        Bed.await(bed.db.query("SELECT name, plugin, shared FROM tickwell_tables ORDER BY name"));
    assertEquals(2, book.size());
    assertEquals("demo_offers Demo false", line(book, 0));
    assertEquals("global Demo true", line(book, 1));
  }

  private static String line(Rows<Row> book, int row) {
    return book.getString(row, 0) + " " + book.getString(row, 1) + " " + book.getBoolean(row, 2);
  }
}
