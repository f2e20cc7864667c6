package dev.tickwell.core;

import static dev.tickwell.Filters.eq;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that take no part in the order, beside a writer that is held. */
class UnorderedTest {
  record Line(@Key long id, String text) {}

  record Tag(String text) {}

  record Tagged(@Key long id, Tag tag) {}

  private Bed bed;
  private Table<Line> lines;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    lines = bed.db.table("lines", Line.class).register();
    Bed.await(lines.insert(new Line(1, "first")));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** A transaction of another plugin that has the database's writes until it is let go. */
  private final class Held {
    private final Owner other = bed.engine.owner("Other");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Pending<Void> transaction;

    Held() {
      transaction =
          bed.engine
              .database(other, "main")
              .transactionResult(
                  tx -> {
                    begun.countDown();
                    end.await();
                    return null;
                  });
      try {
        begun.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void release() {
      end.countDown();
      Bed.await(transaction);
      other.close();
    }
  }

  @Test
  void anUnorderedReadBeginsBeforeEarlierWritesAreDone() {
    Database free = bed.db.unordered();
    Pending<Long> write;
    Pending<Long> ordered;
    Held held = new Held();
    write = lines.insert(new Line(2, "second"));
    ordered = lines.count();
    assertEquals(1, Bed.await(lines.unordered().count()));
    assertEquals(1, Bed.await(lines.unordered().select().where(eq("id", 1)).fetch()).size());
    Rows<Row> raw = Bed.await(free.query("SELECT count(*) AS n FROM {lines}"));
    assertEquals(1, raw.getLong(0, 0));
    // The same from a tick.
    assertEquals(1, Bed.await(bed.onServer(() -> lines.unordered().count())));
    assertFalse(write.isDone());
    assertFalse(ordered.isDone());
    held.release();
    assertEquals(1, Bed.await(write));
    assertEquals(2, Bed.await(ordered));
  }

  @Test
  void noReadWaitsForAnUnorderedWrite() {
    Pending<Long> write;
    Pending<Long> raw;
    Held held = new Held();
    write = lines.unordered().insert(new Line(2, "second"));
    raw = bed.db.unordered().update("UPDATE {lines} SET text = ? WHERE id = 1", "changed");
    assertEquals(1, Bed.await(lines.count()));
    assertFalse(write.isDone());
    held.release();
    assertEquals(1, Bed.await(write));
    assertEquals(1, Bed.await(raw));
    assertEquals(2, Bed.await(lines.count()));
  }

  @Test
  void anUnorderedRequestPassesAWriteThatWaitsForATick() {
    bed.engine.register(
        bed.owner,
        new ObjectCodec<Tag>() {
          @Override
          public Class<Tag> type() {
            return Tag.class;
          }

          @Override
          public ValueType storage() {
            return ValueType.OBJECT;
          }

          @Override
          public boolean requiresTickThread() {
            return true;
          }

          @Override
          public Tag snapshot(Tag tag) {
            return tag;
          }

          @Override
          public byte[] encode(Tag tag) {
            return tag.text().getBytes(StandardCharsets.UTF_8);
          }

          @Override
          public Tag decode(byte[] bytes) {
            return new Tag(new String(bytes, StandardCharsets.UTF_8));
          }
        });
    Table<Tagged> tagged = bed.db.table("tagged", Tagged.class).register();
    Bed.await(tagged.registration());
    bed.pause();
    Pending<Long> waits = tagged.insert(new Tagged(1, new Tag("a")));
    Pending<Long> behind = lines.count();
    assertEquals(1, Bed.await(lines.unordered().count()));
    assertFalse(behind.isDone());
    // One that waits itself is finished before its plugin's end.
    Pending<Long> free = tagged.unordered().insert(new Tagged(2, new Tag("b")));
    assertFalse(free.isDone());
    bed.resume();
    assertEquals(1, Bed.await(waits));
    assertEquals(1, Bed.await(behind));
    assertEquals(1, Bed.await(free));
  }

  @Test
  void unorderedRequestsStayBehindTheRegistrationOfTheirTable() {
    Held held = new Held();
    // Neither table is there before the transaction ends.
    Table<Line> declared = bed.db.unordered().table("declared", Line.class).register();
    Table<Line> later = bed.db.table("later", Line.class).register();
    List<Pending<Long>> writes =
        List.of(
            declared.insert(new Line(1, "a")),
            later.unordered().insert(new Line(1, "b")),
            bed.onServer(() -> later.unordered().insert(new Line(2, "c"))));
    held.release();
    for (Pending<Long> write : writes) {
      assertEquals(1, Bed.await(write));
    }
    assertEquals(2, Bed.await(later.unordered().count()));
  }

  @Test
  void aTransactionKeepsItsPlaceAndUsesTheTableAsItIs() {
    long seen =
        Bed.await(
            bed.db
                .unordered()
                .transactionResult(
                    tx -> {
                      tx.insert(lines.unordered(), new Line(2, "second"));
                      return tx.count(lines.unordered());
                    }));
    assertEquals(2, seen);
  }
}
