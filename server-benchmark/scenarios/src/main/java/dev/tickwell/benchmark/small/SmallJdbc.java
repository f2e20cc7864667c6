package dev.tickwell.benchmark.small;

import com.zaxxer.hikari.HikariDataSource;
import dev.tickwell.benchmark.arm.JdbcArm;
import dev.tickwell.benchmark.arm.Scheduling;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.shape.Numbers;
import dev.tickwell.benchmark.shape.Numbers.Stats;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.sqlite.SQLiteConnection;

/**
 * The peer under small requests: a task of the server's asynchronous scheduler for each caller, a
 * connection of the pool for each request, and statements that stay prepared with their connection.
 * Writes take turns by a lock of the process: waiting for that of the file sleeps for up to 100 ms
 * at a time, and of 16 writers some never had their turn within its limit of 5 s.
 */
class SmallJdbc implements SmallArm {
  /** One for each caller; with 3 the callers wait for each other, and fewer are answered. */
  private static final int CONNECTIONS = 16;

  private final Numbers shape;
  private final Scheduling scheduling;
  private final HikariDataSource pool;
  private final Statements loads;
  private final Statements saves;
  private final Lock writing = new ReentrantLock();

  /** One SQL text, prepared once for each connection. */
  private record Statements(String sql, Map<SQLiteConnection, PreparedStatement> prepared) {
    Statements(String sql) {
      this(sql, new ConcurrentHashMap<>());
    }

    PreparedStatement of(Connection lent) throws SQLException {
      SQLiteConnection own = lent.unwrap(SQLiteConnection.class);
      PreparedStatement statement = prepared.get(own);
      if (statement == null) {
        statement = own.prepareStatement(sql);
        prepared.put(own, statement);
      }
      return statement;
    }
  }

  /**
   * Opens the peer's file once more and makes the table.
   *
   * @param shape what the rows look like
   */
  SmallJdbc(Path file, Numbers shape, Scheduling scheduling) throws SQLException {
    this.shape = shape;
    this.scheduling = scheduling;
    this.pool = JdbcArm.pool(file, "benchmark-peer-small", CONNECTIONS);
    this.loads =
        new Statements("SELECT " + shape.columnList() + " FROM " + shape.table() + " WHERE id = ?");
    this.saves =
        new Statements(
            "INSERT INTO "
                + shape.table()
                + " ("
                + shape.columnList()
                + ") VALUES (?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET level = excluded.level,"
                + " coins = excluded.coins, balance = excluded.balance, kills = excluded.kills,"
                + " score = excluded.score");
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(shape.createTable());
    }
  }

  @Override
  public String name() {
    return CaseKey.JDBC;
  }

  @Override
  public void fill(List<Stats> rows) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM " + shape.table());
      connection.setAutoCommit(false);
      PreparedStatement save = saves.of(connection);
      for (Stats row : rows) {
        shape.bind(save, 1, row);
        save.executeUpdate();
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public List<Stats> stored(int count) throws SQLException {
    List<Stats> stored = new ArrayList<>(count);
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT " + shape.columnList() + " FROM " + shape.table() + " ORDER BY id")) {
      while (result.next()) {
        stored.add(shape.read(result));
      }
    }
    return stored;
  }

  private Stats load(long id) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      PreparedStatement statement = loads.of(connection);
      statement.setLong(1, id);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? shape.read(result) : null;
      }
    }
  }

  /** Saves a row and gives how many rows were affected. Blocks. */
  int save(Stats row) throws SQLException {
    writing.lock();
    try (Connection connection = pool.getConnection()) {
      PreparedStatement statement = saves.of(connection);
      shape.bind(statement, 1, row);
      return statement.executeUpdate();
    } finally {
      writing.unlock();
    }
  }

  /** What a caller does with one request. */
  @FunctionalInterface
  private interface Step {
    void run(int request, long begun) throws SQLException;
  }

  private void begin(CallerRound round, Step step) {
    scheduling.async(
        () -> {
          try {
            for (int request = round.next(); request != CallerRound.NONE; request = round.next()) {
              step.run(request, System.nanoTime());
            }
          } catch (SQLException | RuntimeException e) {
            round.failed(e);
          } finally {
            round.callerEnded();
          }
        });
  }

  @Override
  public void beginLoads(CallerRound round) {
    begin(
        round,
        (request, begun) -> {
          Stats found = load(round.row(request).id());
          round.loaded(request, System.nanoTime() - begun, found);
        });
  }

  @Override
  public void beginSaves(CallerRound round) {
    begin(
        round,
        (request, begun) -> {
          int affected = save(round.row(request));
          round.saved(request, System.nanoTime() - begun, affected);
        });
  }

  @Override
  public void loadAll(CrowdRound round) {
    for (int i = 0; i < round.size(); i++) {
      int request = i;
      submit(
          round,
          () -> {
            Stats found = load(round.row(request).id());
            return () -> round.loaded(request, found);
          });
    }
  }

  @Override
  public void saveAll(CrowdRound round) {
    for (int i = 0; i < round.size(); i++) {
      int request = i;
      submit(
          round,
          () -> {
            int affected = save(round.row(request));
            return () -> round.saved(request, affected);
          });
    }
  }

  /** A request that gives what is done with its answer on the server thread. */
  @FunctionalInterface
  private interface Answering {
    Runnable run() throws SQLException;
  }

  private void submit(CrowdRound round, Answering answering) {
    long begun = System.nanoTime();
    long[] submitting = new long[1];
    scheduling.async(
        () -> {
          try {
            Runnable answer = answering.run();
            scheduling.sync(
                () -> {
                  long start = System.nanoTime();
                  answer.run();
                  // The submit was on this thread too, before.
                  round.cost(submitting[0] + System.nanoTime() - start);
                });
          } catch (SQLException | RuntimeException e) {
            round.failed(e);
          }
        });
    submitting[0] = System.nanoTime() - begun;
  }

  @Override
  public Map<String, Long> commits() {
    return Map.of();
  }

  @Override
  public void close() {
    pool.close();
  }
}
