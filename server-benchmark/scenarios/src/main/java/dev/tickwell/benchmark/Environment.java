package dev.tickwell.benchmark;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.bukkit.Bukkit;
import org.bukkit.plugin.Plugin;

/** The machine, the server and the versions of a run: what a number means nothing without. */
final class Environment {
  private Environment() {}

  /** What is known when a run begins. Any thread. */
  static JsonObject atStart(BenchmarkOptions options) {
    JsonObject json = new JsonObject();
    json.addProperty("startedAt", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.addProperty("commit", options.commit());
    json.addProperty("dirty", options.dirty());
    Plugin tickwell = Bukkit.getPluginManager().getPlugin("Tickwell");
    json.addProperty(
        "tickwell", tickwell == null ? "absent" : tickwell.getDescription().getVersion());
    json.addProperty("cpu", cpu());
    json.addProperty("cores", Runtime.getRuntime().availableProcessors());
    json.addProperty("maxHeapBytes", Runtime.getRuntime().maxMemory());
    json.addProperty(
        "jdk",
        System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
    json.addProperty(
        "os",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    json.addProperty("host", Bukkit.getName() + " " + Bukkit.getVersion());
    json.addProperty("database", options.database());
    json.addProperty("cases", String.join(",", options.cases()));
    json.addProperty("samples", options.samples());
    json.addProperty("warmups", options.warmups());
    json.addProperty("conversionMicros", options.conversionMicros());
    json.addProperty("loadAverageAtStart", loadAverage());
    return json;
  }

  /** Adds versions by their names. */
  static void add(JsonObject json, Map<String, String> versions) {
    versions.forEach(json::addProperty);
  }

  /** Adds what is known when a run ends. */
  static void atEnd(JsonObject json) {
    json.addProperty("loadAverageAtEnd", loadAverage());
  }

  private static String loadAverage() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", load);
  }

  private static String cpu() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      // Only Linux has the file; elsewhere the architecture in "os" has to do.
      return "unknown";
    }
  }
}
