package dev.tickwell.benchmark;

import dev.tickwell.benchmark.arm.Measurement;
import dev.tickwell.benchmark.arm.Work;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * The benchmark's place on the server thread: submits one statement at a time at the start of a
 * tick, and observes the gaps between ticks until one tick after its callback. {@link #observe} is
 * called once a tick by a repeating task; {@link #run} by any thread.
 */
final class TickThread {
  private record Job(Measurement measurement, Work work) {}

  private final LongSupplier endedTicks;
  private final Queue<Job> jobs = new ConcurrentLinkedQueue<>();
  private Measurement current;
  private long last;

  TickThread(LongSupplier endedTicks) {
    this.endedTicks = endedTicks;
  }

  /** Submits a statement at the next start of a tick at which no other is on its way. */
  Measurement run(Work work) {
    Measurement measurement = new Measurement(endedTicks);
    jobs.add(new Job(measurement, work));
    return measurement;
  }

  /** Once a tick, on the server thread. */
  void observe() {
    long now = System.nanoTime();
    if (current != null) {
      current.observedGap(now - last);
      if (current.tickCalled() || current.answered().isDone()) {
        current.close();
        current = null;
      }
    }
    last = now;
    Job job = current == null ? jobs.poll() : null;
    if (job != null) {
      start(job);
    }
  }

  private void start(Job job) {
    current = job.measurement();
    try {
      current.begin();
      job.work().submit(current);
      current.submitted();
    } catch (RuntimeException e) {
      current.fault(e);
    }
  }
}
