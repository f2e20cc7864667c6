package dev.tickwell.core;

import static dev.tickwell.Filters.eq;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions from Java to SQLite. */
class TransactionTest {
  record Account(@Key long id, long coins) {}

  private Bed bed;
  private Table<Account> accounts;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    accounts = bed.db.table("accounts", Account.class).register();
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private Pending<Long> transfer(long from, long to, long coins) {
    return bed.db.transactionResult(
        tx -> {
          String move = "UPDATE {accounts} SET coins = coins + ? WHERE id = ? AND coins + ? >= 0";
          if (tx.update(move, -coins, from, -coins) != 1) {
            throw tx.rollback("poor");
          }
          return tx.update(move, coins, to, coins);
        });
  }

  @Test
  void aThousandTransfersFromEightThreadsKeepTheSum() throws Exception {
    Bed.await(accounts.insert(LongStream.range(0, 8).mapToObj(id -> new Account(id, 50)).toList()));
    AtomicInteger poor = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      int self = number;
      threads.add(
          new Thread(
              () -> {
                for (int turn = 0; turn < 125; turn++) {
                  try {
                    Bed.await(transfer(self, (self + 1 + turn % 7) % 8, 1 + turn % 40));
                    done.incrementAndGet();
                  } catch (TickwellException e) {
                    assertEquals("poor", e.context().get("reason"));
                    poor.incrementAndGet();
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(1_000, done.get() + poor.get());
    assertTrue(done.get() > 0);
    assertEquals(
        400L, Bed.await(bed.db.query("SELECT sum(coins) AS s FROM {accounts}")).getLong(0, 0));
  }

  @Test
  void aBodySeesItsOwnWritesAndTheWritesBeforeIt() {
    accounts.insert(new Account(1, 1));
    long seen =
        Bed.await(
            bed.db.transactionResult(
                tx -> {
                  assertEquals(
                      2, tx.insert(accounts, List.of(new Account(2, 2), new Account(3, 3))));
                  assertEquals(new Account(2, 2), tx.select(accounts, eq("id", 2)).row(0));
                  assertEquals(1, tx.delete(accounts, eq("id", 3)));
                  return tx.count(accounts);
                }));
    assertEquals(2, seen);
    assertEquals(2, Bed.await(accounts.count()));
  }

  @Test
  void theFirstErrorIsKeptThoughTheBodySwallowsIt() {
    TickwellException e =
        Bed.failure(
            bed.db.transactionResult(
                tx -> {
                  tx.insert(accounts, new Account(1, 1));
                  for (int again = 0; again < 2; again++) {
                    try {
                      tx.insert(accounts, new Account(1, 1));
                    } catch (TickwellException swallowed) {
                      assertEquals(ErrorCode.UNIQUE_VIOLATION, swallowed.code());
                    }
                  }
                  return null;
                }));
    assertEquals(ErrorCode.UNIQUE_VIOLATION, e.code());
    assertEquals(0, Bed.await(accounts.count()));
  }

  @Test
  void waitingInsideForARequestFromOutsideIsRefused() {
    TickwellException e =
        Bed.failure(
            bed.db.transactionResult(tx -> accounts.insert(new Account(1, 1)).toFuture().join()));
    assertEquals(ErrorCode.WRONG_THREAD, e.code());
    assertEquals(1, Bed.await(accounts.count()), "the request itself was a request of its own");
  }

  @Test
  void aBodyOfATickThreadRunsElsewhere() {
    Thread server = bed.onServer(Thread::currentThread);
    Pending<Thread> pending =
        bed.onServer(() -> bed.db.transactionResult(tx -> Thread.currentThread()));
    assertNotSame(server, Bed.await(pending));
  }

  @Test
  void aBodyThatThrowsIsRolledBackAndTriedAgainOnlyWhenThatCanHelp() {
    AtomicInteger runs = new AtomicInteger();
    TransactionOptions options = TransactionOptions.DEFAULT.retryable();
    TickwellException defect =
        Bed.failure(
            bed.db.transactionResult(
                options,
                tx -> {
                  runs.incrementAndGet();
                  tx.insert(accounts, new Account(1, 1));
                  throw new IllegalStateException("no");
                }));
    assertEquals("no", defect.getCause().getMessage());
    assertEquals(1, runs.get());
    int last =
        Bed.await(
            bed.db.transactionResult(
                options,
                tx -> {
                  tx.insert(accounts, new Account(1, 1));
                  if (runs.incrementAndGet() < 4) {
                    throw Problems.of(ErrorCode.BUSY, "test", "try again");
                  }
                  return runs.get();
                }));
    assertEquals(4, last);
    assertEquals(1, Bed.await(accounts.count()));
  }

  @Test
  void aBodyThatIdlesLosesItsTurn() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Pending<Long> slow =
        bed.db.transactionResult(
            TransactionOptions.DEFAULT.idleLimit(Duration.ofMillis(20)),
            tx -> {
              tx.insert(accounts, new Account(1, 1));
              inside.countDown();
              over.await();
              return tx.count(accounts);
            });
    inside.await();
    assertEquals(1, Bed.await(accounts.insert(new Account(2, 2))));
    over.countDown();
    assertEquals(ErrorCode.TIMEOUT, Bed.failure(slow).code());
    assertEquals(1, Bed.await(accounts.count()));
  }

  @Test
  void aDisabledPluginsBodyIsInterruptedAndRolledBack() throws Exception {
    Owner other = bed.engine.owner("Other");
    var theirs = bed.engine.database(other, "main");
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Pending<Object> pending =
        theirs.transactionResult(
            tx -> {
              tx.update("CREATE TABLE theirs (n INTEGER)");
              inside.countDown();
              try {
                new CountDownLatch(1).await();
              } finally {
                interrupted.countDown();
              }
              return null;
            });
    var future = pending.toFuture();
    inside.await();
    assertEquals("Other", bed.engine.statistics().get("main.transaction"));
    other.close();
    interrupted.await();
    Bed.eventually("it ended", () -> !bed.engine.statistics().containsKey("main.transaction"));
    TickwellException gone =
        org.junit.jupiter.api.Assertions.assertThrows(
            TickwellException.class, () -> Bed.await(future));
    assertEquals(ErrorCode.GONE, gone.code());
    assertEquals(1, Bed.await(accounts.insert(new Account(1, 1))));
    assertFalse(
        Bed.await(bed.db.query("SELECT name FROM sqlite_master"))
            .toList()
            .toString()
            .contains("theirs"));
  }

  @Test
  void aBodyWithoutAValueNeedsNoReturn() {
    // The same expression is a body of either kind, and a block is what it returns.
    assertNull(Bed.await(bed.db.transaction(tx -> tx.insert(accounts, new Account(1, 1)))));
    assertEquals(
        1L,
        (long) Bed.await(bed.db.transactionResult(tx -> tx.insert(accounts, new Account(2, 2)))));
    Pending<Void> refused =
        bed.db.transaction(
            tx -> {
              tx.insert(accounts, new Account(3, 3));
              tx.rollback("no third");
            });
    assertEquals("no third", Bed.failure(refused).context().get("reason"));
    assertEquals(2, Bed.await(accounts.count()));
  }

  @Test
  void aFailureThatNobodyHandlesNamesTheCallOfTheTransaction() {
    dev.tickwell.elsewhere.Caller.failInTransaction(bed.db);
    Bed.eventually("the failure is logged", () -> !bed.log.isEmpty());
    String line = bed.log.getFirst();
    assertTrue(line.startsWith("ERROR Demo transaction of Demo at "), line);
    assertTrue(line.contains("Caller.failInTransaction(Caller.java:"), line);
  }
}
