package dev.tickwell.benchmark.shape;

import dev.tickwell.Key;
import dev.tickwell.Rows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/** Six columns of which the key alone has a value. */
public final class IdOnly extends Shape<IdOnly.Sparse> {
  private static final int COLUMNS = 6;

  /** A row whose other columns may be null, and are. */
  public record Sparse(
      @Key long id, Integer level, Long coins, Double balance, Integer kills, Double score) {}

  /** The shape under this table name. */
  public IdOnly(String table) {
    super(
        table,
        Sparse.class,
        List.of("id", "level", "coins", "balance", "kills", "score"),
        "id INTEGER PRIMARY KEY, level INTEGER, coins INTEGER, balance REAL, kills INTEGER,"
            + " score REAL");
  }

  @Override
  public Sparse row(long id) {
    return new Sparse(id, null, null, null, null, null);
  }

  @Override
  public long checksum(long sum, Sparse row) {
    sum = Checksum.add(sum, row.id());
    sum = Checksum.add(sum, row.level() == null ? 0 : row.level());
    sum = Checksum.add(sum, row.coins() == null ? 0 : row.coins());
    sum = Checksum.add(sum, row.balance() == null ? 0.0 : row.balance());
    sum = Checksum.add(sum, row.kills() == null ? 0 : row.kills());
    return Checksum.add(sum, row.score() == null ? 0.0 : row.score());
  }

  @Override
  public long checksum(Rows<?> rows) {
    long sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum = Checksum.add(sum, rows.getLong(row, 0));
      sum = Checksum.add(sum, rows.isNull(row, 1) ? 0 : rows.getLong(row, 1));
      sum = Checksum.add(sum, rows.isNull(row, 2) ? 0 : rows.getLong(row, 2));
      sum = Checksum.add(sum, rows.isNull(row, 3) ? 0.0 : rows.getDouble(row, 3));
      sum = Checksum.add(sum, rows.isNull(row, 4) ? 0 : rows.getLong(row, 4));
      sum = Checksum.add(sum, rows.isNull(row, 5) ? 0.0 : rows.getDouble(row, 5));
    }
    return sum;
  }

  @Override
  public void bind(PreparedStatement statement, int first, Sparse row) throws SQLException {
    statement.setLong(first, row.id());
    for (int column = 1; column < COLUMNS; column++) {
      statement.setNull(first + column, Types.NULL);
    }
  }

  @Override
  public Sparse read(ResultSet result) throws SQLException {
    long id = result.getLong(1);
    int level = result.getInt(2);
    Integer levelOrNull = result.wasNull() ? null : level;
    long coins = result.getLong(3);
    Long coinsOrNull = result.wasNull() ? null : coins;
    double balance = result.getDouble(4);
    Double balanceOrNull = result.wasNull() ? null : balance;
    int kills = result.getInt(5);
    Integer killsOrNull = result.wasNull() ? null : kills;
    double score = result.getDouble(6);
    Double scoreOrNull = result.wasNull() ? null : score;
    return new Sparse(id, levelOrNull, coinsOrNull, balanceOrNull, killsOrNull, scoreOrNull);
  }
}
