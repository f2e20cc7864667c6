package dev.tickwell.benchmark.shape;

import dev.tickwell.Key;
import dev.tickwell.Rows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** One column, so that as many rows are as many bound values. */
public final class Single extends Shape<Single.One> {

  /** A key and nothing else. */
  public record One(@Key long id) {}

  /** The shape under this table name. */
  public Single(String table) {
    super(table, One.class, List.of("id"), "id INTEGER PRIMARY KEY");
  }

  @Override
  public One row(long id) {
    return new One(id);
  }

  @Override
  public long checksum(long sum, One row) {
    return Checksum.add(sum, row.id());
  }

  @Override
  public long checksum(Rows<?> rows) {
    long sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum = Checksum.add(sum, rows.getLong(row, 0));
    }
    return sum;
  }

  @Override
  public void bind(PreparedStatement statement, int first, One row) throws SQLException {
    statement.setLong(first, row.id());
  }

  @Override
  public One read(ResultSet result) throws SQLException {
    return new One(result.getLong(1));
  }
}
