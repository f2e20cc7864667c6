package dev.tickwell.plugin;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Runs what an owner's command starts and a tick must not wait for, one task at a time, each on a
 * thread of its own that ends with it. Any thread may start a task.
 */
final class Background {
  static final String THREAD_NAME = "tickwell-command";

  private final AtomicReference<Thread> running = new AtomicReference<>();

  /**
   * Starts the task; false when another one runs.
   *
   * @param failed is told what the task throws, which then goes to the log as any thread's end does
   * @param after what follows once another task may be started
   */
  boolean start(Runnable task, Consumer<RuntimeException> failed, Runnable after) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(THREAD_NAME)
            .unstarted(
                () -> {
                  try {
                    task.run();
                  } catch (RuntimeException e) {
                    failed.accept(e);
                    throw e;
                  } finally {
                    running.set(null);
                  }
                  after.run();
                });
    if (!running.compareAndSet(null, thread)) {
      return false;
    }
    thread.start();
    return true;
  }

  /** Waits for the task that runs, which the end of the engine makes fail soon. */
  void awaitEnd(Duration limit) {
    Thread thread = running.get();
    if (thread == null) {
      return;
    }
    try {
      thread.join(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
