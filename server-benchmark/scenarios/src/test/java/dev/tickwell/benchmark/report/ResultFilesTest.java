package dev.tickwell.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
  @TempDir Path folder;

  private JsonObject json(String file) throws IOException {
    return new Gson().fromJson(Files.readString(folder.resolve(file)), JsonObject.class);
  }

  @Test
  void writesThePipelineInTheDocumentedForm() throws IOException {
    ResultFiles.write(folder, Synthetic.run(), Synthetic.ticks());
    JsonObject root = json("pipeline-results.json");
    assertEquals(
        "0123456789abcdef", root.getAsJsonObject("environment").get("commit").getAsString());
    JsonObject first = root.getAsJsonArray("cases").get(0).getAsJsonObject();
    assertEquals("id-only", first.get("id").getAsString());
    assertEquals("sqlite", first.get("database").getAsString());
    assertEquals("tickwell", first.get("implementation").getAsString());
    assertEquals("write", first.get("operation").getAsString());
    assertEquals("local", first.get("scope").getAsString());
    assertEquals(100, first.get("rows").getAsInt());
    assertEquals(6, first.get("columns").getAsInt());
    assertFalse(first.get("refused").getAsBoolean());
    assertEquals(13, first.getAsJsonArray("samples").size());
    JsonObject sample = first.getAsJsonArray("samples").get(0).getAsJsonObject();
    assertTrue(sample.get("warmup").getAsBoolean());
    assertEquals("50000000", sample.get("wallNs").getAsString(), "whole nanoseconds");
    JsonObject summary = first.getAsJsonObject("summary").getAsJsonObject("asyncWallNs");
    assertEquals(100_000, summary.get("median").getAsLong());
    assertEquals(200_000, summary.get("p95").getAsLong());
    assertEquals(200_000, summary.get("max").getAsLong());
    assertEquals(0, root.getAsJsonArray("failed").size());
    assertEquals(1, root.getAsJsonArray("checks").size());
    List<String> verdicts = new ArrayList<>();
    for (JsonElement target : root.getAsJsonArray("targets")) {
      JsonObject object = target.getAsJsonObject();
      verdicts.add(object.get("verdict").getAsString() + (object.has("passed") ? "" : " alone"));
    }
    assertEquals(16, Collections.frequency(verdicts, "PASS"));
    assertEquals(3, Collections.frequency(verdicts, "STATED alone"));
    assertEquals(19, verdicts.size());
    JsonObject small = root.getAsJsonArray("small").get(0).getAsJsonObject();
    assertEquals("callers", small.get("id").getAsString());
    assertEquals(9, small.getAsJsonArray("rounds").size());
    assertEquals(100_000, small.get("requestsPerSecond").getAsLong());
    assertEquals(1_040_000, small.getAsJsonObject("latency").get("p999Ns").getAsLong());
  }

  @Test
  void writesTicksAndEnvironment() throws IOException {
    ResultFiles.write(folder, Synthetic.run(), Synthetic.ticks());
    JsonObject run = json("tick-results.json").getAsJsonObject("run");
    assertEquals(2001, run.get("ticks").getAsLong());
    assertEquals(3, run.get("lateTicks").getAsLong());
    assertEquals(9_000_000, run.get("p999Ns").getAsLong());
    assertEquals(20_000, run.get("milliTps").getAsLong());
    assertEquals(
        "six-columns",
        json("tick-results.json")
            .getAsJsonArray("cases")
            .get(0)
            .getAsJsonObject()
            .get("id")
            .getAsString());
    assertEquals(2, json("environment.json").get("cores").getAsInt());
  }

  @Test
  void readsBackWhatItWrote() throws IOException {
    RunResults run = Synthetic.run();
    RunResults failed =
        new RunResults(
            run.environment(), run.cases(), run.small(), run.checks(), List.of("one thing"));
    ResultFiles.write(folder, failed, Synthetic.ticks());
    assertEquals(failed, ResultFiles.readResults(folder));
    assertEquals(Synthetic.ticks(), ResultFiles.readTicks(folder));
  }

  @Test
  void namesAFileThatIsNotOne() throws IOException {
    Files.writeString(folder.resolve(ResultFiles.PIPELINE), "{\"cases\":[]}");
    IOException error = assertThrows(IOException.class, () -> ResultFiles.readResults(folder));
    assertTrue(error.getMessage().contains(ResultFiles.PIPELINE), error.getMessage());
    Files.writeString(folder.resolve(ResultFiles.TICKS), "not json");
    error = assertThrows(IOException.class, () -> ResultFiles.readTicks(folder));
    assertTrue(error.getMessage().contains(ResultFiles.TICKS), error.getMessage());
  }
}
