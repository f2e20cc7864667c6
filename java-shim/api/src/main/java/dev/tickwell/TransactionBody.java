package dev.tickwell;

/**
 * What a transaction does that gives no value. Runs on a thread of its own kind, never on a tick
 * thread, and is run again as a whole when the transaction was marked {@link
 * TransactionOptions#retryable}: effects beside the database must bear that.
 */
@FunctionalInterface
public interface TransactionBody {
  /** Runs the statements. What it throws rolls everything back and is the failure. */
  void run(Transaction tx) throws Exception;
}
