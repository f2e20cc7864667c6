package dev.tickwell.benchmark;

import com.google.gson.JsonObject;
import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.benchmark.arm.Arm;
import dev.tickwell.benchmark.arm.JdbcArm;
import dev.tickwell.benchmark.arm.Measurement;
import dev.tickwell.benchmark.arm.Scope;
import dev.tickwell.benchmark.arm.TickwellArm;
import dev.tickwell.benchmark.arm.Work;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.report.Sample;
import dev.tickwell.benchmark.shape.IdOnly;
import dev.tickwell.benchmark.shape.Numbers;
import dev.tickwell.benchmark.shape.Shape;
import dev.tickwell.benchmark.shape.Single;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs the scenarios one sample after the other, the two arms in turn, on a thread of its own: it
 * makes the data before each timed window and checks it after, and leaves nothing but the timed
 * statement to the server thread.
 */
final class Conductor {
  private static final long ANSWER_SECONDS = 60;
  private static final int WARM_ROUNDS = 40;
  private static final int WARM_READS = 40;

  /** More values than are encoded at once, so that the encoder's way is warm too. */
  private static final int WARM_ROWS = 20;

  private static final int BAD_ROWS = 1000;
  private static final int BAD_ROW = 617;

  private final BenchmarkOptions options;
  private final TickThread tickThread;
  private final TickRecorder ticks;
  private final TickwellArm tickwell;
  private final JdbcArm jdbc;
  private final RunLog log;
  private final Consumer<String> progress;
  private final List<Scenario> scenarios;
  private final Shape<IdOnly.Sparse> old = new IdOnly("old_results");
  private final Shape<Numbers.Stats> bad = new Numbers("bad_rows");
  private long nextKey = 1;

  Conductor(
      BenchmarkOptions options,
      List<Scenario> scenarios,
      TickThread tickThread,
      TickRecorder ticks,
      TickwellArm tickwell,
      JdbcArm jdbc,
      RunLog log,
      Consumer<String> progress) {
    this.options = options;
    this.scenarios = scenarios;
    this.tickThread = tickThread;
    this.ticks = ticks;
    this.tickwell = tickwell;
    this.jdbc = jdbc;
    this.log = log;
    this.progress = progress;
  }

  /** Opens every table in both arms. */
  void open(JsonObject environment) throws Exception {
    Set<Shape<?>> shapes = new LinkedHashSet<>();
    shapes.add(old);
    shapes.add(bad);
    scenarios.forEach(scenario -> shapes.add(scenario.shape()));
    for (Shape<?> shape : shapes) {
      tickwell.open(shape);
      jdbc.open(shape);
    }
    environment.addProperty(
        "databaseVersion",
        "SQLite " + tickwell.query("SELECT sqlite_version() AS version").get("version"));
    Environment.add(environment, jdbc.versions());
  }

  /**
   * Brings both arms to the speed of a server that has been up for a while: code that ran a few
   * times only is interpreted, many times slower than later. Small statements, the same on both
   * sides, submitted off the server thread and never measured.
   */
  void warmUp() throws Exception {
    Set<Shape<?>> shapes = new LinkedHashSet<>();
    scenarios.forEach(scenario -> shapes.add(scenario.shape()));
    for (Shape<?> shape : shapes) {
      // What the server thread has to make takes its set time, warm or cold.
      if (!shape.needsServerThread()) {
        progress.accept("warming up " + shape.table());
        warmUp(shape);
      }
    }
  }

  private <R extends Record> void warmUp(Shape<R> shape) throws Exception {
    for (int round = 0; round < WARM_ROUNDS; round++) {
      long first = nextKey;
      nextKey += WARM_ROWS;
      List<R> rows = shape.rows(first, WARM_ROWS);
      for (Arm arm : List.of(tickwell, jdbc)) {
        List<Measurement> pending = new ArrayList<>();
        pending.add(submit(arm.write(shape, rows, Scope.LOCAL)));
        for (int i = 0; i < WARM_READS; i++) {
          Scope scope = i % 2 == 0 ? Scope.LOCAL : Scope.SHARED;
          pending.add(submit(arm.read(shape, first, WARM_ROWS, scope)));
        }
        for (Measurement measurement : pending) {
          measurement.answered().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        }
      }
    }
    tickwell.clear(shape);
    jdbc.clear(shape);
  }

  private Measurement submit(Work work) {
    Measurement measurement = new Measurement(ticks::endedTicks);
    measurement.begin();
    work.submit(measurement);
    measurement.close();
    return measurement;
  }

  /** Runs everything; what is wrong goes into the log, and only an interruption ends it early. */
  void run() throws InterruptedException {
    int number = 0;
    for (Scenario scenario : scenarios) {
      progress.accept(
          "[%d/%d] %s, %d rows, write %s, read %s"
              .formatted(
                  ++number,
                  scenarios.size(),
                  scenario.id(),
                  scenario.rows(),
                  scenario.write().map(Scope::text).orElse("–"),
                  scenario.read().map(Scope::text).orElse("–")));
      try {
        run(scenario, scenario.shape());
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        log.fail(scenario.id() + ", " + scenario.rows() + " rows: " + e);
      }
    }
  }

  private <R extends Record> void run(Scenario scenario, Shape<R> shape) throws Exception {
    long oldFirst = nextKey;
    if (scenario.replaces()) {
      nextKey += scenario.rows();
      for (Arm arm : List.of(tickwell, jdbc)) {
        arm.store(old, old.rows(oldFirst, scenario.rows()));
      }
    }
    for (int i = 0; i < options.warmups() + options.samples(); i++) {
      boolean warmup = i < options.warmups();
      long first = nextKey;
      nextKey += scenario.rows();
      List<R> rows = shape.rows(first, scenario.rows());
      // Taking turns at going first keeps what one leaves behind from always hitting the other.
      List<Arm> order = i % 2 == 0 ? List.of(tickwell, jdbc) : List.of(jdbc, tickwell);
      for (Arm arm : order) {
        if (scenario.replaces()) {
          arm.shareOld(old, oldFirst, scenario.rows());
        }
        write(scenario, shape, arm, first, rows, warmup);
        read(scenario, shape, arm, first, rows, warmup);
      }
    }
    for (Arm arm : List.of(tickwell, jdbc)) {
      arm.clear(shape);
      arm.clear(old);
    }
  }

  private <R extends Record> void write(
      Scenario scenario, Shape<R> shape, Arm arm, long first, List<R> rows, boolean warmup)
      throws Exception {
    if (scenario.write().isEmpty()) {
      arm.store(shape, rows);
      return;
    }
    Scope scope = scenario.write().get();
    CaseKey key = key(scenario, arm, CaseKey.WRITE, scope);
    if (scope == Scope.SHARED) {
      arm.share(shape, rows);
    }
    Measurement measured = measure(key, arm.write(shape, rows, scope), warmup);
    if (measured.failure() != null) {
      log.fail(key.title() + " · " + arm.name() + ": " + measured.failure());
      return;
    }
    long stored = arm.count(shape, first, rows.size());
    if (measured.value() != rows.size() || stored != rows.size()) {
      log.fail(
          "%s · %s: %d rows sent, %d said to be affected, %d stored"
              .formatted(key.title(), arm.name(), rows.size(), measured.value(), stored));
      return;
    }
    log.sample(key, columns(shape, scope), false, new Sample(warmup, measured.fields()));
  }

  private <R extends Record> void read(
      Scenario scenario, Shape<R> shape, Arm arm, long first, List<R> rows, boolean warmup)
      throws Exception {
    if (scenario.read().isEmpty()) {
      return;
    }
    Scope scope = scenario.read().get();
    CaseKey key = key(scenario, arm, CaseKey.READ, scope);
    boolean refused = scenario.readRefused() && arm == tickwell;
    Measurement measured = measure(key, arm.read(shape, first, rows.size(), scope), warmup);
    String wrong =
        refused ? wrongRefusal(measured.failure()) : wrongRead(shape, arm, scope, rows, measured);
    if (wrong != null) {
      log.fail(key.title() + " · " + arm.name() + ": " + wrong);
      return;
    }
    log.sample(key, shape.columns().size(), refused, new Sample(warmup, measured.fields()));
  }

  /** What is wrong with the failure of a read that has to be refused, or null. */
  static String wrongRefusal(Throwable failure) {
    return failure instanceof TickwellException refusal
            && refusal.code() == ErrorCode.RESULT_TOO_LARGE
            && refusal.effect() == Effect.NONE
        ? null
        : "had to be refused as RESULT_TOO_LARGE, but gave " + failure;
  }

  /** What is wrong with what a read gave and, when it was shared, published; or null. */
  static <R extends Record> String wrongRead(
      Shape<R> shape, Arm arm, Scope scope, List<R> rows, Measurement measured) {
    if (measured.failure() != null) {
      return measured.failure().toString();
    }
    long expected = shape.checksum(rows);
    if (measured.value() != expected) {
      return "checksum %d, not %d".formatted(measured.value(), expected);
    }
    String difference = difference(rows, measured.rows());
    if (difference == null && scope == Scope.SHARED) {
      difference = difference(rows, arm.published(shape));
      return difference == null ? null : "published: " + difference;
    }
    return difference;
  }

  private static String difference(List<?> expected, List<?> found) {
    if (expected.size() != found.size()) {
      return found.size() + " rows, not " + expected.size();
    }
    for (int row = 0; row < expected.size(); row++) {
      if (!expected.get(row).equals(found.get(row))) {
        return "row %d is %s, not %s".formatted(row, found.get(row), expected.get(row));
      }
    }
    return null;
  }

  private Measurement measure(CaseKey key, Work work, boolean warmup) throws Exception {
    ticks.enter(warmup ? null : key);
    Measurement measurement = tickThread.run(work);
    try {
      measurement.answered().get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      IllegalStateException late =
          new IllegalStateException(
              key.implementation() + " did not answer within " + ANSWER_SECONDS + " s", e);
      // Frees the server thread's place for the next statement.
      measurement.fault(late);
      throw late;
    } finally {
      ticks.enter(null);
    }
    if (measurement.fault() != null) {
      throw new IllegalStateException(
          key.implementation() + ": " + measurement.fault(), measurement.fault());
    }
    return measurement;
  }

  private static CaseKey key(Scenario scenario, Arm arm, String operation, Scope scope) {
    return new CaseKey(scenario.id(), arm.name(), operation, scope.text(), scenario.rows());
  }

  private static int columns(Shape<?> shape, Scope scope) {
    return scope == Scope.RAW ? 1 : shape.columns().size();
  }

  /** What has to hold exactly. Leaves no rows behind. */
  void checks() throws InterruptedException {
    for (Scenario scenario : scenarios) {
      if (scenario.readRefused()) {
        guarded(
            "a 10,000-row read is refused and nothing of it is kept", this::refusedKeepsNothing);
      }
      if (scenario.id().equals(Scenario.SPLIT)) {
        statementsOfSplit(scenario);
        guarded(
            "a split write whose last row fails stores nothing",
            () -> splitIsAtomic(scenario.shape()));
      }
    }
    guarded("a bad row is named and nothing is stored", this::badRowIsNamed);
  }

  /** A check that throws has not passed. */
  private interface Body {
    /** What was found; throws when it is not as it has to be. */
    String run() throws Exception;
  }

  private void guarded(String name, Body body) throws InterruptedException {
    try {
      log.check(name, body.run(), true);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      log.check(name, e.toString(), false);
    }
  }

  private String refusedKeepsNothing() throws Exception {
    String name = "benchmark-refused";
    int rows = 10_000;
    long first = nextKey;
    nextKey += rows;
    tickwell.store(old, old.rows(first, rows));
    TickwellException refusal =
        failureOf(() -> String.valueOf(TickwellArm.get(tickwell.publish(old, first, rows, name))));
    tickwell.clear(old);
    String wrong = wrongRefusal(refusal);
    if (wrong != null) {
      throw new IllegalStateException(wrong);
    }
    if (tickwell.hasPublished(name)) {
      throw new IllegalStateException("the refused result was published");
    }
    return refusal.code() + ", nothing published";
  }

  private void statementsOfSplit(Scenario scenario) {
    CaseKey key =
        new CaseKey(
            scenario.id(), CaseKey.TICKWELL, CaseKey.WRITE, Scope.LOCAL.text(), scenario.rows());
    long[] range = log.range(key, "statementsSent");
    log.check(
        "30,001 values are sent as two statements",
        range == null ? "not measured" : statements(range[0], range[1]),
        range != null && range[0] == 2 && range[1] == 2);
  }

  /** What the samples of a case sent at least and at most. */
  static String statements(long least, long most) {
    return least == most
        ? least + " statements each time"
        : "from " + least + " to " + most + " statements";
  }

  private String splitIsAtomic(Shape<?> shape) throws Exception {
    Single single = (Single) shape;
    long first = nextKey;
    nextKey += Scenario.SPLIT_ROWS;
    List<Single.One> rows = new ArrayList<>(single.rows(first, Scenario.SPLIT_ROWS));
    // The last row, alone in the second statement, has a key that is there already.
    tickwell.store(single, List.of(rows.get(rows.size() - 1)));
    TickwellException failure =
        failureOf(() -> String.valueOf(TickwellArm.get(tickwell.insert(single, rows))));
    long stored = tickwell.count(single, first, rows.size());
    tickwell.clear(single);
    if (failure.code() != ErrorCode.UNIQUE_VIOLATION || failure.effect() != Effect.NONE) {
      throw new IllegalStateException("had to be a UNIQUE_VIOLATION without effect", failure);
    }
    if (stored != 1) {
      throw new IllegalStateException((stored - 1) + " rows of the failed write were stored");
    }
    return failure.code() + ", 0 of 30,001 rows stored";
  }

  private String badRowIsNamed() throws Exception {
    long first = nextKey;
    nextKey += BAD_ROWS;
    List<Numbers.Stats> rows = new ArrayList<>(bad.rows(first, BAD_ROWS));
    Numbers.Stats good = rows.get(BAD_ROW);
    rows.set(
        BAD_ROW,
        new Numbers.Stats(
            good.id(), good.level(), good.coins(), Double.NaN, good.kills(), good.score()));
    TickwellException failure =
        failureOf(() -> String.valueOf(TickwellArm.get(tickwell.insert(bad, rows))));
    long stored = tickwell.count(bad, first, BAD_ROWS);
    if (failure.code() != ErrorCode.INVALID_VALUE
        || !Integer.toString(BAD_ROW).equals(failure.context().get("row"))
        || !"balance".equals(failure.context().get("column"))) {
      throw new IllegalStateException(
          "had to name row " + BAD_ROW + " and column balance, but says: " + failure.getMessage());
    }
    if (stored != 0) {
      throw new IllegalStateException(stored + " rows were stored");
    }
    return "row " + BAD_ROW + ", column balance; 0 rows stored";
  }

  private static TickwellException failureOf(Body request) throws Exception {
    try {
      throw new IllegalStateException("had to fail, but gave " + request.run());
    } catch (TickwellException e) {
      return e;
    }
  }
}
