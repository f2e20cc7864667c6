package dev.tickwell.benchmark.small;

import dev.tickwell.benchmark.shape.Numbers.Stats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Requests of one row each that are all submitted in one tick, as when a crowd joins, each with a
 * callback on the server thread. Submitted and delivered there; what the requests cost that thread
 * may be told by any.
 */
final class CrowdRound {
  private static final long PATIENCE_SECONDS = 60;

  private final List<Stats> rows;
  private final LongSupplier endedTicks;
  private final long[] latencies;
  private final AtomicLong mainNanos = new AtomicLong();
  private final AtomicInteger missing;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private long begun;
  private long begunTick;
  private long submitted;
  private long ended;
  private long endedTick;

  /**
   * A round.
   *
   * @param rows what each request writes, or has to read
   * @param endedTicks how many ticks have ended
   */
  CrowdRound(List<Stats> rows, LongSupplier endedTicks) {
    this.rows = rows;
    this.endedTicks = endedTicks;
    this.latencies = new long[rows.size()];
    // Each is delivered and tells its cost.
    this.missing = new AtomicInteger(2 * rows.size());
  }

  /** How many requests there are. */
  int size() {
    return rows.size();
  }

  /** The row that a request is about. */
  Stats row(int request) {
    return rows.get(request);
  }

  /** Submits all of them by the arm's own way. Server thread. */
  void submit(Runnable requests) {
    begunTick = endedTicks.getAsLong();
    begun = System.nanoTime();
    try {
      requests.run();
    } catch (RuntimeException e) {
      failed(e);
    }
    submitted = System.nanoTime();
  }

  /** A read's row has arrived; null when there was none. Server thread. */
  void loaded(int request, Stats found) {
    if (!rows.get(request).equals(found)) {
      failed(new IllegalStateException("read " + found + ", not " + rows.get(request)));
    }
    delivered(request);
  }

  /** A write's acknowledgement has arrived. Server thread. */
  void saved(int request, long affected) {
    if (affected != 1) {
      failed(new IllegalStateException("one row was written, " + affected + " were affected"));
    }
    delivered(request);
  }

  private void delivered(int request) {
    ended = System.nanoTime();
    endedTick = endedTicks.getAsLong();
    latencies[request] = ended - begun;
    part();
  }

  /** All that one of the requests took of the server thread, in nanoseconds. */
  void cost(long nanos) {
    mainNanos.addAndGet(nanos);
    part();
  }

  private void part() {
    if (missing.decrementAndGet() == 0) {
      done.complete(null);
    }
  }

  /** A request failed, which ends the round. */
  void failed(Throwable thrown) {
    done.completeExceptionally(thrown);
  }

  /**
   * Waits until all are delivered.
   *
   * @throws IllegalStateException when one failed, was wrong, or was not delivered
   */
  void await() throws InterruptedException {
    try {
      done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "not all was delivered; missing: " + missing.get() + " of " + 2 * rows.size(), e);
    }
  }

  /** What was measured. After {@link #await}. */
  Map<String, Long> fields() {
    Map<String, Long> fields = new LinkedHashMap<>();
    fields.put("wallNs", ended - begun);
    fields.put("ticks", endedTick - begunTick);
    fields.put("submitNs", submitted - begun);
    fields.put("mainNs", mainNanos.get());
    return fields;
  }

  /** When each was delivered, in nanoseconds from the first submit. After {@link #await}. */
  long[] latencies() {
    return latencies;
  }
}
