package dev.tickwell.core;

/**
 * The values that go with a request, as they were when it was submitted. Made on the submitting
 * thread, encoded on that one or on the encoder; one thread at a time.
 */
interface Input {
  /** No values. */
  Input NONE =
      new Input() {
        @Override
        public long values() {
          return 0;
        }

        @Override
        public byte[] encode() {
          return null;
        }
      };

  /** How many values there are to encode. */
  long values();

  /** How many of them can be made into bytes on a tick thread only. */
  default int tickReads() {
    return 0;
  }

  /** Makes one of those into bytes, on a tick thread. */
  default void readOnTick(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  /** The page, or null without values. All of {@link #tickReads} must have been read before. */
  byte[] encode();
}
