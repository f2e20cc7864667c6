package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Filters;
import java.util.List;

/** The key of one row as a plugin gave it. Immutable, beside its values. */
final class KeyValues {
  private final TableModel table;
  private final Object[] values;

  KeyValues(TableModel table, Object[] given) {
    this.table = table;
    // A lone null in the place of the varargs is one null value.
    this.values = given == null ? new Object[1] : given.clone();
  }

  /** What chooses the row; of any values, which only {@link #check} looks at. */
  Filter[] filters() {
    List<String> key = table.key();
    Filter[] filters = new Filter[Math.min(key.size(), values.length)];
    for (int index = 0; index < filters.length; index++) {
      filters[index] = Filters.eq(key.get(index), values[index]);
    }
    return filters;
  }

  /** Refuses what is no key of the table. */
  void check(String operation) {
    List<String> key = table.key();
    if (key.isEmpty()) {
      throw Problems.of(
          ErrorCode.INVALID_STATEMENT,
          operation,
          "the table has no key; choose the rows by a filter",
          "table",
          table.name());
    }
    if (values.length != key.size()) {
      throw Problems.of(
          ErrorCode.INVALID_STATEMENT,
          operation,
          "the key is " + String.join(", ", key) + ", and " + values.length + " values were given",
          "table",
          table.name());
    }
    for (int index = 0; index < values.length; index++) {
      if (values[index] == null) {
        throw Problems.of(
            ErrorCode.INVALID_VALUE,
            operation,
            "no row has null in its key",
            "table",
            table.name(),
            "column",
            key.get(index));
      }
    }
  }
}
