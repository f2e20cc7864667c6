package dev.tickwell.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The budget and the fair queue of one tick thread. {@link #queue} may be called on any thread,
 * everything else on the lane's own thread only. In each tick: {@link #start}, {@link #run}, and at
 * its end {@link #end}. The library decides what runs next and whether anything does; the work
 * itself is here.
 */
public final class Lane implements AutoCloseable {
  private static final int KIND_SHIFT = 56;
  private static final long ID_MASK = (1L << 48) - 1;

  private final Engine engine;
  private final long handle;
  private final Map<Long, TickTask> tasks = new ConcurrentHashMap<>();
  private volatile boolean closed;

  // Steps of one request mostly follow each other; the lane's thread alone.
  private long lastId;
  private TickTask lastTask;
  private long tickStartedAt;

  Lane(Engine engine, long handle) {
    this.engine = engine;
    this.handle = handle;
  }

  /** Queues work for the next {@link #run}, on any thread. */
  public void queue(TickTask task) {
    if (!offer(task)) {
      task.gone("the tick thread has ended");
    }
  }

  private boolean offer(TickTask task) {
    if (closed) {
      return false;
    }
    long id = engine.nextId();
    task.queued(this, id);
    engine.expectRecord(id, task.request());
    tasks.put(id, task);
    long accepted =
        Native.ready(
            handle, id, task.owner().number(), task.slices(), task.sliceKind(), task.finals());
    if (accepted == 1) {
      return true;
    }
    forget(id);
    return false;
  }

  /** Forgets a task; the library drops it when its turn comes. */
  void forget(long id) {
    tasks.remove(id);
    engine.forgetRecord(id);
  }

  /** Forgets the tasks of a plugin that is gone; the library has dropped them. Any thread. */
  void forget(Owner owner) {
    tasks
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = entry.getValue().owner() == owner;
              if (gone) {
                engine.forgetRecord(entry.getKey());
              }
              return gone;
            });
  }

  /** How many tasks have not come to their end. */
  int tasks() {
    return tasks.size();
  }

  /** Begins a tick with this much time for all of its work, both halves together. */
  public void start(long budgetNanos) {
    tickStartedAt = System.nanoTime();
    Native.tickStart(handle, Math.max(0, budgetNanos));
  }

  /** Runs queued work until there is none or the budget is spent. At least one step per tick. */
  public void run() {
    for (long step = Native.next(handle); step > 0; step = Native.next(handle)) {
      execute(step);
    }
  }

  /**
   * Runs what came in during the tick, within what is left of the budget and the slack, and ends
   * the tick.
   *
   * @param slackNanos time beyond the budget that this tick does not need, 0 for none
   */
  public void end(long slackNanos) {
    run();
    long step = Native.tickEnd(handle, Math.max(0, slackNanos));
    while (step > 0) {
      execute(step);
      run();
      step = Native.tickEnd(handle, 0);
    }
    // Its plugin may be gone before anything runs here again.
    lastId = 0;
    lastTask = null;
  }

  private void execute(long step) {
    int kind = (int) (step >>> KIND_SHIFT);
    long id = step & ID_MASK;
    TickTask task = id == lastId ? lastTask : tasks.get(id);
    if (task == null) {
      Native.drop(handle, id);
      return;
    }
    boolean goesOn = false;
    try {
      goesOn = task.step(kind, tickStartedAt);
    } catch (RuntimeException | Error e) {
      engine.log(System.Logger.Level.ERROR, task.owner().name(), "tick work failed", e);
    }
    if (!goesOn) {
      Native.drop(handle, id);
    }
    if (!goesOn || (task.slices() == 0 && task.finals() == 0)) {
      tasks.remove(id);
      lastId = 0;
      lastTask = null;
    } else {
      lastId = id;
      lastTask = task;
    }
  }

  /**
   * Runs one task at once on the calling thread inside the current tick's budget; for regionised
   * servers, where work does not stay with a thread. Gives false when the budget ended first: the
   * task keeps what is done and is to be scheduled again for the next tick.
   */
  public boolean runNow(TickTask task) {
    if (!offer(task)) {
      task.gone("the tick thread has ended");
      return true;
    }
    run();
    long id = task.laneId();
    if (tasks.remove(id) == null) {
      return true;
    }
    lastId = 0;
    lastTask = null;
    Native.drop(handle, id);
    if (task.hasRun()) {
      // The part that ran gives a record of its own at the end of this tick.
      task.request().taskAdded();
    } else {
      engine.forgetRecord(id);
    }
    return false;
  }

  /** Closes the lane; work still queued in it ends as {@code GONE}. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (TickTask task : tasks.values()) {
      task.gone("the tick thread has ended");
    }
    // What has run gives its record even when the tick was not ended.
    Native.tickEnd(handle, 0);
    engine.laneClosed(this, handle);
  }
}
