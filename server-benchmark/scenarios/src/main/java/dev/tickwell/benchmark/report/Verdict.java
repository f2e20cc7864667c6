package dev.tickwell.benchmark.report;

/**
 * One target and what was measured against it.
 *
 * @param target what must be so
 * @param measured what was measured, as text
 * @param passed whether it is so
 */
public record Verdict(String target, String measured, boolean passed) {

  /** {@code PASS} or {@code MISS}. */
  public String word() {
    return passed ? "PASS" : "MISS";
  }
}
