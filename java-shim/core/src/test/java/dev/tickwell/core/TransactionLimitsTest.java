package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Pending;
import dev.tickwell.TickwellException;
import dev.tickwell.TransactionOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limits of a transaction as a database is configured, and as a plugin asks for them. */
class TransactionLimitsTest {
  private Bed bed;

  private void open(Map<String, String> settings) {
    bed = new Bed(Bed.temporary(), Map.of(), settings);
    Bed.await(bed.db.update("CREATE TABLE t (n INTEGER)"));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private long count() {
    return Bed.await(bed.db.query("SELECT count(*) AS n FROM t")).getLong(0, 0);
  }

  /** A body that writes and then does nothing until the others' writes go on. */
  private Pending<Long> idling(TransactionOptions options) {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Pending<Long> idling =
        bed.db.transactionResult(
            options,
            tx -> {
              tx.update("INSERT INTO t VALUES (1)");
              inside.countDown();
              over.await();
              return tx.update("INSERT INTO t VALUES (2)");
            });
    try {
      inside.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Bed.await(bed.db.update("INSERT INTO t VALUES (3)"));
    over.countDown();
    return idling;
  }

  @Test
  void theIdleLimitIsTheDatabases() {
    open(Map.of("transaction-idle-millis", "21"));
    TickwellException failure = Bed.failure(idling(TransactionOptions.DEFAULT));
    assertEquals(ErrorCode.TIMEOUT, failure.code());
    assertTrue(failure.getMessage().contains("no statement came for 21 ms"), failure::getMessage);
    assertEquals(1, count());
  }

  @Test
  void theLimitOfTheWholeIsTheDatabases() {
    open(Map.of("transaction-limit-millis", "22"));
    TickwellException failure =
        Bed.failure(
            bed.db.transactionResult(
                tx -> {
                  while (true) {
                    tx.update("INSERT INTO t VALUES (1)");
                  }
                }));
    assertEquals(ErrorCode.TIMEOUT, failure.code());
    assertTrue(failure.getMessage().contains("limit of 22 ms"), failure::getMessage);
    assertEquals(0, count());
  }

  @Test
  void aPluginMayAskForOthers() {
    open(Map.of("transaction-idle-millis", "60000"));
    TickwellException failure =
        Bed.failure(idling(TransactionOptions.DEFAULT.idleLimit(Duration.ofMillis(23))));
    assertTrue(failure.getMessage().contains("no statement came for 23 ms"), failure::getMessage);
    assertEquals(1, count());
    for (Duration wrong : new Duration[] {Duration.ofNanos(1), Duration.ofMillis(-1)}) {
      TickwellException refused =
          assertThrows(TickwellException.class, () -> TransactionOptions.DEFAULT.limit(wrong));
      assertEquals(ErrorCode.INVALID_STATEMENT, refused.code());
    }
  }

  @Test
  void aBodyThatDoesNotEndKeepsTheEngineFromClosingNoLongerThanItsLimit() {
    open(Map.of());
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CompletableFuture<TickwellException> late = new CompletableFuture<>();
    Pending<Void> stuck =
        bed.db.transaction(
            tx -> {
              tx.update("INSERT INTO t VALUES (1)");
              inside.countDown();
              while (over.getCount() > 0) {
                try {
                  over.await();
                } catch (InterruptedException e) {
                  // As code does that knows no interrupts.
                }
              }
              late.complete(
                  assertThrows(
                      TickwellException.class, () -> tx.update("INSERT INTO t VALUES (2)")));
            });
    try {
      inside.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    ShutdownReport report = bed.engine.close(Duration.ofMillis(300));
    assertEquals(Map.of("main/transactions", "1 writes, 1 rows"), report.unwritten());
    // The bed's own end must find everything closed, too.
    assertEquals(report, bed.engine.close(Duration.ZERO));
    assertEquals(ErrorCode.GONE, Bed.failure(stuck).code());
    over.countDown();
    assertEquals(ErrorCode.INVALID_HANDLE, Bed.await(late).code());
  }
}
