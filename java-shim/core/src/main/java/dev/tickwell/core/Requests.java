package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Order;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the request bytes of {@code docs/boundary.md}. Values are not in them: a filter adds its
 * values to {@link Parameters}, which become the page beside the request. Stateless; any thread.
 */
final class Requests {
  /** No statement of the library's: the requests inside have their own. */
  static final int TRANSACTION = 0;

  /** A select to the library, whose pages come one by one. */
  static final int STREAM = -1;

  static final int REGISTER = 1;
  static final int INSERT = 2;
  static final int SELECT = 3;
  static final int COUNT = 4;
  static final int DELETE = 5;
  static final int RAW_QUERY = 6;
  static final int RAW_UPDATE = 7;

  static final int UPDATE = 8;
  static final int AGGREGATE = 9;

  /** What an insert does with rows of which a key is taken. */
  enum InsertMode {
    PLAIN(0),
    IF_ABSENT(1),
    UPSERT(2);

    private final int number;

    InsertMode(int number) {
      this.number = number;
    }
  }

  /** A column that an update changes. */
  record Assignment(String column, boolean adds, Object value) {}

  /** What an aggregate makes of the values of a column. */
  enum Function {
    COUNT(1),
    SUM(2),
    MIN(3),
    MAX(4),
    AVERAGE(5);

    private final int number;

    Function(int number) {
      this.number = number;
    }
  }

  /** A value of all rows together; a count of rows has an empty column. */
  record AggregateValue(Function function, String column) {
    /** The name under which its result is found. */
    String name() {
      String what = function.name().toLowerCase(Locale.ROOT);
      return function == Function.COUNT ? what : what + '(' + column + ')';
    }
  }

  private static final int SET = 1;
  private static final int ADD = 2;
  private static final int VERSION = 1;
  private static final int FLAGS = 2;

  /** It takes no part in the order of its table. */
  static final byte UNORDERED = 1;

  /** Each statement of an insert is stored or refused by itself. */
  static final byte INDEPENDENT = 2;

  private static final int NO_LIMIT = -1;
  private static final int NO_DEFAULT = 0xFFFF;
  private static final int ADD_MISSING_COLUMNS = 1;
  private static final int SHARED = 2;
  private static final int NULLABLE = 1;
  private static final int AUTO_INCREMENT = 2;
  static final int MAX_FILTER_DEPTH = 64;

  private Requests() {}

  /** The name of a kind of statement in messages; as the library's. */
  static String name(int kind) {
    return switch (kind) {
      case TRANSACTION -> "transaction";
      case STREAM -> "stream";
      case REGISTER -> "register";
      case INSERT -> "insert";
      case SELECT -> "select";
      case COUNT -> "count";
      case DELETE -> "delete";
      case RAW_QUERY -> "query";
      case UPDATE -> "update";
      case AGGREGATE -> "aggregate";
      default -> "raw-update";
    };
  }

  /** Whether it changes the database. */
  static boolean isWrite(int kind) {
    return kind == TRANSACTION
        || kind == REGISTER
        || kind == INSERT
        || kind == DELETE
        || kind == UPDATE
        || kind == RAW_UPDATE;
  }

  private static Wire.Writer begin(int kind) {
    return new Wire.Writer(128).u8(VERSION).u8(kind).u16(0).u32(0);
  }

  /** The same request with one of the options above. */
  static byte[] flagged(byte[] request, byte flag) {
    byte[] changed = request.clone();
    changed[FLAGS] |= flag;
    return changed;
  }

  /** How a table is registered by its plugin, beside what it is. */
  record Registration(String owner, boolean shared, boolean addMissingColumns) {}

  static byte[] register(
      TableModel table,
      List<TableModel.Index> indexes,
      Registration registration,
      Parameters defaults) {
    Wire.Writer out = begin(REGISTER).str(table.name());
    out.u8(
        (registration.addMissingColumns() ? ADD_MISSING_COLUMNS : 0)
            | (registration.shared() ? SHARED : 0));
    out.str(registration.owner());
    List<Column> columns = table.columns();
    out.u16(columns.size());
    for (Column column : columns) {
      out.str(column.name()).u8(column.type().code()).u32(column.maxLength());
      out.u8((column.nullable() ? NULLABLE : 0) | (column.autoIncrement() ? AUTO_INCREMENT : 0));
      out.u16(
          column.defaultValue() == null
              ? NO_DEFAULT
              : defaults.add("register", column, column.defaultValue()));
    }
    out.u16(table.key().size());
    for (String column : table.key()) {
      out.u16(columns.indexOf(table.column("register", column)));
    }
    out.u16(indexes.size());
    for (TableModel.Index index : indexes) {
      out.u8(index.unique() ? 1 : 0).u16(index.columns().size());
      index.columns().forEach(column -> out.str(table.column("register", column).name()));
    }
    return out.toBytes();
  }

  /** An insert; an upsert overwrites every column outside of the key. Keys are not asked for. */
  static byte[] insert(String table, List<String> columns, InsertMode mode) {
    return insert(table, columns, mode, List.of(), false);
  }

  static byte[] insert(
      String table,
      List<String> columns,
      InsertMode mode,
      List<String> overwritten,
      boolean returnsKeys) {
    Wire.Writer out = begin(INSERT).str(table).u16(columns.size());
    columns.forEach(out::str);
    out.u8(mode.number).u16(overwritten.size());
    overwritten.forEach(out::str);
    return out.u8(returnsKeys ? 1 : 0).toBytes();
  }

  /** An update of the rows that match, or of all when there is no filter. */
  static byte[] update(
      TableModel table,
      List<Assignment> assignments,
      List<Filter> filters,
      Integer limit,
      Parameters parameters) {
    Wire.Writer out = begin(UPDATE).str(table.name());
    out.u16(count("update", assignments.size()));
    for (Assignment assignment : assignments) {
      Column column = table.column("update", assignment.column());
      out.str(column.name()).u8(assignment.adds() ? ADD : SET);
      out.u16(parameters.add("update", column, assignment.value()));
    }
    out.u8(filters.isEmpty() ? 1 : 0);
    filters(out, table, "update", filters, parameters);
    return out.u32(limit == null ? NO_LIMIT : limit).toBytes();
  }

  static byte[] select(
      TableModel table,
      Column[] columns,
      List<Filter> filters,
      List<Order> orders,
      Integer limit,
      int offset,
      Parameters parameters) {
    Wire.Writer out = begin(SELECT).str(table.name()).u16(columns.length);
    for (Column column : columns) {
      out.str(column.name());
    }
    filters(out, table, "select", filters, parameters);
    out.u16(orders.size());
    for (Order order : orders) {
      out.str(table.column("select", order.column()).name()).u8(order.descending() ? 1 : 0);
    }
    return out.u32(limit == null ? NO_LIMIT : limit).u32(offset).toBytes();
  }

  /**
   * A count of the rows that match.
   *
   * @param exists whether it stops at the first one
   */
  static byte[] count(
      TableModel table, List<Filter> filters, boolean exists, Parameters parameters) {
    Wire.Writer out = begin(COUNT).str(table.name());
    filters(out, table, "count", filters, parameters);
    return out.u8(exists ? 1 : 0).toBytes();
  }

  /** A delete of the rows that match, or of all when there is no filter. */
  static byte[] delete(
      TableModel table, List<Filter> filters, Integer limit, Parameters parameters) {
    Wire.Writer out = begin(DELETE).str(table.name()).u8(filters.isEmpty() ? 1 : 0);
    filters(out, table, "delete", filters, parameters);
    return out.u32(limit == null ? NO_LIMIT : limit).toBytes();
  }

  /** Values of the rows that match. */
  static byte[] aggregate(
      TableModel table, List<AggregateValue> values, List<Filter> filters, Parameters parameters) {
    Wire.Writer out = begin(AGGREGATE).str(table.name());
    filters(out, table, "aggregate", filters, parameters);
    out.u16(count("aggregate", values.size()));
    for (AggregateValue value : values) {
      out.u8(value.function().number);
      boolean rows = value.function() == Function.COUNT;
      out.str(rows ? "" : table.column("aggregate", value.column()).name());
    }
    return out.toBytes();
  }

  /**
   * Raw SQL.
   *
   * @param tables the physical names by the names that the text may write in braces
   */
  static byte[] raw(int kind, String sql, Map<String, String> tables) {
    Wire.Writer out = begin(kind).text(sql);
    if (sql.indexOf('{') < 0) {
      return out.u16(0).toBytes();
    }
    List<Map.Entry<String, String>> names = List.copyOf(tables.entrySet());
    out.u16(count(name(kind), names.size()));
    names.forEach(entry -> out.str(entry.getKey()).str(entry.getValue()));
    return out.toBytes();
  }

  private static void filters(
      Wire.Writer out,
      TableModel table,
      String operation,
      List<Filter> filters,
      Parameters parameters) {
    switch (filters.size()) {
      case 0 -> out.u8(0);
      case 1 -> filter(out, table, operation, filters.getFirst(), parameters, 1);
      default -> filter(out, table, operation, new Filter.And(filters), parameters, 1);
    }
  }

  private static void filter(
      Wire.Writer out,
      TableModel table,
      String operation,
      Filter filter,
      Parameters parameters,
      int depth) {
    if (depth > MAX_FILTER_DEPTH) {
      throw new TickwellException(
          ErrorCode.INVALID_STATEMENT,
          operation,
          "the filters are nested more than " + MAX_FILTER_DEPTH + " deep");
    }
    switch (filter) {
      case Filter.And and -> all(out.u8(1), table, operation, and.filters(), parameters, depth);
      case Filter.Or or -> all(out.u8(2), table, operation, or.filters(), parameters, depth);
      case Filter.Not not ->
          filter(out.u8(3), table, operation, not.filter(), parameters, depth + 1);
      case Filter.Compare compare -> {
        Column column = table.column(operation, compare.column());
        out.u8(4).str(column.name()).u8(compare.comparison().number());
        out.u16(parameters.add(operation, column, compare.value()));
      }
      case Filter.Between between -> {
        Column column = table.column(operation, between.column());
        out.u8(5).str(column.name());
        out.u16(parameters.add(operation, column, between.low()));
        out.u16(parameters.add(operation, column, between.high()));
      }
      case Filter.In in -> {
        Column column = table.column(operation, in.column());
        out.u8(6).str(column.name()).u16(count(operation, in.values().size()));
        in.values().forEach(value -> out.u16(parameters.add(operation, column, value)));
      }
      case Filter.Like like -> {
        Column column = table.column(operation, like.column());
        out.u8(7).str(column.name());
        out.u16(parameters.addTyped(operation, column.name(), ValueType.TEXT, like.pattern()));
      }
      case Filter.IsNull isNull -> out.u8(8).str(table.column(operation, isNull.column()).name());
    }
  }

  private static void all(
      Wire.Writer out,
      TableModel table,
      String operation,
      List<Filter> filters,
      Parameters parameters,
      int depth) {
    out.u16(count(operation, filters.size()));
    filters.forEach(each -> filter(out, table, operation, each, parameters, depth + 1));
  }

  /** A number of rows as its caller gave it. */
  static int atLeastZero(String operation, String what, int rows) {
    if (rows < 0) {
      throw DatabaseView.invalid(operation, "the " + what + " is " + rows + ", at least 0");
    }
    return rows;
  }

  private static int count(String operation, int count) {
    if (count > PageFormat.MAX_COLUMNS) {
      throw new TickwellException(
          ErrorCode.INVALID_STATEMENT,
          operation,
          count + " values or filters in one list, the most is " + PageFormat.MAX_COLUMNS);
    }
    return count;
  }
}
