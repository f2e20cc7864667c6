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

  /** What is on its way through memory, and what the tick threads have before them. */
  static List<Component> status(Messages messages, Map<String, String> statistics) {
    long waiting = 0;
    long longest = 0;
    for (Map.Entry<String, String> entry : statistics.entrySet()) {
      if (entry.getKey().startsWith("lane.")) {
        if (entry.getKey().endsWith(".queued")) {
          waiting += number(entry.getValue());
        } else if (entry.getKey().endsWith(".largest-tick")) {
          longest = Math.max(longest, number(entry.getValue()));
        }
      }
    }
    return List.of(
        messages.text(
            "in-flight",
            "writes",
            size(number(statistics.get("bytes.writes"))),
            "reads",
            size(number(statistics.get("bytes.reads")))),
        messages.text("tick-threads", "waiting", waiting, "longest", time(longest)));
  }

  /** That a database answers, what waits for it, and how well its writes share transactions. */
  static Component database(
      Messages messages, Map<String, String> statistics, String name, long nanos, String place) {
    String prefix = name + ".";
    Component ready =
        messages.text(
            "database-ready",
            "database",
            name,
            "time",
            time(nanos),
            "backend",
            statistics.getOrDefault(prefix + "backend", "?"),
            "version",
            statistics.getOrDefault(prefix + "version", "?"),
            "queued-writes",
            number(statistics.get(prefix + "queued-writes")),
            "queued-reads",
            number(statistics.get(prefix + "queued-reads")),
            "writes",
            number(statistics.get(prefix + "writes")),
            "transactions",
            number(statistics.get(prefix + "transactions")),
            "place",
            place);
    String holder = statistics.get(prefix + "transaction");
    return holder == null
        ? ready
        : ready.append(
            messages.text(
                "database-held",
                "plugin",
                holder,
                "time",
                time(statistics.get(prefix + "transaction-held"))));
  }

  /**
   * One line for each database and kind of statement: how many, and the median and the 99th
   * percentile of the whole time, of the time on tick threads, and of the execution.
   */
  static List<Component> statements(Messages messages, Map<String, String> statistics) {
    List<Component> lines = new ArrayList<>();
    for (String name : new TreeMap<>(statistics).keySet()) {
      if (!name.endsWith(REQUESTS)) {
        continue;
      }
      String prefix = name.substring(0, name.length() - REQUESTS.length());
      if (!statistics.containsKey(prefix + ".wall.p50")) {
        continue;
      }
      int dot = prefix.lastIndexOf('.');
      lines.add(
          messages.text(
              "stats-line",
              "database",
              prefix.substring(0, dot),
              "statement",
              prefix.substring(dot + 1),
              "requests",
              statistics.get(name),
              "wall",
              pair(statistics, prefix + ".wall"),
              "tick",
              pair(statistics, prefix + ".main"),
              "execution",
              pair(statistics, prefix + ".execution")));
    }
    return lines;
  }

  private static String pair(Map<String, String> statistics, String name) {
    return time(statistics.get(name + ".p50")) + "/" + time(statistics.get(name + ".p99"));
  }

  private static String time(String nanos) {
    return time(number(nanos));
  }

  /** The number, or 0 for what is absent: statistics may be switched off. */
  private static long number(String text) {
    return text != null && text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
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
