package dev.tickwell.benchmark.report;

/**
 * The server's own ticks over some time.
 *
 * @param ticks how many ended
 * @param late how many began late, by the rule of {@code TickGrid}
 * @param p50 half of them took at most this many nanoseconds
 * @param p90 90 % took at most this many nanoseconds
 * @param p99 99 % took at most this many nanoseconds
 * @param p999 99.9 % took at most this many nanoseconds
 * @param max the longest, in nanoseconds
 */
public record TickSummary(
    long ticks, long late, long p50, long p90, long p99, long p999, long max) {}
