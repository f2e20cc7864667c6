package dev.tickwell;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** One row by column names: read from a result, or built to be written. Immutable. */
public interface Row {
  /** How many columns. */
  int columnCount();

  /** The name of a column, counted from 0. */
  String columnName(int column);

  /** Whether the row has this column at all; a column with null is there. */
  boolean has(String column);

  /** The value; null where there is none. {@code UNKNOWN_COLUMN} when the row lacks the column. */
  Object get(String column);

  /** {@link #get}, cast; {@code INVALID_VALUE} naming the column when the type differs. */
  <V> V get(String column, Class<V> type);

  /** A row that no longer refers to the result that it came from. */
  Row detach();

  /** Begins a row to write. */
  static Builder builder() {
    return new Builder();
  }

  /**
   * A row being built. Not thread-safe. Columns that are not set take the column's default, else
   * null.
   */
  final class Builder {
    private final Map<String, Object> values = new LinkedHashMap<>();

    private Builder() {}

    /** Sets a column; null is a value. */
    public Builder set(String column, Object value) {
      values.put(Objects.requireNonNull(column, "column"), value);
      return this;
    }

    /** The row. */
    public Row build() {
      return new MapRow(values);
    }
  }
}
