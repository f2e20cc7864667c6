package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that are no records: data classes of Kotlin, and classes of Java that are like records. */
class PlainClassTest {
  private static final UUID ID = new UUID(1, 2);

  @TempDir Path folder;
  private Bed bed;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** Of each column its name, whether it refuses null, and its place in the key. */
  private List<String> columns(String table) {
    String sql = "SELECT name || ' ' || \"notnull\" || ' ' || pk AS c FROM pragma_table_info(?)";
    return Bed.await(bed.db.query(sql, table)).toList().stream()
        .map(row -> row.get("c", String.class))
        .toList();
  }

  private static String refused(Class<Object> type) {
    TickwellException e = assertThrows(TickwellException.class, () -> RecordShape.of(type));
    assertEquals(ErrorCode.INVALID_STATEMENT, e.code());
    assertTrue(e.getMessage().contains(type.getName()), e.getMessage());
    return e.getMessage();
  }

  @Test
  void aDataClassOfKotlinIsARow() throws Exception {
    String source =
        """
        import dev.tickwell.Key
        import dev.tickwell.Length
        import dev.tickwell.NotNull
        import java.util.UUID

        data class Home(
          @Key val player: UUID,
          @Key @Length(32) val name: String,
          @NotNull val world: String,
          val note: String?,
          val visits: Int = 0,
          val isOpen: Boolean = true,
          private val secret: Long? = null,
        )

        data class AllDefaults(val id: Long = 0, val text: String = "")

        data class More(val id: Long, val text: String) {
          val other: Long = 1
        }

        class Plain(val a: String, val b: String)
        """;
    try (Compiled rows = Compiled.kotlin(folder, source)) {
      Class<Object> type = rows.type("Home");
      Table<Object> homes = bed.db.table("homes", type).register();
      Object first = Compiled.make(type, ID, "base", "nether", null, 3, false, 7L);
      Object second = Compiled.make(type, ID, "farm", "end", "wheat", 0, true, null);
      assertEquals(2, Bed.await(homes.insert(List.of(first, second))));
      assertEquals(
          List.of(first, second), Bed.await(homes.select().orderBy(asc("name")).fetch()).toList());
      assertEquals(Optional.of(second), Bed.await(homes.find(ID, "farm")));
      assertEquals(
          List.of(
              "player 1 1",
              "name 1 2",
              "world 1 0",
              "note 0 0",
              "visits 1 0",
              "isOpen 1 0",
              "secret 0 0"),
          columns("demo_homes"));
      assertEquals(2, RecordShape.of(rows.type("AllDefaults")).components().size());
      assertTrue(refused(rows.type("More")).contains("id, text, other"));
      assertTrue(refused(rows.type("Plain")).contains("-java-parameters"));
    }
  }

  private static final String JAVA =
      """
      import dev.tickwell.Key;
      import dev.tickwell.NotNull;

      public class Rows {
        /** The order of its fields is not that of its constructor. */
        public static final class Account {
          private final String name;
          private final boolean open;
          private final String note;
          private final long id;

          public Account(
              @Key long id, @NotNull String name, String note, boolean open) {
            this.id = id;
            this.name = name;
            this.note = note;
            this.open = open;
          }

          public long id() {
            return id;
          }

          public String getName() {
            return name;
          }

          public boolean isOpen() {
            return open;
          }

          @Override
          public String toString() {
            return id + " " + name + " " + note + " " + open;
          }
        }

        public static class Counter {
          public int count;
          private final long id;

          public Counter(@Key long id, int count) {
            this.id = id;
            this.count = count;
          }
        }

        public static class Two {
          private final long id = 1;

          public Two() {}

          public Two(long id) {}
        }

        public static class Lost {
          public Lost(long id) {}
        }

        public static class Nothing {}

        public abstract static class Idea {
          public Idea(long id) {}
        }

        public class Inner {
          public Inner(long id) {}
        }
      }
      """;

  @Test
  void aClassWithNamedParametersIsARow() throws Exception {
    try (Compiled rows = Compiled.java(folder, JAVA, "-parameters")) {
      Class<Object> type = rows.type("Rows$Account");
      Table<Object> accounts = bed.db.table("accounts", type).register();
      Bed.await(accounts.insert(Compiled.make(type, 7L, "Steve", null, true)));
      assertEquals("7 Steve null true", Bed.await(accounts.find(7)).orElseThrow().toString());
      assertEquals(List.of("id 1 1", "name 1 0", "note 0 0", "open 1 0"), columns("demo_accounts"));
      var names = Bed.await(accounts.select().columns("name", "note", "open", "id").fetch());
      assertEquals("[7 Steve null true]", names.toList(type).toString());
      TickwellException e = Bed.failure(accounts.insert(Compiled.make(type, 8L, null, null, true)));
      assertEquals("name", e.context().get("column"));
    }
  }

  @Test
  void aRowThatCanChangeIsStoredAsItWasWhenItWasGiven() throws Exception {
    try (Compiled rows = Compiled.java(folder, JAVA, "-parameters")) {
      Class<Object> type = rows.type("Rows$Counter");
      Table<Object> counters = bed.db.table("counters", type).register();
      Object row = Compiled.make(type, 1L, 5);
      var count = type.getField("count");
      Pending<Long> insert =
          bed.onServer(
              () -> {
                Pending<Long> pending = counters.insert(row);
                count.setInt(row, 99);
                return pending;
              });
      assertEquals(1, Bed.await(insert));
      assertEquals(5, count.getInt(Bed.await(counters.find(1)).orElseThrow()));
    }
  }

  @Test
  void aClassThatCouldOnlyBeGuessedIsRefusedByName() throws Exception {
    try (Compiled rows = Compiled.java(folder, JAVA)) {
      assertTrue(refused(rows.type("Rows$Account")).contains("compile it with -parameters"));
      assertTrue(refused(rows.type("Rows$Two")).contains("2 public constructors"));
      assertTrue(refused(rows.type("Rows$Nothing")).contains("takes no values"));
      assertTrue(refused(rows.type("Rows$Idea")).contains("cannot be made"));
      assertTrue(refused(rows.type("Rows$Inner")).contains("make it static"));
    }
    Path named = Files.createDirectory(folder.resolve("named"));
    try (Compiled rows = Compiled.java(named, JAVA, "-parameters")) {
      assertTrue(refused(rows.type("Rows$Lost")).contains("the value id of its constructor"));
    }
    assertThrows(TickwellException.class, () -> RecordShape.of(Row.class));
  }
}
