package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A declared table: its columns, key and indexes, and how its statements begin. Immutable; any
 * thread.
 */
final class TableModel {
  /** An index over columns. */
  record Index(List<String> columns, boolean unique) {}

  private final String name;
  private final List<Column> columns;
  private final List<String> names;
  private final List<String> key;
  private final Map<String, Integer> positions = new HashMap<>();
  private final Map<Requests.InsertMode, byte[]> insertRequests =
      new EnumMap<>(Requests.InsertMode.class);
  private final boolean mutable;

  /**
   * A table.
   *
   * @param key the names of the key's columns in their order
   */
  TableModel(String name, List<Column> columns, List<String> key) {
    this.name = name;
    this.key = List.copyOf(key);
    this.columns = List.copyOf(columns);
    for (int index = 0; index < columns.size(); index++) {
      positions.putIfAbsent(columns.get(index).name(), index);
    }
    this.names = columns.stream().map(Column::name).toList();
    for (Requests.InsertMode mode : Requests.InsertMode.values()) {
      insertRequests.put(mode, Requests.insert(name, names, mode));
    }
    this.mutable = columns.stream().anyMatch(Column::mutable);
  }

  /** The physical name. */
  String name() {
    return name;
  }

  List<Column> columns() {
    return columns;
  }

  /** The names of the key's columns in their order. */
  List<String> key() {
    return key;
  }

  /** Whether values of some column can change after they were given. */
  boolean hasMutableColumns() {
    return mutable;
  }

  byte[] insertRequest(Requests.InsertMode mode) {
    return insertRequests.get(mode);
  }

  byte[] insertRequest(Insertion how) {
    if (how.overwritten().isEmpty() && !how.returnsKeys()) {
      return insertRequest(how.mode());
    }
    how.overwritten().forEach(each -> column("insert", each));
    return Requests.insert(name, names, how.mode(), how.overwritten(), how.returnsKeys());
  }

  /**
   * The column with this name.
   *
   * @throws TickwellException {@code UNKNOWN_COLUMN} with the names that there are
   */
  Column column(String operation, String column) {
    Integer position = positions.get(column);
    if (position == null) {
      throw Problems.of(
          ErrorCode.UNKNOWN_COLUMN,
          operation,
          "the table has no column " + column + "; it has " + String.join(", ", names),
          "table",
          name,
          "column",
          column);
    }
    return columns.get(position);
  }

  boolean has(String column) {
    return positions.containsKey(column);
  }

  /** The columns with these names, or all when there are none. */
  Column[] columns(String operation, String[] names) {
    if (names.length == 0) {
      return columns.toArray(Column[]::new);
    }
    return Arrays.stream(names).map(each -> column(operation, each)).toArray(Column[]::new);
  }
}
