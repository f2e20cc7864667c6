package dev.tickwell;

/**
 * What a transaction does. Runs on a thread of its own kind, never on a tick thread, and is run
 * again as a whole when the transaction was marked {@link TransactionOptions#retryable}: effects
 * beside the database must bear that.
 *
 * @param <T> what it gives
 */
@FunctionalInterface
public interface TransactionBody<T> {
  /**
   * Runs the statements. What it returns is the result once all is committed; what it throws rolls
   * everything back and is the failure.
   */
  T run(Transaction tx) throws Exception;
}
