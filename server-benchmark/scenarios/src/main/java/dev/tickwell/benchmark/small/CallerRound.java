package dev.tickwell.benchmark.small;

import dev.tickwell.benchmark.shape.Numbers.Stats;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A fixed number of requests of one row, shared by callers each of which has one on its way at any
 * time. The callers may use any threads; the others wait in {@link #await}.
 */
final class CallerRound {
  /** There is no request left. */
  static final int NONE = -1;

  private static final long PATIENCE_SECONDS = 120;

  private final List<Stats> rows;
  private final long[] latencies;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch callers;
  private final long begun = System.nanoTime();
  private volatile long ended;

  /**
   * A round that begins now.
   *
   * @param rows what each request writes, or has to read
   * @param callers how many share them
   */
  CallerRound(List<Stats> rows, int callers) {
    this.rows = rows;
    this.latencies = new long[rows.size()];
    this.callers = new CountDownLatch(callers);
  }

  /** The number of a caller's next request, or {@link #NONE}; nothing is left after a failure. */
  int next() {
    int request = next.getAndIncrement();
    return request < rows.size() && failure.get() == null ? request : NONE;
  }

  /** The row that a request is about. */
  Stats row(int request) {
    return rows.get(request);
  }

  /** A read was answered this long after it was submitted; null when there was no such row. */
  void loaded(int request, long nanos, Stats found) {
    if (!rows.get(request).equals(found)) {
      failed(new IllegalStateException("read " + found + ", not " + rows.get(request)));
    }
    answered(request, nanos);
  }

  /** A write was acknowledged this long after it was submitted. */
  void saved(int request, long nanos, long affected) {
    if (affected != 1) {
      failed(new IllegalStateException("one row was written, " + affected + " were affected"));
    }
    answered(request, nanos);
  }

  private void answered(int request, long nanos) {
    latencies[request] = nanos;
    answered.incrementAndGet();
  }

  /** A request failed, which ends the round. */
  void failed(Throwable thrown) {
    failure.compareAndSet(null, thrown);
  }

  /** A caller has no more to do. */
  void callerEnded() {
    // The last one to write is the last one to end.
    ended = System.nanoTime();
    callers.countDown();
  }

  /**
   * Waits for all callers.
   *
   * @throws IllegalStateException when a request failed, was wrong, or was not answered
   */
  void await() throws InterruptedException {
    boolean complete = callers.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (failure.get() != null) {
      throw new IllegalStateException("a request failed: " + failure.get(), failure.get());
    }
    if (!complete || answered.get() != rows.size()) {
      throw new IllegalStateException(
          answered.get() + " of " + rows.size() + " requests were answered");
    }
  }

  /** From the first submit to the last answer, in nanoseconds. After {@link #await}. */
  long elapsedNanos() {
    return ended - begun;
  }

  /** How long each request took, in nanoseconds. After {@link #await}. */
  long[] latencies() {
    return latencies;
  }
}
