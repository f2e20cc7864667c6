package dev.tickwell;

/** The type of a column. The ordinal + 1 is the type code of the page format. */
public enum ValueType {
  /** {@code boolean}. */
  BOOLEAN,
  /** {@code byte}. */
  TINYINT,
  /** {@code short}. */
  SMALLINT,
  /** {@code int}. */
  INT,
  /** {@code long}. */
  BIGINT,
  /** {@code float}. */
  FLOAT,
  /** {@code double}. */
  DOUBLE,
  /** {@link java.math.BigDecimal}, exact with its scale. */
  DECIMAL,
  /** {@link String} of at most a number of code points. */
  STRING,
  /** {@link String}. */
  TEXT,
  /** {@code byte[]}. */
  BYTES,
  /** {@link java.util.UUID}. */
  UUID,
  /** {@link java.time.LocalDate}. */
  DATE,
  /** {@link java.time.LocalTime}, to the microsecond. */
  TIME_OF_DAY,
  /** {@link java.time.Instant}, to the microsecond. */
  TIMESTAMP,
  /** {@link java.time.Duration}, to the nanosecond, up to 292 years. */
  TIMESPAN,
  /** A JSON document as {@link String}. */
  JSON,
  /** The server's item type. */
  ITEM,
  /** The server's location type. */
  LOCATION,
  /** Binary NBT as {@code byte[]}. */
  NBT,
  /** A type with an {@link ObjectCodec}. */
  OBJECT;

  private static final ValueType[] VALUES = values();

  /** The type code of the page format. */
  public int code() {
    return ordinal() + 1;
  }

  /** The type with this code, or null. */
  public static ValueType ofCode(int code) {
    return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
  }
}
