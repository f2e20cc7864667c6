package dev.tickwell;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A row built to be written. */
final class MapRow implements Row {
  private final List<String> names;
  private final Map<String, Object> values;

  MapRow(Map<String, Object> values) {
    this.values = new LinkedHashMap<>(values);
    this.names = List.copyOf(this.values.keySet());
  }

  @Override
  public int columnCount() {
    return names.size();
  }

  @Override
  public String columnName(int column) {
    return names.get(column);
  }

  @Override
  public boolean has(String column) {
    return values.containsKey(column);
  }

  @Override
  public Object get(String column) {
    Object value = values.get(column);
    if (value == null && !values.containsKey(column)) {
      throw new TickwellException(
          ErrorCode.UNKNOWN_COLUMN, "row", "the row has no column " + column);
    }
    return value;
  }

  @Override
  public <V> V get(String column, Class<V> type) {
    Object value = get(column);
    if (value != null && !type.isInstance(value)) {
      throw new TickwellException(
          ErrorCode.INVALID_VALUE,
          "row",
          "column "
              + column
              + " holds a "
              + value.getClass().getName()
              + ", not a "
              + type.getName());
    }
    return type.cast(value);
  }

  @Override
  public Row detach() {
    return this;
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
