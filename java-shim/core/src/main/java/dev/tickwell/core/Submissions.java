package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Brings the requests of one plugin to one database into the library in the order in which they
 * were submitted. Off the tick, a small one is encoded and sent at once by its own thread. A large
 * one, whatever comes while something is queued, and everything that a tick thread submits goes
 * through the encoder, a worker thread: on a tick nothing is encoded and the library is not called.
 * A write that waits for values of a tick thread holds what its plugin submits behind it, and
 * nobody else.
 */
final class Submissions {
  /** Up to this many values are encoded by the submitting thread: a few microseconds. */
  static final int INLINE_VALUES = 64;

  /** What became of a request. */
  private enum Sent {
    /** Nothing: values must be read on a tick thread before. */
    WAITS,
    /** The library's threads execute it, or it ended. */
    DONE,
    /** The library has it, and leaves its execution to one of our threads. */
    LEFT
  }

  private final Engine engine;
  private final String database;
  private final Deque<Submission> queue = new ArrayDeque<>();
  private boolean draining;

  Submissions(Engine engine, String database) {
    this.engine = engine;
    this.database = database;
  }

  /** The database that they go to. */
  String database() {
    return database;
  }

  /**
   * Sends or queues a request.
   *
   * @throws TickwellException what the draft is refused for; {@code BUSY} when too much waits for
   *     the encoder
   */
  void submit(Request<?> request, Draft draft, boolean onTickThread) {
    Submission submission = new Submission(request, draft, this);
    submission.prepare(onTickThread);
    submission.weigh(engine.isEncoding());
    boolean readsInputs = submission.isMade() && submission.isWaiting();
    boolean inline;
    boolean wake = false;
    synchronized (this) {
      inline =
          !onTickThread
              && !submission.isWaiting()
              && !draining
              && queue.isEmpty()
              && submission.values() <= INLINE_VALUES;
      if (!inline) {
        engine.reserveEncoding(submission.bytes());
        queue.add(submission);
        wake = takeTurn();
      }
    }
    // Outside of the lock, which the woken thread takes first of all.
    if (wake) {
      engine.workers().send(this);
    } else if (inline && send(submission, false) == Sent.LEFT) {
      execute(request);
    }
    if (readsInputs) {
      readInputs(submission);
    }
  }

  /** Executes what is left to us: a read that a callback submits on its own thread, if it can. */
  private void execute(Request<?> request) {
    if (engine.keeps(request)) {
      engine.workers().keep(database);
    } else {
      engine.workers().executeIn(database);
    }
  }

  /** Sends the values that only a tick thread can read there. */
  private void readInputs(Submission submission) {
    InputTask task = new InputTask(submission);
    task.request().taskAdded();
    engine.platform().dispatch(task);
  }

  void inputsRead(Submission submission) {
    boolean wake;
    synchronized (this) {
      submission.stopWaiting();
      wake = takeTurn();
    }
    if (wake) {
      engine.workers().send(this);
    }
  }

  /** Whether the encoder is to be told that the first request can go; under the lock. */
  private boolean takeTurn() {
    Submission head = queue.peek();
    if (draining || head == null || head.isWaiting()) {
      return false;
    }
    draining = true;
    return true;
  }

  /** Sends the first request, on the encoder; true when its execution is left to us. */
  boolean sendFirst() {
    Submission head;
    synchronized (this) {
      head = queue.peek();
    }
    Sent sent = send(head, true);
    if (sent != Sent.WAITS) {
      engine.releaseEncoding(head.bytes());
    }
    boolean wake;
    synchronized (this) {
      if (sent == Sent.WAITS) {
        head.startWaiting();
      } else {
        queue.remove();
      }
      draining = false;
      // One at a time, so that plugins take turns.
      wake = takeTurn();
      notifyAll();
    }
    if (wake) {
      engine.workers().send(this);
    }
    if (sent == Sent.WAITS) {
      readInputs(head);
    }
    return sent == Sent.LEFT;
  }

  /** Encodes and sends it. */
  private Sent send(Submission submission, boolean onEncoder) {
    Request<?> request = submission.request();
    long startedAt = System.nanoTime();
    try {
      byte[] page = null;
      if (!request.isWithdrawn()) {
        if (!submission.isMade()) {
          submission.make();
          if (submission.input().tickReads() > 0) {
            return Sent.WAITS;
          }
        }
        page = submission.input().encode();
      }
      if (onEncoder) {
        request.encoded(System.nanoTime() - startedAt);
      }
      if (submission.isMade() && request.sending()) {
        return engine.send(request, submission.body(), page) ? Sent.LEFT : Sent.DONE;
      }
    } catch (Throwable thrown) {
      request.fail(Problems.wrap(thrown, Requests.name(request.kind())));
    }
    return Sent.DONE;
  }

  /**
   * Ends the waiting for tick threads, up to a {@link System#nanoTime} deadline: what is left is
   * read here when this is one, else its request is not sent.
   */
  private void endWaiting(long deadline) {
    Submission[] waiting;
    synchronized (this) {
      waiting = queue.stream().filter(Submission::isWaiting).toArray(Submission[]::new);
    }
    boolean onTickThread = engine.platform().onTickThread();
    for (Submission submission : waiting) {
      boolean goesOn = onTickThread && !submission.request().isWithdrawn();
      while (goesOn && submission.unread() > 0 && System.nanoTime() - deadline < 0) {
        goesOn = submission.readOne();
      }
      if (submission.unread() > 0) {
        submission.fail(
            new TickwellException(
                ErrorCode.CLOSED,
                "input",
                "the values that had to be read on a tick thread were not read in time"));
      }
    }
  }

  /** Waits until everything that is queued now has gone, up to a deadline as below. */
  void awaitGone(long deadline) throws InterruptedException {
    synchronized (this) {
      Submission last = queue.peekLast();
      while (last != null && queue.contains(last)) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return;
        }
        wait(left);
      }
    }
  }

  /** Waits until nothing is queued, up to a {@link System#nanoTime} deadline. */
  boolean awaitEmpty(long deadline) {
    while (true) {
      endWaiting(deadline);
      synchronized (this) {
        if (queue.isEmpty()) {
          return true;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        try {
          if (queue.stream().noneMatch(Submission::isWaiting)) {
            wait(left);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    }
  }
}
