package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The little-endian primitives of the boundary: plain reads and writes in a {@code byte[]} at any
 * offset, a growing writer, and pairs. No thread and no state of its own.
 */
final class Wire {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_BIG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Wire() {}

  static short getShort(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at);
  }

  static int getUnsignedShort(byte[] bytes, int at) {
    return Short.toUnsignedInt((short) SHORT.get(bytes, at));
  }

  static int getInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static long getLong(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static long getLongBigEndian(byte[] bytes, int at) {
    return (long) LONG_BIG.get(bytes, at);
  }

  static void putShort(byte[] bytes, int at, short value) {
    SHORT.set(bytes, at, value);
  }

  static void putInt(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  static void putLongBigEndian(byte[] bytes, int at, long value) {
    LONG_BIG.set(bytes, at, value);
  }

  /** A duration as it crosses; the greatest number for one of more than 292 years. */
  static long nanos(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(duration);
  }

  /** Pairs as the boundary lays them out. */
  static byte[] pairs(Map<String, String> pairs) {
    Writer writer = new Writer(64 * pairs.size() + 2);
    writer.u16(pairs.size());
    pairs.forEach((name, value) -> writer.str(name).text(value));
    return writer.toBytes();
  }

  /** The pairs in these bytes, in their order; null is no pairs. */
  static Map<String, String> readPairs(byte[] bytes) {
    Map<String, String> pairs = new LinkedHashMap<>();
    if (bytes != null) {
      Reader reader = new Reader(bytes, 0, bytes.length);
      for (int left = reader.u16(); left > 0; left--) {
        String name = reader.str();
        pairs.put(name, reader.text());
      }
    }
    return pairs;
  }

  /** A growing buffer. Not thread-safe. */
  static final class Writer {
    private byte[] bytes;
    private int length;

    Writer(int capacity) {
      bytes = new byte[Math.max(capacity, 16)];
    }

    private int grow(int more) {
      int at = length;
      length = Math.addExact(length, more);
      if (length > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length, bytes.length * 2));
      }
      return at;
    }

    Writer u8(int value) {
      int at = grow(1);
      bytes[at] = (byte) value;
      return this;
    }

    /** Refuses what 16 bits cannot hold, so that no count is ever cut. */
    Writer u16(int value) {
      if (value < 0 || value > 0xFFFF) {
        throw new TickwellException(
            ErrorCode.INVALID_STATEMENT,
            "submit",
            "a list has " + value + " entries or a name that many bytes; the most is 65535");
      }
      int at = grow(2);
      putShort(bytes, at, (short) value);
      return this;
    }

    Writer u32(int value) {
      int at = grow(4);
      putInt(bytes, at, value);
      return this;
    }

    Writer str(String value) {
      byte[] utf8 = utf8(value);
      return u16(utf8.length).raw(utf8);
    }

    Writer text(String value) {
      byte[] utf8 = utf8(value);
      return u32(utf8.length).raw(utf8);
    }

    /** Refuses what would become a {@code ?}. */
    private static byte[] utf8(String value) {
      for (int at = 0; at < value.length(); at++) {
        if (Character.isSurrogate(value.charAt(at))) {
          if (Character.charCount(value.codePointAt(at)) == 1) {
            throw new TickwellException(
                ErrorCode.INVALID_STATEMENT,
                "submit",
                "a name or the text of a statement holds half of a surrogate pair, which is no"
                    + " character");
          }
          at++;
        }
      }
      return value.getBytes(StandardCharsets.UTF_8);
    }

    private Writer raw(byte[] value) {
      int at = grow(value.length);
      System.arraycopy(value, 0, bytes, at, value.length);
      return this;
    }

    int length() {
      return length;
    }

    /** Overwrites a 16-bit field that was written before. */
    void patchU16(int at, int value) {
      putShort(bytes, at, (short) value);
    }

    byte[] toBytes() {
      return Arrays.copyOf(bytes, length);
    }
  }

  /** Reads one range of bytes; a length that leaves it is an {@link IndexOutOfBoundsException}. */
  static final class Reader {
    private final byte[] bytes;
    private final int end;
    private int at;

    Reader(byte[] bytes, int from, int length) {
      this.bytes = bytes;
      this.at = Objects.checkFromIndexSize(from, length, bytes.length);
      this.end = from + length;
    }

    private int take(int count) {
      if (count < 0 || count > end - at) {
        throw new IndexOutOfBoundsException(
            count + " bytes at " + at + " of a message that ends at " + end);
      }
      int from = at;
      at += count;
      return from;
    }

    int u8() {
      return Byte.toUnsignedInt(bytes[take(1)]);
    }

    int u16() {
      return getUnsignedShort(bytes, take(2));
    }

    int u32() {
      return getInt(bytes, take(4));
    }

    long u64() {
      return getLong(bytes, take(8));
    }

    String str() {
      int length = u16();
      return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }

    String text() {
      int length = u32();
      return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }
  }
}
