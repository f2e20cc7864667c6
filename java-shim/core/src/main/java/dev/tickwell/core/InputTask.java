package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;

/** Reads the values of a write that can be made into bytes on a tick thread only. */
final class InputTask extends TickTask {
  private final Submission submission;
  private int next;

  InputTask(Submission submission) {
    super(submission.request(), new Target.Global());
    this.submission = submission;
  }

  @Override
  boolean run(int kind) {
    try {
      submission.input().readOnTick(next++);
    } catch (Throwable thrown) {
      submission.fail(Problems.wrap(thrown, "input"));
      return false;
    }
    if (next == submission.input().tickReads()) {
      submission.inputsRead();
    }
    return true;
  }

  @Override
  int slices() {
    return submission.input().tickReads() - next;
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
    submission.fail(
        new TickwellException(
            ErrorCode.GONE,
            "input",
            reason + "; the values that had to be read on a tick thread were not written"));
    request().taskEnded();
  }
}
