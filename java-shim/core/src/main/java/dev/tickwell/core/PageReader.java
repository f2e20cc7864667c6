package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Reads a page where it lies: inside a completion's bytes, without a copy. Everything is validated
 * once by the constructor, so that no read can fail or leave the page. Immutable; any thread.
 */
final class PageReader {
  private final byte[] bytes;
  private final int base;
  private final int length;
  private final int rows;
  private final ValueType[] types;
  private final String[] names;
  // Absolute positions in bytes; no bitmap is -1.
  private final int[] bitmaps;
  private final int[] data;
  private final int[] heaps;
  private final Map<String, Integer> positions;

  /**
   * Validates the page.
   *
   * @throws TickwellException {@code INVALID_PAGE} saying what is wrong and where
   */
  PageReader(byte[] bytes, int base, int length) {
    Objects.checkFromIndexSize(base, length, bytes.length);
    this.bytes = bytes;
    this.base = base;
    this.length = length;
    if (length < PageFormat.HEADER_BYTES || length > PageFormat.MAX_BYTES) {
      throw invalid(
          length
              + " bytes are no page: it has "
              + PageFormat.HEADER_BYTES
              + " to "
              + PageFormat.MAX_BYTES);
    }
    int magic = Wire.getInt(bytes, base);
    if (magic != PageFormat.MAGIC) {
      throw invalid("the page begins with 0x" + Integer.toHexString(magic) + ", not with TWPG");
    }
    int version = Wire.getUnsignedShort(bytes, base + 4);
    if (version != PageFormat.VERSION) {
      throw invalid("page version " + version + " is not known, only " + PageFormat.VERSION);
    }
    int columns = Wire.getUnsignedShort(bytes, base + 6);
    this.rows = Wire.getInt(bytes, base + 8);
    int told = Wire.getInt(bytes, base + 12);
    if (told != length) {
      throw invalid(
          "the header tells " + Integer.toUnsignedString(told) + " bytes, the page has " + length);
    }
    if (rows < 0 || rows > length * 8L || (columns == 0 && rows > 1)) {
      throw invalid(Integer.toUnsignedString(rows) + " rows do not fit into the page");
    }
    int body = PageFormat.HEADER_BYTES + columns * PageFormat.DESCRIPTOR_BYTES;
    if (body > length) {
      throw invalid(columns + " columns need " + body + " bytes, the page has " + length);
    }
    this.types = new ValueType[columns];
    this.names = new String[columns];
    this.bitmaps = new int[columns];
    this.data = new int[columns];
    this.heaps = new int[columns];
    this.positions = HashMap.newHashMap(columns);
    Check check = new Check(body);
    for (int column = 0; column < columns; column++) {
      check.column(column);
      if (!names[column].isEmpty()) {
        positions.putIfAbsent(names[column], column);
      }
    }
  }

  /** The validation of one page; keeps what sections may still take. */
  private final class Check {
    private final int body;
    // Sections that lie over each other would let a small page cost the time of a huge one.
    private long budget = length;
    private int column;

    Check(int body) {
      this.body = body;
    }

    void column(int column) {
      this.column = column;
      int at = base + PageFormat.HEADER_BYTES + column * PageFormat.DESCRIPTOR_BYTES;
      int code = Byte.toUnsignedInt(bytes[at]);
      ValueType type = ValueType.ofCode(code);
      if (type == null) {
        throw problem("type code " + code + " is not known");
      }
      int flags = Byte.toUnsignedInt(bytes[at + 1]);
      if ((flags & ~PageFormat.FLAG_BITMAP) != 0 || Wire.getInt(bytes, at + 28) != 0) {
        throw problem("a reserved flag or field is not 0");
      }
      types[column] = type;
      names[column] = name(Wire.getUnsignedShort(bytes, at + 2), Wire.getInt(bytes, at + 4));
      bitmaps[column] = bitmap(flags, Wire.getInt(bytes, at + 8));
      int width = PageFormat.width(type);
      int dataLength = Wire.getInt(bytes, at + 16);
      long expected = width > 0 ? (long) rows * width : (rows + 1L) * 4;
      if (Integer.toUnsignedLong(dataLength) != expected) {
        throw problem(
            rows
                + " rows of type "
                + Problems.name(type)
                + " have "
                + expected
                + " bytes of data, not "
                + Integer.toUnsignedString(dataLength));
      }
      data[column] = section("data", Wire.getInt(bytes, at + 12), dataLength);
      int heapOffset = Wire.getInt(bytes, at + 20);
      int heapLength = Wire.getInt(bytes, at + 24);
      if (width > 0) {
        if (heapOffset != 0 || heapLength != 0) {
          throw problem("a heap in a column of type " + Problems.name(type));
        }
      } else {
        heaps[column] = section("heap", heapOffset, heapLength);
        offsets(data[column], heapLength);
        if (PageFormat.isText(type)) {
          text(data[column], heaps[column], heapLength);
        }
      }
      if (type == ValueType.BOOLEAN) {
        booleans(data[column]);
      } else if (type == ValueType.TIME_OF_DAY) {
        times(data[column]);
      }
    }

    private String name(int nameLength, int offset) {
      if (nameLength == 0) {
        if (offset != 0) {
          throw problem("a name without a length has an offset");
        }
        return "";
      }
      int from = section("name", offset, nameLength);
      if (Utf8.firstInvalid(bytes, from, nameLength) >= 0) {
        throw problem("the name is not UTF-8");
      }
      return new String(bytes, from, nameLength, StandardCharsets.UTF_8);
    }

    private int bitmap(int flags, int offset) {
      if ((flags & PageFormat.FLAG_BITMAP) == 0) {
        if (offset != 0) {
          throw problem("a bitmap's offset without the flag for it");
        }
        return -1;
      }
      return section("bitmap", offset, (rows + 7) >>> 3);
    }

    /** The absolute position of a section that lies behind the descriptors, inside the page. */
    private int section(String what, int offset, int sectionLength) {
      long from = Integer.toUnsignedLong(offset);
      long count = Integer.toUnsignedLong(sectionLength);
      if (from < body || from + count > length) {
        throw problem(
            "the "
                + what
                + " ("
                + count
                + " bytes at "
                + from
                + ") is not between the descriptors' end at "
                + body
                + " and the page's end at "
                + length);
      }
      budget -= count;
      if (budget < 0) {
        throw problem("with the " + what + " the sections are longer than the page");
      }
      return base + offset;
    }

    private void offsets(int from, int heapLength) {
      int previous = 0;
      boolean descends = false;
      // Without a branch per row; heapLength is at most the page's, so no offset is negative.
      for (int row = 0; row <= rows; row++) {
        int offset = Wire.getInt(bytes, from + row * 4);
        descends |= offset < previous;
        previous = offset;
      }
      if (descends) {
        throw problem("the offsets go back");
      }
      if (Wire.getInt(bytes, from) != 0 || previous != heapLength) {
        throw problem("the offsets do not run from 0 to the heap's length " + heapLength);
      }
    }

    private void text(int offsets, int heap, int heapLength) {
      if (Utf8.isAscii(bytes, heap, heapLength)) {
        return;
      }
      int invalid = Utf8.firstInvalid(bytes, heap, heapLength);
      for (int row = 0; row < rows; row++) {
        int start = Wire.getInt(bytes, offsets + row * 4);
        int end = Wire.getInt(bytes, offsets + row * 4 + 4);
        if (invalid >= 0 && invalid < end) {
          throw problem("row " + row + ": text that is not UTF-8");
        }
        // A continuation byte at its beginning: the value was cut out of a code point.
        if (start < heapLength && (bytes[heap + start] & 0xC0) == 0x80) {
          throw problem("row " + row + ": text that begins inside a code point");
        }
      }
    }

    private void booleans(int from) {
      for (int row = 0; row < rows; row++) {
        if ((bytes[from + row] & ~1) != 0) {
          throw problem("row " + row + ": a boolean that is neither 0 nor 1");
        }
      }
    }

    private void times(int from) {
      for (int row = 0; row < rows; row++) {
        long time = Wire.getLong(bytes, from + row * 8);
        if (time < 0 || time >= PageFormat.MICROS_PER_DAY) {
          throw problem("row " + row + ": a time of day outside of the day");
        }
      }
    }

    private TickwellException problem(String message) {
      return Problems.of(
          ErrorCode.INVALID_PAGE, "page", message, "column", Integer.toString(column));
    }
  }

  private static TickwellException invalid(String message) {
    return new TickwellException(ErrorCode.INVALID_PAGE, "page", message);
  }

  int rows() {
    return rows;
  }

  /** How many values there are, nulls among them. */
  long values() {
    return (long) rows * types.length;
  }

  /** How many bytes it has. */
  int length() {
    return length;
  }

  int columns() {
    return types.length;
  }

  ValueType type(int column) {
    return types[column];
  }

  String name(int column) {
    return names[column];
  }

  /** The position of a column, or -1. */
  int position(String name) {
    return positions.getOrDefault(name, -1);
  }

  /** A copy of the page's bytes. */
  byte[] copy() {
    return Arrays.copyOfRange(bytes, base, base + length);
  }

  boolean hasNulls(int column) {
    return bitmaps[column] >= 0;
  }

  boolean isNull(int row, int column) {
    int bitmap = bitmaps[column];
    return bitmap >= 0 && (bytes[bitmap + (row >>> 3)] >>> (row & 7) & 1) == 0;
  }

  byte getByte(int row, int column) {
    return bytes[data[column] + row];
  }

  short getShort(int row, int column) {
    return Wire.getShort(bytes, data[column] + row * 2);
  }

  int getInt(int row, int column) {
    return Wire.getInt(bytes, data[column] + row * 4);
  }

  long getLong(int row, int column) {
    return Wire.getLong(bytes, data[column] + row * 8);
  }

  float getFloat(int row, int column) {
    return Float.intBitsToFloat(getInt(row, column));
  }

  double getDouble(int row, int column) {
    return Double.longBitsToDouble(getLong(row, column));
  }

  UUID getUuid(int row, int column) {
    int at = data[column] + row * 16;
    return new UUID(Wire.getLongBigEndian(bytes, at), Wire.getLongBigEndian(bytes, at + 8));
  }

  String getText(int row, int column) {
    int at = data[column] + row * 4;
    int start = Wire.getInt(bytes, at);
    int end = Wire.getInt(bytes, at + 4);
    return new String(bytes, heaps[column] + start, end - start, StandardCharsets.UTF_8);
  }

  BigDecimal getDecimal(int row, int column) {
    try {
      return new BigDecimal(getText(row, column));
    } catch (NumberFormatException e) {
      throw Problems.cell("read", "the decimal is not a number", row, names[column], types[column]);
    }
  }

  byte[] getBytes(int row, int column) {
    int at = data[column] + row * 4;
    int heap = heaps[column];
    return Arrays.copyOfRange(
        bytes, heap + Wire.getInt(bytes, at), heap + Wire.getInt(bytes, at + 4));
  }

  Instant getTimestamp(int row, int column) {
    long micros = getLong(row, column);
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
  }
}
