package dev.tickwell.benchmark.arm;

/** The two things that a plugin without Tickwell asks of the server's scheduler. */
public interface Scheduling {
  /** Runs a task off the server thread. */
  void async(Runnable task);

  /** Runs a task on the server thread, at the next tick. */
  void sync(Runnable task);
}
