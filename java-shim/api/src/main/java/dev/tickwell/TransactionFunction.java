package dev.tickwell;

/**
 * What a transaction does that gives a value; runs where and as often as a {@link TransactionBody}.
 *
 * @param <T> what it gives
 */
@FunctionalInterface
public interface TransactionFunction<T> {
  /**
   * Runs the statements. What it returns is the result once all is committed; what it throws rolls
   * everything back and is the failure.
   */
  T run(Transaction tx) throws Exception;
}
