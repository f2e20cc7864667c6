package dev.tickwell.benchmark.report;

/**
 * One line of the targets: what was to be shown, and what was measured.
 *
 * @param target what must be so, or what is stated
 * @param measured what was measured, as text
 * @param outcome whether it is so
 */
public record Verdict(String target, String measured, Outcome outcome) {
  /** What a line can say; its name is the word that is shown. */
  public enum Outcome {
    /** It is so. */
    PASS,
    /** It is not so. */
    MISS,
    /** A figure without a bound. */
    STATED
  }

  static Verdict of(String target, String measured, boolean passed) {
    return new Verdict(target, measured, passed ? Outcome.PASS : Outcome.MISS);
  }

  static Verdict stated(String target, String measured) {
    return new Verdict(target, measured, Outcome.STATED);
  }

  /** {@code PASS}, {@code MISS} or {@code STATED}. */
  public String word() {
    return outcome.name();
  }
}
