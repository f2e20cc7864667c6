package dev.tickwell.core;

import dev.tickwell.Effect;
import dev.tickwell.TickwellException;
import dev.tickwell.TransactionFunction;
import dev.tickwell.TransactionOptions;
import java.util.concurrent.TimeUnit;

/** One transaction with all of its tries, on a thread of {@link TransactionThreads}. */
final class TransactionRun<T> implements Runnable {
  /** How long what was submitted before may take to reach the library. */
  private static final long ORDER_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final DatabaseView view;
  private final Request<T> request;
  private final TransactionOptions options;
  private final TransactionFunction<T> body;
  private volatile Thread thread;

  TransactionRun(
      DatabaseView view,
      Request<T> request,
      TransactionOptions options,
      TransactionFunction<T> body) {
    this.view = view;
    this.request = request;
    this.options = options;
    this.body = body;
  }

  String database() {
    return view.name();
  }

  Owner owner() {
    return view.owner();
  }

  @Override
  public void run() {
    if (!request.sending()) {
      return;
    }
    thread = Thread.currentThread();
    try {
      for (int left = options.attempts(); left > 0; left--) {
        try {
          request.succeed(attempt());
          return;
        } catch (Throwable thrown) {
          TickwellException problem = Problems.wrap(thrown, "transaction");
          boolean again =
              left > 1
                  && problem.retryable()
                  && problem.effect() == Effect.NONE
                  && !owner().isClosed();
          if (!again) {
            request.fail(problem);
            return;
          }
        }
      }
    } finally {
      thread = null;
    }
  }

  private T attempt() throws Exception {
    Engine engine = view.engine();
    view.submissions().awaitGone(System.nanoTime() + ORDER_NANOS);
    long runtime = engine.runtime();
    long handle =
        Native.beginTransaction(
            runtime,
            engine.open(database()).handle(),
            request.id(),
            owner().number(),
            0,
            Wire.nanos(options.limit()),
            Wire.nanos(options.idleLimit()));
    TransactionView tx = new TransactionView(view, runtime, handle);
    boolean done = false;
    try {
      T value = body.run(tx);
      tx.checkFailure();
      done = true;
      Native.endTransaction(runtime, handle, true);
      return value;
    } catch (Exception e) {
      tx.checkFailure();
      throw e;
    } finally {
      tx.end();
      if (!done) {
        rollBack(runtime, handle);
      }
    }
  }

  private static void rollBack(long runtime, long handle) {
    try {
      Native.endTransaction(runtime, handle, false);
    } catch (TickwellException e) {
      // Closed in the meantime, which has rolled back; the body's own failure says more.
    }
  }

  /** Interrupts the body and rolls the transaction back. */
  void interrupt() {
    Thread runs = thread;
    if (runs != null) {
      runs.interrupt();
      request.cancel();
      view.engine().cancel(request.id());
    }
  }
}
