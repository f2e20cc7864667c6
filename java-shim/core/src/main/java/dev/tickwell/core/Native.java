package dev.tickwell.core;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The one class with native methods; {@code docs/boundary.md} describes each. Nothing but this
 * package calls it. All methods may be called on any thread except the lane calls, which belong to
 * the lane's thread. They throw {@link TickwellException}; the hot ones throw nothing.
 */
final class Native {
  /** The version of the boundary that this class was written for. */
  static final int ABI_VERSION = 1;

  private Native() {}

  static native int abiVersion();

  static native long openRuntime(byte[] settings);

  static native byte[] closeRuntime(long runtime, long timeoutNanos);

  static native long openDatabase(long runtime, byte[] settings);

  static native byte[] closeDatabase(long runtime, long database, long timeoutNanos);

  static native void backupDatabase(long runtime, long database, String path);

  static native int openOwner(long runtime, String name);

  static native void closeOwner(long runtime, int owner);

  static native boolean submit(
      long runtime,
      long database,
      long requestId,
      int owner,
      byte[] request,
      byte[] page,
      boolean offer);

  static native void stream(
      long runtime,
      long database,
      long requestId,
      int owner,
      byte[] request,
      byte[] page,
      int pageRows,
      int credit,
      long idleNanos);

  static native void credit(long runtime, long requestId, int pages);

  static native byte[][] execute(long runtime, long database);

  static native byte[][] executeRead(long runtime, long database);

  static native void wakeDatabase(long runtime, long database);

  static native long beginTransaction(
      long runtime,
      long database,
      long requestId,
      int owner,
      long waitNanos,
      long limitNanos,
      long idleNanos);

  static native byte[] executeInTransaction(
      long runtime, long transaction, long requestId, byte[] request, byte[] page);

  static native void endTransaction(long runtime, long transaction, boolean commit);

  static native boolean cancel(long runtime, long requestId);

  static native byte[][] awaitCompletions(long runtime, int max, long timeoutNanos);

  static native long background();

  static native void record(long runtime, long database, int statementKind, long[] fields);

  static native byte[] statistics(long runtime);

  static native long openLane(long runtime);

  static native void closeLane(long runtime, long lane);

  static native long ready(
      long lane, long requestId, int owner, int slices, int sliceKind, int finals);

  static native long tickStart(long lane, long budgetNanos);

  static native long next(long lane);

  static native long tickEnd(long lane, long slackNanos);

  static native long drop(long lane, long requestId);

  /**
   * The throwable for an error of the library; called by its error guard. Must not throw.
   *
   * @param context names and values, alternating
   */
  static Throwable exception(
      int code, int effect, boolean retryable, String operation, String message, String[] context) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (int index = 0; context != null && index + 1 < context.length; index += 2) {
      facts.put(String.valueOf(context[index]), String.valueOf(context[index + 1]));
    }
    return new TickwellException(
        ErrorCode.of(code), effect(effect), retryable, operation, message, facts, null);
  }

  /**
   * The effect with this number; {@link Effect#UNKNOWN} for one that this version does not know.
   */
  static Effect effect(int number) {
    return switch (number) {
      case 0 -> Effect.NONE;
      case 1 -> Effect.APPLIED;
      default -> Effect.UNKNOWN;
    };
  }
}
