package dev.tickwell.benchmark.arm;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.between;

import dev.tickwell.Database;
import dev.tickwell.Filter;
import dev.tickwell.Pending;
import dev.tickwell.Phases;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Select;
import dev.tickwell.SharedResults;
import dev.tickwell.Table;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.shape.Shape;
import dev.tickwell.paper.Targets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Tickwell, used as its documentation says. */
public final class TickwellArm implements Arm {
  /** The name under which reads are published. */
  public static final String RESULT = "benchmark-result";

  private static final String INPUT = "benchmark-input";
  private static final String SOURCE = "_source";
  private static final long PATIENCE_SECONDS = 60;

  private final Function<Shape<?>, Database> databases;
  private final SharedResults shared;
  private final Map<String, Table<?>> tables = new HashMap<>();

  /**
   * An arm.
   *
   * @param databases the database of each shape
   * @param shared where results are published
   */
  public TickwellArm(Function<Shape<?>, Database> databases, SharedResults shared) {
    this.databases = databases;
    this.shared = shared;
  }

  @Override
  public String name() {
    return CaseKey.TICKWELL;
  }

  @Override
  public void open(Shape<?> shape) throws Exception {
    for (String name : List.of(shape.table(), shape.table() + SOURCE)) {
      Table<?> table = databases.apply(shape).table(name, shape.type()).register();
      get(table.registration());
      tables.put(name, table);
    }
    clear(shape);
  }

  @Override
  public void clear(Shape<?> shape) throws Exception {
    get(table(shape).deleteAll());
    get(source(shape).deleteAll());
    shared.remove(INPUT);
    shared.remove(RESULT);
  }

  @Override
  public <R extends Record> void store(Shape<R> shape, List<R> rows) throws Exception {
    get(table(shape).insert(rows));
  }

  @Override
  public long count(Shape<?> shape, long first, int rows) throws Exception {
    return get(table(shape).count(keys(first, rows)));
  }

  @Override
  public <R extends Record> void share(Shape<R> shape, List<R> rows) throws Exception {
    // A result to write from is one that was read: here from a table beside the measured one.
    Table<R> source = source(shape);
    get(source.deleteAll());
    get(source.insert(rows));
    publish(source.select().orderBy(asc("id")), INPUT);
  }

  @Override
  public void shareOld(Shape<?> old, long first, int rows) throws Exception {
    publish(table(old).select().where(keys(first, rows)), RESULT);
  }

  @Override
  public <R extends Record> Work write(Shape<R> shape, List<R> rows, Scope scope) {
    Table<R> table = table(shape);
    if (scope == Scope.RAW) {
      Database database = databases.apply(shape);
      String sql = Sql.insert("{" + shape.table() + "}", shape, rows.size());
      Object[] parameters = Sql.parameters(rows);
      return measurement -> observe(database.update(sql, parameters), measurement, Long::longValue);
    }
    if (scope == Scope.SHARED) {
      Rows<?> input = shared.get(INPUT).orElseThrow();
      return measurement -> observe(table.insert(input), measurement, Long::longValue);
    }
    return measurement -> observe(table.insert(rows), measurement, Long::longValue);
  }

  @Override
  public <R extends Record> Work read(Shape<R> shape, long first, int rows, Scope scope) {
    Table<R> table = table(shape);
    Filter keys = keys(first, rows);
    return switch (scope) {
      case RAW -> {
        Database database = databases.apply(shape);
        String sql = Sql.select("{" + shape.table() + "}", shape);
        Object[] parameters = {first, first + rows - 1};
        yield measurement ->
            observe(
                database.query(sql, parameters),
                measurement,
                result -> consume(measurement, shape, result));
      }
      case SHARED ->
          measurement ->
              observe(
                  select(table, keys).publish(RESULT),
                  measurement,
                  result -> consume(measurement, shape, result));
      case RECORDS ->
          measurement ->
              observe(
                  select(table, keys).fetch(),
                  measurement,
                  result -> {
                    List<R> list = result.toList();
                    measurement.result(() -> list);
                    return shape.checksum(list);
                  });
      case LOCAL, VALUES ->
          measurement ->
              observe(
                  select(table, keys).fetch(),
                  measurement,
                  result -> consume(measurement, shape, result));
    };
  }

  private static <R extends Record> Select<R> select(Table<R> table, Filter keys) {
    return table.select().where(keys).orderBy(asc("id"));
  }

  private static long consume(Measurement measurement, Shape<?> shape, Rows<?> result) {
    measurement.result(() -> result.toList(shape.type()));
    return shape.checksum(result);
  }

  @Override
  public <R extends Record> List<R> published(Shape<R> shape) {
    Rows<?> rows =
        shared
            .get(RESULT)
            .orElseThrow(() -> new IllegalStateException("nothing is published as " + RESULT));
    for (int column = 0; column < rows.columnCount(); column++) {
      if (!shape.columns().contains(rows.columnName(column))) {
        throw new IllegalStateException(
            "the published result still has the column " + rows.columnName(column));
      }
    }
    return rows.toList(shape.type());
  }

  /** Whether a name has a published result. */
  public boolean hasPublished(String name) {
    return shared.get(name).isPresent();
  }

  /** A request to publish a read under a name of its own. */
  public <R extends Record> Pending<Rows<R>> publish(
      Shape<R> shape, long first, int rows, String name) {
    return select(table(shape), keys(first, rows)).publish(name);
  }

  /** Runs a query and gives its first row. */
  public Row query(String sql) throws Exception {
    return get(databases.apply(null).query(sql)).row(0);
  }

  /** A request to insert rows, for those that have to fail. */
  public <R extends Record> Pending<Long> insert(Shape<R> shape, List<R> rows) {
    return table(shape).insert(rows);
  }

  private static <R extends Record> void publish(Select<R> select, String name) throws Exception {
    // A future may complete before the server thread has published; a tick callback comes after.
    CompletableFuture<Void> published = new CompletableFuture<>();
    select
        .publish(name)
        .on(Targets.global(), rows -> published.complete(null), published::completeExceptionally);
    get(published);
  }

  /** Waits for a request, off the server thread, and gives its result or throws its own failure. */
  public static <T> T get(Pending<T> pending) throws Exception {
    return get(pending.toFuture());
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "a request was not answered within " + PATIENCE_SECONDS + " s", e);
    }
  }

  @Override
  public void close() {
    shared.remove(INPUT);
    shared.remove(RESULT);
  }

  private <T> void observe(
      Pending<T> pending, Measurement measurement, ToLongFunction<T> consumer) {
    pending.async(
        value -> {
          measurement.asyncArrived();
          try {
            measurement.consumed(consumer.applyAsLong(value));
          } catch (RuntimeException e) {
            measurement.fault(e);
          }
        },
        measurement::asyncFailed);
    pending.on(
        Targets.global(), value -> measurement.tickArrived(), e -> measurement.tickArrived());
    // What the action throws is nobody's to catch: it only hands the figures on.
    var unused =
        pending
            .phases()
            .whenComplete(
                (phases, error) ->
                    measurement.phases(phases == null ? Collections.emptyMap() : fields(phases)));
  }

  private static Map<String, Long> fields(Phases phases) {
    Map<String, Long> fields = new LinkedHashMap<>();
    fields.put("phaseWallNs", phases.wallNs());
    fields.put("phaseAsyncWallNs", phases.asyncWallNs());
    fields.put("mainNs", phases.mainNs());
    fields.put("mainTickMaxNs", phases.mainTickMaxNs());
    fields.put("prepareMainNs", phases.prepareMainNs());
    fields.put("prepareAsyncNs", phases.prepareAsyncNs());
    fields.put("inputMainNs", phases.inputMainNs());
    fields.put("conversionMainNs", phases.conversionMainNs());
    fields.put("resultMainNs", phases.resultMainNs());
    fields.put("resultAsyncNs", phases.resultAsyncNs());
    fields.put("publishMainNs", phases.publishMainNs());
    fields.put("executionNs", phases.executionNs());
    fields.put("queueWaitNs", phases.queueWaitNs());
    fields.put("poolWaitNs", phases.poolWaitNs());
    fields.put("syncConversions", phases.syncConversions());
    fields.put("largestConversionNs", phases.largestConversionNs());
    fields.put("statementsSent", phases.statementsSent());
    fields.put("roundTrips", phases.roundTrips());
    fields.put("rowsSent", phases.rowsSent());
    fields.put("rowsReceived", phases.rowsReceived());
    fields.put("bytesIn", phases.bytesIn());
    fields.put("bytesOut", phases.bytesOut());
    fields.put("groupedWith", phases.groupedWith());
    return fields;
  }

  private static Filter keys(long first, int rows) {
    return between("id", first, first + rows - 1);
  }

  @SuppressWarnings("unchecked") // open() registered it with the shape's own type
  private <R extends Record> Table<R> table(Shape<R> shape) {
    return (Table<R>) tables.get(shape.table());
  }

  @SuppressWarnings("unchecked") // as above
  private <R extends Record> Table<R> source(Shape<R> shape) {
    return (Table<R>) tables.get(shape.table() + SOURCE);
  }
}
