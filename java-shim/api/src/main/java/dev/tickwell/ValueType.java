package dev.tickwell;

/** The type of a column. The number is the type code of the page format. */
public enum ValueType {
  /** {@code boolean}. */
  BOOLEAN(1),
  /** {@code byte}. */
  TINYINT(2),
  /** {@code short}. */
  SMALLINT(3),
  /** {@code int}. */
  INT(4),
  /** {@code long}. */
  BIGINT(5),
  /** {@code float}. */
  FLOAT(6),
  /** {@code double}. */
  DOUBLE(7),
  /** {@link java.math.BigDecimal}, exact with its scale. */
  DECIMAL(8),
  /** {@link String} of at most a number of code points. */
  STRING(9),
  /** {@link String}. */
  TEXT(10),
  /** {@code byte[]}. */
  BYTES(11),
  /** {@link java.util.UUID}. */
  UUID(12),
  /** {@link java.time.LocalDate}. */
  DATE(13),
  /** {@link java.time.LocalTime}, to the microsecond. */
  TIME_OF_DAY(14),
  /** {@link java.time.Instant}, to the microsecond. */
  TIMESTAMP(15),
  /** {@link java.time.Duration}, to the nanosecond, up to 292 years. */
  TIMESPAN(16),
  /** A JSON document as {@link String}. */
  JSON(17),
  /** The server's item type. */
  ITEM(18),
  /** The server's location type. */
  LOCATION(19),
  /** Binary NBT as {@code byte[]}. */
  NBT(20),
  /** A type with an {@link ObjectCodec}. */
  OBJECT(21);

  private static final ValueType[] VALUES = values();

  private final int code;

  ValueType(int code) {
    this.code = code;
  }

  /** The type code of the page format. */
  public int code() {
    return code;
  }

  /** The type with this code, or null. The codes are dense, in the order of the constants. */
  public static ValueType ofCode(int code) {
    return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
  }
}
