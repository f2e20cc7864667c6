package dev.tickwell.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What each drawing of the report shows of a run, and on which scale. */
final class Charts {
  private static final long TICK_NANOS = 50_000_000;
  private static final long BUDGET_NANOS = 2_000_000;

  /** The least time on a logarithmic scale, 1 µs, as a power of ten of nanoseconds. */
  private static final int LEAST_POWER = 3;

  /** How many ticks a callback took at most, one row each; the last has no end. */
  private static final long[] WAITS = {0, 1, 2, 5, 20, Long.MAX_VALUE};

  private static final List<String> WAIT_NAMES =
      List.of(
          "in the same tick",
          "in the next tick",
          "2 ticks later",
          "3 to 5 ticks",
          "6 to 20 ticks",
          "more than 20 ticks");

  private Charts() {}

  /** Medians of one case by its sizes; empty when fewer than two sizes were measured. */
  static String sizes(
      String title, List<CasePair> pairs, String id, String operation, String field) {
    List<ColumnChart.Pair> columns = new ArrayList<>();
    for (CasePair pair : pairs) {
      CaseKey key = pair.key();
      if (key.id().equals(id)
          && pair.is(operation)
          && key.scope().equals("local")
          && pair.comparable(field)) {
        columns.add(
            new ColumnChart.Pair(
                Figures.count(key.rows()),
                pair.ours(field).getAsLong(),
                pair.theirs(field).getAsLong()));
      }
    }
    return columns.size() < 2 ? "" : ColumnChart.draw(title, columns);
  }

  /**
   * The peer's time divided by Tickwell's, on a logarithmic scale from the middle: as far to the
   * right as Tickwell is sooner, as far to the left as the peer is. Empty when there is none.
   */
  static String ratios(List<CasePair> all, String operation) {
    List<CasePair> pairs = comparable(all, operation, pair -> pair.doneField());
    if (pairs.isEmpty()) {
      return "";
    }
    double most = pairs.stream().mapToDouble(pair -> Math.abs(doublings(pair))).max().orElse(1);
    int extent = (int) Math.max(1, Math.ceil(most));
    RowPlot plot = new RowPlot("ratios", 0.5);
    int step = Math.ceilDiv(extent, 2);
    for (int power = -extent; power <= extent; power++) {
      if (power % step == 0) {
        String times = Figures.count(1L << Math.abs(power)) + "×";
        plot.tick(0.5 + 0.5 * power / extent, power < 0 ? "1/" + times : times);
      }
    }
    plot.axis();
    grouped(
        plot,
        pairs,
        pair -> {
          double at = 0.5 + 0.5 * doublings(pair) / extent;
          plot.bar(at >= 0.5 ? "tickwell" : "jdbc", 0.5, at);
          return pair.ratio(pair.doneField());
        });
    return plot.html();
  }

  private static double doublings(CasePair pair) {
    String field = pair.doneField();
    double theirs = Math.max(1, pair.theirs(field).getAsLong());
    return Math.log(theirs / Math.max(1, pair.ours(field).getAsLong())) / Math.log(2);
  }

  /** Each side's cost in its busiest tick, on a logarithmic scale with a mark at the budget. */
  static String busiestTicks(List<CasePair> all, String operation) {
    String field = "mainTickMaxNs";
    List<CasePair> pairs = comparable(all, operation, pair -> field);
    if (pairs.isEmpty()) {
      return "";
    }
    long most = BUDGET_NANOS;
    for (CasePair pair : pairs) {
      most = Math.max(most, Math.max(pair.ours(field).getAsLong(), pair.theirs(field).getAsLong()));
    }
    int decades = (int) Math.ceil(decade(most));
    RowPlot plot = new RowPlot("dots", decade(BUDGET_NANOS) / decades);
    // Three names have room, also on a phone.
    for (int power = 0; power <= decades; power += Math.ceilDiv(decades, 2)) {
      long nanos = Math.round(Math.pow(10, power + LEAST_POWER));
      plot.tick(
          (double) power / decades,
          nanos < 1_000_000 ? nanos / 1_000 + " µs" : nanos / 1_000_000 + " ms");
    }
    plot.axis();
    grouped(
        plot,
        pairs,
        pair -> {
          long ours = pair.ours(field).getAsLong();
          long theirs = pair.theirs(field).getAsLong();
          plot.dot("jdbc", decade(theirs) / decades).dot("tickwell", decade(ours) / decades);
          return Figures.time(ours) + " / " + Figures.time(theirs);
        });
    return plot.html();
  }

  /** Powers of ten above the least time of the scale. */
  private static double decade(long nanos) {
    return Math.log10((double) Math.max(1, nanos)) - LEAST_POWER;
  }

  /** How many samples had their callback on the server thread after how many ticks. */
  static String waits(List<CasePair> pairs) {
    long[] ours = new long[WAITS.length];
    long[] theirs = new long[WAITS.length];
    for (CasePair pair : pairs) {
      if (!pair.refused()) {
        pair.tickwell().ifPresent(result -> count(result, ours));
        pair.jdbc().ifPresent(result -> count(result, theirs));
      }
    }
    long samples = 0;
    for (int i = 0; i < WAITS.length; i++) {
      samples = Math.max(samples, Math.max(ours[i], theirs[i]));
    }
    if (samples == 0) {
      return "";
    }
    RowPlot plot = new RowPlot("waits", -1);
    for (int i = 0; i < WAITS.length; i++) {
      plot.bar("tickwell upper", 0, (double) ours[i] / samples);
      plot.bar("jdbc lower", 0, (double) theirs[i] / samples);
      plot.row(WAIT_NAMES.get(i), Figures.count(ours[i]) + " / " + Figures.count(theirs[i]));
    }
    return plot.html();
  }

  private static void count(CaseResult result, long[] counts) {
    for (Sample sample : result.samples()) {
      Long ticks = sample.fields().get("ticks");
      if (!sample.warmup() && ticks != null) {
        int row = 0;
        while (ticks > WAITS[row]) {
          row++;
        }
        counts[row]++;
      }
    }
  }

  /** How long the server's own ticks took, against the time that a tick has. */
  static String ticks(TickSummary run) {
    long most = Math.max(TICK_NANOS, run.max());
    RowPlot plot = new RowPlot("ticks", (double) TICK_NANOS / most);
    plot.tick(0, "0").tick((double) TICK_NANOS / most, "50 ms").axis();
    tick(plot, "half of them", run.p50(), most);
    tick(plot, "90 %", run.p90(), most);
    tick(plot, "99 %", run.p99(), most);
    tick(plot, "99.9 %", run.p999(), most);
    tick(plot, "the longest", run.max(), most);
    return plot.html();
  }

  private static void tick(RowPlot plot, String label, long nanos, long most) {
    plot.bar("server", 0, (double) nanos / most).row(label, Figures.time(nanos));
  }

  /** Requests a second of each closed loop, as a bar of each side. */
  static String throughput(List<SmallPair> small) {
    RowPlot plot = new RowPlot("small", -1);
    boolean any = false;
    for (SmallPair pair : small) {
      if (pair.is(SmallResult.CALLERS)) {
        long ours = pair.tickwell().perSecond();
        long theirs = pair.jdbc().perSecond();
        double most = Math.max(1, Math.max(ours, theirs));
        plot.bar("tickwell upper", 0, ours / most).bar("jdbc lower", 0, theirs / most);
        plot.row(
            pair.isWrite() ? "saves" : "loads",
            Figures.count(ours) + " / " + Figures.count(theirs));
        any = true;
      }
    }
    return any ? plot.html() : "";
  }

  /** How long the requests of a case took on each side, on a logarithmic scale from 1 µs. */
  static String latencies(SmallPair pair) {
    Latency ours = pair.tickwell().latency();
    Latency theirs = pair.jdbc().latency();
    int decades = (int) Math.max(1, Math.ceil(decade(Math.max(ours.max(), theirs.max()))));
    RowPlot plot = new RowPlot("dots", -1);
    for (int power = 0; power <= decades; power += Math.ceilDiv(decades, 2)) {
      long nanos = Math.round(Math.pow(10, power + LEAST_POWER));
      plot.tick((double) power / decades, Figures.power(nanos));
    }
    plot.axis();
    latency(plot, "half of them", ours.p50(), theirs.p50(), decades);
    latency(plot, "90 %", ours.p90(), theirs.p90(), decades);
    latency(plot, "99 %", ours.p99(), theirs.p99(), decades);
    latency(plot, "99.9 %", ours.p999(), theirs.p999(), decades);
    latency(plot, "the longest", ours.max(), theirs.max(), decades);
    return plot.html();
  }

  private static void latency(RowPlot plot, String label, long ours, long theirs, int decades) {
    plot.dot("jdbc", decade(theirs) / decades).dot("tickwell", decade(ours) / decades);
    plot.row(label, Figures.time(ours) + " / " + Figures.time(theirs));
  }

  private static List<CasePair> comparable(
      List<CasePair> pairs, String operation, Function<CasePair, String> field) {
    return pairs.stream()
        .filter(pair -> pair.is(operation) && pair.comparable(field.apply(pair)))
        .toList();
  }

  /** One row a case below its scenario's name; {@code draw} draws it and gives its text. */
  private static void grouped(RowPlot plot, List<CasePair> pairs, Function<CasePair, String> draw) {
    String group = "";
    for (CasePair pair : pairs) {
      if (!pair.key().id().equals(group)) {
        group = pair.key().id();
        plot.group(group);
      }
      String value = draw.apply(pair);
      plot.row(pair.key().scope() + " · " + Figures.count(pair.key().rows()), value);
    }
  }
}
