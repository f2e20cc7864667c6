package dev.tickwell.benchmark.report;

import java.util.ArrayList;
import java.util.List;

/** The table of a run for a terminal: one line a case, then one a target, then one a failure. */
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
          "jdbc",
          "busiest tick",
          "jdbc",
          "ticks",
          "jdbc");

  private SummaryTable() {}

  /** The lines, without line ends. Medians; a ratio above 1 is in Tickwell's favour. */
  public static List<String> lines(RunResults results, TickResults ticks) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    CasePair.of(results).forEach(pair -> rows.add(row(pair)));
    List<String> lines = new ArrayList<>(aligned(rows));
    lines.add("");
    for (Verdict verdict : Targets.judge(results, ticks)) {
      lines.add("%-6s  %s: %s".formatted(verdict.word(), verdict.target(), verdict.measured()));
    }
    for (String failure : results.failed()) {
      lines.add("FAILED  " + failure);
    }
    return lines;
  }

  private static List<String> row(CasePair pair) {
    CaseKey key = pair.key();
    List<String> row = new ArrayList<>();
    row.add(key.id() + (pair.refused() ? " (refused)" : ""));
    row.add(key.operation());
    row.add(key.scope());
    row.add(Figures.count(key.rows()));
    for (String field : List.of("asyncWallNs", "consumedNs")) {
      row.add(Figures.time(pair.ours(field)));
      row.add(Figures.time(pair.theirs(field)));
      row.add(pair.ratio(field));
    }
    for (String field : List.of("mainNs", "mainTickMaxNs")) {
      row.add(Figures.time(pair.ours(field)));
      row.add(Figures.time(pair.theirs(field)));
    }
    row.add(Figures.count(pair.ours("ticks")));
    row.add(Figures.count(pair.theirs("ticks")));
    return row;
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
