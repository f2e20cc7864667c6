package dev.tickwell.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The run as lines for a terminal: one a case, then one a target, then one a failure. */
public final class SummaryTable {
  private static final List<String> HEAD =
      List.of(
          "case",
          "op",
          "scope",
          "rows",
          "delivered",
          "jdbc",
          "ratio",
          "consumed",
          "jdbc",
          "ratio",
          "main",
          "busiest tick",
          "ticks");

  private SummaryTable() {}

  /** The lines, without line ends. Medians; a ratio above 1 is in Tickwell's favour. */
  public static List<String> lines(RunResults results, TickResults ticks) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (CaseResult result : results.cases()) {
      if (result.key().implementation().equals(CaseKey.TICKWELL)) {
        rows.add(row(results, result));
      }
    }
    List<String> lines = new ArrayList<>(aligned(rows));
    lines.add("");
    for (Verdict verdict : Targets.judge(results, ticks)) {
      lines.add(verdict.word() + "  " + verdict.target() + ": " + verdict.measured());
    }
    for (String failure : results.failed()) {
      lines.add("FAILED  " + failure);
    }
    return lines;
  }

  private static List<String> row(RunResults results, CaseResult result) {
    CaseKey key = result.key();
    CaseResult peer = results.find(key.of(CaseKey.JDBC)).orElse(null);
    List<String> row = new ArrayList<>();
    row.add(key.id() + (result.refused() ? " (refused)" : ""));
    row.add(key.operation());
    row.add(key.scope());
    row.add(Figures.count(key.rows()));
    for (String field : List.of("asyncWallNs", "consumedNs")) {
      OptionalLong ours = result.median(field);
      OptionalLong theirs = peer == null ? OptionalLong.empty() : peer.median(field);
      row.add(time(ours));
      row.add(time(theirs));
      boolean comparable = ours.isPresent() && theirs.isPresent() && !result.refused();
      row.add(comparable ? Figures.ratio(theirs.getAsLong(), ours.getAsLong()) : "–");
    }
    row.add(time(result.median("mainNs")));
    row.add(time(result.median("mainTickMaxNs")));
    OptionalLong ticks = result.median("ticks");
    row.add(ticks.isPresent() ? Long.toString(ticks.getAsLong()) : "–");
    return row;
  }

  private static String time(OptionalLong nanos) {
    return nanos.isPresent() ? Figures.time(nanos.getAsLong()) : "–";
  }

  private static List<String> aligned(List<List<String>> rows) {
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String pad = " ".repeat(widths[column] - row.get(column).length());
        // Words to the left, numbers to the right.
        line.append(column < 3 ? row.get(column) + pad : pad + row.get(column)).append("  ");
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
