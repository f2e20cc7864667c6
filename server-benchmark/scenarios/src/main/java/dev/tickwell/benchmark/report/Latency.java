package dev.tickwell.benchmark.report;

import org.HdrHistogram.Histogram;

/**
 * How long requests took, over all measured rounds of a case, in nanoseconds with three digits.
 *
 * @param requests how many
 * @param p50 half of them took at most this long
 * @param p90 nine in ten
 * @param p99 99 in 100
 * @param p999 999 in 1,000
 * @param max the longest
 */
public record Latency(long requests, long p50, long p90, long p99, long p999, long max) {

  /** What a histogram of nanoseconds says. */
  public static Latency of(Histogram histogram) {
    return new Latency(
        histogram.getTotalCount(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(90),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        histogram.getTotalCount() == 0 ? 0 : histogram.getMaxValue());
  }
}
