package dev.tickwell;

/**
 * Reads and writes one Java type as bytes in an {@code object} column. Its methods must be
 * thread-safe, except that {@link #decode} and {@link #encode} of a codec that {@link
 * #requiresTickThread()} are called on a tick thread only, one value at a time inside the tick
 * budget.
 */
public interface ObjectCodec<T> {
  /** The type; exact, subclasses are not taken. */
  Class<T> type();

  /** The bytes of a value; never null. */
  byte[] encode(T value);

  /** The value of these bytes; never null. */
  T decode(byte[] bytes);

  /**
   * The column type under which values are kept: {@code OBJECT}, {@code ITEM}, {@code LOCATION} or
   * {@code NBT}.
   */
  default ValueType storage() {
    return ValueType.OBJECT;
  }

  /** A copy that later changes of the value do not reach; the value itself when it is immutable. */
  T snapshot(T value);

  /** Whether values can be made only on a tick thread. */
  default boolean requiresTickThread() {
    return false;
  }
}
