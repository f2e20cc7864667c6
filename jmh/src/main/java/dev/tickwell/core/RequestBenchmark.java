package dev.tickwell.core;

import dev.tickwell.ValueType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One request alone: from submit over the reader thread and SQLite to the validated page. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class RequestBenchmark {
  private NativeRuntime runtime;
  private byte[] byKey;
  private byte[] key;
  private byte[] all;

  /** A table of 1,000 rows, and the requests. */
  @Setup
  public void open() throws Exception {
    runtime = new NativeRuntime();
    String rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) ";
    runtime.openDatabase(
        List.of(
            "CREATE TABLE t (id BIGINT PRIMARY KEY, name TEXT, coins BIGINT)",
            "INSERT INTO t " + rows + "SELECT i, 'player ' || i, i * 7 FROM n"));
    byKey =
        Requests.raw(Requests.RAW_QUERY, "SELECT id, name, coins FROM t WHERE id = ?", Map.of());
    all = Requests.raw(Requests.RAW_QUERY, "SELECT id, name, coins FROM t", Map.of());
    PageEncoder parameter = new PageEncoder(1, new ValueType[] {ValueType.BIGINT}, null);
    parameter.beginColumn();
    parameter.putLong(500);
    key = parameter.finish();
    rows(runtime.request(byKey, key), 1);
    rows(runtime.request(all, null), 1_000);
  }

  /** Closes the runtime and removes the file. */
  @TearDown
  public void close() throws Exception {
    runtime.close();
  }

  /** One row by its key. */
  @Benchmark
  public PageReader selectByKey() {
    return runtime.request(byKey, key).page();
  }

  /** A thousand rows of three columns. */
  @Benchmark
  public PageReader selectThousand() {
    return runtime.request(all, null).page();
  }

  private static void rows(Completion completion, int wanted) {
    int rows = completion.page().rows();
    if (rows != wanted) {
      throw new IllegalStateException(rows + " rows instead of " + wanted);
    }
  }
}
