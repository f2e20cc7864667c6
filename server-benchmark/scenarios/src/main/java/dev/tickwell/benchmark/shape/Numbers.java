package dev.tickwell.benchmark.shape;

import dev.tickwell.Key;
import dev.tickwell.Rows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Six numeric columns, all populated. */
public final class Numbers extends Shape<Numbers.Stats> {

  /** A player's numbers. */
  public record Stats(
      @Key long id, int level, long coins, double balance, int kills, double score) {}

  /** The shape under this table name. */
  public Numbers(String table) {
    super(
        table,
        Stats.class,
        List.of("id", "level", "coins", "balance", "kills", "score"),
        "id INTEGER PRIMARY KEY, level INTEGER NOT NULL, coins INTEGER NOT NULL,"
            + " balance REAL NOT NULL, kills INTEGER NOT NULL, score REAL NOT NULL");
  }

  @Override
  public Stats row(long id) {
    return new Stats(
        id,
        (int) mix(id, 1) & 0x7F,
        mix(id, 2) >>> 24,
        (mix(id, 3) >>> 11) / 4096.0,
        (int) mix(id, 4),
        mix(id, 5) / 65536.0);
  }

  @Override
  public long checksum(long sum, Stats row) {
    sum = Checksum.add(sum, row.id());
    sum = Checksum.add(sum, row.level());
    sum = Checksum.add(sum, row.coins());
    sum = Checksum.add(sum, row.balance());
    sum = Checksum.add(sum, row.kills());
    return Checksum.add(sum, row.score());
  }

  @Override
  public long checksum(Rows<?> rows) {
    long sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum = Checksum.add(sum, rows.getLong(row, 0));
      sum = Checksum.add(sum, rows.getLong(row, 1));
      sum = Checksum.add(sum, rows.getLong(row, 2));
      sum = Checksum.add(sum, rows.getDouble(row, 3));
      sum = Checksum.add(sum, rows.getLong(row, 4));
      sum = Checksum.add(sum, rows.getDouble(row, 5));
    }
    return sum;
  }

  @Override
  public void bind(PreparedStatement statement, int first, Stats row) throws SQLException {
    statement.setLong(first, row.id());
    statement.setInt(first + 1, row.level());
    statement.setLong(first + 2, row.coins());
    statement.setDouble(first + 3, row.balance());
    statement.setInt(first + 4, row.kills());
    statement.setDouble(first + 5, row.score());
  }

  @Override
  public Stats read(ResultSet result) throws SQLException {
    return new Stats(
        result.getLong(1),
        result.getInt(2),
        result.getLong(3),
        result.getDouble(4),
        result.getInt(5),
        result.getDouble(6));
  }
}
