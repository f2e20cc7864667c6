package dev.tickwell.benchmark.report;

import java.util.Locale;
import java.util.OptionalLong;

/** Numbers as people read them. */
final class Figures {
  /** In the place of a number that there is not. */
  static final String NONE = "–";

  private Figures() {}

  /** A time with three significant digits and its unit. */
  static String time(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return significant(nanos / 1e3) + " µs";
    }
    return nanos < 1_000_000_000
        ? significant(nanos / 1e6) + " ms"
        : significant(nanos / 1e9) + " s";
  }

  /** A power of ten of nanoseconds, from 1 µs on, without digits that it has not. */
  static String power(long nanos) {
    return nanos < 1_000_000
        ? nanos / 1_000 + " µs"
        : nanos < 1_000_000_000 ? nanos / 1_000_000 + " ms" : nanos / 1_000_000_000 + " s";
  }

  /** A time, or a dash. */
  static String time(OptionalLong nanos) {
    return nanos.isPresent() ? time(nanos.getAsLong()) : NONE;
  }

  /** How many times one is the other, such as {@code 3.14×}; a dash when it has no meaning. */
  static String ratio(long dividend, long divisor) {
    return divisor <= 0 ? NONE : significant((double) dividend / divisor) + "×";
  }

  /** A whole number with its thousands grouped. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A whole number, or a dash. */
  static String count(OptionalLong number) {
    return number.isPresent() ? count(number.getAsLong()) : NONE;
  }

  private static String significant(double number) {
    String format = number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, number);
  }
}
