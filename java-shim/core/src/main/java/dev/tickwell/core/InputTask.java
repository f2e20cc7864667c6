package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;

/** Reads the values of a write that can be made into bytes on a tick thread only. */
final class InputTask extends TickTask {
  private final Submission submission;

  InputTask(Submission submission) {
    super(submission.request(), new Target.Global());
    this.submission = submission;
  }

  @Override
  boolean run(int kind) {
    return submission.readOne();
  }

  @Override
  int slices() {
    return submission.unread();
  }

  @Override
  int sliceKind() {
    return READ;
  }

  @Override
  int finals() {
    return 0;
  }

  @Override
  void lose(String reason) {
    if (submission.unread() > 0) {
      submission.fail(
          new TickwellException(
              ErrorCode.GONE,
              "input",
              reason + "; the values that had to be read on a tick thread were not written"));
    }
    request().taskEnded();
  }
}
