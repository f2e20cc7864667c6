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
  static List<Component> status(Map<String, String> statistics) {
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
        StatusCommand.entry(
            "In flight",
            size(number(statistics.get("bytes.writes")))
                + " of writes, "
                + size(number(statistics.get("bytes.reads")))
                + " of reads"),
        StatusCommand.entry(
            "Tick threads", waiting + " results wait; the most in one tick was " + time(longest)));
  }

  /** What waits for one database, and how well its writes share transactions. */
  static String database(Map<String, String> statistics, String name) {
    String prefix = name + ".";
    return statistics.getOrDefault(prefix + "backend", "?")
        + " "
        + statistics.getOrDefault(prefix + "version", "?")
        + "; "
        + number(statistics.get(prefix + "queued-writes"))
        + " writes and "
        + number(statistics.get(prefix + "queued-reads"))
        + " reads wait; "
        + number(statistics.get(prefix + "writes"))
        + " writes in "
        + number(statistics.get(prefix + "transactions"))
        + " transactions";
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
