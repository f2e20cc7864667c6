package dev.tickwell.core;

import dev.tickwell.Target;

/**
 * The work of one request that needs the tick thread of one target: values to convert or to read, a
 * publication, callbacks. Made by the core, taken by {@link Platform#dispatch}, run by a {@link
 * Lane}.
 */
public final class TickTask {

  /** Where it must run. */
  public Target target() {
    throw new UnsupportedOperationException();
  }

  /** The plugin that it is for. */
  public Owner owner() {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends it without running it, as {@code GONE}: the target does not exist any more. Nothing
   * happens when it has ended. May be called on any thread.
   *
   * @param reason what is gone, for the message
   */
  public void gone(String reason) {
    throw new UnsupportedOperationException();
  }
}
