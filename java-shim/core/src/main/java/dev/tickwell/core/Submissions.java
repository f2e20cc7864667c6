package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Brings the requests of one plugin to one database into the library in the order in which they
 * were submitted. A small one is encoded and sent at once by its own thread; a large one, and
 * whatever comes while something is queued, goes through the encoder thread. A write that waits for
 * values of a tick thread holds what its plugin submits behind it, and nobody else.
 */
final class Submissions {
  /** Up to this many values are encoded by the submitting thread: a few microseconds. */
  static final int INLINE_VALUES = 64;

  private final Engine engine;
  private final Deque<Submission> queue = new ArrayDeque<>();
  private boolean draining;

  Submissions(Engine engine) {
    this.engine = engine;
  }

  /**
   * Sends or queues a request.
   *
   * @throws TickwellException {@code BUSY} when too many values wait for the encoder
   */
  void submit(Submission submission) {
    boolean inline;
    synchronized (this) {
      inline =
          !submission.isWaiting()
              && !draining
              && queue.isEmpty()
              && submission.input().values() <= INLINE_VALUES;
      if (!inline) {
        engine.reserveEncoding(submission.input().values());
        queue.add(submission);
        drainIfReady();
      }
    }
    if (inline) {
      send(submission, false);
    } else if (submission.input().tickReads() > 0) {
      InputTask task = new InputTask(submission);
      task.request().taskAdded();
      engine.platform().dispatch(task);
    }
  }

  synchronized void inputsRead(Submission submission) {
    submission.stopWaiting();
    drainIfReady();
  }

  /** Hands the queue to the encoder when its first request can go. */
  private void drainIfReady() {
    Submission head = queue.peek();
    if (!draining && head != null && !head.isWaiting()) {
      draining = true;
      engine.encoder().execute(this::drain);
    }
  }

  private void drain() {
    Submission head;
    synchronized (this) {
      head = queue.peek();
    }
    send(head, true);
    engine.releaseEncoding(head.input().values());
    synchronized (this) {
      queue.remove();
      draining = false;
      // One at a time, so that plugins take turns.
      drainIfReady();
      if (queue.isEmpty()) {
        notifyAll();
      }
    }
  }

  private void send(Submission submission, boolean onEncoder) {
    Request<?> request = submission.request();
    long startedAt = Native.now();
    try {
      byte[] page = request.isEnded() ? null : submission.input().encode();
      if (onEncoder) {
        request.encoded(Native.now() - startedAt);
      }
      if (request.sending()) {
        engine.send(request, submission.body(), page);
      }
    } catch (Throwable thrown) {
      request.fail(Problems.wrap(thrown, Requests.name(request.kind())));
    }
  }

  /** Fails what still waits for a tick thread; what can be sent is sent. */
  void abandonWaiting() {
    Submission[] waiting;
    synchronized (this) {
      waiting = queue.stream().filter(Submission::isWaiting).toArray(Submission[]::new);
    }
    for (Submission submission : waiting) {
      submission.fail(
          new TickwellException(
              ErrorCode.CLOSED,
              "input",
              "the values that had to be read on a tick thread were not read in time"));
    }
  }

  /** Waits until nothing is queued, up to a {@link System#nanoTime} deadline. */
  synchronized boolean awaitEmpty(long deadline) {
    abandonWaiting();
    while (!queue.isEmpty()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
