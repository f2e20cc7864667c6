package dev.tickwell;

import java.util.Collection;

/**
 * The inserts of a table, giving the keys of their rows in place of a number: those that the
 * database made, and of a row that was left out the key of the one that is there. The result has
 * the key's columns and a row for each row given, in their order; more than a result may have fail
 * with {@code RESULT_TOO_LARGE}, and nothing is stored. The table needs a key.
 *
 * @param <T> the table's rows
 * @param <R> what an insert gives: a {@link Pending} of the keys from {@link Table#returningKeys},
 *     the keys themselves in a {@link Transaction}
 */
public interface ReturningKeys<T, R> {
  /** As {@link Table#insert(Collection)}. */
  R insert(Collection<? extends T> rows);

  /** As {@link Table#insert(Object)}. */
  R insert(T row);

  /** As {@link Table#insertIfAbsent(Collection)}. */
  R insertIfAbsent(Collection<? extends T> rows);

  /** As {@link Table#insertIfAbsent(Object)}. */
  R insertIfAbsent(T row);

  /** As {@link Table#upsert(Collection, String...)}. */
  R upsert(Collection<? extends T> rows, String... overwritten);

  /** As {@link Table#upsert(Object, String...)}. */
  R upsert(T row, String... overwritten);
}
