package dev.tickwell.core;

import dev.tickwell.Target;

/**
 * The tick work of a result for one target: first the values that can be made on a tick thread
 * only, then the publication, then the callbacks.
 */
final class ResultTask extends TickTask {
  private static final long[] NO_CONVERSIONS = {};

  private final PageRows<?> rows;
  private final long[] conversions;
  private int next;
  private boolean publish;
  private boolean deliver;

  /** Callbacks alone. */
  ResultTask(Request<?> request, Target target) {
    this(request, target, null, NO_CONVERSIONS, 0, false, true);
  }

  ResultTask(
      Request<?> request,
      Target target,
      PageRows<?> rows,
      long[] conversions,
      int next,
      boolean publish,
      boolean deliver) {
    super(request, target);
    this.rows = rows;
    this.conversions = conversions;
    this.next = next;
    this.publish = publish;
    this.deliver = deliver;
  }

  /** Whether it will run the callbacks of its target. */
  boolean delivers() {
    return deliver;
  }

  @Override
  boolean run(int kind) {
    switch (kind) {
      case CONVERT -> {
        try {
          rows.convert(conversions[next++]);
        } catch (Throwable thrown) {
          request().conversionFailed(Problems.wrap(thrown, "read"));
          return false;
        }
        if (next == conversions.length) {
          request().converted(this);
        }
      }
      case PUBLISH -> {
        publish = false;
        request().publish(this);
      }
      case DELIVER -> {
        deliver = false;
        request().deliver(target());
      }
      default -> throw new IllegalStateException("step of kind " + kind);
    }
    return true;
  }

  @Override
  int slices() {
    return conversions.length - next;
  }

  @Override
  int sliceKind() {
    return CONVERT;
  }

  @Override
  int finals() {
    return (publish ? PUBLISH : 0) | (deliver ? DELIVER : 0);
  }

  @Override
  void lose(String reason) {
    Request<?> request = request();
    if (slices() > 0 || publish) {
      if (target() instanceof Target.Global) {
        request.lose(reason);
      } else {
        // The target's callbacks are lost, the result is not: the global thread goes on with it.
        request.redirect(
            new ResultTask(request, new Target.Global(), rows, conversions, next, publish, false));
      }
    }
    request.targetGone(target(), reason);
    request.taskEnded();
  }
}
