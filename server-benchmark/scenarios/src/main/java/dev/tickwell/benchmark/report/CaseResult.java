package dev.tickwell.benchmark.report;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Everything measured for one case.
 *
 * @param key which case
 * @param database the database's type
 * @param columns how many columns a row has
 * @param refused whether the statement had to be refused, and was
 * @param samples in the order in which they ran, warm-ups included
 */
public record CaseResult(
    CaseKey key, String database, int columns, boolean refused, List<Sample> samples) {

  /** Copies the samples. */
  public CaseResult {
    samples = List.copyOf(samples);
  }

  /** The measured samples' summary of every field, in the order of the fields. */
  public Map<String, Summary> summary() {
    Set<String> names = new LinkedHashSet<>();
    for (Sample sample : samples) {
      names.addAll(sample.fields().keySet());
    }
    Map<String, Summary> summary = new LinkedHashMap<>();
    for (String name : names) {
      long[] values = values(name);
      if (values.length > 0) {
        summary.put(name, Summary.of(values));
      }
    }
    return summary;
  }

  /** The median of a field; empty when no measured sample has it. */
  public OptionalLong median(String field) {
    long[] values = values(field);
    return values.length == 0 ? OptionalLong.empty() : OptionalLong.of(Summary.of(values).median());
  }

  private long[] values(String field) {
    return samples.stream()
        .filter(sample -> !sample.warmup() && sample.fields().containsKey(field))
        .mapToLong(sample -> sample.fields().get(field))
        .toArray();
  }
}
