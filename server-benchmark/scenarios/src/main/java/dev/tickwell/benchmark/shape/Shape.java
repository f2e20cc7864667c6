package dev.tickwell.benchmark.shape;

import dev.tickwell.Rows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One kind of row: how its data is made, how its values are summed up on either side, and how a
 * plugin author maps it by hand with JDBC. Immutable; every method may be called on any thread
 * unless it says otherwise. The first column is always the key {@code id}.
 *
 * @param <R> the record of a row
 */
public abstract class Shape<R extends Record> {
  private final String table;
  private final Class<R> type;
  private final List<String> columns;
  private final String definition;

  /**
   * A shape.
   *
   * @param table the table's name
   * @param columns the names of the columns, in the order of the record's components
   * @param definition the columns as SQLite's DDL, for the peer's table
   */
  protected Shape(String table, Class<R> type, List<String> columns, String definition) {
    this.table = table;
    this.type = type;
    this.columns = List.copyOf(columns);
    this.definition = definition;
  }

  /** The table's name. */
  public final String table() {
    return table;
  }

  /** The record of a row. */
  public final Class<R> type() {
    return type;
  }

  /** The names of the columns. */
  public final List<String> columns() {
    return columns;
  }

  /** The peer's {@code CREATE TABLE}. */
  public final String createTable() {
    return "CREATE TABLE IF NOT EXISTS " + table + " (" + definition + ")";
  }

  /** The names of the columns with commas between them. */
  public final String columnList() {
    return String.join(", ", columns);
  }

  /** The row with this key; always the same. */
  public abstract R row(long id);

  /** Rows with keys from {@code first} on. */
  public final List<R> rows(long first, int count) {
    List<R> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(row(first + i));
    }
    return rows;
  }

  /** The sum with the values of one more row. */
  public abstract long checksum(long sum, R row);

  /** The sum of all rows. */
  public final long checksum(Iterable<? extends R> rows) {
    long sum = 0;
    for (R row : rows) {
      sum = checksum(sum, row);
    }
    return sum;
  }

  /** The sum of all values of a result, read by its accessors. */
  public abstract long checksum(Rows<?> rows);

  /** A copy of a row that later changes of its values do not reach. Server thread. */
  public R snapshot(R row) {
    return row;
  }

  /** Whether rows hold values that can change, so that they have to be copied before a write. */
  public boolean mutable() {
    return false;
  }

  /** Whether rows can be made on the server thread only. */
  public boolean needsServerThread() {
    return false;
  }

  /** Binds a row, from parameter {@code first} on. */
  public abstract void bind(PreparedStatement statement, int first, R row) throws SQLException;

  /** Makes the current row; the server thread for a shape that {@link #needsServerThread()}. */
  public abstract R read(ResultSet result) throws SQLException;

  /** Reads the current row's values, for a row that is made later. */
  public Supplier<R> readLater(ResultSet result) throws SQLException {
    R row = read(result);
    return () -> row;
  }

  /** Bits that look random and depend on the key and the column only. */
  protected static long mix(long id, int column) {
    long z = id * 0x9E3779B97F4A7C15L + column * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
