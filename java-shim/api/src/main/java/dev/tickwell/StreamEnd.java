package dev.tickwell;

/**
 * How a stream ended.
 *
 * @param rows how many rows its consumer has got
 * @param failure why it ended before its last row, {@code CANCELLED} among other reasons; null when
 *     all were read
 */
public record StreamEnd(long rows, TickwellException failure) {

  /** Whether all rows were read. */
  public boolean isComplete() {
    return failure == null;
  }
}
