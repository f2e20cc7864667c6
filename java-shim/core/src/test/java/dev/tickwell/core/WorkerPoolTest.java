package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Threads go on with what they began, both roles stay filled, and what a plugin does stops neither.
 */
class WorkerPoolTest {
  private static final String DATABASE = "main";

  /** Results that tests make: the leader runs each. */
  private final LinkedBlockingQueue<Runnable> arriving = new LinkedBlockingQueue<>();

  /** Requests that tests send: the encoder runs each, which tells whether it is left to it. */
  private final LinkedBlockingQueue<BooleanSupplier> sending = new LinkedBlockingQueue<>();

  /** What is executed: a thread that goes on with a request runs each. */
  private final LinkedBlockingQueue<Runnable> executing = new LinkedBlockingQueue<>();

  private final LinkedBlockingQueue<Runnable> reading = new LinkedBlockingQueue<>();

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger declined = new AtomicInteger();
  private final AtomicInteger leaders = new AtomicInteger();
  private final AtomicInteger mostLeaders = new AtomicInteger();
  private final AtomicInteger started = new AtomicInteger();
  private volatile boolean ended;

  private final Submissions queue = new Submissions(null, DATABASE);
  private final WorkerPool pool =
      new WorkerPool(
          1,
          new WorkerPool.Duties() {
            @Override
            public void started() {
              started.incrementAndGet();
            }

            @Override
            public boolean takeResults() {
              mostLeaders.accumulateAndGet(leaders.incrementAndGet(), Math::max);
              try {
                arriving.take().run();
                return !ended;
              } catch (InterruptedException e) {
                return true;
              } finally {
                leaders.decrementAndGet();
              }
            }

            @Override
            public boolean send(Submissions next) {
              assertSame(queue, next);
              return sending.remove().getAsBoolean();
            }

            @Override
            public void execute(String database) {
              assertEquals(DATABASE, database);
              executing.remove().run();
            }

            @Override
            public void executeRead(String database) {
              assertEquals(DATABASE, database);
              reading.remove().run();
            }

            @Override
            public void decline(String database) {
              assertEquals(DATABASE, database);
              declined.incrementAndGet();
            }

            @Override
            public void failed(Throwable thrown) {
              failures.add(thrown);
            }
          });

  @AfterEach
  void end() throws Exception {
    long deadline = System.nanoTime() + Bed.LIMIT.toNanos();
    assertTrue(pool.endRequests(deadline));
    arriving.add(() -> ended = true);
    assertTrue(pool.awaitResults(deadline));
    assertTrue(pool.stop(deadline));
    assertEquals(1, mostLeaders.get());
    assertEquals(3, started.get());
  }

  private void start() {
    pool.start();
    quiet();
  }

  /** Waits until both roles wait for something and one thread is idle. */
  private void quiet() {
    Bed.eventually("a leader waits", () -> leaders.get() == 1 && arriving.isEmpty());
    Bed.eventually("a thread is idle", pool::hasIdle);
  }

  /** A result with one callback; gives the thread that took it and the one that called back. */
  private CompletableFuture<Thread[]> result() {
    CompletableFuture<Thread[]> threads = new CompletableFuture<>();
    arriving.add(
        () -> {
          Thread leader = Thread.currentThread();
          pool.execute(() -> threads.complete(new Thread[] {leader, Thread.currentThread()}));
        });
    return threads;
  }

  /**
   * A request that is left to the encoder; gives the threads that sent it, executed it and called
   * back.
   */
  private CompletableFuture<Thread[]> request() {
    CompletableFuture<Thread[]> threads = new CompletableFuture<>();
    Thread[] seen = new Thread[3];
    executing.add(
        () -> {
          seen[1] = Thread.currentThread();
          pool.execute(
              () -> {
                seen[2] = Thread.currentThread();
                threads.complete(seen);
              });
        });
    sending.add(
        () -> {
          seen[0] = Thread.currentThread();
          return true;
        });
    pool.send(queue);
    return threads;
  }

  /** Occupies the one thread that may run callbacks, until the latch is released. */
  private Thread block(CountDownLatch release) {
    CompletableFuture<Thread> blocked = new CompletableFuture<>();
    pool.execute(
        () -> {
          blocked.complete(Thread.currentThread());
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return Bed.await(blocked);
  }

  @Test
  void theThreadThatTookAResultRunsItsCallback() {
    start();
    for (int round = 0; round < 50; round++) {
      quiet();
      Thread[] threads = Bed.await(result());
      assertSame(threads[0], threads[1]);
    }
  }

  @Test
  void theThreadThatSentARequestExecutesItAndRunsItsCallback() {
    start();
    for (int round = 0; round < 50; round++) {
      quiet();
      Thread[] threads = Bed.await(request());
      assertSame(threads[0], threads[1]);
      assertSame(threads[0], threads[2]);
    }
    assertEquals(0, declined.get());
  }

  @Test
  void anotherThreadSendsWhileOneExecutes() throws Exception {
    start();
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Thread> executes = new CompletableFuture<>();
    executing.add(
        () -> {
          executes.complete(Thread.currentThread());
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    sending.add(() -> true);
    pool.send(queue);
    Thread first = Bed.await(executes);
    CompletableFuture<Thread> sent = new CompletableFuture<>();
    sending.add(
        () -> {
          sent.complete(Thread.currentThread());
          return true;
        });
    pool.send(queue);
    assertNotSame(first, Bed.await(sent));
    // No third one is there to take the role, so the library's own threads get this one.
    Bed.eventually("the second is declined", () -> declined.get() == 1);
    release.countDown();
  }

  @Test
  void aBlockedCallbackLeavesBothRolesFilled() {
    start();
    CountDownLatch release = new CountDownLatch(1);
    Thread held = block(release);
    CompletableFuture<Thread[]> behind = result();
    for (int round = 0; round < 20; round++) {
      CompletableFuture<Thread> taken = new CompletableFuture<>();
      arriving.add(() -> taken.complete(Thread.currentThread()));
      assertNotEquals(held, Bed.await(taken));
      CompletableFuture<Thread> sent = new CompletableFuture<>();
      sending.add(
          () -> {
            sent.complete(Thread.currentThread());
            return true;
          });
      pool.send(queue);
      assertNotEquals(held, Bed.await(sent));
    }
    Bed.eventually("all are declined", () -> declined.get() == 20);
    assertFalse(behind.isDone());
    assertEquals(1, pool.queued());
    release.countDown();
    assertSame(held, Bed.await(behind)[1]);
  }

  @Test
  void whatACallerSentIsExecutedByAnIdleThreadOrDeclined() {
    start();
    CompletableFuture<Thread> executed = new CompletableFuture<>();
    executing.add(() -> executed.complete(Thread.currentThread()));
    pool.executeIn(DATABASE);
    assertTrue(Bed.await(executed).getName().startsWith("tickwell-worker-"));
    quiet();
    CountDownLatch release = new CountDownLatch(1);
    block(release);
    pool.executeIn(DATABASE);
    assertEquals(1, declined.get());
    release.countDown();
  }

  @Test
  void theThreadOfACallbackExecutesAfterwardsWhatThatLeftToIt() {
    start();
    assertFalse(pool.mayKeep(), "this thread runs no callback");
    for (int round = 0; round < 50; round++) {
      CompletableFuture<Thread[]> threads = new CompletableFuture<>();
      Thread[] seen = new Thread[3];
      boolean[] mayKeep = new boolean[2];
      reading.add(
          () -> {
            seen[1] = Thread.currentThread();
            pool.execute(
                () -> {
                  seen[2] = Thread.currentThread();
                  threads.complete(seen);
                });
          });
      pool.execute(
          () -> {
            mayKeep[0] = pool.mayKeep();
            pool.keep(DATABASE);
            mayKeep[1] = pool.mayKeep();
            assertEquals(1, reading.size());
            seen[0] = Thread.currentThread();
          });
      Bed.await(threads);
      assertTrue(mayKeep[0]);
      assertFalse(mayKeep[1], "one at a time");
      assertSame(seen[0], seen[1]);
      assertSame(seen[0], seen[2]);
    }
    assertEquals(List.of(), failures);
  }

  @Test
  void whatACallbackLeftThatDoesNotReturnIsDeclinedOnce() {
    start();
    for (int round = 1; round <= 20; round++) {
      CountDownLatch release = new CountDownLatch(1);
      CompletableFuture<Void> returned = new CompletableFuture<>();
      pool.execute(
          () -> {
            pool.keep(DATABASE);
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            returned.complete(null);
          });
      int expected = round;
      Bed.eventually("it is declined", () -> declined.get() == expected);
      release.countDown();
      Bed.await(returned);
      quiet();
    }
    // Nothing is there to be executed, which would be told.
    assertEquals(List.of(), failures);
    assertEquals(20, declined.get());
  }

  @Test
  void aTaskOfAnotherThreadRunsWhileTheLeaderWaits() {
    start();
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    pool.execute(() -> ran.complete(Thread.currentThread()));
    assertTrue(Bed.await(ran).getName().startsWith("tickwell-worker-"));
  }

  @Test
  void aTaskThatThrowsEndsNoThread() {
    start();
    IllegalStateException thrown = new IllegalStateException("told");
    pool.execute(
        () -> {
          throw thrown;
        });
    for (int round = 0; round < 3; round++) {
      Bed.await(result());
      Bed.await(request());
      quiet();
    }
    assertEquals(List.of(thrown), failures);
  }

  @Test
  void whatIsThrownWhileARoleIsFilledEndsNoThread() {
    start();
    IllegalStateException taking = new IllegalStateException("while taking results");
    arriving.add(
        () -> {
          throw taking;
        });
    AssertionError sent = new AssertionError("while sending");
    sending.add(
        () -> {
          throw sent;
        });
    pool.send(queue);
    IllegalStateException executed = new IllegalStateException("while executing");
    executing.add(
        () -> {
          throw executed;
        });
    Bed.eventually("both are told", () -> failures.size() == 2);
    quiet();
    pool.executeIn(DATABASE);
    Bed.eventually("all are told", () -> failures.size() == 3);
    for (int round = 0; round < 3; round++) {
      quiet();
      Bed.await(result());
      quiet();
      Bed.await(request());
    }
  }

  @Test
  void manySendersLoseNoRequest() throws Exception {
    start();
    int senders = 4;
    int each = 2_000;
    AtomicInteger executions = new AtomicInteger();
    for (int number = 0; number < senders * each; number++) {
      boolean left = number % 2 == 0;
      sending.add(() -> left);
      if (left) {
        executing.add(executions::incrementAndGet);
      }
    }
    Thread[] threads = new Thread[senders];
    for (int sender = 0; sender < senders; sender++) {
      threads[sender] =
          new Thread(
              () -> {
                for (int number = 0; number < each; number++) {
                  pool.send(queue);
                }
              });
      threads[sender].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Bed.eventually(
        "each is executed or declined",
        () -> executions.get() + declined.get() == senders * each / 2);
    assertTrue(sending.isEmpty());
  }

  @Test
  void afterTheEndTheCallerDoesWhatIsLeft() throws Exception {
    start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    assertTrue(pool.endRequests(deadline));
    AtomicInteger ran = new AtomicInteger();
    Thread self = Thread.currentThread();
    sending.add(
        () -> {
          assertSame(self, Thread.currentThread());
          ran.incrementAndGet();
          return true;
        });
    pool.send(queue);
    assertEquals(1, ran.get());
    assertEquals(1, declined.get());
    arriving.add(() -> ended = true);
    assertTrue(pool.awaitResults(deadline));
    assertTrue(pool.stop(deadline));
    pool.execute(ran::incrementAndGet);
    assertEquals(2, ran.get());
  }
}
