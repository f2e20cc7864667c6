package dev.tickwell.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
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
  CallbackPool(int callbacks, Completions completions) {
    this.completions = completions;
    for (int number = 1; number <= callbacks + 1; number++) {
      Thread thread = new Thread(this::run, "tickwell-callback-" + number);
      thread.setDaemon(true);
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

  private void run() {
    Native.background();
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        completions.failed(e);
      }
    }
  }

  /** What the calling thread does next, leading first of all; null at the end. */
  private synchronized Runnable next() {
    while (true) {
      if (leader == null && !completionsEnded) {
        leader = Thread.currentThread();
        return this::lead;
      }
      Runnable task = tasks.poll();
      if (task != null) {
        size.decrementAndGet();
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

  /** Takes completions until there are callbacks to run and a thread to take the role. */
  private void lead() {
    while (completions.take()) {
      synchronized (this) {
        if (!tasks.isEmpty() && idle > 0) {
          leader = null;
          // One for the role, and one for each callback but the first, which this thread runs.
          for (int woken = Math.min(idle, tasks.size()); woken > 0; woken--) {
            notify();
          }
          return;
        }
      }
    }
    synchronized (this) {
      leader = null;
      completionsEnded = true;
      notifyAll();
    }
  }

  /** Waits until there are no more completions, up to a {@link System#nanoTime} deadline. */
  synchronized boolean awaitCompletions(long deadline) throws InterruptedException {
    while (!completionsEnded) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
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
