package dev.tickwell.core;

import dev.tickwell.Phases;
import java.util.Arrays;

/**
 * The times of one request while it runs, and their sums at its end. Guarded by its request; the
 * fields are those of {@link Phases}.
 */
final class PhaseTimes {
  private static final long[] NONE = {};

  private final long startedAt;
  private long wall;
  private long asyncWall;
  private long prepareMain;
  private long prepareAsync;
  private long resultAsync;
  private final long[] counters = new long[10];
  private final long[] tick = new long[8];
  // Whose tick it was submitted in; null off the tick.
  private Thread submitter;
  // The pieces of tick work that began in that tick, and what they took of it.
  private long[] inSubmitTick = NONE;
  private long submitTick;

  PhaseTimes(long startedAt) {
    this.startedAt = startedAt;
  }

  void prepared(long nanos, boolean onTickThread) {
    if (onTickThread) {
      prepareMain += nanos;
      submitter = Thread.currentThread();
    } else {
      prepareAsync += nanos;
    }
  }

  void read(Completion completion, long nanos) {
    resultAsync = nanos;
    for (int index = 0; index < counters.length; index++) {
      counters[index] = completion.counter(index);
    }
  }

  void asyncReady(long now) {
    asyncWall = now - startedAt;
  }

  /** The start of a callback on a tick thread; the first one counts. */
  void delivering(long now) {
    if (wall == 0) {
      wall = now - startedAt;
    }
  }

  /** Whether it was submitted after this time. */
  boolean isSince(long time) {
    return startedAt - time >= 0;
  }

  /** A piece of tick work begins on this thread, in a tick in which something was submitted. */
  void beginsInTickOfSubmit(long laneId) {
    // On a regionised server it may be the tick of another thread.
    if (submitter == Thread.currentThread()) {
      inSubmitTick = Arrays.copyOf(inSubmitTick, inSubmitTick.length + 1);
      inSubmitTick[inSubmitTick.length - 1] = laneId;
    }
  }

  /** Adds the record of one piece of tick work: sums, and the greatest of the two maxima. */
  void tickRecord(Completion record) {
    for (int index = 0; index < tick.length; index++) {
      long value = record.tickField(index);
      boolean greatest = index == 1 || index == 7;
      tick[index] = greatest ? Math.max(tick[index], value) : tick[index] + value;
    }
    for (long laneId : inSubmitTick) {
      if (laneId == record.requestId()) {
        submitTick += record.tickField(10);
      }
    }
  }

  /** The most in one tick: what was submitted and answered in the same one adds up. */
  private long busiestTick() {
    return Math.max(prepareMain + submitTick, tick[1]);
  }

  Phases phases() {
    return new Phases(
        wall,
        asyncWall,
        prepareMain + tick[0],
        busiestTick(),
        prepareMain,
        prepareAsync,
        tick[5],
        tick[2],
        tick[3],
        resultAsync,
        tick[4],
        counters[0],
        counters[1],
        counters[2],
        tick[6],
        tick[7],
        counters[3],
        counters[4],
        counters[5],
        counters[6],
        counters[7],
        counters[8],
        counters[9]);
  }

  /**
   * The fields of {@link Native#record} in their order. A request without a callback on a tick
   * thread counts with its asynchronous time, which is all that its caller waited: zeros would make
   * the percentiles meaningless.
   */
  static long[] fields(Phases phases) {
    return new long[] {
      phases.wallNs() == 0 ? phases.asyncWallNs() : phases.wallNs(),
      phases.asyncWallNs(),
      phases.mainNs(),
      phases.mainTickMaxNs(),
      phases.prepareMainNs(),
      phases.prepareAsyncNs(),
      phases.conversionMainNs(),
      phases.resultMainNs(),
      phases.resultAsyncNs(),
      phases.publishMainNs(),
      phases.executionNs(),
      phases.queueWaitNs(),
      phases.poolWaitNs()
    };
  }
}
