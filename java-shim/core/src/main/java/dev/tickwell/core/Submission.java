package dev.tickwell.core;

import dev.tickwell.TickwellException;

/** A request on its way to the library: its bytes, and the values that go with it. */
final class Submission {
  private final Request<?> request;
  private final byte[] body;
  private final Submissions queue;
  private final Input input;
  // Guarded by the queue.
  private boolean waiting;

  Submission(Request<?> request, byte[] body, Input input, Submissions queue) {
    this.request = request;
    this.body = body;
    this.input = input;
    this.queue = queue;
    this.waiting = input.tickReads() > 0;
  }

  Request<?> request() {
    return request;
  }

  Input input() {
    return input;
  }

  byte[] body() {
    return body;
  }

  /** Whether values must still be read on a tick thread. */
  boolean isWaiting() {
    return waiting;
  }

  void stopWaiting() {
    waiting = false;
  }

  /** All values were read on the tick thread. */
  void inputsRead() {
    queue.inputsRead(this);
  }

  /** A value could not be read: the request fails and is not sent. */
  void fail(TickwellException failure) {
    request.fail(failure);
    queue.inputsRead(this);
  }
}
