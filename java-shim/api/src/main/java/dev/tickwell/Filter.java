package dev.tickwell;

import java.util.List;

/** Which rows. Made by {@link Filters}; immutable. */
public sealed interface Filter {
  /** All of these. */
  record And(List<Filter> filters) implements Filter {}

  /** At least one of these. */
  record Or(List<Filter> filters) implements Filter {}

  /** Not this. */
  record Not(Filter filter) implements Filter {}

  /** A column compared with a value. */
  record Compare(String column, Comparison comparison, Object value) implements Filter {}

  /** A column between two values, both included. */
  record Between(String column, Object low, Object high) implements Filter {}

  /** A column with one of these values. */
  record In(String column, List<Object> values) implements Filter {}

  /** A column that matches a pattern of {@code %} and {@code _}; {@code \} escapes. */
  record Like(String column, String pattern) implements Filter {}

  /** A column without a value. */
  record IsNull(String column) implements Filter {}

  /** How two values are compared. */
  enum Comparison {
    /** Equal. */
    EQ(1),
    /** Not equal. */
    NE(2),
    /** Less. */
    LT(3),
    /** Less or equal. */
    LE(4),
    /** Greater. */
    GT(5),
    /** Greater or equal. */
    GE(6);

    private final int number;

    Comparison(int number) {
      this.number = number;
    }

    /** The number with which it crosses to the native library. */
    public int number() {
      return number;
    }
  }
}
