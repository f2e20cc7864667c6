package dev.tickwell.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.benchmark.arm.Arm;
import dev.tickwell.benchmark.arm.Measurement;
import dev.tickwell.benchmark.arm.Scope;
import dev.tickwell.benchmark.arm.Work;
import dev.tickwell.benchmark.shape.Numbers;
import dev.tickwell.benchmark.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The run fails when a side reads or publishes anything but what was written. */
class ConductorTest {
  private final Numbers shape = new Numbers("numbers");
  private final List<Numbers.Stats> rows = shape.rows(1, 3);

  /** Publishes what it is told to. */
  private record Publishing(List<?> list) implements Arm {
    @Override
    public String name() {
      return "fake";
    }

    @Override
    @SuppressWarnings("unchecked") // a test may publish what it likes
    public <R extends Record> List<R> published(Shape<R> shape) {
      return (List<R>) list;
    }

    @Override
    public void open(Shape<?> shape) {}

    @Override
    public void clear(Shape<?> shape) {}

    @Override
    public <R extends Record> void store(Shape<R> shape, List<R> rows) {}

    @Override
    public long count(Shape<?> shape, long first, int rows) {
      return 0;
    }

    @Override
    public <R extends Record> void share(Shape<R> shape, List<R> rows) {}

    @Override
    public void shareOld(Shape<?> old, long first, int rows) {}

    @Override
    public <R extends Record> Work write(Shape<R> shape, List<R> rows, Scope scope) {
      throw new UnsupportedOperationException("nothing is written here");
    }

    @Override
    public <R extends Record> Work read(Shape<R> shape, long first, int rows, Scope scope) {
      throw new UnsupportedOperationException("nothing is read here");
    }

    @Override
    public void close() {}
  }

  private static Measurement measured(long checksum, List<?> found) {
    Measurement measurement = new Measurement(() -> 0);
    measurement.begin();
    measurement.asyncArrived();
    measurement.result(() -> found);
    measurement.consumed(checksum);
    measurement.tickArrived();
    measurement.phases(Map.of());
    return measurement;
  }

  private String wrong(Scope scope, long checksum, List<?> found, List<?> published) {
    return Conductor.wrongRead(
        shape, new Publishing(published), scope, rows, measured(checksum, found));
  }

  @Test
  void acceptsWhatWasWritten() {
    long checksum = shape.checksum(rows);
    assertNull(wrong(Scope.LOCAL, checksum, rows, List.of()));
    assertNull(wrong(Scope.SHARED, checksum, rows, rows));
  }

  @Test
  void noticesAWrongSum() {
    long checksum = shape.checksum(rows);
    assertEquals(
        "checksum " + (checksum + 1) + ", not " + checksum,
        wrong(Scope.LOCAL, checksum + 1, rows, List.of()));
  }

  @Test
  void noticesAMissingAndAChangedRow() {
    long checksum = shape.checksum(rows);
    assertEquals("2 rows, not 3", wrong(Scope.LOCAL, checksum, rows.subList(0, 2), List.of()));
    List<Numbers.Stats> changed = new ArrayList<>(rows);
    changed.set(1, shape.row(9));
    assertEquals(
        "row 1 is " + shape.row(9) + ", not " + shape.row(2),
        wrong(Scope.LOCAL, checksum, changed, List.of()));
  }

  @Test
  void noticesAStalePublication() {
    assertEquals(
        "published: row 0 is " + shape.row(4) + ", not " + shape.row(1),
        wrong(Scope.SHARED, shape.checksum(rows), rows, shape.rows(4, 3)));
  }

  @Test
  void aRefusalHasToSayThatItIsOneWithoutEffect() {
    assertNull(
        Conductor.wrongRefusal(
            new TickwellException(ErrorCode.RESULT_TOO_LARGE, "select", "too many rows")));
    assertNotNull(Conductor.wrongRefusal(null));
    assertNotNull(
        Conductor.wrongRefusal(new TickwellException(ErrorCode.TIMEOUT, "select", "too slow")));
    assertNotNull(
        Conductor.wrongRefusal(
            new TickwellException(
                ErrorCode.RESULT_TOO_LARGE,
                Effect.UNKNOWN,
                false,
                "select",
                "too many rows",
                Map.of(),
                null)));
  }

  @Test
  void saysHowManyStatementsWereSent() {
    assertEquals("2 statements each time", Conductor.statements(2, 2));
    assertEquals("from 2 to 3 statements", Conductor.statements(2, 3));
  }
}
