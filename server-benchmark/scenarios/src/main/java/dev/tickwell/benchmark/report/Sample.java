package dev.tickwell.benchmark.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One timed statement.
 *
 * @param warmup whether it only warmed up and is left out of every summary
 * @param fields nanoseconds and counts by field name, in the order in which they are written
 */
public record Sample(boolean warmup, Map<String, Long> fields) {

  /** Copies the fields. */
  public Sample {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }
}
