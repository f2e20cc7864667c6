package dev.tickwell;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A request on its way. It ends once: done, failed, cancelled or gone. Of each pair of callbacks
 * exactly one runs, once. A failure for which nobody registered a handler is logged with plugin,
 * table and call site (on tick threads and in callbacks from the plugin's second one on, as finding
 * it takes time). All methods may be called on any thread.
 */
public interface Pending<T> {

  /**
   * Runs one of the two on the target's tick thread, inside the tick budget. Never after the plugin
   * is disabled. When the target is gone by then, {@code failed} runs on the callback executor with
   * {@code GONE}, since there is no thread of its own any more.
   */
  Pending<T> on(
      Target target, Consumer<? super T> done, Consumer<? super TickwellException> failed);

  /** {@link #on(Target, Consumer, Consumer)} with failures logged. */
  Pending<T> on(Target target, Consumer<? super T> done);

  /** Runs one of the two on the callback executor, off every tick thread. */
  Pending<T> async(Consumer<? super T> done, Consumer<? super TickwellException> failed);

  /** {@link #async(Consumer, Consumer)} with failures logged. */
  Pending<T> async(Consumer<? super T> done);

  /**
   * A future that completes on the callback executor. Blocking on it is refused with {@code
   * WRONG_THREAD} on tick threads, in callbacks and in bodies of transactions.
   */
  CompletableFuture<T> toFuture();

  /** Where the time went; complete after the last callback with a tick target has run. */
  CompletableFuture<Phases> phases();

  /** Cancels what has not begun. True when this request will end as cancelled. */
  boolean cancel();

  /** Whether it has ended. */
  boolean isDone();
}
