package dev.tickwell.core;

import dev.tickwell.ObjectCodec;
import dev.tickwell.Row;
import dev.tickwell.ValueType;

/**
 * A column of a table as Java knows it. Immutable.
 *
 * @param maxLength the most code points of a {@code string}, else 0
 * @param autoIncrement whether the database numbers rows that have null here
 * @param defaultValue the value of rows that have none, or null
 * @param codec how its values are made into objects, or null
 * @param component where its values are in a record, or null in a table of rows
 */
record Column(
    String name,
    ValueType type,
    int maxLength,
    boolean nullable,
    boolean autoIncrement,
    Object defaultValue,
    ObjectCodec<?> codec,
    RecordShape.Component component) {

  /** The same column that may not be null. */
  Column withoutNull() {
    return new Column(name, type, maxLength, false, autoIncrement, defaultValue, codec, component);
  }

  /** The same column, numbered by the database. */
  Column numbered() {
    return new Column(name, type, maxLength, false, true, defaultValue, codec, component);
  }

  /** The same column with a default. */
  Column withDefault(Object value) {
    return new Column(name, type, maxLength, nullable, autoIncrement, value, codec, component);
  }

  /** Its value in a row, which is a record or a {@link Row}; the default where it has none. */
  Object of(Object row) {
    if (component != null) {
      Object value = component.get(row);
      // A record cannot lack a component, so null says it where it is no value.
      return value == null && !nullable ? defaultValue : value;
    }
    Row given = (Row) row;
    return given.has(name) ? given.get(name) : defaultValue;
  }

  /** Whether its values can change after they were given. */
  boolean mutable() {
    return codec != null
        || type == ValueType.BYTES
        || PageFormat.isCoded(type)
        || (component != null && component.mutable());
  }

  /** Whether its values can be made into bytes, and back, only on a tick thread. */
  boolean needsTickThread() {
    return codec != null && codec.requiresTickThread();
  }
}
