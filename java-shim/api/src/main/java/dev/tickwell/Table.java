package dev.tickwell;

import java.util.Collection;
import java.util.Optional;

/** A registered table. Every method may be called on any thread and returns at once. */
public interface Table<T> {

  /** The physical name in the database. */
  String physicalName();

  /** Ends when the registration has ended; fails when the live table differs. */
  Pending<Void> registration();

  /**
   * The same table for requests that take no part in its order: a read does not wait for the writes
   * that were submitted before it, and may give the state before them; no read waits for a write,
   * and writes are stored in any order, also before or behind transactions and what the plugin
   * submitted otherwise. For what nobody reads back, such as a log, and for reads that may be late.
   */
  Table<T> unordered();

  /**
   * Inserts that give up being all or none, for many rows of which those that can be stored shall
   * be: the result tells what each part of them stored.
   */
  IndependentInserts<T> independently();

  /**
   * Inserts rows, all or none, and gives how many. Mutable values (items, locations, arrays) are
   * copied before this returns; everything else is encoded and sent off this thread.
   */
  Pending<Long> insert(Collection<? extends T> rows);

  /** Inserts one row. */
  Pending<Long> insert(T row);

  /**
   * Inserts the rows of a result whose columns have the names and types of this table's, without
   * decoding them.
   */
  Pending<Long> insert(Rows<?> rows);

  /**
   * Inserts the rows of which neither the key nor a unique index is taken, and gives how many. What
   * is wrong with a row otherwise fails all of them.
   */
  Pending<Long> insertIfAbsent(Collection<? extends T> rows);

  /** Inserts one row unless it is there; gives 1 or 0. */
  Pending<Long> insertIfAbsent(T row);

  /**
   * Inserts rows; those whose primary key is taken overwrite the rows that are there. Gives how
   * many keys there were: of rows with the same key the last one counts. Needs a primary key.
   *
   * @param overwritten the columns that change in a row that is there; all outside of the key when
   *     none is named
   */
  Pending<Long> upsert(Collection<? extends T> rows, String... overwritten);

  /** Inserts one row, or overwrites the one with its key. */
  Pending<Long> upsert(T row, String... overwritten);

  /** The inserts of this table that give the keys of their rows, not their number. */
  ReturningKeys<T, Pending<Rows<Row>>> returningKeys();

  /** Begins an update. */
  Update<Pending<Long>> update();

  /** Begins a read. */
  Select<T> select();

  /**
   * The row with this key, if it is there.
   *
   * @param key a value for each column of the key, in the key's order; another number of them, or
   *     one of another type, fails and names the column
   */
  Pending<Optional<T>> find(Object... key);

  /** Counts the rows that match all of these filters; all rows when there is none. */
  Pending<Long> count(Filter... filters);

  /** Whether a row matches all of these filters; whether there is any when there is none. */
  Pending<Boolean> exists(Filter... filters);

  /**
   * The sum of a column of numbers over the rows that match all of these filters; empty when there
   * is no value. A {@code Long} of integers, exact, and a failure past 64 bits; a {@code Double} of
   * floats and doubles.
   */
  Pending<Optional<Number>> sum(String column, Filter... filters);

  /**
   * The least value of a column in the rows that match all of these filters; empty when there is
   * none. The column's type must have an order.
   *
   * @param type the class of the column's values, such as {@code Long.class} for a bigint; another
   *     one fails with {@code INVALID_VALUE}
   */
  <V> Pending<Optional<V>> min(String column, Class<V> type, Filter... filters);

  /** The greatest value of a column; else as {@link #min}. */
  <V> Pending<Optional<V>> max(String column, Class<V> type, Filter... filters);

  /**
   * The average of a column of numbers over the rows that match all of these filters; empty when
   * there is no value.
   */
  Pending<Optional<Double>> average(String column, Filter... filters);

  /** Begins to ask for several such values at once. */
  Aggregate<Pending<Row>> aggregate();

  /** Begins a delete that may have a limit. */
  Delete<Pending<Long>> delete();

  /**
   * Deletes the rows that match all of these filters and gives how many; at least one is needed.
   * Fails with {@code FILTER_REQUIRED} when one holds an {@code and()} or {@code or()} of nothing.
   */
  Pending<Long> delete(Filter first, Filter... more);

  /**
   * Deletes the row with this key and gives 1, or 0 when it is not there.
   *
   * @param key as for {@link #find}
   */
  Pending<Long> deleteByKey(Object... key);

  /** Deletes every row. */
  Pending<Long> deleteAll();
}
