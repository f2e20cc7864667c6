package dev.tickwell.core;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Makes this package's errors: without effect, with their facts in order. */
final class Problems {
  private Problems() {}

  /** An error with facts: names and values, alternating. */
  static TickwellException of(ErrorCode code, String operation, String message, String... facts) {
    return caused(null, code, operation, message, facts);
  }

  /** {@link #of} with a cause. */
  static TickwellException caused(
      Throwable cause, ErrorCode code, String operation, String message, String... facts) {
    Map<String, String> context = new LinkedHashMap<>();
    for (int index = 0; index < facts.length; index += 2) {
      context.put(facts[index], facts[index + 1]);
    }
    boolean retryable = code == ErrorCode.BUSY;
    return new TickwellException(code, Effect.NONE, retryable, operation, message, context, cause);
  }

  /** {@code INVALID_VALUE} of one cell. */
  static TickwellException cell(
      String operation, String message, int row, String column, ValueType type) {
    return of(
        ErrorCode.INVALID_VALUE,
        operation,
        message,
        "row",
        Integer.toString(row),
        "column",
        column,
        "type",
        name(type));
  }

  /** A type's name as messages and documents write it. */
  static String name(ValueType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  /** The exception of a request for anything that was thrown: itself, or a defect. */
  static TickwellException wrap(Throwable thrown, String operation) {
    if (thrown instanceof TickwellException known) {
      return known;
    }
    return caused(thrown, ErrorCode.INTERNAL, operation, "unexpected failure: " + thrown);
  }
}
