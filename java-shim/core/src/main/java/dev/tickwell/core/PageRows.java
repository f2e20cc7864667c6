package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A result over its page. Values that a codec makes are kept, so that each is made once; everything
 * else is decoded at each read. Immutable to its readers; any thread.
 *
 * @param <T> what a row is made into
 */
final class PageRows<T> implements Rows<T> {
  private static final String OPERATION = "read";

  private final PageReader page;
  private final Codecs codecs;
  private final ObjectCodec<?>[] columnCodecs;
  // For each column with a codec the values made so far, else null.
  private final AtomicReferenceArray<Object>[] made;
  // Null for rows that are not made into records.
  private final RecordShape shape;
  private RecordReader reader;

  /**
   * A result.
   *
   * @param shape the record that a row is made into, or null for {@link Row}
   * @param columnCodecs for each column its codec or null
   * @param codecs where the codecs of other records' components are found
   */
  PageRows(PageReader page, RecordShape shape, ObjectCodec<?>[] columnCodecs, Codecs codecs) {
    this.page = page;
    this.shape = shape;
    this.columnCodecs = columnCodecs;
    this.codecs = codecs;
    this.made = newCache(page.columns());
    for (int column = 0; column < made.length; column++) {
      if (columnCodecs[column] != null) {
        made[column] = new AtomicReferenceArray<>(page.rows());
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static AtomicReferenceArray<Object>[] newCache(int columns) {
    return new AtomicReferenceArray[columns];
  }

  PageReader page() {
    return page;
  }

  ObjectCodec<?> codec(int column) {
    return columnCodecs[column];
  }

  /** The position of a column, or -1. */
  int position(String name) {
    return page.position(name);
  }

  /** The first column whose values can be made on a tick thread only; -1 when there is none. */
  int tickColumn() {
    for (int column = 0; column < columnCodecs.length; column++) {
      if (columnCodecs[column] != null && columnCodecs[column].requiresTickThread()) {
        return column;
      }
    }
    return -1;
  }

  /** The cells whose values can be made on a tick thread only: column << 32 | row. */
  long[] tickConversions() {
    long[] cells = new long[0];
    int count = 0;
    for (int column = 0; column < columnCodecs.length; column++) {
      if (columnCodecs[column] == null || !columnCodecs[column].requiresTickThread()) {
        continue;
      }
      cells = Arrays.copyOf(cells, count + page.rows());
      for (int row = 0; row < page.rows(); row++) {
        if (!page.isNull(row, column)) {
          cells[count++] = (long) column << 32 | row;
        }
      }
    }
    return Arrays.copyOf(cells, count);
  }

  /** Makes one of {@link #tickConversions}. */
  void convert(long cell) {
    int column = (int) (cell >>> 32);
    decode((int) cell, column, columnCodecs[column]);
  }

  /** The value that a codec makes of a cell that is not null; kept when it is the column's own. */
  @SuppressWarnings("ReferenceEquality") // what two codecs make is the same only if they are one
  Object decode(int row, int column, ObjectCodec<?> codec) {
    if (codec != columnCodecs[column]) {
      return make(row, column, codec);
    }
    AtomicReferenceArray<Object> values = made[column];
    Object value = values.getAcquire(row);
    if (value == null) {
      synchronized (values) {
        value = values.getAcquire(row);
        if (value == null) {
          value = make(row, column, codec);
          values.setRelease(row, value);
        }
      }
    }
    return value;
  }

  private Object make(int row, int column, ObjectCodec<?> codec) {
    try {
      Object value = codec.decode(page.getBytes(row, column));
      return Objects.requireNonNull(value, "the codec gave null");
    } catch (RuntimeException e) {
      throw Problems.caused(
          e,
          ErrorCode.INVALID_VALUE,
          OPERATION,
          "the bytes cannot be made into a " + codec.type().getName() + ": " + e.getMessage(),
          "row",
          Integer.toString(row),
          "column",
          page.name(column),
          "type",
          Problems.name(page.type(column)));
    }
  }

  @Override
  public int size() {
    return page.rows();
  }

  @Override
  public int columnCount() {
    return page.columns();
  }

  @Override
  public String columnName(int column) {
    return page.name(Objects.checkIndex(column, page.columns()));
  }

  @Override
  public ValueType columnType(int column) {
    return page.type(Objects.checkIndex(column, page.columns()));
  }

  @Override
  public int column(String name) {
    int column = page.position(name);
    if (column < 0) {
      StringBuilder known = new StringBuilder();
      for (int index = 0; index < page.columns(); index++) {
        known.append(index == 0 ? "" : ", ").append(page.name(index));
      }
      throw Problems.of(
          ErrorCode.UNKNOWN_COLUMN,
          OPERATION,
          "the result has no column " + name + "; it has " + known,
          "column",
          name);
    }
    return column;
  }

  @Override
  @SuppressWarnings("unchecked")
  public T row(int row) {
    Objects.checkIndex(row, page.rows());
    return shape == null ? (T) new PageRow(this, row) : (T) reader().read(row);
  }

  private synchronized RecordReader reader() {
    if (reader == null) {
      reader = new RecordReader(this, shape, codecs);
    }
    return reader;
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<T> toList() {
    if (shape != null) {
      return all(reader());
    }
    Object[] rows = new Object[page.rows()];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = new PageRow(this, row);
    }
    return (List<T>) Collections.unmodifiableList(Arrays.asList(rows));
  }

  @Override
  public <R> List<R> toList(Class<R> type) {
    return all(new RecordReader(this, RecordShape.of(type), codecs));
  }

  @SuppressWarnings("unchecked")
  private <R> List<R> all(RecordReader from) {
    Object[] rows = new Object[page.rows()];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = from.read(row);
    }
    return (List<R>) Collections.unmodifiableList(Arrays.asList(rows));
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < size();
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return row(next++);
      }
    };
  }

  private ValueType type(int row, int column) {
    Objects.checkIndex(row, page.rows());
    Objects.checkIndex(column, page.columns());
    return page.type(column);
  }

  private TickwellException wrongType(int row, int column, String wanted) {
    return Problems.cell(
        OPERATION, "the column is not " + wanted, row, page.name(column), page.type(column));
  }

  private void refuseNull(int row, int column) {
    if (page.isNull(row, column)) {
      throw Problems.cell(
          OPERATION,
          "there is no value; ask isNull first",
          row,
          page.name(column),
          page.type(column));
    }
  }

  @Override
  public boolean isNull(int row, int column) {
    type(row, column);
    return page.isNull(row, column);
  }

  @Override
  public boolean getBoolean(int row, int column) {
    if (type(row, column) != ValueType.BOOLEAN) {
      throw wrongType(row, column, "boolean");
    }
    refuseNull(row, column);
    return page.getByte(row, column) != 0;
  }

  @Override
  public int getInt(int row, int column) {
    ValueType type = type(row, column);
    refuseNull(row, column);
    return switch (type) {
      case INT -> page.getInt(row, column);
      case SMALLINT -> page.getShort(row, column);
      case TINYINT -> page.getByte(row, column);
      default -> throw wrongType(row, column, "an int or smaller");
    };
  }

  @Override
  public long getLong(int row, int column) {
    ValueType type = type(row, column);
    refuseNull(row, column);
    return switch (type) {
      case BIGINT -> page.getLong(row, column);
      case INT -> page.getInt(row, column);
      case SMALLINT -> page.getShort(row, column);
      case TINYINT -> page.getByte(row, column);
      default -> throw wrongType(row, column, "an integer");
    };
  }

  @Override
  public float getFloat(int row, int column) {
    if (type(row, column) != ValueType.FLOAT) {
      throw wrongType(row, column, "float");
    }
    refuseNull(row, column);
    return page.getFloat(row, column);
  }

  @Override
  public double getDouble(int row, int column) {
    ValueType type = type(row, column);
    refuseNull(row, column);
    return switch (type) {
      case DOUBLE -> page.getDouble(row, column);
      case FLOAT -> page.getFloat(row, column);
      default -> throw wrongType(row, column, "double or float");
    };
  }

  @Override
  public BigDecimal getDecimal(int row, int column) {
    if (type(row, column) != ValueType.DECIMAL) {
      throw wrongType(row, column, "decimal");
    }
    return page.isNull(row, column) ? null : page.getDecimal(row, column);
  }

  @Override
  public String getString(int row, int column) {
    if (!PageFormat.isText(type(row, column))) {
      throw wrongType(row, column, "text");
    }
    return page.isNull(row, column) ? null : page.getText(row, column);
  }

  @Override
  public byte[] getBytes(int row, int column) {
    ValueType type = type(row, column);
    if (type != ValueType.BYTES && !PageFormat.isCoded(type)) {
      throw wrongType(row, column, "kept as bytes");
    }
    return page.isNull(row, column) ? null : page.getBytes(row, column);
  }

  @Override
  public UUID getUuid(int row, int column) {
    if (type(row, column) != ValueType.UUID) {
      throw wrongType(row, column, "uuid");
    }
    return page.isNull(row, column) ? null : page.getUuid(row, column);
  }

  @Override
  public LocalDate getDate(int row, int column) {
    if (type(row, column) != ValueType.DATE) {
      throw wrongType(row, column, "date");
    }
    return page.isNull(row, column) ? null : LocalDate.ofEpochDay(page.getInt(row, column));
  }

  @Override
  public LocalTime getTime(int row, int column) {
    if (type(row, column) != ValueType.TIME_OF_DAY) {
      throw wrongType(row, column, "time_of_day");
    }
    return page.isNull(row, column)
        ? null
        : LocalTime.ofNanoOfDay(page.getLong(row, column) * 1_000);
  }

  @Override
  public Instant getTimestamp(int row, int column) {
    if (type(row, column) != ValueType.TIMESTAMP) {
      throw wrongType(row, column, "timestamp");
    }
    return page.isNull(row, column) ? null : page.getTimestamp(row, column);
  }

  @Override
  public Duration getTimespan(int row, int column) {
    if (type(row, column) != ValueType.TIMESPAN) {
      throw wrongType(row, column, "timespan");
    }
    return page.isNull(row, column) ? null : Duration.ofNanos(page.getLong(row, column));
  }

  @Override
  public Object get(int row, int column) {
    type(row, column);
    ObjectCodec<?> codec = columnCodecs[column];
    if (codec == null || page.isNull(row, column)) {
      return Cells.get(page, row, column);
    }
    return decode(row, column, codec);
  }

  @Override
  public <V> V get(int row, int column, Class<V> type) {
    ValueType stored = type(row, column);
    Object value;
    if (columnCodecs[column] == null
        && PageFormat.isCoded(stored)
        && type != byte[].class
        && type != Object.class
        && !page.isNull(row, column)) {
      ObjectCodec<?> codec = codecs.find(type);
      if (codec == null || codec.storage() != stored) {
        throw wrongType(row, column, "of a type with a codec for " + type.getName());
      }
      value = make(row, column, codec);
    } else {
      value = get(row, column);
    }
    if (value != null && !type.isInstance(value)) {
      throw wrongType(row, column, "a " + type.getName() + " but a " + value.getClass().getName());
    }
    return type.cast(value);
  }
}
