package dev.tickwell.benchmark.arm;

/** A statement that is ready to go. */
@FunctionalInterface
public interface Work {
  /**
   * Submits it as an event handler of a plugin would, and returns at once. Server thread; every
   * part of the measurement except its begin and end is filled later, by the statement.
   */
  void submit(Measurement measurement);
}
