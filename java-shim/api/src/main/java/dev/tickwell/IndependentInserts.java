package dev.tickwell;

import java.util.Collection;

/**
 * Inserts of many rows that are not all or none: Tickwell splits them into parts, one for each
 * statement that it sends, and what the database refuses in one part leaves the others. Every
 * method may be called on any thread and returns at once.
 *
 * <p>The rows are checked as always before the first is sent: a value that its column cannot keep
 * fails the request and stores nothing. So does what hits the transaction in which the parts are, a
 * full disk for example. What a deadline or a cancel leaves is a part that failed with {@code
 * TIMEOUT} or {@code CANCELLED}.
 */
public interface IndependentInserts<T> {

  /** Inserts rows; a part in which a key is taken is refused as a whole. */
  Pending<StoredParts> insert(Collection<? extends T> rows);

  /** Inserts the rows that are not there, as {@link Table#insertIfAbsent(Collection)}. */
  Pending<StoredParts> insertIfAbsent(Collection<? extends T> rows);

  /**
   * Inserts or overwrites rows, as {@link Table#upsert(Collection, String...)}. A row to which a
   * later one of the request has the same key is in no part.
   */
  Pending<StoredParts> upsert(Collection<? extends T> rows, String... overwritten);
}
