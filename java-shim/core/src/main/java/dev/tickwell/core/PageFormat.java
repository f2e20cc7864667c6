package dev.tickwell.core;

import dev.tickwell.ValueType;

/** The constants of {@code docs/page-format.md}. */
final class PageFormat {
  static final int MAGIC = 0x47505754;
  static final int VERSION = 1;
  static final int HEADER_BYTES = 16;
  static final int DESCRIPTOR_BYTES = 32;
  static final int FLAG_BITMAP = 1;
  static final int MAX_BYTES = 64 << 20;
  static final int MAX_COLUMNS = 0xFFFF;
  static final long MICROS_PER_DAY = 86_400_000_000L;

  /** The bytes of a location before its world's name. */
  static final int LOCATION_BYTES = 48;

  private PageFormat() {}

  /** The width of a value in bytes, 0 for types whose values lie in the heap. */
  static int width(ValueType type) {
    return switch (type) {
      case BOOLEAN, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, FLOAT, DATE -> 4;
      case BIGINT, DOUBLE, TIME_OF_DAY, TIMESTAMP, TIMESPAN -> 8;
      case UUID -> 16;
      case DECIMAL, STRING, TEXT, BYTES, JSON, ITEM, LOCATION, NBT, OBJECT -> 0;
    };
  }

  /** Whether values are UTF-8. */
  static boolean isText(ValueType type) {
    return switch (type) {
      case DECIMAL, STRING, TEXT, JSON -> true;
      default -> false;
    };
  }

  /** Whether values are bytes that a codec may make into an object. */
  static boolean isCoded(ValueType type) {
    return switch (type) {
      case ITEM, LOCATION, NBT, OBJECT -> true;
      default -> false;
    };
  }

  /** The next multiple of 8: where a section may begin. */
  static int align(int offset) {
    return (offset + 7) & ~7;
  }
}
