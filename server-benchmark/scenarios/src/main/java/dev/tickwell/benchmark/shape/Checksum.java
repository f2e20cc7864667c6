package dev.tickwell.benchmark.shape;

/** Sums of values, the same for both implementations, so that neither can skip reading one. */
public final class Checksum {
  private Checksum() {}

  /** The sum with one more value; depends on the order. */
  public static long add(long sum, long value) {
    return sum * 31 + value;
  }

  /** The sum with one more value. */
  public static long add(long sum, double value) {
    return sum * 31 + Double.doubleToRawLongBits(value);
  }
}
