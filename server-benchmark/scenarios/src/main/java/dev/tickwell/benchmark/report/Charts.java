package dev.tickwell.benchmark.report;

import java.util.List;
import java.util.Locale;

/**
 * Charts as inline SVG. All are 360 units wide, so that their text keeps its size on a phone; the
 * page puts two side by side where there is room. Colours come from the page's style by class name.
 */
final class Charts {
  private static final int WIDTH = 360;

  private Charts() {}

  /**
   * A value of each implementation at one place of a chart.
   *
   * @param label what was measured
   * @param tickwell Tickwell's value
   * @param jdbc the peer's value
   */
  record Pair(String label, long tickwell, long jdbc) {}

  /**
   * A bar with its number.
   *
   * @param label what was measured
   * @param value the bar's length, at least 0
   * @param text the number as text
   */
  record Bar(String label, double value, String text) {}

  /** Two bars for each label, side by side, with the numbers above them. */
  static String columns(String title, List<Pair> pairs) {
    int top = 30;
    int plot = 150;
    int bottom = top + plot;
    long most =
        pairs.stream().mapToLong(pair -> Math.max(pair.tickwell(), pair.jdbc())).max().orElse(1);
    StringBuilder svg = open(title, bottom + 24);
    double step = (double) (WIDTH - 8) / Math.max(1, pairs.size());
    double width = Math.min(26, step / 2 - 3);
    line(svg, "axis", 0, bottom, WIDTH, bottom);
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      double middle = 4 + step * (i + 0.5);
      column(
          svg,
          "tickwell",
          middle - width - 1,
          bottom,
          width,
          plot,
          pair.tickwell(),
          most,
          "Tickwell, " + pair.label());
      column(
          svg, "jdbc", middle + 1, bottom, width, plot, pair.jdbc(), most, "JDBC, " + pair.label());
      text(svg, "label", "middle", middle, bottom + 16, pair.label());
    }
    return svg.append("</svg>").toString();
  }

  private static void column(
      StringBuilder svg,
      String kind,
      double x,
      int bottom,
      double width,
      int plot,
      long value,
      long most,
      String what) {
    double height = Math.max(1, (double) plot * value / Math.max(1, most));
    rect(svg, kind, x, bottom - height, width, height, what + ": " + Figures.time(value));
    text(svg, "number", "middle", x + width / 2, bottom - height - 4, compact(value));
  }

  /** One bar a line, its label above it, with a mark at 1. */
  static String ratios(String title, List<Bar> bars) {
    double most = Math.max(1, bars.stream().mapToDouble(Bar::value).max().orElse(1));
    int left = 2;
    double scale = (WIDTH - left - 56) / most;
    int row = 30;
    int top = 12;
    StringBuilder svg = open(title, top + bars.size() * row + 4);
    text(svg, "label", "middle", left + scale, 10, "1×");
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      double y = top + i * row + 12.0;
      text(svg, "label", "start", left, y, bar.label());
      double length = Math.max(1, bar.value() * scale);
      String kind = bar.value() >= 1 ? "tickwell" : "jdbc";
      rect(svg, kind, left, y + 4, length, 10, bar.label() + ": " + bar.text());
      line(svg, "one", left + scale, y + 2, left + scale, y + 16);
      text(svg, "number", "start", left + Math.max(length, scale) + 5, y + 13, bar.text());
    }
    return svg.append("</svg>").toString();
  }

  /**
   * A point of each implementation a line, on a logarithmic scale, with a mark at a limit.
   *
   * @param limit nanoseconds at which the mark stands
   */
  static String points(String title, List<Pair> pairs, long limit, String limitText) {
    long most =
        Math.max(
            limit,
            pairs.stream()
                .mapToLong(pair -> Math.max(pair.tickwell(), pair.jdbc()))
                .max()
                .orElse(1));
    int lowest = 3;
    int highest = (int) Math.ceil(log10(most));
    int left = 6;
    double scale = (double) (WIDTH - left - 20) / Math.max(1, highest - lowest);
    int row = 30;
    int top = 18;
    int bottom = top + pairs.size() * row;
    StringBuilder svg = open(title, bottom + 10);
    for (int power = lowest; power <= highest; power++) {
      double x = left + (power - lowest) * scale;
      line(svg, "grid", x, top, x, bottom);
      text(
          svg,
          "label",
          power == lowest ? "start" : "middle",
          x,
          11,
          Figures.time(Math.round(Math.pow(10, power))).replace(".00", "").replace(".0", ""));
    }
    double mark = left + (log10(limit) - lowest) * scale;
    line(svg, "mark", mark, top, mark, bottom);
    text(svg, "number", "start", mark + 4, bottom + 6, limitText);
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      double y = top + i * row + 12.0;
      text(
          svg,
          "label",
          "start",
          left,
          y,
          pair.label() + ": " + Figures.time(pair.tickwell()) + " / " + Figures.time(pair.jdbc()));
      double ours = left + Math.max(0, log10(Math.max(1, pair.tickwell())) - lowest) * scale;
      double theirs = left + Math.max(0, log10(Math.max(1, pair.jdbc())) - lowest) * scale;
      line(svg, "axis", Math.min(ours, theirs), y + 8, Math.max(ours, theirs), y + 8);
      circle(
          svg, "jdbc", theirs, y + 8, "JDBC, " + pair.label() + ": " + Figures.time(pair.jdbc()));
      circle(
          svg,
          "tickwell",
          ours,
          y + 8,
          "Tickwell, " + pair.label() + ": " + Figures.time(pair.tickwell()));
    }
    return svg.append("</svg>").toString();
  }

  /** A time in as few characters as a number above a bar has room for. */
  private static String compact(long nanos) {
    double millis = nanos / 1e6;
    return String.format(
        Locale.ROOT, millis < 0.1 ? "%.2f" : millis < 10 ? "%.1f" : "%.0f", millis);
  }

  private static StringBuilder open(String title, double height) {
    return new StringBuilder(4096)
        .append(
            String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                height,
                Markup.escape(title)));
  }

  private static void rect(
      StringBuilder svg,
      String kind,
      double x,
      double y,
      double width,
      double height,
      String title) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1.5\"><title>%s</title></rect>",
            kind,
            x,
            y,
            width,
            height,
            Markup.escape(title)));
  }

  private static void circle(StringBuilder svg, String kind, double x, double y, String title) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s</title></circle>",
            kind,
            x,
            y,
            Markup.escape(title)));
  }

  private static void line(
      StringBuilder svg, String kind, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
            kind,
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(
      StringBuilder svg, String kind, String anchor, double x, double y, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
            kind,
            anchor,
            x,
            y,
            Markup.escape(text)));
  }

  private static double log10(long value) {
    return Math.log10((double) value);
  }
}
