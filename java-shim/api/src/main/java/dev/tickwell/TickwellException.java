package dev.tickwell;

import java.util.Map;

/** A failed request or call: what kind, in which operation, about what, with what effect. */
public final class TickwellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final Effect effect;
  private final boolean retryable;
  private final String operation;
  private final transient Map<String, String> context;

  /** An error of a request; {@code context} is copied. */
  public TickwellException(
      ErrorCode code,
      Effect effect,
      boolean retryable,
      String operation,
      String message,
      Map<String, String> context,
      Throwable cause) {
    super(text(operation, message, context), cause);
    this.code = code;
    this.effect = effect;
    this.retryable = retryable;
    this.operation = operation;
    this.context = Map.copyOf(context);
  }

  /** An error without effect or context. */
  public TickwellException(ErrorCode code, String operation, String message) {
    this(code, Effect.NONE, false, operation, message, Map.of(), null);
  }

  private static String text(String operation, String message, Map<String, String> context) {
    StringBuilder text = new StringBuilder(operation).append(": ").append(message);
    String lead = " (";
    for (Map.Entry<String, String> entry : context.entrySet()) {
      text.append(lead).append(entry.getKey()).append(": ").append(entry.getValue());
      lead = ", ";
    }
    return context.isEmpty() ? text.toString() : text.append(')').toString();
  }

  /** What went wrong. */
  public ErrorCode code() {
    return code;
  }

  /** What is known of the effect. */
  public Effect effect() {
    return effect;
  }

  /** Whether trying again can help. */
  public boolean retryable() {
    return retryable;
  }

  /** The operation that failed. */
  public String operation() {
    return operation;
  }

  /** Named facts, such as table, row and column. */
  public Map<String, String> context() {
    return context;
  }

  /** A short sentence that may be shown to a player: no table, column or statement in it. */
  public String userText() {
    return switch (code) {
      case BUSY, TIMEOUT, LOCKED -> "The database is busy. Please try again in a moment.";
      case CLOSED, UNAVAILABLE, CONNECT_FAILED -> "The database cannot be reached right now.";
      case RESULT_TOO_LARGE -> "That is more than can be shown at once.";
      default -> "Something went wrong with the database.";
    };
  }
}
