package dev.tickwell;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;

/**
 * A result. Its values lie encoded in one byte array and are decoded when they are asked for, so a
 * result costs nothing until it is read. Immutable and safe to read from any thread.
 *
 * <p>Rows and columns count from 0; a position outside throws {@link IndexOutOfBoundsException}, a
 * wrong type {@link TickwellException} with {@code INVALID_VALUE} that names the column. The
 * numeric accessors widen (an {@code int} column can be read by {@link #getLong}), never narrow,
 * and refuse null; {@link #get} and the object accessors give null.
 *
 * @param <T> what one row is made into: a record or a class like one, or {@link Row}
 */
public interface Rows<T> extends Iterable<T> {
  /** How many rows. */
  int size();

  /** Whether there is no row. */
  default boolean isEmpty() {
    return size() == 0;
  }

  /** How many columns. */
  int columnCount();

  /** The name of a column. */
  String columnName(int column);

  /** The type of a column. */
  ValueType columnType(int column);

  /** The position of the column with this name; {@code UNKNOWN_COLUMN} when there is none. */
  int column(String name);

  /** One row, decoded now. */
  T row(int row);

  /** All rows, decoded now, as an unmodifiable list. */
  List<T> toList();

  /**
   * All rows, decoded now into records whose components have the names of columns, or into a class
   * that is like a record, as {@link Database#table(String, Class)} says.
   */
  <R> List<R> toList(Class<R> type);

  /** Whether there is no value. */
  boolean isNull(int row, int column);

  /** A {@code boolean}. */
  boolean getBoolean(int row, int column);

  /** A {@code tinyint}, {@code smallint} or {@code int}. */
  int getInt(int row, int column);

  /** A {@code tinyint}, {@code smallint}, {@code int} or {@code bigint}. */
  long getLong(int row, int column);

  /** A {@code float}. */
  float getFloat(int row, int column);

  /** A {@code float} or {@code double}. */
  double getDouble(int row, int column);

  /** A {@code decimal}. */
  BigDecimal getDecimal(int row, int column);

  /** A {@code string}, {@code text}, {@code json} or {@code decimal}. */
  String getString(int row, int column);

  /**
   * A copy of the bytes of a {@code bytes}, {@code nbt}, {@code item}, {@code location} or {@code
   * object}.
   */
  byte[] getBytes(int row, int column);

  /** A {@code uuid}. */
  UUID getUuid(int row, int column);

  /** A {@code date}. */
  LocalDate getDate(int row, int column);

  /** A {@code time_of_day}. */
  LocalTime getTime(int row, int column);

  /** A {@code timestamp}. */
  Instant getTimestamp(int row, int column);

  /** A {@code timespan}. */
  Duration getTimespan(int row, int column);

  /**
   * A value of any type as its Java object. Items, locations and objects are made by their codec,
   * at most once per cell, and every reader gets the same one: copy it before you change it. A
   * column whose codec is not known gives the bytes.
   */
  Object get(int row, int column);

  /** {@link #get}, cast. */
  <V> V get(int row, int column, Class<V> type);
}
