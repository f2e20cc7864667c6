package dev.tickwell.benchmark;

import com.google.gson.JsonObject;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.report.CaseResult;
import dev.tickwell.benchmark.report.Check;
import dev.tickwell.benchmark.report.RunResults;
import dev.tickwell.benchmark.report.Sample;
import dev.tickwell.benchmark.report.SmallResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what a run finds. Used by the benchmark's own thread alone. */
final class RunLog {
  private record Case(int columns, boolean refused, List<Sample> samples) {}

  private final String database;
  private final Map<CaseKey, Case> cases = new LinkedHashMap<>();
  private final List<SmallResult> small = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();

  RunLog(String database) {
    this.database = database;
  }

  /** Keeps a sample that was found right. */
  void sample(CaseKey key, int columns, boolean refused, Sample sample) {
    cases
        .computeIfAbsent(key, absent -> new Case(columns, refused, new ArrayList<>()))
        .samples()
        .add(sample);
  }

  /** Keeps a case of many small requests. */
  void small(SmallResult result) {
    small.add(result);
  }

  /** Keeps a check; one that did not pass fails the run. */
  void check(String name, String measured, boolean passed) {
    checks.add(new Check(name, measured, passed));
    if (!passed) {
      failed.add(name + ": " + measured);
    }
  }

  /** Fails the run with a line that says what was wrong where. */
  void fail(String line) {
    failed.add(line);
  }

  /** Whether nothing has failed yet. */
  boolean good() {
    return failed.isEmpty();
  }

  /** The smallest and the largest value of a field over all samples of a case, or null. */
  long[] range(CaseKey key, String field) {
    Case found = cases.get(key);
    if (found == null || found.samples().isEmpty()) {
      return null;
    }
    long[] values =
        found.samples().stream()
            .mapToLong(sample -> sample.fields().getOrDefault(field, -1L))
            .sorted()
            .toArray();
    return new long[] {values[0], values[values.length - 1]};
  }

  /** Everything so far. */
  RunResults results(JsonObject environment) {
    List<CaseResult> results = new ArrayList<>();
    cases.forEach(
        (key, found) ->
            results.add(
                new CaseResult(key, database, found.columns(), found.refused(), found.samples())));
    return new RunResults(environment, results, small, checks, failed);
  }
}
