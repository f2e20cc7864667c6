package dev.tickwell.benchmark.host.tick;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tasks by the tick in which they are due, then in the order in which they were added. Any thread
 * adds; the tick thread runs them in {@link #heartbeat}. A task without delay that is added while
 * others run is run in the same heartbeat, as the real scheduler does.
 */
public final class TickTasks {
  private final Queue<TickTask> inbox = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<TickTask> pending =
      new PriorityQueue<>(
          Comparator.comparingInt(TickTask::nextTick).thenComparingLong(TickTask::order));
  private final AtomicLong orders = new AtomicLong();
  private volatile int currentTick;

  /** Runs the task {@code delayTicks} after the current tick. */
  public void add(TickTask task, long delayTicks) {
    long tick = currentTick + Math.max(0, delayTicks);
    task.schedule((int) Math.min(Integer.MAX_VALUE, tick), orders.getAndIncrement());
    inbox.add(task);
  }

  /** Runs what is due in this tick. */
  public void heartbeat(int tick) {
    currentTick = tick;
    List<TickTask> again = new ArrayList<>();
    TickTask task;
    while ((task = nextDue(tick)) != null) {
      if (task.isTaskCancelled()) {
        continue;
      }
      task.run();
      if (task.isRepeating() && !task.isTaskCancelled()) {
        task.scheduleAgain(tick);
        again.add(task);
      }
    }
    pending.addAll(again);
  }

  private TickTask nextDue(int tick) {
    for (TickTask added = inbox.poll(); added != null; added = inbox.poll()) {
      pending.add(added);
    }
    TickTask first = pending.peek();
    return first != null && first.nextTick() <= tick ? pending.poll() : null;
  }
}
