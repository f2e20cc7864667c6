package dev.tickwell.benchmark.report;

import java.util.Locale;

/**
 * Rows of a label, a track on which values are drawn, and the same values as text. It is made of
 * the page's own boxes, so that its text is as large as the rest of the page at every width. Places
 * on the track are fractions from 0, its left end, to 1.
 */
final class RowPlot {
  private final StringBuilder html = new StringBuilder(8192);
  private final StringBuilder track = new StringBuilder(256);

  /**
   * Begins a plot.
   *
   * @param style the class that says how wide the texts are
   * @param mark where a line goes down through all tracks; negative for none
   */
  RowPlot(String style, double mark) {
    html.append("<div class=\"plot ").append(style).append('"');
    if (mark >= 0) {
      html.append(" style=\"--mark:").append(percent(mark)).append('"');
    }
    html.append('>');
  }

  /** Names a place of the axis, whose row {@link #axis} adds. */
  RowPlot tick(double at, String text) {
    // At the ends the text stays inside.
    String side = at < 0.1 ? "start" : at > 0.9 ? "end" : "middle";
    track.append("<b class=\"").append(side).append("\" style=\"left:").append(percent(at));
    track.append("\">").append(Markup.escape(text)).append("</b>");
    return this;
  }

  /** Ends the axis with the places named before. */
  RowPlot axis() {
    html.append("<div class=\"row axis\"><span></span><span class=\"track\">").append(track);
    html.append("</span><span></span></div>");
    track.setLength(0);
    return this;
  }

  /** A heading for the rows that follow. */
  RowPlot group(String title) {
    html.append("<h4>").append(Markup.escape(title)).append("</h4>");
    return this;
  }

  /** Draws a bar on the next row's track; none when it has no length. */
  RowPlot bar(String side, double from, double to) {
    if (from == to) {
      return this;
    }
    double left = Math.clamp(Math.min(from, to), 0, 1);
    double width = Math.clamp(Math.abs(to - from), 0, 1 - left);
    mark("bar " + side, left).append(";width:").append(percent(width)).append("\"></i>");
    return this;
  }

  /** Draws a dot on the next row's track. */
  RowPlot dot(String side, double at) {
    mark("dot " + side, Math.clamp(at, 0, 1)).append("\"></i>");
    return this;
  }

  private StringBuilder mark(String style, double left) {
    return track
        .append("<i class=\"")
        .append(style)
        .append("\" style=\"left:")
        .append(percent(left));
  }

  /** Ends a row with what was drawn before. */
  RowPlot row(String label, String value) {
    html.append("<div class=\"row\"><span>").append(Markup.escape(label));
    html.append("</span><span class=\"track\">").append(track);
    html.append("</span><span class=\"value\">").append(Markup.escape(value));
    html.append("</span></div>");
    track.setLength(0);
    return this;
  }

  /** The whole plot. */
  String html() {
    return html + "</div>";
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * fraction);
  }
}
