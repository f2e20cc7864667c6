package dev.tickwell.core;

import dev.tickwell.ObjectCodec;
import dev.tickwell.ValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;

/**
 * One value between Java and a page, by the column's type. Stateless; any thread. Digits that a
 * type does not keep (below a microsecond) are cut toward the earlier time.
 */
final class Cells {
  /** More digits than this behind or before the point are no value but an attack on memory. */
  private static final int MAX_DECIMAL_SCALE = 16_384;

  private Cells() {}

  /**
   * Writes a value as the next of the encoder's column. Gives what is wrong with it, or null.
   *
   * @param codec how a value of this column is made into bytes, or null
   */
  static String put(PageEncoder out, ValueType type, ObjectCodec<?> codec, Object value) {
    if (value == null) {
      out.putNull();
      return null;
    }
    return switch (type) {
      case BOOLEAN -> {
        if (!(value instanceof Boolean flag)) {
          yield wrong(value, "a Boolean");
        }
        out.putByte(flag ? 1 : 0);
        yield null;
      }
      case TINYINT, SMALLINT, INT, BIGINT -> putInteger(out, type, value);
      case FLOAT -> {
        if (!(value instanceof Float number)) {
          yield wrong(value, "a Float");
        }
        out.putInt(Float.floatToRawIntBits(number));
        yield null;
      }
      case DOUBLE -> {
        if (!(value instanceof Double) && !(value instanceof Float)) {
          yield wrong(value, "a Double");
        }
        out.putLong(Double.doubleToRawLongBits(((Number) value).doubleValue()));
        yield null;
      }
      case DECIMAL ->
          value instanceof BigDecimal number
              ? putDecimal(out, number)
              : wrong(value, "a BigDecimal");
      case STRING, TEXT, JSON -> {
        if (value instanceof String text) {
          yield putText(out, text);
        }
        yield value instanceof Enum<?> constant
            ? putText(out, constant.name())
            : wrong(value, "a String");
      }
      case BYTES -> {
        if (!(value instanceof byte[] bytes)) {
          yield wrong(value, "a byte[]");
        }
        out.putBytes(bytes);
        yield null;
      }
      case UUID -> {
        if (!(value instanceof UUID uuid)) {
          yield wrong(value, "a UUID");
        }
        out.putUuid(uuid);
        yield null;
      }
      case DATE ->
          value instanceof LocalDate date ? putDate(out, date) : wrong(value, "a LocalDate");
      case TIME_OF_DAY -> {
        if (!(value instanceof LocalTime time)) {
          yield wrong(value, "a LocalTime");
        }
        out.putLong(time.toNanoOfDay() / 1_000);
        yield null;
      }
      case TIMESTAMP ->
          value instanceof Instant instant ? putInstant(out, instant) : wrong(value, "an Instant");
      case TIMESPAN ->
          value instanceof Duration duration
              ? putDuration(out, duration)
              : wrong(value, "a Duration");
      case ITEM, LOCATION, NBT, OBJECT -> {
        if (value instanceof byte[] bytes) {
          out.putBytes(bytes);
          yield null;
        }
        if (codec == null) {
          yield "no codec is registered for " + value.getClass().getName();
        }
        out.putBytes(encode(codec, value));
        yield null;
      }
    };
  }

  /** The bytes of a value by its codec; fails when the value is not of the codec's type. */
  static <V> byte[] encode(ObjectCodec<V> codec, Object value) {
    byte[] bytes = codec.encode(codec.type().cast(value));
    if (bytes == null) {
      throw new IllegalStateException("the codec of " + codec.type().getName() + " gave no bytes");
    }
    return bytes;
  }

  /** A copy that later changes of the value do not reach. */
  static Object snapshot(ObjectCodec<?> codec, Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    }
    return codec == null || value == null ? value : typedSnapshot(codec, value);
  }

  private static <V> V typedSnapshot(ObjectCodec<V> codec, Object value) {
    return codec.snapshot(codec.type().cast(value));
  }

  private static String wrong(Object value, String wanted) {
    return "a " + value.getClass().getName() + " is given where " + wanted + " is needed";
  }

  private static String putInteger(PageEncoder out, ValueType type, Object value) {
    if (!(value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte)) {
      return wrong(value, "an integer");
    }
    long number = ((Number) value).longValue();
    if (!fits(type, number)) {
      return "the number is outside of the type's range";
    }
    switch (type) {
      case TINYINT -> out.putByte((byte) number);
      case SMALLINT -> out.putShort((short) number);
      case INT -> out.putInt((int) number);
      default -> out.putLong(number);
    }
    return null;
  }

  /** Whether an integer type has this number. */
  static boolean fits(ValueType type, long number) {
    return switch (type) {
      case TINYINT -> number == (byte) number;
      case SMALLINT -> number == (short) number;
      case INT -> number == (int) number;
      default -> true;
    };
  }

  static String putText(PageEncoder out, String text) {
    return out.putText(text)
        ? null
        : "the text holds half of a surrogate pair, which is no character";
  }

  static String putDecimal(PageEncoder out, BigDecimal number) {
    if (Math.abs((long) number.scale()) > MAX_DECIMAL_SCALE) {
      return "the decimal has more than "
          + MAX_DECIMAL_SCALE
          + " digits before or behind the point";
    }
    return putText(out, number.toPlainString());
  }

  static String putDate(PageEncoder out, LocalDate date) {
    long days = date.toEpochDay();
    if (days != (int) days) {
      return "the date is outside of the type's range";
    }
    out.putInt((int) days);
    return null;
  }

  static String putInstant(PageEncoder out, Instant instant) {
    long seconds = instant.getEpochSecond();
    long micros = instant.getNano() / 1_000;
    try {
      // From the second after, so that the earliest instant that fits does not overflow on the way.
      long whole =
          seconds < 0
              ? Math.addExact(Math.multiplyExact(seconds + 1, 1_000_000L), micros - 1_000_000L)
              : Math.addExact(Math.multiplyExact(seconds, 1_000_000L), micros);
      out.putLong(whole);
      return null;
    } catch (ArithmeticException e) {
      return "the instant is outside of the type's range";
    }
  }

  static String putDuration(PageEncoder out, Duration duration) {
    try {
      out.putLong(duration.toNanos());
      return null;
    } catch (ArithmeticException e) {
      return "the duration is longer than 292 years";
    }
  }

  /** A value as its Java object; bytes for a column without a codec. */
  static Object get(PageReader page, int row, int column) {
    if (page.isNull(row, column)) {
      return null;
    }
    return switch (page.type(column)) {
      case BOOLEAN -> page.getByte(row, column) != 0;
      case TINYINT -> page.getByte(row, column);
      case SMALLINT -> page.getShort(row, column);
      case INT -> page.getInt(row, column);
      case BIGINT -> page.getLong(row, column);
      case FLOAT -> page.getFloat(row, column);
      case DOUBLE -> page.getDouble(row, column);
      case DECIMAL -> page.getDecimal(row, column);
      case STRING, TEXT, JSON -> page.getText(row, column);
      case BYTES, ITEM, LOCATION, NBT, OBJECT -> page.getBytes(row, column);
      case UUID -> page.getUuid(row, column);
      case DATE -> LocalDate.ofEpochDay(page.getInt(row, column));
      case TIME_OF_DAY -> LocalTime.ofNanoOfDay(page.getLong(row, column) * 1_000);
      case TIMESTAMP -> page.getTimestamp(row, column);
      case TIMESPAN -> Duration.ofNanos(page.getLong(row, column));
    };
  }
}
