package dev.tickwell;

/**
 * An update being built: what changes, and in which rows. Not thread-safe; {@link #run} takes what
 * it holds at that time, values that can change later included.
 *
 * @param <R> what running it gives: a {@link Pending} from {@link Table#update}, the number itself
 *     in a {@link Transaction}
 */
public interface Update<R> {

  /** Sets a column to a value; null where the column may be null. */
  Update<R> set(String column, Object value);

  /**
   * Adds a number, which may be negative, to a column of numbers. The database adds it to what is
   * there at that time, so that no change of another caller is lost. A null stays null. Fails with
   * {@code INVALID_VALUE} when the sum does not fit the column.
   */
  Update<R> add(String column, Number amount);

  /** Changes only rows that match all of these; more calls add to them. */
  Update<R> where(Filter... filters);

  /** Says that every row is meant. Without it and without a filter the update is refused. */
  Update<R> all();

  /** Changes at most this many rows, the first ones by the key. */
  Update<R> limit(int rows);

  /**
   * Runs it and gives how many rows matched. Fails with {@code FILTER_REQUIRED} when it names
   * neither filters nor all rows, and with {@code INVALID_STATEMENT} when it changes nothing.
   */
  R run();
}
