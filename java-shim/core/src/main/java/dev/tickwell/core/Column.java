package dev.tickwell.core;

import dev.tickwell.ObjectCodec;
import dev.tickwell.Row;
import dev.tickwell.ValueType;

/**
 * A column of a table as Java knows it. Immutable.
 *
 * @param maxLength the most code points of a {@code string}, else 0
 * @param codec how its values are made into objects, or null
 * @param component where its values are in a record, or null in a table of rows
 */
record Column(
    String name,
    ValueType type,
    int maxLength,
    boolean nullable,
    ObjectCodec<?> codec,
    RecordShape.Component component) {

  /** Its value in a row, which is a record or a {@link Row}. */
  Object of(Object row) {
    if (component != null) {
      return component.get(row);
    }
    Row given = (Row) row;
    return given.has(name) ? given.get(name) : null;
  }

  /** Whether its values can change after they were given. */
  boolean mutable() {
    return codec != null || type == ValueType.BYTES || PageFormat.isCoded(type);
  }

  /** Whether its values can be made into bytes, and back, only on a tick thread. */
  boolean needsTickThread() {
    return codec != null && codec.requiresTickThread();
  }
}
