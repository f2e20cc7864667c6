package dev.tickwell;

/**
 * Several values of the same rows being asked for at once. Not thread-safe; {@link #fetch} takes
 * what it holds at that time. Nulls are left out of all values but the count.
 *
 * @param <R> what it gives: a {@link Pending} of the row from {@link Table#aggregate}, the row
 *     itself in a {@link Transaction}
 */
public interface Aggregate<R> {

  /** How many rows there are: a {@code Long} named {@code count}. */
  Aggregate<R> count();

  /**
   * The sum of a column of numbers, named like {@code sum(coins)}: a {@code Long} of integers,
   * exact, and a failure past 64 bits; a {@code Double} of floats and doubles. Null when there is
   * no value.
   */
  Aggregate<R> sum(String column);

  /**
   * The least value of a column, named like {@code min(coins)}, with the column's type; null when
   * there is none. The column's type must have an order.
   */
  Aggregate<R> min(String column);

  /** The greatest value of a column, named like {@code max(coins)}; else as {@link #min}. */
  Aggregate<R> max(String column);

  /**
   * The average of a column of numbers, named like {@code average(coins)}: a {@code Double}; null
   * when there is no value.
   */
  Aggregate<R> average(String column);

  /** Looks only at rows that match all of these; more calls add to them. */
  Aggregate<R> where(Filter... filters);

  /**
   * Asks for the values and gives them as one row, whose columns have the names told above. Fails
   * with {@code INVALID_STATEMENT} when none is asked for.
   */
  R fetch();
}
