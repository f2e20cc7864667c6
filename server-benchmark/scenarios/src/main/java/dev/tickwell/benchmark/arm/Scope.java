package dev.tickwell.benchmark.arm;

/** Whose a statement's input or result is, and how it is made. */
public enum Scope {
  /** The caller's alone. */
  LOCAL("local"),
  /** The caller's alone, and read as one record a row instead of by the result's accessors. */
  RECORDS("local-records"),
  /** The caller's alone, and written by the peer with many rows a statement instead of a batch. */
  VALUES("local-values"),
  /** Named, for every plugin. */
  SHARED("shared"),
  /** Handwritten SQL. */
  RAW("raw");

  private final String text;

  Scope(String text) {
    this.text = text;
  }

  /** The name in the results. */
  public String text() {
    return text;
  }
}
