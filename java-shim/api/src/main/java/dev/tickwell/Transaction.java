package dev.tickwell;

import java.util.Collection;

/**
 * A running transaction, for its body alone and on its thread. Every statement blocks until the
 * database has answered, sees what the statements before it did, and throws {@link
 * TickwellException} when it fails: the transaction is rolled back then, and every later call
 * throws that first failure again.
 */
public interface Transaction {
  /** Inserts rows and gives how many. */
  <T> long insert(Table<T> table, Collection<? extends T> rows);

  /** Inserts one row. */
  <T> long insert(Table<T> table, T row);

  /** Inserts the rows that are not there; as {@link Table#insertIfAbsent(Collection)}. */
  <T> long insertIfAbsent(Table<T> table, Collection<? extends T> rows);

  /** Inserts or overwrites rows; as {@link Table#upsert(Collection)}. */
  <T> long upsert(Table<T> table, Collection<? extends T> rows);

  /** Begins an update, which runs when it is told to and gives how many rows matched. */
  Update<Long> update(Table<?> table);

  /** Reads the rows that match all of these filters; all rows when there is none. */
  <T> Rows<T> select(Table<T> table, Filter... filters);

  /** Counts the rows that match all of these filters; all rows when there is none. */
  long count(Table<?> table, Filter... filters);

  /** Deletes the rows that match all of these filters and gives how many. */
  long delete(Table<?> table, Filter first, Filter... more);

  /** Runs SQL that returns rows; as {@link Database#query}. */
  Rows<Row> query(String sql, Object... parameters);

  /** Runs SQL that changes rows and gives how many; as {@link Database#update}. */
  long update(String sql, Object... parameters);

  /**
   * Rolls back and ends the body with this reason: the transaction fails with {@code CANCELLED},
   * whose context has it as {@code reason}.
   *
   * @return never; declared so that a body can throw it where the compiler wants an end
   */
  TickwellException rollback(String reason);
}
