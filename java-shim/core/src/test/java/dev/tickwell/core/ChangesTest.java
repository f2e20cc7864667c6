package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.ge;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Inserts that meet what is there, updates, and pages by offset, from Java to the file and back.
 */
class ChangesTest {
  record Account(@Key long id, String name, Integer coins) {}

  @SuppressWarnings("ArrayRecordComponent") // a column of bytes
  record Blob(@Key long id, byte[] bytes) {}

  private Bed bed;
  private Table<Account> accounts;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    accounts = bed.db.table("accounts", Account.class).register();
    Bed.await(accounts.insert(List.of(account(1, 10), account(2, 20), account(3, 30))));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static Account account(long id, Integer coins) {
    return new Account(id, "player " + id, coins);
  }

  private List<Account> stored() {
    return Bed.await(accounts.select().orderBy(asc("id")).fetch()).toList();
  }

  private static ErrorCode refused(Pending<?> pending) {
    return assertThrows(TickwellException.class, () -> Bed.await(pending)).code();
  }

  @Test
  void whatIsThereIsLeftOutOrOverwritten() {
    assertEquals(1, Bed.await(accounts.insertIfAbsent(List.of(account(3, 0), account(4, 40)))));
    assertEquals(0, Bed.await(accounts.insertIfAbsent(account(4, 0))));
    assertEquals(2, Bed.await(accounts.upsert(List.of(account(1, 11), account(5, 50)))));
    assertEquals(1, Bed.await(accounts.upsert(account(2, null))));
    assertEquals(
        List.of(account(1, 11), account(2, null), account(3, 30), account(4, 40), account(5, 50)),
        stored());
  }

  @Test
  void anUpdateSetsAndAddsInTheRowsThatMatch() {
    assertEquals(
        1,
        Bed.await(accounts.update().add("coins", -5).set("name", "Alex").where(eq("id", 1)).run()));
    assertEquals(2, Bed.await(accounts.update().add("coins", 1L).where(ge("id", 2)).run()));
    assertEquals(0, Bed.await(accounts.update().set("coins", 0).where(eq("id", 9)).run()));
    assertEquals(List.of(new Account(1, "Alex", 5), account(2, 21), account(3, 31)), stored());
    assertEquals(2, Bed.await(accounts.update().set("coins", null).all().limit(2).run()));
    assertEquals(List.of(new Account(1, "Alex", null), account(2, null), account(3, 31)), stored());
  }

  @Test
  void anUpdateSaysWhichRowsItMeans() {
    assertEquals(ErrorCode.FILTER_REQUIRED, refused(accounts.update().set("coins", 0).run()));
    assertEquals(
        ErrorCode.INVALID_STATEMENT,
        refused(accounts.update().set("coins", 0).where(eq("id", 1)).all().run()));
    assertEquals(ErrorCode.INVALID_STATEMENT, refused(accounts.update().all().run()));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, refused(accounts.update().set("gold", 0).all().run()));
    assertEquals(
        ErrorCode.INVALID_VALUE,
        refused(accounts.update().add("coins", Integer.MAX_VALUE).all().run()));
    assertThrows(TickwellException.class, () -> accounts.update().limit(-1));
    assertEquals(List.of(account(1, 10), account(2, 20), account(3, 30)), stored());
  }

  @Test
  void noRelativeUpdateIsLost() {
    List<Pending<Long>> updates = new ArrayList<>();
    for (int round = 0; round < 500; round++) {
      updates.add(accounts.update().add("coins", 1).where(eq("id", 1)).run());
      updates.add(bed.onServer(() -> accounts.update().add("coins", -1).where(eq("id", 2)).run()));
    }
    updates.forEach(update -> assertEquals(1, Bed.await(update)));
    assertEquals(List.of(account(1, 510), account(2, -480), account(3, 30)), stored());
  }

  @Test
  void anAssignedValueIsAsItWasWhenTheUpdateRan() {
    Table<Blob> blobs = bed.db.table("blobs", Blob.class).register();
    Bed.await(blobs.insert(new Blob(1, new byte[] {1})));
    byte[] bytes = {2};
    Pending<Long> update =
        bed.onServer(
            () -> {
              Pending<Long> running = blobs.update().set("bytes", bytes).where(eq("id", 1)).run();
              bytes[0] = 9;
              return running;
            });
    assertEquals(1, Bed.await(update));
    assertArrayEquals(
        new byte[] {2}, Bed.await(blobs.select().fetch()).toList().getFirst().bytes());
  }

  @Test
  void aRowIsLookedForAndPagesAreRead() {
    assertTrue(Bed.await(accounts.exists(eq("coins", 20))));
    assertFalse(Bed.await(accounts.exists(eq("coins", 21))));
    assertTrue(Bed.await(accounts.exists()));
    assertEquals(
        List.of(account(2, 20)),
        Bed.await(accounts.select().orderBy(asc("id")).limit(1).offset(1).fetch()).toList());
    assertThrows(TickwellException.class, () -> accounts.select().offset(-1));
  }

  @Test
  void aTransactionUsesTheSameStatements() {
    long changed =
        Bed.await(
            bed.db.transactionResult(
                tx -> {
                  if (tx.update(accounts)
                          .add("coins", -10)
                          .where(eq("id", 1), ge("coins", 10))
                          .run()
                      != 1) {
                    throw tx.rollback("poor");
                  }
                  return tx.update(accounts).add("coins", 10).where(eq("id", 2)).run()
                      + tx.upsert(accounts, List.of(account(3, 33)))
                      + tx.insertIfAbsent(accounts, List.of(account(3, 0), account(4, 40)));
                }));
    assertEquals(3, changed);
    assertEquals(List.of(account(1, 0), account(2, 30), account(3, 33), account(4, 40)), stored());
  }
}
