package dev.tickwell.benchmark.report;

import java.util.List;
import java.util.Locale;

/**
 * Two columns for each size as inline SVG, with the numbers above them. It is as wide as a phone,
 * so that its text keeps its size there; colours come from the page's style by class name.
 */
final class ColumnChart {
  private static final int WIDTH = 360;
  private static final int TOP = 22;
  private static final int PLOT = 150;
  private static final int BOTTOM = TOP + PLOT;

  private final StringBuilder svg = new StringBuilder(4096);

  private ColumnChart() {}

  /**
   * A time of each side.
   *
   * @param label what was measured, as short as a column is wide
   * @param tickwell Tickwell's, in nanoseconds
   * @param jdbc the peer's, in nanoseconds
   */
  record Pair(String label, long tickwell, long jdbc) {}

  /** The chart, in milliseconds. */
  static String draw(String title, List<Pair> pairs) {
    ColumnChart chart = new ColumnChart();
    chart.drawAll(title, pairs);
    return chart.svg.toString();
  }

  private void drawAll(String title, List<Pair> pairs) {
    long most =
        pairs.stream().mapToLong(pair -> Math.max(pair.tickwell(), pair.jdbc())).max().orElse(1);
    double step = (double) WIDTH / Math.max(1, pairs.size());
    double width = Math.min(30, step / 2 - 2);
    svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(BOTTOM + 22);
    svg.append("\" role=\"img\" aria-label=\"").append(Markup.escape(title)).append("\">");
    svg.append("<line class=\"axis\"");
    attribute("y1", BOTTOM).attribute("x2", WIDTH).attribute("y2", BOTTOM).svg.append("/>");
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      double middle = step * (i + 0.5);
      column(
          "tickwell",
          "Tickwell, " + pair.label(),
          middle - width - 1,
          width,
          pair.tickwell(),
          most);
      column("jdbc", "JDBC, " + pair.label(), middle + 1, width, pair.jdbc(), most);
      text("label", middle, BOTTOM + 17, pair.label());
    }
    svg.append("</svg>");
  }

  private void column(String side, String what, double x, double width, long value, long most) {
    double height = Math.max(1, (double) PLOT * value / Math.max(1, most));
    svg.append("<rect class=\"").append(side).append('"');
    attribute("x", x).attribute("y", BOTTOM - height).attribute("width", width);
    attribute("height", height).attribute("rx", 1.5).svg.append("><title>");
    svg.append(Markup.escape(what + ": " + Figures.time(value))).append("</title></rect>");
    text("number", x + width / 2, BOTTOM - height - 4, millis(value));
  }

  private void text(String kind, double x, double y, String text) {
    svg.append("<text class=\"").append(kind).append("\" text-anchor=\"middle\"");
    attribute("x", x).attribute("y", y).svg.append('>');
    svg.append(Markup.escape(text)).append("</text>");
  }

  private ColumnChart attribute(String name, double number) {
    svg.append(' ').append(name).append("=\"");
    svg.append(String.format(Locale.ROOT, "%.1f", number)).append('"');
    return this;
  }

  /** A time in as few characters as a column has room for. */
  private static String millis(long nanos) {
    double millis = nanos / 1e6;
    String format = millis < 1 ? "%.2f" : millis < 100 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, millis);
  }
}
