package dev.tickwell.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that take results and run asynchronous callbacks, as leader and followers. One thread
 * at a time, the leader, waits for completions; it alone is their consumer and runs no code of a
 * plugin. Having taken some, it hands its role to a thread that is idle and runs the callbacks
 * itself, which saves the time to wake another one. While no thread is idle it stays the leader and
 * the callbacks wait for the others: what blocks in a callback never holds up results.
 */
final class CallbackPool implements Executor {
  /** The leader's work. */
  interface Completions {
    /** Waits for completions once and handles them; false when there will be no more. */
    boolean take();

    /** A task threw. */
    void failed(Throwable thrown);
  }

  private final Completions completions;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger size = new AtomicInteger();
  // Apart from the monitor, in which only the pool's own threads wait.
  private final CountDownLatch lastTaken = new CountDownLatch(1);

  // Everything below is guarded by this.
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private int idle;
  private Thread leader;
  private boolean completionsEnded;
  private boolean stopped;

  /**
   * Threads that are not started yet.
   *
   * @param callbacks how many callbacks may run at a time; there is one thread more, for the leader
   */
  // Where the system takes a hint, ticks should win over background work; nothing relies on it.
  @SuppressWarnings("ThreadPriorityCheck")
  CallbackPool(int callbacks, Completions completions) {
    this.completions = completions;
    for (int number = 1; number <= callbacks + 1; number++) {
      Thread thread = new Thread(this::run, "tickwell-callback-" + number);
      thread.setDaemon(true);
      thread.setPriority(Thread.NORM_PRIORITY - 1);
      threads.add(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Queues a task. After the end the calling thread runs it: what waits is completed, no more. */
  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (!stopped) {
        tasks.add(task);
        size.incrementAndGet();
        // The leader sees to its own when it has handled all that it took.
        if (idle > 0 && Thread.currentThread() != leader) {
          notify();
        }
        return;
      }
    }
    task.run();
  }

  /** How many tasks wait. */
  int queued() {
    return size.get();
  }

  /** How many threads have nothing to do. */
  synchronized int idle() {
    return idle;
  }

  private void run() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        completions.failed(e);
      }
    }
  }

  /** What the calling thread runs next, having led until there is something; null at the end. */
  private Runnable next() {
    Runnable task = follow();
    while (task == null && leads()) {
      task = lead();
      if (task == null) {
        task = follow();
      }
    }
    return task;
  }

  private synchronized boolean leads() {
    return leader == Thread.currentThread();
  }

  /** Waits for a task; null when this thread has taken the free role instead, and at the end. */
  private synchronized Runnable follow() {
    while (true) {
      if (leader == null && !completionsEnded) {
        leader = Thread.currentThread();
        return null;
      }
      Runnable task = take();
      if (task != null) {
        return task;
      }
      if (stopped) {
        return null;
      }
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        // Meant for a callback that has ended by now.
      } finally {
        idle--;
      }
    }
  }

  private Runnable take() {
    Runnable task = tasks.poll();
    if (task != null) {
      size.decrementAndGet();
    }
    return task;
  }

  /**
   * Takes completions until there are callbacks to run and a thread to take the role; gives the
   * first callback, or null when there are no more completions.
   */
  private Runnable lead() {
    while (completions.take()) {
      synchronized (this) {
        if (!tasks.isEmpty() && idle > 0) {
          leader = null;
          // One for the role, and one for each callback but the first, which this thread runs.
          for (int woken = Math.min(idle, tasks.size()); woken > 0; woken--) {
            notify();
          }
          return take();
        }
      }
    }
    synchronized (this) {
      leader = null;
      completionsEnded = true;
      notifyAll();
    }
    lastTaken.countDown();
    return null;
  }

  /** Waits until there are no more completions, up to a {@link System#nanoTime} deadline. */
  boolean awaitCompletions(long deadline) throws InterruptedException {
    return lastTaken.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /**
   * Refuses new tasks and waits for those that there are, up to a {@link System#nanoTime} deadline;
   * then drops and interrupts them and gives false.
   */
  boolean stop(long deadline) throws InterruptedException {
    synchronized (this) {
      stopped = true;
      notifyAll();
    }
    for (Thread thread : threads) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (thread != Thread.currentThread()) {
        thread.join(Math.max(1, left));
      }
    }
    if (threads.stream().noneMatch(Thread::isAlive)) {
      return true;
    }
    synchronized (this) {
      size.addAndGet(-tasks.size());
      tasks.clear();
    }
    threads.forEach(Thread::interrupt);
    return false;
  }
}
