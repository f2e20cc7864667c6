package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that refuses to block a tick thread or a thread that completes it: neither it nor
 * anything derived from it can be waited for there. Completed on the callback executor.
 */
final class TickFuture<T> extends CompletableFuture<T> {
  private final Owner owner;
  private final Runnable cancel;

  TickFuture(Owner owner, Runnable cancel) {
    this.owner = owner;
    this.cancel = cancel;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new TickFuture<>(owner, null);
  }

  @Override
  public Executor defaultExecutor() {
    return owner.engine().callbacks();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    refuseBlocking(false);
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    refuseBlocking(true);
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    refuseBlocking(false);
    return super.join();
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (cancel != null) {
      cancel.run();
    }
    return super.cancel(mayInterruptIfRunning);
  }

  private void refuseBlocking(boolean limited) {
    if (isDone()) {
      return;
    }
    if (Thread.currentThread() instanceof TransactionThreads.Runner) {
      throw refused(
          "waiting in a transaction for a request from outside, which may wait for that"
              + " transaction; use the statements of the transaction itself");
    }
    // Each of them could wait for one that the others have to complete.
    if (WorkerPool.isWorker(Thread.currentThread())) {
      throw refused(
          "waiting in a callback for another result, which comes on the same threads; use"
              + " thenCompose, or make the request from the callback and go on in its own");
    }
    if (!owner.engine().platform().onTickThread()) {
      return;
    }
    // In onDisable nothing ticks any more; a wait with a limit is the one way to see an answer.
    if (limited && owner.isDisabling()) {
      return;
    }
    throw refused("waiting for a result would stop the tick; use on(target, …) or thenAccept");
  }

  private TickwellException refused(String message) {
    return Problems.of(
        ErrorCode.WRONG_THREAD,
        "get",
        message,
        "plugin",
        owner.name(),
        "caller",
        String.valueOf(CallSite.capture()));
  }
}
