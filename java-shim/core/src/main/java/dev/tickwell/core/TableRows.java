package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Row;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;

/**
 * Rows to insert. The constructor, on the submitting thread, copies what could change afterwards;
 * records and rows themselves are immutable and stay as they are until they are encoded.
 */
final class TableRows implements Input {
  private static final String OPERATION = "insert";

  /** Of this many rows the lengths are looked at: a tick thread may do it. */
  private static final int WEIGHED_ROWS = 16;

  private final TableModel table;
  private final List<Column> columns;
  private final Object[] rows;
  // For each column with mutable values their copies, else null.
  private final Object[][] copies;
  // The cells that are read on a tick thread: column << 32 | row.
  private final long[] tickReads;

  TableRows(TableModel table, Object[] rows) {
    this.table = table;
    this.columns = table.columns();
    this.rows = rows;
    this.copies = new Object[columns.size()][];
    long[] reads = new long[0];
    int readCount = 0;
    for (int index = 0; index < copies.length; index++) {
      Column column = columns.get(index);
      if (!column.mutable()) {
        continue;
      }
      copies[index] = copy(column);
      if (column.needsTickThread()) {
        reads = Arrays.copyOf(reads, readCount + rows.length);
        for (int row = 0; row < rows.length; row++) {
          Object value = copies[index][row];
          if (value != null && !(value instanceof byte[])) {
            reads[readCount++] = (long) index << 32 | row;
          }
        }
      }
    }
    this.tickReads = Arrays.copyOf(reads, readCount);
  }

  /** About how long the texts and bytes of rows are together, from some of the rows. */
  static long lengths(TableModel table, Object[] rows) {
    int looked = Math.min(rows.length, WEIGHED_ROWS);
    long lengths = 0;
    for (int index = 0; index < looked; index++) {
      Object row = rows[(int) ((long) index * rows.length / looked)];
      try {
        for (Column column : table.columns()) {
          lengths += Draft.length(column.of(row));
        }
      } catch (RuntimeException e) {
        // A bad row, which is told when the request is made.
      }
    }
    return looked == 0 ? 0 : lengths * rows.length / looked;
  }

  private Object[] copy(Column column) {
    Object[] values = new Object[rows.length];
    for (int row = 0; row < rows.length; row++) {
      Object value = value(column, row);
      try {
        values[row] = Cells.snapshot(column.codec(), value);
      } catch (RuntimeException e) {
        throw problem(column, row, "the value cannot be copied: " + e, e);
      }
    }
    return values;
  }

  private Object value(Column column, int row) {
    Object from = rows[row];
    if (from == null) {
      throw Problems.of(
          ErrorCode.INVALID_VALUE,
          OPERATION,
          "the row is null",
          "table",
          table.name(),
          "row",
          Integer.toString(row));
    }
    try {
      return column.of(from);
    } catch (TickwellException e) {
      throw e;
    } catch (RuntimeException e) {
      throw unreadable(column, row, e);
    }
  }

  @Override
  public long values() {
    return (long) rows.length * columns.size();
  }

  @Override
  public int tickReads() {
    return tickReads.length;
  }

  @Override
  public void readOnTick(int index) {
    int at = (int) (tickReads[index] >>> 32);
    int row = (int) tickReads[index];
    Column column = columns.get(at);
    try {
      copies[at][row] = Cells.encode(column.codec(), copies[at][row]);
    } catch (RuntimeException e) {
      throw problem(column, row, "the value cannot be made into bytes: " + e, e);
    }
  }

  @Override
  public byte[] encode() {
    ValueType[] types = columns.stream().map(Column::type).toArray(ValueType[]::new);
    if (!columns.isEmpty() && columns.getFirst().component() == null) {
      checkNames();
    }
    PageEncoder out = new PageEncoder(rows.length, types, null);
    for (int index = 0; index < types.length; index++) {
      Column column = columns.get(index);
      out.beginColumn();
      if (copies[index] != null) {
        putCopies(out, column, copies[index]);
      } else if (column.component() != null && column.component().javaType().isPrimitive()) {
        putPrimitives(out, column);
      } else {
        putObjects(out, column);
      }
    }
    return out.finish();
  }

  /** A column that a row has and the table has not would be lost in silence. */
  private void checkNames() {
    for (int row = 0; row < rows.length; row++) {
      if (rows[row] instanceof Row given) {
        for (int index = 0; index < given.columnCount(); index++) {
          if (!table.has(given.columnName(index))) {
            throw Problems.of(
                ErrorCode.UNKNOWN_COLUMN,
                OPERATION,
                "the row has a column that the table has not",
                "table",
                table.name(),
                "row",
                Integer.toString(row),
                "column",
                given.columnName(index));
          }
        }
      }
    }
  }

  private void putCopies(PageEncoder out, Column column, Object[] values) {
    for (int row = 0; row < values.length; row++) {
      put(out, column, row, values[row]);
    }
  }

  private void putObjects(PageEncoder out, Column column) {
    for (int row = 0; row < rows.length; row++) {
      put(out, column, row, value(column, row));
    }
  }

  private void put(PageEncoder out, Column column, int row, Object value) {
    String problem;
    try {
      problem = Cells.put(out, column.type(), column.codec(), value);
    } catch (TickwellException e) {
      throw e;
    } catch (RuntimeException e) {
      throw problem(column, row, "the value cannot be made into bytes: " + e, e);
    }
    if (problem != null) {
      throw problem(column, row, problem, null);
    }
  }

  /** The exact types of the accessors let the loops run without boxes. */
  private void putPrimitives(PageEncoder out, Column column) {
    MethodHandle getter = column.component().getter();
    int row = 0;
    try {
      switch (column.type()) {
        case BOOLEAN -> {
          for (; row < rows.length; row++) {
            out.putByte((boolean) getter.invokeExact(rows[row]) ? 1 : 0);
          }
        }
        case TINYINT -> {
          for (; row < rows.length; row++) {
            out.putByte((byte) getter.invokeExact(rows[row]));
          }
        }
        case SMALLINT -> {
          for (; row < rows.length; row++) {
            out.putShort((short) getter.invokeExact(rows[row]));
          }
        }
        case INT -> {
          for (; row < rows.length; row++) {
            out.putInt((int) getter.invokeExact(rows[row]));
          }
        }
        case BIGINT -> {
          for (; row < rows.length; row++) {
            out.putLong((long) getter.invokeExact(rows[row]));
          }
        }
        case FLOAT -> {
          for (; row < rows.length; row++) {
            out.putInt(Float.floatToRawIntBits((float) getter.invokeExact(rows[row])));
          }
        }
        case DOUBLE -> {
          for (; row < rows.length; row++) {
            out.putLong(Double.doubleToRawLongBits((double) getter.invokeExact(rows[row])));
          }
        }
        default -> throw new IllegalStateException("a primitive of type " + column.type());
      }
    } catch (Throwable thrown) {
      if (rows[row] == null) {
        value(column, row);
      }
      if (thrown instanceof RuntimeException known && !(thrown instanceof TickwellException)) {
        throw unreadable(column, row, known);
      }
      throw RecordShape.rethrow(thrown);
    }
  }

  /** It is of another class than the table's rows, in a raw collection, or its accessor threw. */
  private TickwellException unreadable(Column column, int row, RuntimeException cause) {
    return problem(column, row, "the row cannot be read: " + cause, cause);
  }

  private TickwellException problem(Column column, int row, String message, Throwable cause) {
    return Problems.caused(
        cause,
        ErrorCode.INVALID_VALUE,
        OPERATION,
        message,
        "table",
        table.name(),
        "row",
        Integer.toString(row),
        "column",
        column.name(),
        "type",
        Problems.name(column.type()));
  }
}
