package dev.tickwell;

import java.time.Duration;
import java.util.Objects;

/**
 * How a transaction may run.
 *
 * @param limit how long it may hold the database's writes in all; zero for what the configuration
 *     of the database says, {@code transaction-limit-millis}
 * @param idleLimit how long it may hold them without a statement; zero for {@code
 *     transaction-idle-millis}
 * @param attempts how often it is tried in all when what stopped it may be over the next time
 */
public record TransactionOptions(Duration limit, Duration idleLimit, int attempts) {
  /**
   * The database's limits: 30 seconds in all, 5 between statements unless configured. Tried once.
   */
  public static final TransactionOptions DEFAULT =
      new TransactionOptions(Duration.ZERO, Duration.ZERO, 1);

  /** Checks. */
  public TransactionOptions {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(idleLimit, "idleLimit");
    if (isTooShort(limit) || isTooShort(idleLimit) || attempts < 1) {
      throw new TickwellException(
          ErrorCode.INVALID_STATEMENT,
          "transaction",
          "the limits of a transaction are at least 1 ms, or zero for the database's, and it is tried at least once");
    }
  }

  private static boolean isTooShort(Duration limit) {
    return !limit.isZero() && limit.compareTo(Duration.ofMillis(1)) < 0;
  }

  /** The same, run again as a whole after a failure that says it is retryable; three tries. */
  public TransactionOptions retryable() {
    return retryable(3);
  }

  /** {@link #retryable()} with this many tries in all. */
  public TransactionOptions retryable(int attempts) {
    return new TransactionOptions(limit, idleLimit, attempts);
  }

  /** The same with another limit of the whole. */
  public TransactionOptions limit(Duration limit) {
    return new TransactionOptions(limit, idleLimit, attempts);
  }

  /** The same with another limit between statements. */
  public TransactionOptions idleLimit(Duration idleLimit) {
    return new TransactionOptions(limit, idleLimit, attempts);
  }
}
