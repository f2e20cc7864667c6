package dev.tickwell.core;

/**
 * A request of which the bytes are still to be made. Off the tick that happens at once, on the
 * submitting thread; for a tick thread the encoder does it, when nothing in the draft can change
 * until then.
 */
interface Draft {
  /** {@link #fixedValues} of a draft with values that can change. */
  long MUTABLE = -1;

  /** A request's bytes, as {@code docs/boundary.md} has them, and the values that go with them. */
  final class Content {
    private final byte[] body;
    private final Input input;

    Content(byte[] body, Input input) {
      this.body = body;
      this.input = input;
    }

    byte[] body() {
      return body;
    }

    Input input() {
      return input;
    }
  }

  /**
   * How many values it holds when none of them can change any more; else {@link #MUTABLE}: it must
   * be made, which copies them, before the submitting call returns.
   */
  long fixedValues();

  /** About how long its texts and bytes are together; never fails. */
  long lengths();

  /** How long a text or bytes are; 0 for every other value. */
  static long length(Object value) {
    if (value instanceof String text) {
      return text.length();
    }
    return value instanceof byte[] bytes ? bytes.length : 0;
  }

  /** Checks it and makes the content; what is wrong with it is thrown. */
  Content make();

  /** Whether a value is of a class whose instances never change. */
  static boolean isFixed(Object value) {
    if (value == null) {
      return true;
    }
    Class<?> type = value.getClass();
    return type == Long.class
        || type == String.class
        || type == Integer.class
        || type == Double.class
        || type == Boolean.class
        || type == java.util.UUID.class
        || type == Float.class
        || type == Short.class
        || type == Byte.class
        || type == java.math.BigDecimal.class
        || type == java.time.Instant.class
        || type == java.time.LocalDate.class
        || type == java.time.LocalTime.class
        || type == java.time.Duration.class;
  }
}
