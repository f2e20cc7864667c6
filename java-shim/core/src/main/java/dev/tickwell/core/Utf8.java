package dev.tickwell.core;

/** Checks UTF-8 as RFC 3629 defines it: no overlong form, no surrogate, at most U+10FFFF. */
final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  static boolean isAscii(byte[] bytes, int from, int length) {
    return asciiEnd(bytes, from, from + length) == from + length;
  }

  /** The first position with a byte above 127, or the end. */
  private static int asciiEnd(byte[] bytes, int from, int end) {
    int at = from;
    while (at <= end - 8 && (Wire.getLong(bytes, at) & HIGH_BITS) == 0) {
      at += 8;
    }
    while (at < end && bytes[at] >= 0) {
      at++;
    }
    return at;
  }

  /** How far from the beginning the first invalid sequence lies, or -1. */
  static int firstInvalid(byte[] bytes, int from, int length) {
    int end = from + length;
    int at = asciiEnd(bytes, from, end);
    while (at < end) {
      int size = sequence(bytes, at, end);
      if (size == 0) {
        return at - from;
      }
      at = asciiEnd(bytes, at + size, end);
    }
    return -1;
  }

  /** The length of the valid sequence here, or 0. */
  private static int sequence(byte[] bytes, int at, int end) {
    int lead = Byte.toUnsignedInt(bytes[at]);
    if (lead < 0x80) {
      return 1;
    }
    int size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + size > end) {
      return 0;
    }
    int second = Byte.toUnsignedInt(bytes[at + 1]);
    int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < low || second > high) {
      return 0;
    }
    for (int index = 2; index < size; index++) {
      if ((bytes[at + index] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return size;
  }
}
