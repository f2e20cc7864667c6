package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Row;
import dev.tickwell.TickwellException;

/** One row of a result, read where it lies. Immutable; any thread. */
record PageRow(PageRows<?> rows, int row) implements Row {

  @Override
  public int columnCount() {
    return rows.columnCount();
  }

  @Override
  public String columnName(int column) {
    return rows.columnName(column);
  }

  @Override
  public boolean has(String column) {
    return rows.position(column) >= 0;
  }

  @Override
  public Object get(String column) {
    return rows.get(row, rows.column(column));
  }

  @Override
  public <V> V get(String column, Class<V> type) {
    return rows.get(row, rows.column(column), type);
  }

  @Override
  public Row detach() {
    Row.Builder builder = Row.builder();
    for (int column = 0; column < columnCount(); column++) {
      if (columnName(column).isEmpty()) {
        throw new TickwellException(
            ErrorCode.UNKNOWN_COLUMN,
            "row",
            "column " + column + " has no name; name it with AS to keep it in a row");
      }
      builder.set(columnName(column), rows.get(row, column));
    }
    return builder.build();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int column = 0; column < columnCount(); column++) {
      text.append(column == 0 ? "" : ", ").append(columnName(column)).append('=');
      text.append(rows.get(row, column));
    }
    return text.append('}').toString();
  }
}
