package dev.tickwell.benchmark.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a run, as {@code docs/benchmark.md} describes them: {@code pipeline-results.json},
 * {@code tick-results.json} and {@code environment.json}. Times are whole nanoseconds.
 */
public final class ResultFiles {
  /** Cases, samples, summaries, checks and failures. */
  public static final String PIPELINE = "pipeline-results.json";

  /** The server's ticks. */
  public static final String TICKS = "tick-results.json";

  /** The machine and the versions; the same object as in the other two. */
  public static final String ENVIRONMENT = "environment.json";

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ResultFiles() {}

  /** Writes all three files into a folder, which is made when it is missing. */
  public static void write(Path folder, RunResults results, TickResults ticks) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(PIPELINE), GSON.toJson(pipeline(results, ticks)) + "\n");
    JsonObject tickFile = ticks(ticks);
    tickFile.add("environment", results.environment());
    Files.writeString(folder.resolve(TICKS), GSON.toJson(tickFile) + "\n");
    Files.writeString(folder.resolve(ENVIRONMENT), GSON.toJson(results.environment()) + "\n");
  }

  /**
   * Reads {@code pipeline-results.json}.
   *
   * @throws IOException naming the file when it cannot be read or is not such a file
   */
  public static RunResults readResults(Path folder) throws IOException {
    Path file = folder.resolve(PIPELINE);
    JsonObject root = parse(file);
    try {
      List<CaseResult> cases = new ArrayList<>();
      for (JsonElement element : root.getAsJsonArray("cases")) {
        cases.add(readCase(element.getAsJsonObject()));
      }
      List<SmallResult> small = new ArrayList<>();
      for (JsonElement element : root.getAsJsonArray("small")) {
        small.add(readSmall(element.getAsJsonObject()));
      }
      List<Check> checks = new ArrayList<>();
      for (JsonElement element : root.getAsJsonArray("checks")) {
        JsonObject check = element.getAsJsonObject();
        checks.add(
            new Check(
                check.get("name").getAsString(),
                check.get("measured").getAsString(),
                check.get("passed").getAsBoolean()));
      }
      List<String> failed = new ArrayList<>();
      root.getAsJsonArray("failed").forEach(line -> failed.add(line.getAsString()));
      return new RunResults(root.getAsJsonObject("environment"), cases, small, checks, failed);
    } catch (NullPointerException | IllegalStateException | ClassCastException e) {
      throw new IOException(file + " is not a result file of this benchmark: run it again", e);
    }
  }

  /**
   * Reads {@code tick-results.json}.
   *
   * @throws IOException naming the file when it cannot be read or is not such a file
   */
  public static TickResults readTicks(Path folder) throws IOException {
    Path file = folder.resolve(TICKS);
    JsonObject root = parse(file);
    try {
      Map<CaseKey, TickSummary> cases = new LinkedHashMap<>();
      for (JsonElement element : root.getAsJsonArray("cases")) {
        JsonObject object = element.getAsJsonObject();
        cases.put(readKey(object), readTickSummary(object));
      }
      JsonObject run = root.getAsJsonObject("run");
      return new TickResults(readTickSummary(run), run.get("elapsedNs").getAsLong(), cases);
    } catch (NullPointerException | IllegalStateException | ClassCastException e) {
      throw new IOException(file + " is not a tick file of this benchmark: run it again", e);
    }
  }

  static JsonObject pipeline(RunResults results, TickResults ticks) {
    JsonObject root = new JsonObject();
    root.add("environment", results.environment());
    JsonArray cases = new JsonArray();
    results.cases().forEach(result -> cases.add(writeCase(result)));
    root.add("cases", cases);
    JsonArray small = new JsonArray();
    results.small().forEach(result -> small.add(writeSmall(result)));
    root.add("small", small);
    JsonArray checks = new JsonArray();
    for (Check check : results.checks()) {
      JsonObject object = new JsonObject();
      object.addProperty("name", check.name());
      object.addProperty("measured", check.measured());
      object.addProperty("passed", check.passed());
      checks.add(object);
    }
    root.add("checks", checks);
    JsonArray targets = new JsonArray();
    for (Verdict verdict : Targets.judge(results, ticks)) {
      JsonObject object = new JsonObject();
      object.addProperty("target", verdict.target());
      object.addProperty("measured", verdict.measured());
      object.addProperty("verdict", verdict.word());
      if (verdict.outcome() != Verdict.Outcome.STATED) {
        object.addProperty("passed", verdict.outcome() == Verdict.Outcome.PASS);
      }
      targets.add(object);
    }
    root.add("targets", targets);
    JsonArray failed = new JsonArray();
    results.failed().forEach(failed::add);
    root.add("failed", failed);
    return root;
  }

  private static JsonObject writeCase(CaseResult result) {
    JsonObject object = writeKey(result.key(), result.database());
    object.addProperty("columns", result.columns());
    object.addProperty("refused", result.refused());
    object.add("samples", writeSamples(result.samples()));
    object.add("summary", writeSummary(result.summary()));
    return object;
  }

  private static JsonObject writeSmall(SmallResult result) {
    JsonObject object = writeKey(result.key(), result.database());
    object.add("rounds", writeSamples(result.rounds()));
    object.add("summary", writeSummary(result.summary()));
    object.addProperty("requestsPerSecond", result.perSecond());
    Latency latency = result.latency();
    JsonObject times = new JsonObject();
    times.addProperty("requests", latency.requests());
    times.addProperty("p50Ns", latency.p50());
    times.addProperty("p90Ns", latency.p90());
    times.addProperty("p99Ns", latency.p99());
    times.addProperty("p999Ns", latency.p999());
    times.addProperty("maxNs", latency.max());
    object.add("latency", times);
    return object;
  }

  private static JsonArray writeSamples(List<Sample> samples) {
    JsonArray array = new JsonArray();
    for (Sample sample : samples) {
      JsonObject one = new JsonObject();
      one.addProperty("warmup", sample.warmup());
      sample.fields().forEach(one::addProperty);
      array.add(one);
    }
    return array;
  }

  private static JsonObject writeSummary(Map<String, Summary> summary) {
    JsonObject object = new JsonObject();
    summary.forEach(
        (field, figures) -> {
          JsonObject one = new JsonObject();
          one.addProperty("median", figures.median());
          one.addProperty("p95", figures.p95());
          one.addProperty("max", figures.max());
          object.add(field, one);
        });
    return object;
  }

  private static CaseResult readCase(JsonObject object) {
    return new CaseResult(
        readKey(object),
        object.get("database").getAsString(),
        object.get("columns").getAsInt(),
        object.get("refused").getAsBoolean(),
        readSamples(object.getAsJsonArray("samples")));
  }

  private static SmallResult readSmall(JsonObject object) {
    JsonObject latency = object.getAsJsonObject("latency");
    return new SmallResult(
        readKey(object),
        object.get("database").getAsString(),
        readSamples(object.getAsJsonArray("rounds")),
        new Latency(
            latency.get("requests").getAsLong(),
            latency.get("p50Ns").getAsLong(),
            latency.get("p90Ns").getAsLong(),
            latency.get("p99Ns").getAsLong(),
            latency.get("p999Ns").getAsLong(),
            latency.get("maxNs").getAsLong()));
  }

  private static List<Sample> readSamples(JsonArray array) {
    List<Sample> samples = new ArrayList<>();
    for (JsonElement element : array) {
      Map<String, Long> fields = new LinkedHashMap<>();
      boolean warmup = false;
      for (Map.Entry<String, JsonElement> field : element.getAsJsonObject().entrySet()) {
        if (field.getKey().equals("warmup")) {
          warmup = field.getValue().getAsBoolean();
        } else {
          fields.put(field.getKey(), field.getValue().getAsLong());
        }
      }
      samples.add(new Sample(warmup, fields));
    }
    return samples;
  }

  static JsonObject ticks(TickResults ticks) {
    JsonObject root = new JsonObject();
    JsonObject run = new JsonObject();
    writeTickSummary(run, ticks.run());
    run.addProperty("elapsedNs", ticks.elapsedNanos());
    run.addProperty("milliTps", ticks.milliTps());
    root.add("run", run);
    JsonArray cases = new JsonArray();
    ticks
        .cases()
        .forEach(
            (key, summary) -> {
              JsonObject object = writeKey(key, "sqlite");
              writeTickSummary(object, summary);
              cases.add(object);
            });
    root.add("cases", cases);
    return root;
  }

  private static void writeTickSummary(JsonObject object, TickSummary summary) {
    object.addProperty("ticks", summary.ticks());
    object.addProperty("lateTicks", summary.late());
    object.addProperty("p50Ns", summary.p50());
    object.addProperty("p90Ns", summary.p90());
    object.addProperty("p99Ns", summary.p99());
    object.addProperty("p999Ns", summary.p999());
    object.addProperty("maxNs", summary.max());
  }

  private static TickSummary readTickSummary(JsonObject object) {
    return new TickSummary(
        object.get("ticks").getAsLong(),
        object.get("lateTicks").getAsLong(),
        object.get("p50Ns").getAsLong(),
        object.get("p90Ns").getAsLong(),
        object.get("p99Ns").getAsLong(),
        object.get("p999Ns").getAsLong(),
        object.get("maxNs").getAsLong());
  }

  private static JsonObject writeKey(CaseKey key, String database) {
    JsonObject object = new JsonObject();
    object.addProperty("id", key.id());
    object.addProperty("database", database);
    object.addProperty("implementation", key.implementation());
    object.addProperty("operation", key.operation());
    object.addProperty("scope", key.scope());
    object.addProperty("rows", key.rows());
    return object;
  }

  private static CaseKey readKey(JsonObject object) {
    return new CaseKey(
        object.get("id").getAsString(),
        object.get("implementation").getAsString(),
        object.get("operation").getAsString(),
        object.get("scope").getAsString(),
        object.get("rows").getAsInt());
  }

  private static JsonObject parse(Path file) throws IOException {
    try {
      return GSON.fromJson(Files.readString(file), JsonObject.class);
    } catch (JsonParseException e) {
      throw new IOException(file + " is not JSON: " + e.getMessage(), e);
    }
  }
}
