package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.PageConsumer;
import dev.tickwell.Rows;
import dev.tickwell.StreamControl;
import dev.tickwell.StreamEnd;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * A stream that is being read. One request stands for it in the library. Each page becomes a
 * request of its own that has arrived already, so it reaches its target, its budget and its end as
 * every result does; the next one goes only when the callback of the one before has ended.
 */
final class StreamRun<T> implements StreamControl, Request.Reader<Long> {
  private final DatabaseView view;
  private final String table;
  private final Request.Reader<Rows<T>> reader;
  private final StreamDraft.Options options;
  // Null for the callback executor.
  private final Target target;
  private final PageConsumer<T> consumer;
  private final Consumer<? super StreamEnd> end;

  // Everything below is guarded by this.
  private final Deque<Completion> waiting = new ArrayDeque<>(2);
  private Request<?> request;
  // What may be read before the library has it.
  private int credit;
  private boolean sent;
  private boolean delivering;
  // Whether the library has ended it.
  private boolean read;
  private boolean done;
  // Why its consumer gets no page any more.
  private TickwellException stopped;
  // Why the library has read no further.
  private TickwellException failure;
  private long rows;

  StreamRun(
      DatabaseView view,
      String table,
      Request.Reader<Rows<T>> reader,
      StreamDraft.Options options,
      Target target,
      PageConsumer<T> consumer,
      Consumer<? super StreamEnd> end) {
    this.view = view;
    this.table = table;
    this.reader = reader;
    this.options = options;
    this.target = target;
    this.consumer = consumer;
    this.end = end;
    this.credit = options.credit();
  }

  void start(Draft draft) {
    Request<Long> stream = view.submit(Requests.STREAM, table, this, null, draft);
    begun(stream);
    stream.async(all -> ended(null), this::ended);
  }

  /** Its first page may come before its submission has returned. */
  private synchronized void begun(Request<?> stream) {
    request = stream;
  }

  /** Gives it to the library, with what was asked for up to now. */
  void send(long runtime, long database, Request<?> stream, byte[] body, byte[] page) {
    int given;
    synchronized (this) {
      given = credit;
    }
    Native.stream(
        runtime,
        database,
        stream.id(),
        view.owner().number(),
        body,
        page,
        options.pageRows(),
        given,
        Wire.nanos(options.idleLimit()));
    int late;
    synchronized (this) {
      sent = true;
      late = credit - given;
    }
    if (late > 0) {
      view.engine().credit(stream.id(), late);
    }
  }

  /** The number of all rows, when the library has read the last one. */
  @Override
  public Long read(Completion completion) {
    return completion.affected();
  }

  // ---- What its consumer does ------------------------------------------------------------------

  @Override
  public void request(int pages) {
    if (pages < 1) {
      throw DatabaseView.invalid("stream", "at least one page is asked for, not " + pages);
    }
    long id;
    synchronized (this) {
      if (!sent) {
        credit = (int) Math.min((long) credit + pages, Integer.MAX_VALUE);
        return;
      }
      if (done) {
        return;
      }
      id = request.id();
    }
    view.engine().credit(id, pages);
  }

  @Override
  public boolean cancel() {
    return stop(new TickwellException(ErrorCode.CANCELLED, "stream", "cancelled by its caller"));
  }

  @Override
  public synchronized boolean isDone() {
    return done || view.owner().isClosed();
  }

  /** Ends it early; false when it has ended or ends already. */
  private boolean stop(TickwellException reason) {
    Request<?> stream;
    synchronized (this) {
      if (isDone() || stopped != null || (read && !delivering)) {
        return false;
      }
      stopped = reason;
      waiting.clear();
      stream = request;
    }
    stream.cancel();
    return true;
  }

  // ---- The pages -------------------------------------------------------------------------------

  /** Takes a page, on the worker thread that has it. */
  void page(Request<?> stream, Completion page, long takenAt) {
    boolean wanted;
    synchronized (this) {
      request = stream;
      wanted = stopped == null;
      if (wanted && delivering) {
        waiting.add(page);
        return;
      }
      delivering |= wanted;
    }
    if (wanted) {
      deliver(page, takenAt);
    } else {
      // It was stopped before the library had it.
      view.engine().cancel(stream.id());
    }
  }

  private void deliver(Completion page, long takenAt) {
    // It began when the library began to read it.
    Request<Rows<T>> part = part(Requests.SELECT, reader, takenAt - page.executionNanos());
    if (part == null) {
      return;
    }
    if (target == null) {
      part.async(this::take, this::lost);
    } else {
      part.on(target, this::take, this::lost);
    }
    part.arrived(page, takenAt);
  }

  /** A request for one callback; null when the plugin is disabled, which ends the stream too. */
  private <V> Request<V> part(int kind, Request.Reader<V> reader, long startedAt) {
    Request<?> stream;
    synchronized (this) {
      stream = request;
    }
    Request<V> part = new Request<>(view, kind, table, reader, null, stream.callSite(), startedAt);
    try {
      view.owner().opened(part);
    } catch (TickwellException e) {
      view.engine().cancel(stream.id());
      return null;
    }
    part.prepared(0, false);
    return part;
  }

  /** Gives a page to its consumer, on the target's thread. */
  private void take(Rows<T> page) {
    boolean wanted;
    synchronized (this) {
      // It may have been cancelled while the page was on its way.
      wanted = stopped == null;
      rows += wanted ? page.size() : 0;
    }
    if (wanted) {
      try {
        consumer.accept(page, this);
      } catch (Throwable thrown) {
        consumerFailed(thrown);
      }
    }
    taken();
  }

  private void consumerFailed(Throwable thrown) {
    view.owner().tellCallSites();
    String message = "the callback of a page of " + describe() + " threw " + thrown;
    view.engine().log(System.Logger.Level.ERROR, view.owner().name(), message, thrown);
    stop(Problems.caused(thrown, ErrorCode.INTERNAL, "stream", "its callback threw " + thrown));
  }

  private synchronized String describe() {
    return request.describe();
  }

  /** A page did not reach its consumer. */
  private void lost(TickwellException problem) {
    stop(problem);
    taken();
  }

  /** The callback of a page has ended: the next one may go, and another be read. */
  private void taken() {
    Completion next;
    boolean more;
    boolean over;
    long id;
    synchronized (this) {
      next = waiting.poll();
      delivering = next != null;
      more = stopped == null && !read && !options.manual();
      over = read && !delivering;
      id = request.id();
    }
    if (next != null) {
      deliver(next, System.nanoTime());
    } else if (over) {
      tell();
    }
    if (more) {
      view.engine().credit(id, 1);
    }
  }

  // ---- The end ---------------------------------------------------------------------------------

  /** The library has read it all, or has stopped. What came before is given first. */
  private void ended(TickwellException problem) {
    synchronized (this) {
      read = true;
      failure = problem;
      if (delivering) {
        return;
      }
    }
    tell();
  }

  private void tell() {
    StreamEnd how;
    synchronized (this) {
      if (done) {
        return;
      }
      done = true;
      how = new StreamEnd(rows, stopped == null ? failure : stopped);
    }
    Request<StreamEnd> last = part(Requests.STREAM, null, System.nanoTime());
    if (last == null) {
      return;
    }
    if (target == null) {
      last.async(end);
    } else {
      last.on(target, end, gone -> end.accept(new StreamEnd(how.rows(), gone)));
    }
    last.succeed(how);
  }
}
