package dev.tickwell;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A read whose rows come page by page, however many there are; nothing is sent before {@link #on}
 * or {@link #async}. All pages show the database as it was when the first one was read, behind
 * everything that was submitted before. Until its end a stream has a connection of its own, and
 * what others write meanwhile cannot be tidied away: so one whose consumer asks for nothing for too
 * long is ended with {@code TIMEOUT}. Not thread-safe.
 *
 * @param <T> what one row is made into: a record, or {@link Row}
 */
public interface RowStream<T> {
  /** How long a stream may wait for its consumer unless it says otherwise. */
  Duration IDLE_LIMIT = Duration.ofSeconds(30);

  /** How many pages are read ahead of the one that its consumer works on; 1 unless set. */
  RowStream<T> ahead(int pages);

  /** Reads only as many pages as were asked for with {@link StreamControl#request}. */
  RowStream<T> manual();

  /** How long it may wait for its consumer to want a page, in whole milliseconds. */
  RowStream<T> idleLimit(Duration limit);

  /**
   * Begins, and gives each page to the target's tick thread, inside the tick budget; at last {@code
   * end}, once, in the same way. Neither runs after the plugin is disabled. When the target is gone
   * the stream ends, and {@code end} runs on the callback executor with {@code GONE}.
   */
  StreamControl on(Target target, PageConsumer<T> page, Consumer<? super StreamEnd> end);

  /** {@link #on} with both on the callback executor, off every tick thread. */
  StreamControl async(PageConsumer<T> page, Consumer<? super StreamEnd> end);
}
