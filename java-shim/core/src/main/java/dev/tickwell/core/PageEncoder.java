package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Builds a page column by column in one buffer, in the canonical form: the same values always give
 * the same bytes. Each column gets its values in the order of the rows, from {@link #beginColumn}
 * on. Not thread-safe.
 */
final class PageEncoder {
  /** Texts from this length on are counted before room is made for them. */
  private static final int COUNTED_CHARS = 1 << 16;

  private final int rows;
  private final ValueType[] types;
  private byte[] buffer;
  private int end;

  // The column being written.
  private int column = -1;
  private int descriptor;
  private int width;
  private int row;
  private int bitmap;
  private int data;
  private int heap;

  /**
   * Begins a page.
   *
   * @param names a name for each column, or null for none
   */
  PageEncoder(int rows, ValueType[] types, String[] names) {
    if (types.length > PageFormat.MAX_COLUMNS) {
      throw new TickwellException(
          ErrorCode.INVALID_STATEMENT,
          "page",
          types.length + " columns, the most is " + PageFormat.MAX_COLUMNS);
    }
    this.rows = rows;
    this.types = types;
    int body = PageFormat.HEADER_BYTES + types.length * PageFormat.DESCRIPTOR_BYTES;
    long guess = body + 64L;
    for (ValueType type : types) {
      int size = PageFormat.width(type);
      guess += 16 + (size > 0 ? (long) size * rows : 20L * rows);
    }
    buffer = new byte[(int) Math.min(guess, PageFormat.MAX_BYTES)];
    end = body;
    reserve(0);
    Wire.putInt(buffer, 0, PageFormat.MAGIC);
    Wire.putShort(buffer, 4, (short) PageFormat.VERSION);
    Wire.putShort(buffer, 6, (short) types.length);
    Wire.putInt(buffer, 8, rows);
    for (int index = 0; index < types.length; index++) {
      buffer[PageFormat.HEADER_BYTES + index * PageFormat.DESCRIPTOR_BYTES] =
          (byte) types[index].code();
      if (names != null) {
        name(index, names[index]);
      }
    }
  }

  private void name(int index, String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    if (utf8.length == 0) {
      return;
    }
    if (utf8.length > 0xFFFF) {
      throw Problems.of(
          ErrorCode.INVALID_STATEMENT, "page", "a column's name has " + utf8.length + " bytes");
    }
    int at = PageFormat.HEADER_BYTES + index * PageFormat.DESCRIPTOR_BYTES;
    reserve(utf8.length);
    Wire.putShort(buffer, at + 2, (short) utf8.length);
    Wire.putInt(buffer, at + 4, end);
    System.arraycopy(utf8, 0, buffer, end, utf8.length);
    end += utf8.length;
  }

  /** Makes room behind the end. */
  private void reserve(long more) {
    long needed = end + more;
    if (needed > PageFormat.MAX_BYTES) {
      throw Problems.of(
          ErrorCode.INVALID_VALUE,
          "page",
          "the values take more than "
              + PageFormat.MAX_BYTES
              + " bytes, the most that crosses at once; send them in parts");
    }
    if (needed > buffer.length) {
      long grown = Math.min(Math.max(needed, buffer.length * 2L), PageFormat.MAX_BYTES);
      buffer = Arrays.copyOf(buffer, (int) grown);
    }
  }

  /** Ends the column before and begins the next one. */
  void beginColumn() {
    endColumn();
    column++;
    descriptor = PageFormat.HEADER_BYTES + column * PageFormat.DESCRIPTOR_BYTES;
    width = PageFormat.width(types[column]);
    row = 0;
    bitmap = -1;
    place(PageFormat.align(end));
  }

  /** Puts the column's data at this offset, and its heap behind. */
  private void place(int offset) {
    long size = width > 0 ? (long) width * rows : 4 * (rows + 1L);
    // 8 more for the gap before the heap.
    reserve(offset - end + size + 8);
    data = offset;
    end = offset + (int) size;
    if (width == 0) {
      heap = PageFormat.align(end);
      end = heap;
    }
  }

  private void endColumn() {
    if (column < 0) {
      return;
    }
    if (row != rows) {
      throw new IllegalStateException("column " + column + " has " + row + " of " + rows + " rows");
    }
    if (bitmap >= 0) {
      buffer[descriptor + 1] = PageFormat.FLAG_BITMAP;
      Wire.putInt(buffer, descriptor + 8, bitmap);
    }
    Wire.putInt(buffer, descriptor + 12, data);
    Wire.putInt(buffer, descriptor + 16, dataBytes(rows));
    if (width == 0) {
      Wire.putInt(buffer, descriptor + 20, heap);
      Wire.putInt(buffer, descriptor + 24, end - heap);
    }
  }

  /** A null: the first one of a column moves what is there behind a new bitmap. */
  void putNull() {
    if (bitmap < 0) {
      openBitmap();
    }
    if (width == 0) {
      Wire.putInt(buffer, data + (row + 1) * 4, end - heap);
    }
    row++;
  }

  private void openBitmap() {
    int start = data;
    byte[] written = Arrays.copyOfRange(buffer, data, data + dataBytes(row));
    byte[] values = width > 0 ? new byte[0] : Arrays.copyOfRange(buffer, heap, end);
    Arrays.fill(buffer, start, end, (byte) 0);
    end = start;
    place(PageFormat.align(start + ((rows + 7) >>> 3)));
    System.arraycopy(written, 0, buffer, data, written.length);
    if (width == 0) {
      reserve(values.length);
      System.arraycopy(values, 0, buffer, heap, values.length);
      end = heap + values.length;
    }
    bitmap = start;
    for (int index = 0; index < row; index++) {
      mark(index);
    }
  }

  /** The bytes of the data section with this many rows. */
  private int dataBytes(int count) {
    return width > 0 ? width * count : 4 * (count + 1);
  }

  private void mark(int index) {
    buffer[bitmap + (index >>> 3)] |= (byte) (1 << (index & 7));
  }

  private int next() {
    if (bitmap >= 0) {
      mark(row);
    }
    return row++;
  }

  void putByte(int value) {
    buffer[data + next()] = (byte) value;
  }

  void putShort(short value) {
    Wire.putShort(buffer, data + next() * 2, value);
  }

  void putInt(int value) {
    Wire.putInt(buffer, data + next() * 4, value);
  }

  void putLong(long value) {
    Wire.putLong(buffer, data + next() * 8, value);
  }

  void putUuid(UUID value) {
    int at = data + next() * 16;
    Wire.putLongBigEndian(buffer, at, value.getMostSignificantBits());
    Wire.putLongBigEndian(buffer, at + 8, value.getLeastSignificantBits());
  }

  void putBytes(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, buffer, end, value.length);
    end += value.length;
    endValue();
  }

  /**
   * Text as UTF-8. Gives false, with nothing of it written, when it holds half of a surrogate pair:
   * UTF-8 has no bytes for that, and a replacement would store another text than was given.
   */
  boolean putText(String value) {
    int chars = value.length();
    // At most three bytes for each char (a pair of chars takes four): room enough without counting,
    // unless that alone would pass for too much.
    reserve(chars < COUNTED_CHARS ? chars * 3L : utf8Length(value));
    byte[] out = buffer;
    int at = end;
    int index = 0;
    while (index < chars) {
      char c = value.charAt(index);
      if (c >= 0x80) {
        break;
      }
      out[at++] = (byte) c;
      index++;
    }
    while (index < chars) {
      char c = value.charAt(index++);
      if (c < 0x80) {
        out[at++] = (byte) c;
      } else if (c < 0x800) {
        out[at++] = (byte) (0xC0 | (c >>> 6));
        out[at++] = (byte) (0x80 | (c & 0x3F));
      } else if (!Character.isSurrogate(c)) {
        out[at++] = (byte) (0xE0 | (c >>> 12));
        out[at++] = (byte) (0x80 | (c >>> 6 & 0x3F));
        out[at++] = (byte) (0x80 | (c & 0x3F));
      } else if (Character.isHighSurrogate(c)
          && index < chars
          && Character.isLowSurrogate(value.charAt(index))) {
        int point = Character.toCodePoint(c, value.charAt(index++));
        out[at++] = (byte) (0xF0 | (point >>> 18));
        out[at++] = (byte) (0x80 | (point >>> 12 & 0x3F));
        out[at++] = (byte) (0x80 | (point >>> 6 & 0x3F));
        out[at++] = (byte) (0x80 | (point & 0x3F));
      } else {
        Arrays.fill(out, end, at, (byte) 0);
        return false;
      }
    }
    end = at;
    endValue();
    return true;
  }

  private static long utf8Length(String value) {
    long length = 0;
    for (int index = 0; index < value.length(); index++) {
      char c = value.charAt(index);
      // Each half of a pair counts two of its four bytes; a lone one is refused by the caller.
      length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return length;
  }

  private void endValue() {
    Wire.putInt(buffer, data + (row + 1) * 4, end - heap);
    next();
  }

  /** The page; the encoder is used up. */
  byte[] finish() {
    endColumn();
    if (column + 1 != types.length) {
      throw new IllegalStateException((column + 1) + " of " + types.length + " columns");
    }
    Wire.putInt(buffer, 12, end);
    return end == buffer.length ? buffer : Arrays.copyOf(buffer, end);
  }
}
