package dev.tickwell;

import java.util.Collection;
import java.util.Optional;

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

  /** Inserts one row unless it is there; gives 1 or 0. */
  <T> long insertIfAbsent(Table<T> table, T row);

  /** Inserts or overwrites rows; as {@link Table#upsert(Collection, String...)}. */
  <T> long upsert(Table<T> table, Collection<? extends T> rows, String... overwritten);

  /** Inserts one row, or overwrites the one with its key. */
  <T> long upsert(Table<T> table, T row, String... overwritten);

  /** The inserts of a table that give the keys of their rows, not their number. */
  <T> ReturningKeys<T, Rows<Row>> returningKeys(Table<T> table);

  /** Begins an update, which runs when it is told to and gives how many rows matched. */
  Update<Long> update(Table<?> table);

  /** Begins a read. */
  <T> TransactionSelect<T> select(Table<T> table);

  /** Reads the rows that match all of these filters. */
  <T> Rows<T> select(Table<T> table, Filter first, Filter... more);

  /** The row with this key, if it is there; as {@link Table#find}. */
  <T> Optional<T> find(Table<T> table, Object... key);

  /** Counts the rows that match all of these filters; all rows when there is none. */
  long count(Table<?> table, Filter... filters);

  /** Whether a row matches all of these filters; whether there is any when there is none. */
  boolean exists(Table<?> table, Filter... filters);

  /** As {@link Table#sum}. */
  Optional<Number> sum(Table<?> table, String column, Filter... filters);

  /** As {@link Table#min}. */
  <V> Optional<V> min(Table<?> table, String column, Class<V> type, Filter... filters);

  /** As {@link Table#max}. */
  <V> Optional<V> max(Table<?> table, String column, Class<V> type, Filter... filters);

  /** As {@link Table#average}. */
  Optional<Double> average(Table<?> table, String column, Filter... filters);

  /** Begins to ask for several such values at once. */
  Aggregate<Row> aggregate(Table<?> table);

  /** Begins a delete that may have a limit. */
  Delete<Long> delete(Table<?> table);

  /** Deletes the row with this key and gives 1 or 0; as {@link Table#deleteByKey}. */
  long deleteByKey(Table<?> table, Object... key);

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
