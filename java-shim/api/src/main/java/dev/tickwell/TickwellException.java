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

  /**
   * What may be shown to a player: whether trying again makes sense, and no table, column or
   * statement. One or two short sentences.
   */
  public String userText() {
    if (effect == Effect.UNKNOWN) {
      return "It is not known whether that was stored. Please look before you try again.";
    }
    if (effect == Effect.APPLIED) {
      return "That was stored, but something went wrong afterwards.";
    }
    return switch (code) {
      case UNIQUE_VIOLATION -> "That exists already.";
      case NOT_NULL_VIOLATION -> "Something is missing in that.";
      case CONSTRAINT_VIOLATION -> "That does not fit what is stored already.";
      case INVALID_VALUE -> "That cannot be stored: it is too long, too large or of a wrong kind.";
      case RESULT_TOO_LARGE -> "That is more than can be shown at once.";
      case BUSY, TIMEOUT, LOCKED -> "The database is busy. Please try again in a moment.";
      case CANCELLED -> "That was cancelled, and nothing was changed.";
      case GONE -> "That came too late.";
      case CLOSED, CONNECT_FAILED -> "The database cannot be reached right now.";
      case DISK_FULL -> "The server has no room left to store that. Please tell an operator.";
      case UNAVAILABLE, PERMISSION_DENIED, CORRUPT, IO, DATABASE ->
          "The database has a problem. Please tell an operator.";
      default -> "That cannot work because of a mistake in the plugin. Please tell an operator.";
    };
  }
}
