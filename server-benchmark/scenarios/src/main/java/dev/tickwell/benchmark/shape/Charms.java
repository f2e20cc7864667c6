package dev.tickwell.benchmark.shape;

import dev.tickwell.Key;
import dev.tickwell.NotNull;
import dev.tickwell.Rows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** A key and a value that only the server thread may make. */
public final class Charms extends Shape<Charms.Charmed> {
  private final CharmCodec codec;

  /** A row. */
  public record Charmed(@Key long id, @NotNull Charm charm) {}

  /** The shape under this table name. */
  public Charms(String table, CharmCodec codec) {
    super(
        table,
        Charmed.class,
        List.of("id", "charm"),
        "id INTEGER PRIMARY KEY, charm BLOB NOT NULL");
    this.codec = codec;
  }

  @Override
  public Charmed row(long id) {
    return new Charmed(id, new Charm(mix(id, 1)));
  }

  @Override
  public long checksum(long sum, Charmed row) {
    return Checksum.add(Checksum.add(sum, row.id()), row.charm().seed());
  }

  @Override
  public long checksum(Rows<?> rows) {
    long sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum = Checksum.add(sum, rows.getLong(row, 0));
      sum = Checksum.add(sum, rows.get(row, 1, Charm.class).seed());
    }
    return sum;
  }

  @Override
  public boolean needsServerThread() {
    return true;
  }

  @Override
  public void bind(PreparedStatement statement, int first, Charmed row) throws SQLException {
    statement.setLong(first, row.id());
    statement.setBytes(first + 1, codec.encode(row.charm()));
  }

  @Override
  public Charmed read(ResultSet result) throws SQLException {
    return readLater(result).get();
  }

  @Override
  public Supplier<Charmed> readLater(ResultSet result) throws SQLException {
    long id = result.getLong(1);
    byte[] bytes = result.getBytes(2);
    return () -> new Charmed(id, codec.decode(bytes));
  }
}
