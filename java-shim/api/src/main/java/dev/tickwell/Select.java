package dev.tickwell;

import java.util.Optional;

/** A read being built. Not thread-safe. */
public interface Select<T> {

  /** Keeps only rows that match all of these; more calls add to them. */
  Select<T> where(Filter... filters);

  /** Reads only these columns. The result is then read through {@link Rows}' accessors. */
  Select<T> columns(String... columns);

  /** Sorts; more calls add lesser orders. */
  Select<T> orderBy(Order... orders);

  /** Reads at most this many rows. */
  Select<T> limit(int rows);

  /**
   * Leaves out this many rows at the beginning. The database reads them all the same, so {@link
   * #after} is faster for far pages.
   */
  Select<T> offset(int rows);

  /**
   * Goes on behind a row: the next page begins after the last row of the one before, however far
   * that is, and no row comes twice when others are inserted or deleted in the meantime.
   *
   * @param values that row's values of the columns to sort by, in the order of {@link #orderBy},
   *     which must name every column of the key, so that no two rows have the same place. Null
   *     where the column may be null. What does not fit fails with {@code INVALID_STATEMENT}
   */
  Select<T> after(Object... values);

  /**
   * Reads the rows. More than the database's limit (5,000 rows or 16 MiB) fails and keeps nothing;
   * {@link #stream} has no such limit.
   */
  Pending<Rows<T>> fetch();

  /** Reads the first row only; empty when there is none. */
  Pending<Optional<T>> first();

  /**
   * Reads the rows page by page instead; their number has no limit then.
   *
   * @param pageRows the most rows of a page; one of large rows is full with a mebibyte
   */
  RowStream<T> stream(int pageRows);

  /**
   * Reads the rows and publishes them under a name that every plugin can read with {@link
   * SharedResults}, before any callback with a tick target runs. Publishing swaps one reference.
   */
  Pending<Rows<T>> publish(String name);
}
