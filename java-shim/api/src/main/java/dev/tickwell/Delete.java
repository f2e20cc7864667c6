package dev.tickwell;

/**
 * A delete being built. Not thread-safe; {@link #run} takes what it holds at that time.
 *
 * @param <R> what running it gives: a {@link Pending} from {@link Table#delete()}, the number
 *     itself in a {@link Transaction}
 */
public interface Delete<R> {

  /** Deletes only rows that match all of these; more calls add to them. */
  Delete<R> where(Filter... filters);

  /** Says that every row is meant. Without it and without a filter the delete is refused. */
  Delete<R> all();

  /** Deletes at most this many rows, the first ones by the key. */
  Delete<R> limit(int rows);

  /**
   * Runs it and gives how many rows were deleted. Fails with {@code FILTER_REQUIRED} when it names
   * neither filters nor all rows, or holds an {@code and()} or {@code or()} of nothing.
   */
  R run();
}
