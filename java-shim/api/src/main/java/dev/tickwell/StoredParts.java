package dev.tickwell;

import java.util.List;

/**
 * What became of each part of an insert by {@link Table#independently()}. Immutable.
 *
 * @param parts the parts in the order of their rows
 */
public record StoredParts(List<Part> parts) {

  /** Copies the list. */
  public StoredParts {
    parts = List.copyOf(parts);
  }

  /**
   * The rows of one statement.
   *
   * @param firstRow the first one's place in the request, from 0
   * @param rows how many
   * @param stored how many were stored: fewer than {@code rows} where some were there already, 0
   *     when it failed, -1 where the database does not tell
   * @param failure why none of them was stored, or null; a row that it names counts from the
   *     request's first
   */
  public record Part(int firstRow, int rows, long stored, TickwellException failure) {}

  /** How many rows were stored in all; -1 where the database does not tell. */
  public long stored() {
    long stored = 0;
    for (Part part : parts) {
      if (part.stored() < 0) {
        return -1;
      }
      stored += part.stored();
    }
    return stored;
  }

  /** Whether no part failed. */
  public boolean isComplete() {
    return failed().isEmpty();
  }

  /** The parts that failed. */
  public List<Part> failed() {
    return parts.stream().filter(part -> part.failure() != null).toList();
  }
}
