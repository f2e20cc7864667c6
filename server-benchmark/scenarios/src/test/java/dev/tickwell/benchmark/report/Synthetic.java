package dev.tickwell.benchmark.report;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run that never was, with numbers that a test can work out. */
final class Synthetic {
  private static final List<Integer> SIZES = List.of(100, 500, 1000, 2500, 5000);

  private Synthetic() {}

  /** A good run: Tickwell consumes in a quarter of the peer's time, and every target is met. */
  static RunResults run() {
    List<CaseResult> cases = new ArrayList<>();
    for (String id : List.of("id-only", "six-columns")) {
      for (int rows : SIZES) {
        for (String scope : List.of("local", "shared")) {
          for (String operation : List.of(CaseKey.WRITE, CaseKey.READ)) {
            cases.add(result(new CaseKey(id, CaseKey.TICKWELL, operation, scope, rows), 1));
            cases.add(result(new CaseKey(id, CaseKey.JDBC, operation, scope, rows), 4));
          }
        }
      }
    }
    CaseKey refused = new CaseKey("id-only", CaseKey.TICKWELL, CaseKey.READ, "local", 10_000);
    cases.add(new CaseResult(refused, "sqlite", 6, true, result(refused, 1).samples()));
    cases.add(result(refused.of(CaseKey.JDBC), 4));
    for (String id : List.of("item-location", "tick-thread-only")) {
      for (String implementation : List.of(CaseKey.TICKWELL, CaseKey.JDBC)) {
        int factor = implementation.equals(CaseKey.JDBC) ? 4 : 1;
        cases.add(result(new CaseKey(id, implementation, CaseKey.WRITE, "local", 1000), factor));
        cases.add(result(new CaseKey(id, implementation, CaseKey.READ, "local", 1000), factor));
      }
    }
    return new RunResults(
        environment(),
        cases,
        small(),
        List.of(
            new Check("30,001 values are sent as two statements", "2 statements each time", true)),
        List.of());
  }

  /** Eight rounds of which the peer's take from 1.6 to 2.3 times, or 3.2 to 4.6 times, as long. */
  private static List<SmallResult> small() {
    List<SmallResult> small = new ArrayList<>();
    for (String operation : List.of(CaseKey.READ, CaseKey.WRITE)) {
      CaseKey key =
          new CaseKey(SmallResult.CALLERS, CaseKey.TICKWELL, operation, "16 callers", 1000);
      int times = operation.equals(CaseKey.READ) ? 1 : 2;
      small.add(small(key, "elapsedNs", 10, 0));
      small.add(small(key.of(CaseKey.JDBC), "elapsedNs", 16 * times, times));
    }
    CaseKey crowd = new CaseKey(SmallResult.CROWD, CaseKey.TICKWELL, CaseKey.READ, "one tick", 200);
    small.add(small(crowd, "wallNs", 50, 0));
    small.add(small(crowd.of(CaseKey.JDBC), "wallNs", 100, 0));
    return small;
  }

  /** Rounds of so many milliseconds, each of them longer by this than the one before. */
  static SmallResult small(CaseKey key, String field, int first, int more) {
    List<Sample> rounds = new ArrayList<>();
    for (int i = -1; i < 8; i++) {
      Map<String, Long> fields = new LinkedHashMap<>();
      fields.put(field, i < 0 ? 1L : (first + i * more) * 1_000_000L);
      if (field.equals("wallNs")) {
        fields.put("mainNs", 700_000L);
      } else if (key.operation().equals(CaseKey.WRITE) && more == 0) {
        fields.put("writes", 1000L);
        fields.put("transactions", 111L);
      }
      rounds.add(new Sample(i < 0, fields));
    }
    Latency latency = new Latency(8L * key.rows(), 51_000, 92_000, 203_000, 1_040_000, 5_060_000);
    return new SmallResult(key, "sqlite", rounds, latency);
  }

  static RunResults withCases(List<CaseResult> cases) {
    return new RunResults(environment(), cases, List.of(), List.of(), List.of());
  }

  static CaseResult result(CaseKey key, int factor) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      samples.add(sample(i < 3, key.rows() * 200L * factor * (i < 3 ? 100 : i - 2), factor));
    }
    return new CaseResult(key, "sqlite", 6, false, samples);
  }

  static Sample sample(boolean warmup, long nanos) {
    return sample(warmup, nanos, 1);
  }

  private static Sample sample(boolean warmup, long nanos, int factor) {
    Map<String, Long> fields = new LinkedHashMap<>();
    fields.put("wallNs", 50_000_000L);
    fields.put("asyncWallNs", nanos);
    fields.put("consumedNs", nanos + nanos / 2);
    fields.put("gapNs", 50_100_000L);
    fields.put("ticks", 1L);
    fields.put("mainNs", 18_000L * factor);
    fields.put("mainTickMaxNs", 17_000L * factor);
    fields.put("prepareMainNs", 9_000L);
    fields.put("largestConversionNs", 0L);
    return new Sample(warmup, fields);
  }

  static TickResults ticks() {
    Map<CaseKey, TickSummary> cases = new LinkedHashMap<>();
    cases.put(
        new CaseKey("six-columns", CaseKey.TICKWELL, CaseKey.READ, "local", 5000),
        new TickSummary(20, 1, 700_000, 900_000, 1_200_000, 1_500_000, 1_600_000));
    return new TickResults(
        new TickSummary(2001, 3, 600_000, 800_000, 2_000_000, 9_000_000, 12_000_000),
        100_000_000_000L,
        cases);
  }

  private static JsonObject environment() {
    JsonObject environment = new JsonObject();
    environment.addProperty("startedAt", "2026-11-30T12:00:00Z");
    environment.addProperty("commit", "0123456789abcdef");
    environment.addProperty("dirty", false);
    environment.addProperty("cpu", "Some <CPU> & \"more\"");
    environment.addProperty("cores", 2);
    environment.addProperty("jdk", "25");
    environment.addProperty("os", "Linux");
    environment.addProperty("host", "host 1.21.11");
    return environment;
  }
}
