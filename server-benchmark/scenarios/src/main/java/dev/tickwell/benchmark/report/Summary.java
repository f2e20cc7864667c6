package dev.tickwell.benchmark.report;

import java.util.Arrays;

/**
 * Order statistics of one field over the measured samples, by the nearest-rank method: each is a
 * value that was really measured. With ten samples p95 is the maximum.
 *
 * @param median the value of rank ⌈0.5 n⌉
 * @param p95 the value of rank ⌈0.95 n⌉
 * @param max the greatest value
 */
public record Summary(long median, long p95, long max) {

  /**
   * Summarises values in any order.
   *
   * @throws IllegalArgumentException when there is no value
   */
  public static Summary of(long... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a summary needs at least one value");
    }
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Summary(rank(sorted, 50), rank(sorted, 95), sorted[sorted.length - 1]);
  }

  private static long rank(long[] sorted, int percent) {
    return sorted[Math.max(1, Math.ceilDiv(sorted.length * percent, 100)) - 1];
  }
}
