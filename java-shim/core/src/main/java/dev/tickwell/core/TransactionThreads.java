package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that run the bodies of transactions, one for each database, since only one
 * transaction can write at a time. They end when they have been idle for a while. Any thread.
 */
final class TransactionThreads {
  private static final int MAX_QUEUED = 10_000;
  private static final long IDLE_SECONDS = 30;

  /** One of these threads. */
  static final class Runner extends Thread {
    // A low priority is a hint that ticks go first; nothing relies on it.
    @SuppressWarnings("ThreadPriorityCheck")
    Runner(Runnable work, String database) {
      super(
          () -> {
            Native.background();
            work.run();
          },
          "tickwell-transaction-" + database);
      setDaemon(true);
      setPriority(NORM_PRIORITY - 1);
    }
  }

  private final Map<String, ThreadPoolExecutor> executors = new ConcurrentHashMap<>();
  private final Set<TransactionRun<?>> running = ConcurrentHashMap.newKeySet();

  /** Queues a transaction; refused with {@code BUSY} when too many wait. */
  void submit(TransactionRun<?> run) {
    try {
      executors.computeIfAbsent(run.database(), TransactionThreads::executor).execute(task(run));
    } catch (RejectedExecutionException e) {
      throw Problems.caused(
          e,
          ErrorCode.BUSY,
          "transaction",
          "more than " + MAX_QUEUED + " transactions wait for this database, or it is closing",
          "database",
          run.database());
    }
  }

  private Runnable task(TransactionRun<?> run) {
    return () -> {
      running.add(run);
      try {
        run.owner().run(run);
      } finally {
        running.remove(run);
        // Meant for the body, which has ended.
        Thread.interrupted();
      }
    };
  }

  private static ThreadPoolExecutor executor(String database) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED),
            work -> new Runner(work, database));
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Interrupts the bodies of a plugin and rolls their transactions back. */
  void ownerClosed(Owner owner) {
    for (TransactionRun<?> run : running) {
      if (run.owner() == owner) {
        run.interrupt();
      }
    }
  }

  /** Interrupts what still runs; what waits finds its database closed. */
  void stop() {
    running.forEach(TransactionRun::interrupt);
    executors.values().forEach(ThreadPoolExecutor::shutdown);
  }
}
