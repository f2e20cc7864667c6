package dev.tickwell.core;

/**
 * The budget and the fair queue of one tick thread. {@link #queue} may be called on any thread,
 * everything else on the lane's own thread only. In each tick: {@link #start}, {@link #run}, and at
 * its end {@link #end}.
 */
public final class Lane implements AutoCloseable {

  /** Queues work for the next {@link #run}, on any thread. */
  public void queue(TickTask task) {
    throw new UnsupportedOperationException();
  }

  /** Begins a tick with this much time for all of its work, both halves together. */
  public void start(long budgetNanos) {
    throw new UnsupportedOperationException();
  }

  /** Runs queued work until there is none or the budget is spent. At least one step per tick. */
  public void run() {
    throw new UnsupportedOperationException();
  }

  /**
   * Runs what came in during the tick, within what is left of the budget and the slack, and ends
   * the tick.
   *
   * @param slackNanos time beyond the budget that this tick does not need, 0 for none
   */
  public void end(long slackNanos) {
    throw new UnsupportedOperationException();
  }

  /**
   * Runs one task at once on the calling thread inside the current tick's budget; for regionised
   * servers, where work does not stay with a thread. Gives false when the budget ended first: the
   * task keeps what is done and is to be scheduled again for the next tick.
   */
  public boolean runNow(TickTask task) {
    throw new UnsupportedOperationException();
  }

  /** Closes the lane; work still queued in it ends as {@code GONE}. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
