package dev.tickwell.core;

import dev.tickwell.TickwellException;

/** A request on its way to the library: its bytes, made or still to be made, and its values. */
final class Submission {
  /** What a request takes beside its values; the library counts as much for what it queues. */
  private static final long REQUEST_BYTES = 512;

  private static final long VALUE_BYTES = 16;

  private final Request<?> request;
  private final Draft draft;
  private final Submissions queue;
  // Null until it is made: before it is queued, or by the encoder.
  private Draft.Content content;
  private long values;
  private long bytes;
  // Guarded by the queue.
  private boolean waiting;
  // How many values were read on a tick thread; guarded by this.
  private int read;

  Submission(Request<?> request, Draft draft, Submissions queue) {
    this.request = request;
    this.draft = draft;
    this.queue = queue;
  }

  Request<?> request() {
    return request;
  }

  /**
   * Makes the content now, unless that can be left to the encoder.
   *
   * @param later whether to leave it where possible
   */
  void prepare(boolean later) {
    values = later ? draft.fixedValues() : Draft.MUTABLE;
    if (values == Draft.MUTABLE) {
      make();
      values = content.input().values();
      waiting = content.input().tickReads() > 0;
    }
  }

  /**
   * Finds out how much it counts while it waits.
   *
   * @param lengths whether to look at the lengths of its texts too, which takes time and matters
   *     only when others wait already
   */
  void weigh(boolean lengths) {
    bytes = REQUEST_BYTES + VALUE_BYTES * values + (lengths ? draft.lengths() : 0);
  }

  /** About how many bytes of memory it keeps while it waits. */
  long bytes() {
    return bytes;
  }

  boolean isMade() {
    return content != null;
  }

  void make() {
    content = draft.make();
  }

  /** How many values it holds. */
  long values() {
    return values;
  }

  Input input() {
    return content.input();
  }

  byte[] body() {
    return content.body();
  }

  /** Whether values must still be read on a tick thread. */
  boolean isWaiting() {
    return waiting;
  }

  void startWaiting() {
    waiting = true;
  }

  void stopWaiting() {
    waiting = false;
  }

  /** How many values are still to be read on a tick thread. */
  synchronized int unread() {
    return content.input().tickReads() - read;
  }

  /**
   * Reads one value, on a tick thread; with the last one the request can go. Gives false when it
   * failed.
   */
  boolean readOne() {
    boolean last;
    try {
      synchronized (this) {
        if (unread() == 0) {
          return true;
        }
        content.input().readOnTick(read++);
        last = unread() == 0;
      }
    } catch (Throwable thrown) {
      fail(Problems.wrap(thrown, "input"));
      return false;
    }
    if (last) {
      queue.inputsRead(this);
    }
    return true;
  }

  /** A value could not be read: the request fails and is not sent. */
  void fail(TickwellException failure) {
    request.fail(failure);
    queue.inputsRead(this);
  }
}
