package dev.tickwell.core;

import java.util.Map;

/**
 * What the end of the engine, or of one database, left undone.
 *
 * @param unwritten rows or statements that were accepted and not written, by database and table
 * @param abandonedRequests requests that were still open and were ended as closed
 */
public record ShutdownReport(Map<String, String> unwritten, int abandonedRequests) {

  /** Copies. */
  public ShutdownReport {
    unwritten = Map.copyOf(unwritten);
  }

  /** Whether everything that was accepted was written. */
  public boolean complete() {
    return unwritten.isEmpty();
  }
}
