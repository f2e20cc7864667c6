package dev.tickwell.benchmark.arm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What is measured of one statement, from its submission on the server thread to its last callback.
 * Each part is filled by the thread that it belongs to; {@link #answered()} completes, with all of
 * them visible, when the asynchronous callback, the tick callback and the phases are there.
 */
public final class Measurement {
  private static final int PARTS = 3;

  private final LongSupplier endedTicks;
  private final AtomicInteger missing = new AtomicInteger(PARTS);
  private final AtomicInteger asyncCallbacks = new AtomicInteger();
  private final AtomicInteger tickCallbacks = new AtomicInteger();
  private final CompletableFuture<Void> answered = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final Map<String, Long> phases = new LinkedHashMap<>();
  private volatile Throwable fault;
  private volatile Throwable failure;
  private long begun;
  private long begunTick;
  private long submitted;
  private long async;
  private long consumed;
  private long ticked;
  private long tickedTick;
  private volatile boolean tickCalled;
  private long gap;
  private long value;
  private Supplier<List<?>> result = List::of;

  /** A measurement that reads the number of ended ticks from here. */
  public Measurement(LongSupplier endedTicks) {
    this.endedTicks = endedTicks;
  }

  /** The statement is about to be submitted. Server thread. */
  public void begin() {
    begunTick = endedTicks.getAsLong();
    begun = System.nanoTime();
  }

  /** How many ticks have ended since the submit. Server thread. */
  public long ticksSinceSubmit() {
    return endedTicks.getAsLong() - begunTick;
  }

  /** The submitting call has returned. Server thread. */
  public void submitted() {
    submitted = System.nanoTime();
  }

  /** An asynchronous callback has the result. */
  public void asyncArrived() {
    async = System.nanoTime();
    asyncCallbacks.incrementAndGet();
  }

  /**
   * The asynchronous callback has read all of the result.
   *
   * @param readValue the affected rows of a write, the checksum of a read
   */
  public void consumed(long readValue) {
    consumed = System.nanoTime();
    value = readValue;
    part();
  }

  /** The asynchronous callback got a failure. */
  public void asyncFailed(Throwable error) {
    asyncArrived();
    failure = error;
    consumed = async;
    part();
  }

  /** The callback on the server thread has the result. */
  public void tickArrived() {
    ticked = System.nanoTime();
    tickedTick = endedTicks.getAsLong();
    tickCallbacks.incrementAndGet();
    tickCalled = true;
    part();
  }

  /** How the rows of a read can be had once more, as records, to be compared. */
  public void result(Supplier<List<?>> rows) {
    result = rows;
  }

  /** All phases are there. */
  public void phases(Map<String, Long> fields) {
    phases.putAll(fields);
    part();
  }

  /** Measuring itself went wrong; ends the measurement. */
  public void fault(Throwable error) {
    fault = error;
    answered.complete(null);
    closed.complete(null);
  }

  private void part() {
    if (missing.decrementAndGet() == 0) {
      answered.complete(null);
    }
  }

  /** An observer ran this long after its last run. Server thread. */
  public void observedGap(long nanos) {
    gap = Math.max(gap, nanos);
  }

  /** Whether the callback on the server thread has run. */
  public boolean tickCalled() {
    return tickCalled;
  }

  /** The observer ran once more after the tick callback. Server thread. */
  public void close() {
    closed.complete(null);
  }

  /** Completes when everything has been measured and the gap is known. */
  public CompletableFuture<Void> answered() {
    return CompletableFuture.allOf(answered, closed);
  }

  /** What went wrong with the measuring, or null. */
  public Throwable fault() {
    if (fault == null && (asyncCallbacks.get() != 1 || tickCallbacks.get() != 1)) {
      return new IllegalStateException(
          "callbacks ran "
              + asyncCallbacks.get()
              + " times off and "
              + tickCallbacks.get()
              + " times on the server thread, and have to run once each");
    }
    return fault;
  }

  /** The statement's own failure, or null. */
  public Throwable failure() {
    return failure;
  }

  /** The affected rows of a write, the checksum of a read. */
  public long value() {
    return value;
  }

  /** The rows of a read. */
  public List<?> rows() {
    return result.get();
  }

  /** The fields of the sample, in the order of the report. */
  public Map<String, Long> fields() {
    Map<String, Long> fields = new LinkedHashMap<>();
    fields.put("wallNs", ticked - begun);
    fields.put("asyncWallNs", async - begun);
    fields.put("consumedNs", consumed - begun);
    fields.put("gapNs", gap);
    fields.put("ticks", tickedTick - begunTick);
    fields.put("submitNs", submitted - begun);
    fields.putAll(phases);
    return fields;
  }
}
