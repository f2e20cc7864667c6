package dev.tickwell.core;

import dev.tickwell.ValueType;
import java.util.UUID;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Pages of 5,000 rows and six columns: encoding, validating, and reading all or some values. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class PageBenchmark {
  private static final int ROWS = 5_000;
  private static final ValueType[] TYPES = {
    ValueType.BIGINT,
    ValueType.INT,
    ValueType.DOUBLE,
    ValueType.UUID,
    ValueType.TEXT,
    ValueType.TIMESTAMP
  };
  private static final String[] NAMES = {"id", "level", "balance", "owner", "name", "seen"};

  private final UUID[] owners = new UUID[ROWS];
  private final String[] names = new String[ROWS];
  private byte[] bytes;
  private PageReader page;

  /** Makes the values, and one page of them. */
  @Setup
  public void make() {
    for (int row = 0; row < ROWS; row++) {
      owners[row] = new UUID(row * 0x9E3779B97F4A7C15L, row);
      names[row] = "player number " + row;
    }
    bytes = encode();
    page = validate();
  }

  /** Values to a page. */
  @Benchmark
  public byte[] encode() {
    PageEncoder out = new PageEncoder(ROWS, TYPES, NAMES);
    out.beginColumn();
    for (int row = 0; row < ROWS; row++) {
      out.putLong(row);
    }
    out.beginColumn();
    for (int row = 0; row < ROWS; row++) {
      out.putInt(row % 100);
    }
    out.beginColumn();
    for (int row = 0; row < ROWS; row++) {
      out.putLong(Double.doubleToRawLongBits(row / 8.0));
    }
    out.beginColumn();
    for (int row = 0; row < ROWS; row++) {
      out.putUuid(owners[row]);
    }
    out.beginColumn();
    for (int row = 0; row < ROWS; row++) {
      out.putText(names[row]);
    }
    out.beginColumn();
    for (int row = 0; row < ROWS; row++) {
      out.putLong(1_700_000_000_000_000L + row);
    }
    return out.finish();
  }

  /** The check of a whole page, which comes before its first read. */
  @Benchmark
  public PageReader validate() {
    return new PageReader(bytes, 0, bytes.length);
  }

  /** Every value of a validated page, as an object where it is one. */
  @Benchmark
  public void decodeAll(Blackhole sink) {
    for (int row = 0; row < ROWS; row++) {
      sink.consume(page.getLong(row, 0));
      sink.consume(page.getInt(row, 1));
      sink.consume(page.getDouble(row, 2));
      sink.consume(page.getUuid(row, 3));
      sink.consume(page.getText(row, 4));
      sink.consume(page.getTimestamp(row, 5));
    }
  }

  /** The first column only: what a lazy reader pays. */
  @Benchmark
  public long decodeFirstColumn() {
    long sum = 0;
    for (int row = 0; row < ROWS; row++) {
      sum += page.getLong(row, 0);
    }
    return sum;
  }
}
