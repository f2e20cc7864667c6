package dev.tickwell.core;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The encoder thread: takes the queues of {@link Submissions} that have a request to send, one
 * request of each in turn. {@link #wake} may be called on any thread and takes no lock, as tick
 * threads call it.
 */
final class Encoder {
  private final Engine engine;
  private final Queue<Submissions> ready = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  // Set by the encoder before it looks for the last time and parks.
  private volatile boolean parked;
  private volatile boolean stopped;

  Encoder(Engine engine) {
    this.engine = engine;
    thread = new Thread(this::run, "tickwell-encoder-1");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Has a queue drained of one request. After the end the calling thread does it. */
  void wake(Submissions submissions) {
    ready.add(submissions);
    if (parked) {
      LockSupport.unpark(thread);
    }
    if (stopped && !thread.isAlive()) {
      drainAll();
    }
  }

  private void run() {
    Native.background();
    while (true) {
      drainAll();
      if (stopped) {
        return;
      }
      parked = true;
      if (ready.isEmpty() && !stopped) {
        LockSupport.park(this);
      }
      parked = false;
    }
  }

  private void drainAll() {
    for (Submissions next = ready.poll(); next != null; next = ready.poll()) {
      try {
        next.drain();
      } catch (RuntimeException | Error e) {
        engine.log(System.Logger.Level.ERROR, null, "a request could not be sent", e);
      }
    }
  }

  /** Ends the thread once nothing is left to encode; gives whether it has ended in time. */
  boolean stop(long deadline) throws InterruptedException {
    stopped = true;
    LockSupport.unpark(thread);
    long left = Math.max(100, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    thread.join(left);
    if (thread.isAlive()) {
      return false;
    }
    drainAll();
    return true;
  }
}
