package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.StoredParts;
import dev.tickwell.TickwellException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One completion as the boundary lays it out, read in place. Belongs to the worker thread that has
 * it, but its bytes live on in the result that is read from them.
 */
final class Completion {
  static final int EVENT_RESULT = 1;
  static final int EVENT_TICK_RECORD = 2;
  static final int EVENT_PAGE = 3;
  private static final int HEADER_BYTES = 104;
  private static final int ROWS = 1;
  private static final int AFFECTED = 2;
  private static final int PARTS = 4;
  private static final int COUNTERS = 24;
  private static final int TICK_FIELDS = 16;

  private final byte[] bytes;

  Completion(byte[] bytes) {
    this.bytes = bytes;
  }

  long requestId() {
    return Wire.getLong(bytes, 0);
  }

  int event() {
    return bytes[8];
  }

  /** The page of a result of rows, validated. */
  PageReader page() {
    if (bytes[9] != ROWS) {
      throw unexpected();
    }
    return new PageReader(bytes, HEADER_BYTES, payloadLength());
  }

  /** The affected rows or the count; -1 when the database did not tell. */
  long affected() {
    if (bytes[9] != AFFECTED) {
      throw unexpected();
    }
    return Wire.getLong(bytes, 16);
  }

  /** What became of the parts of an insert whose parts are independent. */
  StoredParts parts() {
    if (bytes[9] != PARTS) {
      throw unexpected();
    }
    Wire.Reader reader = new Wire.Reader(bytes, HEADER_BYTES, payloadLength());
    List<StoredParts.Part> parts = new ArrayList<>();
    for (int left = reader.u32(); left > 0; left--) {
      int firstRow = reader.u32();
      int rows = reader.u32();
      boolean failed = reader.u8() != 0;
      TickwellException failure = failed ? error(reader) : null;
      parts.add(new StoredParts.Part(firstRow, rows, failed ? 0 : reader.u64(), failure));
    }
    return new StoredParts(parts);
  }

  /** The error, or null for a result. */
  TickwellException error() {
    if (bytes[9] == ROWS || bytes[9] == AFFECTED || bytes[9] == PARTS) {
      return null;
    }
    return error(new Wire.Reader(bytes, HEADER_BYTES, payloadLength()));
  }

  private static TickwellException error(Wire.Reader reader) {
    ErrorCode code = ErrorCode.of(reader.u16());
    int effect = reader.u8();
    boolean retryable = reader.u8() != 0;
    String operation = reader.str();
    String message = reader.text();
    Map<String, String> context = new LinkedHashMap<>();
    for (int left = reader.u16(); left > 0; left--) {
      String name = reader.str();
      context.put(name, reader.text());
    }
    return new TickwellException(
        code, Native.effect(effect), retryable, operation, message, context, null);
  }

  private int payloadLength() {
    return Wire.getInt(bytes, 12);
  }

  private TickwellException unexpected() {
    return new TickwellException(
        ErrorCode.INTERNAL, "completion", "a result of kind " + bytes[9] + " was not asked for");
  }

  /** One of the ten counters of a result. */
  long counter(int index) {
    return Wire.getLong(bytes, COUNTERS + 8 * index);
  }

  /** How long its execution took. */
  long executionNanos() {
    return counter(0);
  }

  /** One of the eleven fields of a tick record. */
  long tickField(int index) {
    return Wire.getLong(bytes, TICK_FIELDS + 8 * index);
  }
}
