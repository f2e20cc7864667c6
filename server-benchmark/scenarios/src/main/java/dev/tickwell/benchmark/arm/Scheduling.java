package dev.tickwell.benchmark.arm;

/** The three things that a plugin without Tickwell asks of the server's scheduler. */
public interface Scheduling {
  /** Runs a task off the server thread. */
  void async(Runnable task);

  /** Runs a task on the server thread as soon as it takes tasks. */
  void sync(Runnable task);

  /** Runs a task on the server thread in the next tick; called on the server thread. */
  void nextTick(Runnable task);
}
