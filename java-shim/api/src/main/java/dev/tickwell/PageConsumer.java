package dev.tickwell;

/**
 * What is done with each page of a {@link RowStream}.
 *
 * @param <T> what one row is made into
 */
@FunctionalInterface
public interface PageConsumer<T> {

  /**
   * Takes a page. The pages of a stream come one after another, in order, never two at once. What
   * it throws is logged and ends the stream.
   *
   * @param page at least one row
   * @param stream to cancel it, or to ask for more
   */
  void accept(Rows<T> page, StreamControl stream);
}
