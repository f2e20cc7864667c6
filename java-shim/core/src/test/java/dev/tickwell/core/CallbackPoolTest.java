package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One thread leads, the others follow, and what a plugin does stops neither. */
class CallbackPoolTest {
  /** Completions that tests make: the leader runs each. */
  private final LinkedBlockingQueue<Runnable> arriving = new LinkedBlockingQueue<>();

  private volatile boolean ended;

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger leaders = new AtomicInteger();
  private final AtomicInteger mostLeaders = new AtomicInteger();
  private final CallbackPool pool =
      new CallbackPool(
          1,
          new CallbackPool.Completions() {
            @Override
            public boolean take() {
              mostLeaders.accumulateAndGet(leaders.incrementAndGet(), Math::max);
              try {
                Runnable next = arriving.take();
                next.run();
                return !ended;
              } catch (InterruptedException e) {
                return true;
              } finally {
                leaders.decrementAndGet();
              }
            }

            @Override
            public void failed(Throwable thrown) {
              failures.add(thrown);
            }
          });

  @AfterEach
  void end() throws Exception {
    arriving.add(() -> ended = true);
    long deadline = System.nanoTime() + Bed.LIMIT.toNanos();
    assertTrue(pool.awaitCompletions(deadline));
    assertTrue(pool.stop(deadline));
    assertEquals(1, mostLeaders.get());
  }

  /** A completion with one callback; gives the thread that took it and the one that called back. */
  private CompletableFuture<Thread[]> complete() {
    CompletableFuture<Thread[]> threads = new CompletableFuture<>();
    arriving.add(
        () -> {
          Thread leader = Thread.currentThread();
          pool.execute(() -> threads.complete(new Thread[] {leader, Thread.currentThread()}));
        });
    return threads;
  }

  @Test
  void theThreadThatTookAResultRunsItsCallback() {
    pool.start();
    for (int round = 0; round < 50; round++) {
      // The other thread is idle once the one before leads, so that there is one to take the role.
      Bed.eventually("a leader waits", () -> leaders.get() == 1);
      Bed.eventually("the other is idle", () -> pool.idle() == 1);
      Thread[] threads = Bed.await(complete());
      assertSame(threads[0], threads[1]);
    }
  }

  @Test
  void aBlockedCallbackLeavesTheLeaderToItsRole() throws Exception {
    pool.start();
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Thread> blocked = new CompletableFuture<>();
    arriving.add(
        () ->
            pool.execute(
                () -> {
                  blocked.complete(Thread.currentThread());
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    Thread held = Bed.await(blocked);
    CompletableFuture<Thread[]> behind = complete();
    // The leader goes on taking, and keeps the callback for a thread that may run one.
    for (int round = 0; round < 20; round++) {
      CompletableFuture<Thread> taken = new CompletableFuture<>();
      arriving.add(() -> taken.complete(Thread.currentThread()));
      assertNotEquals(held, Bed.await(taken));
    }
    assertFalse(behind.isDone());
    assertEquals(1, pool.queued());
    release.countDown();
    assertSame(held, Bed.await(behind)[1]);
  }

  @Test
  void aTaskOfAnotherThreadRunsWhileTheLeaderWaits() {
    pool.start();
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    pool.execute(() -> ran.complete(Thread.currentThread()));
    assertTrue(Bed.await(ran).getName().startsWith("tickwell-callback-"));
  }

  @Test
  void aTaskThatThrowsEndsNoThread() {
    pool.start();
    IllegalStateException thrown = new IllegalStateException("told");
    pool.execute(
        () -> {
          throw thrown;
        });
    for (int round = 0; round < 3; round++) {
      Bed.await(complete());
    }
    assertEquals(List.of(thrown), failures);
  }

  @Test
  void afterTheEndTheCallerRunsWhatWaits() throws Exception {
    pool.start();
    arriving.add(() -> ended = true);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    assertTrue(pool.awaitCompletions(deadline));
    assertTrue(pool.stop(deadline));
    AtomicInteger ran = new AtomicInteger();
    pool.execute(ran::incrementAndGet);
    assertEquals(1, ran.get());
  }
}
