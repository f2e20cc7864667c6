package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Pending;
import dev.tickwell.TickwellException;
import dev.tickwell.elsewhere.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Callbacks that wait for results, which come on the threads of callbacks. */
class WaitingTest {
  /** More than there are threads, so that all of them would wait. */
  private static final int CALLBACKS = 40;

  private Bed bed;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private CompletableFuture<Long> count() {
    return bed.db.query("SELECT 1 AS n").toFuture().thenApply(rows -> rows.getLong(0, 0));
  }

  @Test
  void aCallbackThatWaitsForAResultIsRefused() {
    // Held until every wait has been tried, so that none of them is done.
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Void> held = bed.db.transaction(tx -> end.await()).toFuture();
    ConcurrentLinkedQueue<Throwable> refused = new ConcurrentLinkedQueue<>();
    CountDownLatch tried = new CountDownLatch(CALLBACKS);
    for (int index = 0; index < CALLBACKS; index++) {
      List<Executable> waits =
          List.of(
              held::join,
              held::get,
              () -> held.get(1, TimeUnit.DAYS),
              held.thenApply(nothing -> 1)::join);
      Executable wait = waits.get(index % waits.size());
      bed.db
          .query("SELECT 1")
          .async(
              rows -> {
                refused.add(assertThrows(TickwellException.class, wait));
                tried.countDown();
              });
    }
    Bed.eventually("all have been refused", () -> tried.getCount() == 0);
    for (Throwable each : refused) {
      TickwellException failure = (TickwellException) each;
      assertEquals(ErrorCode.WRONG_THREAD, failure.code());
      assertTrue(failure.getMessage().contains("use thenCompose"), failure::getMessage);
      assertEquals("Demo", failure.context().get("plugin"));
    }
    assertEquals(CALLBACKS, refused.size());
    end.countDown();
    Bed.await(held);
  }

  @Test
  void oneResultAfterAnotherNeedsNoWaiting() {
    List<CompletableFuture<Long>> chains = new ArrayList<>();
    for (int index = 0; index < CALLBACKS; index++) {
      chains.add(count().thenCompose(one -> count().thenApply(two -> one + two)));
    }
    for (CompletableFuture<Long> chain : chains) {
      assertEquals(2, Bed.await(chain));
    }
  }

  @Test
  void callbacksBehindWhichAllOthersWaitAreNamed() {
    CountDownLatch end = new CountDownLatch(1);
    List<Pending<?>> callbacks = new ArrayList<>();
    assertNull(bed.engine.stuckCallbacks(System.nanoTime()));
    for (int index = 0; index < CALLBACKS; index++) {
      callbacks.add(bed.db.query("SELECT 1").async(rows -> Caller.waitFor(end)));
    }
    Bed.eventually("all threads wait", () -> bed.engine.stuckCallbacks(System.nanoTime()) != null);
    // Not for a time at which they did not.
    assertNull(bed.engine.stuckCallbacks(System.nanoTime() - TimeUnit.HOURS.toNanos(1)));
    String line = bed.engine.stuckCallbacks(System.nanoTime());
    assertTrue(line.contains("Demo at dev.tickwell.elsewhere.Caller.waitFor("), line);
    end.countDown();
    callbacks.forEach(Bed::await);
    Bed.eventually(
        "no thread waits any more", () -> bed.engine.stuckCallbacks(System.nanoTime()) == null);
  }

  @Test
  void whatIsDoneIsGivenAnywhere() {
    CompletableFuture<Long> done = count();
    Bed.await(done);
    long again = Bed.await(count().thenApply(one -> done.join()));
    assertEquals(1, again);
  }
}
