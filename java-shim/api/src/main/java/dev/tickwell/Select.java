package dev.tickwell;

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
   * Leaves out this many rows at the beginning. The database reads them all the same, so a filter
   * on the last key that was read is faster for far pages.
   */
  Select<T> offset(int rows);

  /**
   * Reads the rows. More than the database's limit (5,000 rows or 16 MiB) fails and keeps nothing.
   */
  Pending<Rows<T>> fetch();

  /**
   * Reads the rows and publishes them under a name that every plugin can read with {@link
   * SharedResults}, before any callback with a tick target runs. Publishing swaps one reference.
   */
  Pending<Rows<T>> publish(String name);
}
