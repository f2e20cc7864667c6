package dev.tickwell.benchmark.arm;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.shape.Shape;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The peer: what a careful plugin author does today. A HikariCP pool over the JDBC driver, each
 * statement on an asynchronous task of the server's scheduler, batched inserts in one immediate
 * transaction, one object a row built there, the list handed to the server thread by a scheduler
 * task. Journal mode, durability and transactions are as in Tickwell's file.
 */
public final class JdbcArm implements Arm {
  private static final String RESULT = "result";
  private static final String INPUT = "input";
  private static final int CONNECTIONS = 3;

  /** Fastest of 10, 50, 100 and 500 for six columns. */
  private static final int ROWS_A_STATEMENT = 50;

  /** A careful author slices work that needs the server thread, by the budget that Tickwell has. */
  private static final long SLICE_NANOS = 2_000_000;

  private final Scheduling scheduling;
  private final HikariDataSource pool;
  private final Map<String, List<?>> shared = new ConcurrentHashMap<>();

  /** Opens the file, which is made when it is missing. */
  public JdbcArm(Path file, Scheduling scheduling) throws SQLException {
    this.scheduling = scheduling;
    this.pool = pool(file, "benchmark-peer", CONNECTIONS);
  }

  /**
   * A pool over the peer's file, which is made when it is missing, with the settings that make it
   * comparable.
   *
   * @throws SQLException also when the driver did not take one of them
   */
  public static HikariDataSource pool(Path file, String name, int connections) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDriverClassName("org.sqlite.JDBC");
    config.setJdbcUrl("jdbc:sqlite:" + file.toAbsolutePath());
    config.setMaximumPoolSize(connections);
    config.addDataSourceProperty("journal_mode", "WAL");
    config.addDataSourceProperty("synchronous", "FULL");
    config.addDataSourceProperty("transaction_mode", "IMMEDIATE");
    config.addDataSourceProperty("busy_timeout", "5000");
    // As Tickwell's own file has it.
    config.addDataSourceProperty("cache_size", "-8192");
    config.addDataSourceProperty("temp_store", "MEMORY");
    config.addDataSourceProperty("jdbc.get_generated_keys", "false");
    HikariDataSource pool = new HikariDataSource(config);
    try (Connection connection = pool.getConnection()) {
      require(connection, "journal_mode", "wal");
      require(connection, "synchronous", "2");
    } catch (SQLException e) {
      pool.close();
      throw e;
    }
    return pool;
  }

  private static void require(Connection connection, String pragma, String value)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA " + pragma)) {
      String found = result.next() ? result.getString(1) : "nothing";
      if (!found.equalsIgnoreCase(value)) {
        throw new SQLException(
            "the peer's " + pragma + " is " + found + ", not " + value + ": not comparable");
      }
    }
  }

  @Override
  public String name() {
    return CaseKey.JDBC;
  }

  /** The versions of SQLite, of the driver and of the pool. */
  public Map<String, String> versions() throws SQLException {
    Map<String, String> versions = new LinkedHashMap<>();
    try (Connection connection = pool.getConnection()) {
      versions.put("peerDatabase", connection.getMetaData().getDatabaseProductVersion());
      versions.put("peerDriver", "sqlite-jdbc " + connection.getMetaData().getDriverVersion());
    }
    String poolVersion = HikariDataSource.class.getPackage().getImplementationVersion();
    versions.put("peerPool", "HikariCP" + (poolVersion == null ? "" : " " + poolVersion));
    return versions;
  }

  /** How many connections are lent. */
  public int activeConnections() {
    return pool.getHikariPoolMXBean().getActiveConnections();
  }

  @Override
  public void open(Shape<?> shape) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(shape.createTable());
    }
    clear(shape);
  }

  @Override
  public void clear(Shape<?> shape) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM " + shape.table());
    }
    shared.clear();
  }

  @Override
  public <R extends Record> void store(Shape<R> shape, List<R> rows) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      insert(connection, shape, rows);
    }
  }

  @Override
  public long count(Shape<?> shape, long first, int rows) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM " + shape.table() + " WHERE id BETWEEN ? AND ?")) {
      statement.setLong(1, first);
      statement.setLong(2, first + rows - 1);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  @Override
  public <R extends Record> void share(Shape<R> shape, List<R> rows) {
    shared.put(INPUT, List.copyOf(rows));
  }

  @Override
  public void shareOld(Shape<?> old, long first, int rows) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      shared.put(RESULT, select(connection, old, first, rows, old::read));
    }
  }

  @Override
  @SuppressWarnings("unchecked") // share() put the rows of this very shape there
  public <R extends Record> Work write(Shape<R> shape, List<R> rows, Scope scope) {
    return measurement -> {
      Call call = new Call(measurement);
      List<R> input = scope == Scope.SHARED ? (List<R>) shared.get(INPUT) : rows;
      List<R> own = shape.mutable() ? input.stream().map(shape::snapshot).toList() : input;
      call.execute(
          connection ->
              switch (scope) {
                case RAW -> insertRaw(connection, shape, own);
                case VALUES -> insertMany(connection, shape, own);
                case LOCAL, RECORDS, SHARED -> insert(connection, shape, own);
              },
          affected -> {
            measurement.asyncArrived();
            measurement.consumed(affected);
            call.deliver(() -> {});
          });
    };
  }

  @Override
  public <R extends Record> Work read(Shape<R> shape, long first, int rows, Scope scope) {
    return measurement -> {
      Call call = new Call(measurement);
      if (shape.needsServerThread()) {
        call.execute(
            connection -> select(connection, shape, first, rows, shape::readLater),
            unmade ->
                scheduling.sync(
                    () -> call.deliverSliced(shape, unmade, new ArrayList<>(unmade.size()))));
        return;
      }
      call.execute(
          connection -> select(connection, shape, first, rows, shape::read),
          list -> {
            measurement.asyncArrived();
            call.deliver(scope == Scope.SHARED ? () -> shared.put(RESULT, list) : () -> {});
            measurement.result(() -> list);
            measurement.consumed(shape.checksum(list));
          });
    };
  }

  @Override
  @SuppressWarnings("unchecked") // a list of another shape fails the comparison that follows
  public <R extends Record> List<R> published(Shape<R> shape) {
    List<?> list = shared.get(RESULT);
    if (list == null) {
      throw new IllegalStateException("nothing is published");
    }
    return (List<R>) list;
  }

  @Override
  public void close() {
    pool.close();
  }

  private static <R extends Record> long insert(Connection connection, Shape<R> shape, List<R> rows)
      throws SQLException {
    String places = ",?".repeat(shape.columns().size()).substring(1);
    String sql =
        "INSERT INTO " + shape.table() + " (" + shape.columnList() + ") VALUES (" + places + ")";
    return inTransaction(
        connection,
        () -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (R row : rows) {
              shape.bind(statement, 1, row);
              statement.addBatch();
            }
            long affected = 0;
            for (int count : statement.executeBatch()) {
              affected += count;
            }
            return affected;
          }
        });
  }

  /** What few authors do, though it is faster here than a batch: many rows a statement. */
  private static <R extends Record> long insertMany(
      Connection connection, Shape<R> shape, List<R> rows) throws SQLException {
    return inTransaction(
        connection,
        () -> {
          long affected = 0;
          int whole = rows.size() / ROWS_A_STATEMENT * ROWS_A_STATEMENT;
          if (whole > 0) {
            affected += insertMany(connection, shape, rows.subList(0, whole), ROWS_A_STATEMENT);
          }
          if (whole < rows.size()) {
            List<R> rest = rows.subList(whole, rows.size());
            affected += insertMany(connection, shape, rest, rest.size());
          }
          return affected;
        });
  }

  private static <R extends Record> long insertMany(
      Connection connection, Shape<R> shape, List<R> rows, int atOnce) throws SQLException {
    int columns = shape.columns().size();
    String places = "(" + ",?".repeat(columns).substring(1) + ")";
    String sql =
        "INSERT INTO "
            + shape.table()
            + " ("
            + shape.columnList()
            + ") VALUES "
            + String.join(",", Collections.nCopies(atOnce, places));
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      long affected = 0;
      for (int row = 0; row < rows.size(); row += atOnce) {
        for (int i = 0; i < atOnce; i++) {
          shape.bind(statement, 1 + i * columns, rows.get(row + i));
        }
        affected += statement.executeUpdate();
      }
      return affected;
    }
  }

  private static long insertRaw(Connection connection, Shape<?> shape, List<? extends Record> rows)
      throws SQLException {
    String sql = Sql.insert(shape.table(), shape, rows.size());
    Object[] parameters = Sql.parameters(rows);
    return inTransaction(
        connection,
        () -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
              statement.setObject(i + 1, parameters[i]);
            }
            return (long) statement.executeUpdate();
          }
        });
  }

  /** A query or update. */
  @FunctionalInterface
  private interface Statements<T> {
    T run() throws SQLException;
  }

  private static <T> T inTransaction(Connection connection, Statements<T> body)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      T result = body.run();
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** Makes an object of the current row. */
  @FunctionalInterface
  private interface RowMapper<T> {
    T map(ResultSet result) throws SQLException;
  }

  private static <T> List<T> select(
      Connection connection, Shape<?> shape, long first, int rows, RowMapper<T> mapper)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(Sql.select(shape.table(), shape))) {
      statement.setLong(1, first);
      statement.setLong(2, first + rows - 1);
      try (ResultSet result = statement.executeQuery()) {
        List<T> list = new ArrayList<>(rows);
        while (result.next()) {
          list.add(mapper.map(result));
        }
        return list;
      }
    }
  }

  /** What a task does with a connection. */
  @FunctionalInterface
  private interface Query<T> {
    T run(Connection connection) throws SQLException;
  }

  /** One statement on its way, and what it cost where. Made on the server thread. */
  private final class Call {
    private final Measurement measurement;
    private final long begun = System.nanoTime();
    private final Map<String, Long> phases = new LinkedHashMap<>();
    private long mainNanos;
    private long mainTickMaxNanos;
    private long tick;
    private long inTickNanos;
    private long largestNanos;
    private int made;
    private long execution;
    private long poolWait;
    private long queueWait;

    Call(Measurement measurement) {
      this.measurement = measurement;
    }

    /** Runs a statement on an asynchronous task, and what follows on the same task. */
    <T> void execute(Query<T> query, Consumer<T> then) {
      scheduling.async(
          () -> {
            try {
              then.accept(timed(query));
            } catch (SQLException | RuntimeException e) {
              measurement.fault(e);
            }
          });
      long prepared = System.nanoTime() - begun;
      // The task may be running already; it reads these only after the scheduler's next hand-over.
      phases.put("prepareMainNs", prepared);
      addMain(prepared);
    }

    private <T> T timed(Query<T> query) throws SQLException {
      long asked = System.nanoTime();
      try (Connection connection = pool.getConnection()) {
        long got = System.nanoTime();
        T result = query.run(connection);
        execution = System.nanoTime() - got;
        poolWait = got - asked;
        queueWait = asked - begun;
        return result;
      }
    }

    /** Hands over to the server thread. */
    void deliver(Runnable body) {
      scheduling.sync(
          () -> {
            long start = System.nanoTime();
            measurement.tickArrived();
            body.run();
            addMain(System.nanoTime() - start);
            finish();
          });
    }

    /** Makes rows on the server thread, as many a tick as fit into the slice, then delivers. */
    <R extends Record> void deliverSliced(Shape<R> shape, List<Supplier<R>> unmade, List<R> list) {
      long start = System.nanoTime();
      long before = start;
      while (made < unmade.size() && before - start < SLICE_NANOS) {
        list.add(unmade.get(made++).get());
        long after = System.nanoTime();
        largestNanos = Math.max(largestNanos, after - before);
        before = after;
      }
      addMain(System.nanoTime() - start);
      if (made < unmade.size()) {
        scheduling.nextTick(() -> deliverSliced(shape, unmade, list));
        return;
      }
      phases.put("syncConversions", (long) made);
      phases.put("largestConversionNs", largestNanos);
      measurement.tickArrived();
      finish();
      scheduling.async(
          () -> {
            measurement.asyncArrived();
            measurement.result(() -> list);
            measurement.consumed(shape.checksum(list));
          });
    }

    private void addMain(long nanos) {
      mainNanos += nanos;
      long now = measurement.ticksSinceSubmit();
      // The scheduler may hand over within the tick of the submit.
      inTickNanos = now == tick ? inTickNanos + nanos : nanos;
      tick = now;
      mainTickMaxNanos = Math.max(mainTickMaxNanos, inTickNanos);
    }

    private void finish() {
      phases.put("mainNs", mainNanos);
      phases.put("mainTickMaxNs", mainTickMaxNanos);
      phases.put("executionNs", execution);
      phases.put("queueWaitNs", queueWait);
      phases.put("poolWaitNs", poolWait);
      measurement.phases(phases);
    }
  }
}
