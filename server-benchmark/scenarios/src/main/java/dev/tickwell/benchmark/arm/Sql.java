package dev.tickwell.benchmark.arm;

import dev.tickwell.benchmark.shape.IdOnly;
import dev.tickwell.benchmark.shape.Shape;
import java.util.List;

/** Handwritten SQL, the same for both implementations but for the table's name. */
final class Sql {
  private Sql() {}

  /** Reads the rows with keys between two parameters. */
  static String select(String table, Shape<?> shape) {
    return "SELECT "
        + shape.columnList()
        + " FROM "
        + table
        + " WHERE id BETWEEN ? AND ? ORDER BY id";
  }

  /** Inserts that many keys with one statement; the other columns stay null. */
  static String insert(String table, Shape<?> shape, int rows) {
    return "INSERT INTO "
        + table
        + " ("
        + shape.columns().get(0)
        + ") VALUES "
        + String.join(",", java.util.Collections.nCopies(rows, "(?)"));
  }

  /** The keys, as parameters of {@link #insert}. */
  static Object[] parameters(List<? extends Record> rows) {
    return rows.stream().map(row -> (Object) ((IdOnly.Sparse) row).id()).toArray();
  }
}
