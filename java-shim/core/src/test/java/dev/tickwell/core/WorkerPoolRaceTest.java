package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Bursts of a few requests from several threads, each followed by silence: a wake-up that gets lost
 * stays lost, since nothing comes after it. Every request must end in one callback.
 */
class WorkerPoolRaceTest {
  private static final int ROUNDS = 4_000;
  private static final int POOLS = 200;
  private static final int CALLERS = 3;
  private static final String DATABASE = "main";

  /** A library whose requests do nothing: what is declined comes back as a result. */
  private static final class Library implements WorkerPool.Duties {
    final LinkedBlockingQueue<Runnable> results = new LinkedBlockingQueue<>();
    final Queue<Boolean> sending = new ConcurrentLinkedQueue<>();
    final AtomicInteger sent = new AtomicInteger();
    final AtomicInteger called = new AtomicInteger();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final Submissions queue = new Submissions(null, DATABASE);
    final WorkerPool pool;
    // What callbacks wait for: requests that are sent, and results that are taken.
    volatile CountDownLatch progress = new CountDownLatch(0);
    volatile boolean ended;

    Library(int callbacks) {
      pool = new WorkerPool(callbacks, this);
      pool.start();
    }

    @Override
    public void started() {}

    @Override
    public boolean takeResults() {
      try {
        results.take().run();
      } catch (InterruptedException e) {
        // Meant for a callback.
      }
      return !ended;
    }

    @Override
    public boolean send(Submissions next) {
      boolean left = sending.remove();
      sent.incrementAndGet();
      progress.countDown();
      if (!left) {
        decline(DATABASE);
      }
      return left;
    }

    @Override
    public void execute(String database) {
      pool.execute(called::incrementAndGet);
    }

    @Override
    public void executeRead(String database) {
      execute(database);
    }

    @Override
    public void decline(String database) {
      results.add(() -> pool.execute(called::incrementAndGet));
    }

    @Override
    public void failed(Throwable thrown) {
      failures.add(thrown);
    }

    /** A request, of one of the ways that there are; each ends in one callback. */
    void request(int way) {
      switch (way) {
        case 0, 1, 2 -> {
          sending.add(way > 0);
          pool.send(queue);
        }
        case 3 -> decline(DATABASE);
        case 4 -> pool.executeIn(DATABASE);
        case 5 -> pool.execute(this::keep);
        default -> pool.execute(called::incrementAndGet);
      }
    }

    /** What a callback submits. */
    private void keep() {
      if (pool.mayKeep()) {
        pool.keep(DATABASE);
      } else {
        pool.executeIn(DATABASE);
      }
    }

    void end() throws InterruptedException {
      long deadline = System.nanoTime() + Bed.LIMIT.toNanos();
      assertTrue(pool.endRequests(deadline), "the encoder has not ended");
      results.add(() -> ended = true);
      assertTrue(pool.awaitResults(deadline), "the leader has not ended");
      assertTrue(pool.stop(deadline), "threads have not ended");
      assertEquals(List.of(), failures);
    }
  }

  /** Runs one thing on several threads at once. */
  private static void race(int callers, java.util.function.IntConsumer caller) throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    for (int number = 0; number < callers; number++) {
      int self = number;
      Thread thread = new Thread(() -> caller.accept(self), "caller-" + number);
      thread.setUncaughtExceptionHandler((failed, e) -> thrown.add(e));
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), thrown);
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(Bed.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the others do not come", e);
    }
  }

  /** A seed that a failure names: the callers' choices, not the moments at which they run. */
  private static SplittableRandom random(long seed, int caller) {
    return new SplittableRandom(seed * CALLERS + caller);
  }

  private static void bursts(int callbacks) throws Exception {
    Library library = new Library(callbacks);
    AtomicInteger expected = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(CALLERS);
    race(
        CALLERS,
        caller -> {
          for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = random(round, caller);
            int requests = random.nextInt(3);
            expected.addAndGet(requests);
            meet(barrier);
            for (int request = 0; request < requests; request++) {
              library.request(random.nextInt(7));
            }
            meet(barrier);
            if (caller == 0) {
              int number = round;
              Bed.eventually(
                  "round " + number + " with " + callbacks + " threads for callbacks ends",
                  () -> library.called.get() == expected.get());
            }
            meet(barrier);
          }
        });
    assertEquals(expected.get(), library.called.get());
    library.end();
  }

  @Test
  void noWakeUpIsLostWithOneThreadForCallbacks() throws Exception {
    bursts(1);
  }

  @Test
  void noWakeUpIsLostWithTwoThreadsForCallbacks() throws Exception {
    bursts(2);
  }

  /** Each comes a different moment after the one before was sent, when the encoder has no more. */
  @Test
  void noRequestIsLostThatComesAsTheEncoderGoesToSleep() throws Exception {
    Library library = new Library(1);
    SplittableRandom random = random(0, 0);
    for (int round = 0; round < ROUNDS * 10; round++) {
      int sent = round;
      Bed.eventually("request " + sent + " is sent", () -> library.sent.get() == sent);
      for (int spins = random.nextInt(40); spins > 0; spins--) {
        Thread.onSpinWait();
      }
      library.request(0);
    }
    Bed.eventually("all are called", () -> library.called.get() == ROUNDS * 10);
    library.end();
  }

  @Test
  void callbacksThatWaitForResultsHoldUpNeitherRequestsNorResults() throws Exception {
    Library library = new Library(2);
    for (int round = 0; round < ROUNDS / 20; round++) {
      CountDownLatch progress = new CountDownLatch(4);
      library.progress = progress;
      AtomicInteger freed = new AtomicInteger();
      // More than there are threads for them, all of which wait for what comes behind.
      for (int blocked = 0; blocked < 4; blocked++) {
        library.pool.execute(
            () -> {
              try {
                if (progress.await(Bed.LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                  freed.incrementAndGet();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
      race(
          2,
          caller -> {
            library.request(caller);
            library.results.add(progress::countDown);
          });
      int called = (round + 1) * 2;
      Bed.eventually("all are called", () -> freed.get() == 4 && library.called.get() == called);
    }
    library.end();
  }

  @Test
  void whatIsSentWhileItEndsIsSentOnce() throws Exception {
    for (int round = 0; round < POOLS; round++) {
      Library library = new Library(1);
      AtomicInteger expected = new AtomicInteger();
      int seed = round;
      race(
          CALLERS,
          caller -> {
            SplittableRandom random = random(seed, caller);
            for (int request = random.nextInt(4); request > 0; request--) {
              expected.incrementAndGet();
              library.request(random.nextInt(3));
            }
            if (caller == 0) {
              try {
                long deadline = System.nanoTime() + Bed.LIMIT.toNanos();
                assertTrue(library.pool.endRequests(deadline), "round " + seed);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
          });
      library.end();
      assertEquals(expected.get(), library.sent.get(), "sent in round " + round);
      assertEquals(expected.get(), library.called.get(), "called in round " + round);
    }
  }
}
