package dev.tickwell.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import net.kyori.adventure.text.Component;

/**
 * Makes lines for people out of the engine's statistics, whose names {@code docs/boundary.md}
 * lists. Pure; any thread.
 */
final class StatisticsText {
  private static final String REQUESTS = ".requests";

  private StatisticsText() {}

  /** What waits and what is held, by the names that the engine gives it. */
  static List<Component> status(Map<String, String> statistics) {
    List<Component> lines = new ArrayList<>();
    new TreeMap<>(statistics)
        .forEach(
            (name, value) -> {
              if (!isOfStatement(name, statistics)) {
                lines.add(StatusCommand.entry(name, amount(name, value)));
              }
            });
    return lines;
  }

  /**
   * One line for each database and kind of statement: how many, and the median and the 99th
   * percentile of the whole time, of the time on tick threads, and of the execution.
   */
  static List<Component> statements(Map<String, String> statistics) {
    List<Component> lines = new ArrayList<>();
    for (String name : new TreeMap<>(statistics).keySet()) {
      if (!name.endsWith(REQUESTS)) {
        continue;
      }
      String prefix = name.substring(0, name.length() - REQUESTS.length());
      if (!statistics.containsKey(prefix + ".wall.p50")) {
        continue;
      }
      lines.add(
          StatusCommand.entry(
              prefix.replace('.', ' '),
              statistics.get(name)
                  + " requests; wall "
                  + pair(statistics, prefix + ".wall")
                  + "; tick "
                  + pair(statistics, prefix + ".main")
                  + "; execution "
                  + pair(statistics, prefix + ".execution")
                  + " (p50/p99)"));
    }
    return lines;
  }

  private static boolean isOfStatement(String name, Map<String, String> statistics) {
    int field = name.lastIndexOf('.');
    if (name.endsWith(REQUESTS)) {
      return statistics.containsKey(name.substring(0, field) + ".wall.p50");
    }
    int measure = field < 0 ? -1 : name.lastIndexOf('.', field - 1);
    return measure >= 0 && statistics.containsKey(name.substring(0, measure) + REQUESTS);
  }

  private static String pair(Map<String, String> statistics, String name) {
    return time(statistics.get(name + ".p50")) + "/" + time(statistics.get(name + ".p99"));
  }

  private static String amount(String name, String value) {
    return name.contains("bytes") && isNumber(value) ? size(Long.parseLong(value)) : value;
  }

  private static String time(String nanos) {
    return isNumber(nanos) ? time(Long.parseLong(nanos)) : "?";
  }

  private static boolean isNumber(String text) {
    return text != null && text.matches("\\d{1,18}");
  }

  /** Nanoseconds with a unit that leaves one to three digits before the point. */
  static String time(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return decimal(nanos / 1e3) + " µs";
    }
    return nanos < 1_000_000_000L ? decimal(nanos / 1e6) + " ms" : decimal(nanos / 1e9) + " s";
  }

  /** Bytes with a unit. */
  static String size(long bytes) {
    if (bytes < 1 << 10) {
      return bytes + " B";
    }
    return bytes < 1 << 20 ? decimal(bytes / 1024.0) + " KiB" : decimal(bytes / 1048576.0) + " MiB";
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }
}
