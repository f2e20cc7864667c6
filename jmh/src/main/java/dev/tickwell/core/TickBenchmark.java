package dev.tickwell.core;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The calls that a tick thread makes: what asking for the time and for work costs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class TickBenchmark {
  /** Long enough that no budget ends while one is measured. */
  private static final long BUDGET_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final int DELIVER = 1;

  private NativeRuntime runtime;
  private long lane;
  private int owner;
  private long request;

  /** Opens a lane in the middle of a tick. */
  @Setup
  public void open() {
    runtime = new NativeRuntime();
    owner = runtime.owner();
    lane = Native.openLane(runtime.handle());
    Native.tickStart(lane, BUDGET_NANOS);
  }

  /** Ends the tick and closes what was opened. */
  @TearDown
  public void close() throws Exception {
    Native.tickEnd(lane, 0);
    Native.closeLane(runtime.handle(), lane);
    runtime.close();
  }

  /** Asks a lane without work. */
  @Benchmark
  public long nextOnEmptyLane() {
    return Native.next(lane);
  }

  /** Queues one delivery, takes it, and asks again, which ends it. */
  @Benchmark
  public long readyAndNext() {
    // Ends the tick now and then: the records of finished requests leave a lane at a tick's end.
    if ((++request & 0x3FF) == 0) {
      Native.tickEnd(lane, 0);
      Native.awaitCompletions(runtime.handle(), 2048, 0);
      Native.tickStart(lane, BUDGET_NANOS);
    }
    Native.ready(lane, request, owner, 0, 0, DELIVER);
    long step = Native.next(lane);
    if (step != ((long) DELIVER << 56 | request)) {
      throw new IllegalStateException("the step is " + Long.toHexString(step));
    }
    return Native.next(lane);
  }
}
