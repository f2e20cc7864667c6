package dev.tickwell.benchmark.report;

import com.google.gson.JsonElement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The page that shows a run. It carries its own style and drawings and loads nothing, so that one
 * file can be kept, sent and opened anywhere. Every number that is drawn is also text.
 */
public final class HtmlReport {
  private static final String STYLE = "/dev/tickwell/benchmark/report/report.css";

  private final RunResults results;
  private final TickResults ticks;
  private final StringBuilder page = new StringBuilder(1 << 18);

  private HtmlReport(RunResults results, TickResults ticks) {
    this.results = results;
    this.ticks = ticks;
  }

  /** The whole page. */
  public static String render(RunResults results, TickResults ticks) {
    HtmlReport report = new HtmlReport(results, ticks);
    report.head();
    report.failures();
    report.verdicts();
    report.charts();
    report.cases();
    report.ticks();
    report.samples();
    report.environment();
    report.reading();
    return report.page.append("</main></body></html>\n").toString();
  }

  private void head() {
    page.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
        .append("<title>Tickwell benchmark</title><style>")
        .append(style())
        .append("</style></head><body><main><header><h1>Tickwell benchmark</h1><p>")
        .append(
            Markup.escape(
                fact("startedAt") + " · " + fact("cpu") + ", " + fact("cores") + " cores · "))
        .append(
            Markup.escape(
                fact("host") + " · " + fact("os") + " · JDK " + fact("jdk") + " · commit "))
        .append(Markup.escape(fact("commit")))
        .append(fact("dirty").equals("true") ? ", with uncommitted changes" : "")
        .append("</p></header>");
  }

  private void failures() {
    if (results.failed().isEmpty()) {
      return;
    }
    page.append("<section class=\"failed\"><h2>This run failed</h2><ul>");
    for (String line : results.failed()) {
      page.append("<li>").append(Markup.escape(line)).append("</li>");
    }
    page.append("</ul></section>");
  }

  private void verdicts() {
    List<Verdict> verdicts = Targets.judge(results, ticks);
    if (verdicts.isEmpty()) {
      return;
    }
    long passed = verdicts.stream().filter(Verdict::passed).count();
    page.append("<section><h2>Targets: ")
        .append(passed)
        .append(" of ")
        .append(verdicts.size())
        .append(" met</h2><ul class=\"verdicts\">");
    for (Verdict verdict : verdicts) {
      page.append("<li><b class=\"")
          .append(verdict.passed() ? "pass" : "miss")
          .append("\">")
          .append(verdict.word())
          .append("</b><span>")
          .append(Markup.escape(verdict.target()))
          .append("</span><em>")
          .append(Markup.escape(verdict.measured()))
          .append("</em></li>");
    }
    page.append("</ul></section>");
  }

  private void charts() {
    page.append(
            "<section><h2>Against the peer</h2><p>The peer is what a careful plugin author does without")
        .append(
            " Tickwell: HikariCP and the JDBC driver on an asynchronous task, batched inserts in one")
        .append(
            " transaction, one object a row, handed to the main thread by the scheduler; the same")
        .append(
            " journal mode, durability and transactions, in its own file, sample by sample in the same run.")
        .append(
            "</p><p class=\"legend\"><i class=\"tickwell\"></i>Tickwell <i class=\"jdbc\"></i>JDBC peer</p>")
        .append("<div class=\"charts\">");
    curve(
        "Read, six columns: until every value was read, ms",
        "six-columns",
        CaseKey.READ,
        "local",
        "consumedNs");
    curve(
        "Write, six columns: until stored, ms",
        "six-columns",
        CaseKey.WRITE,
        "local",
        "asyncWallNs");
    curve(
        "Read, id only: until every value was read, ms",
        "id-only",
        CaseKey.READ,
        "local",
        "consumedNs");
    curve("Write, id only: until stored, ms", "id-only", CaseKey.WRITE, "local", "asyncWallNs");
    page.append("</div><div class=\"charts long\">");
    wallTimes();
    ratios();
    serverThread();
    page.append("</div></section>");
  }

  private void curve(String title, String id, String operation, String scope, String field) {
    List<Charts.Pair> pairs = new ArrayList<>();
    for (CaseResult ours : results.cases()) {
      CaseKey key = ours.key();
      if (key.implementation().equals(CaseKey.TICKWELL)
          && key.id().equals(id)
          && key.operation().equals(operation)
          && key.scope().equals(scope)
          && !ours.refused()) {
        pair(ours, field, Figures.count(key.rows()) + " rows").ifPresent(pairs::add);
      }
    }
    if (!pairs.isEmpty()) {
      figure(title, Charts.columns(title, pairs));
    }
  }

  private void wallTimes() {
    List<Charts.Pair> pairs = new ArrayList<>();
    for (CaseResult ours : compared()) {
      pair(ours, "wallNs", ours.key().title()).ifPresent(pairs::add);
    }
    if (!pairs.isEmpty()) {
      String title = "Wall time until the callback on the server thread (Tickwell / peer)";
      figure(title, Charts.points(title, pairs, 50_000_000, "one tick"));
    }
  }

  private void ratios() {
    List<Charts.Bar> bars = new ArrayList<>();
    for (CaseResult ours : compared()) {
      String field = ours.key().operation().equals(CaseKey.READ) ? "consumedNs" : "asyncWallNs";
      pair(ours, field, ours.key().title())
          .ifPresent(
              pair ->
                  bars.add(
                      new Charts.Bar(
                          pair.label(),
                          (double) pair.jdbc() / Math.max(1, pair.tickwell()),
                          Figures.ratio(pair.jdbc(), pair.tickwell()))));
    }
    if (!bars.isEmpty()) {
      String title =
          "The peer's time ÷ Tickwell's: reads until every value was read, writes until stored; coloured by who is sooner";
      figure(title, Charts.ratios(title, bars));
    }
  }

  private void serverThread() {
    List<Charts.Pair> pairs = new ArrayList<>();
    for (CaseResult ours : compared()) {
      pair(ours, "mainTickMaxNs", ours.key().title()).ifPresent(pairs::add);
    }
    if (!pairs.isEmpty()) {
      String title = "Cost in the busiest tick (Tickwell / peer)";
      figure(title, Charts.points(title, pairs, 2_000_000, "budget"));
    }
  }

  private void figure(String title, String svg) {
    page.append("<figure><figcaption>")
        .append(Markup.escape(title))
        .append("</figcaption>")
        .append(svg)
        .append("</figure>");
  }

  private List<CaseResult> compared() {
    return results.cases().stream()
        .filter(
            result -> result.key().implementation().equals(CaseKey.TICKWELL) && !result.refused())
        .filter(result -> results.find(result.key().of(CaseKey.JDBC)).isPresent())
        .toList();
  }

  private Optional<Charts.Pair> pair(CaseResult ours, String field, String label) {
    OptionalLong mine = ours.median(field);
    OptionalLong theirs =
        results
            .find(ours.key().of(CaseKey.JDBC))
            .map(peer -> peer.median(field))
            .orElse(OptionalLong.empty());
    return mine.isPresent() && theirs.isPresent()
        ? Optional.of(new Charts.Pair(label, mine.getAsLong(), theirs.getAsLong()))
        : Optional.empty();
  }

  private void cases() {
    page.append(
            "<section><h2>All cases, medians</h2><p>Delivered: an asynchronous callback has the result.")
        .append(
            " Consumed: it has also read every value. Wall: the callback on the server thread began.")
        .append(
            " Server thread: all time spent there. Scope: local is the caller's own rows and result,")
        .append(" shared a published one, raw handwritten SQL. By: jdbc is the peer.</p>")
        .append("<div class=\"scroll\"><table><thead><tr>")
        .append("<th>Case<th>Operation<th>Scope<th>Rows<th>By<th>Delivered<th>Consumed<th>Wall")
        .append("<th>Server thread<th>Busiest tick<th>Ticks<th>Largest gap</tr></thead><tbody>");
    for (CaseResult result : results.cases()) {
      CaseKey key = result.key();
      page.append("<tr class=\"").append(Markup.escape(key.implementation())).append("\">");
      cell(key.id() + (result.refused() ? " (refused)" : ""));
      cell(key.operation());
      cell(key.scope());
      number(Figures.count(key.rows()));
      cell(key.implementation());
      for (String field :
          List.of("asyncWallNs", "consumedNs", "wallNs", "mainNs", "mainTickMaxNs")) {
        number(time(result.median(field)));
      }
      OptionalLong spanned = result.median("ticks");
      number(spanned.isPresent() ? Long.toString(spanned.getAsLong()) : "–");
      number(time(result.median("gapNs")));
      page.append("</tr>");
    }
    page.append("</tbody></table></div></section>");
  }

  private void ticks() {
    page.append(
            "<section><h2>The server's ticks</h2><p>Time of each tick as the server reports it; late: began")
        .append(" more than 5 ms after its place on the 50 ms grid. The whole run ran at ")
        .append(String.format(java.util.Locale.ROOT, "%.2f", ticks.milliTps() / 1000.0))
        .append(
            " ticks a second.</p><div class=\"scroll\"><table><thead><tr><th>While<th>By<th>Ticks<th>Late<th>p50<th>p90<th>p99")
        .append("<th>p99.9<th>Max</tr></thead><tbody>");
    tickRow("the whole run", "", ticks.run());
    ticks.cases().forEach((key, summary) -> tickRow(key.title(), key.implementation(), summary));
    page.append("</tbody></table></div></section>");
  }

  private void tickRow(String name, String implementation, TickSummary summary) {
    page.append("<tr>");
    cell(name);
    cell(implementation);
    number(Figures.count(summary.ticks()));
    number(Figures.count(summary.late()));
    for (long nanos :
        new long[] {summary.p50(), summary.p90(), summary.p99(), summary.p999(), summary.max()}) {
      number(Figures.time(nanos));
    }
    page.append("</tr>");
  }

  private void samples() {
    page.append("<section><h2>Every field of every case</h2>");
    for (CaseResult result : results.cases()) {
      long measured = result.samples().stream().filter(sample -> !sample.warmup()).count();
      page.append("<details><summary>")
          .append(Markup.escape(result.key().title() + " · " + result.key().implementation()))
          .append("</summary><p>")
          .append(measured)
          .append(" samples after ")
          .append(result.samples().size() - measured)
          .append(
              " warm-ups</p><div class=\"scroll\"><table><thead><tr><th>Field<th>Median<th>p95<th>Max</tr></thead><tbody>");
      for (Map.Entry<String, Summary> field : result.summary().entrySet()) {
        boolean nanos = field.getKey().endsWith("Ns");
        Summary summary = field.getValue();
        page.append("<tr>");
        cell(field.getKey());
        for (long value : new long[] {summary.median(), summary.p95(), summary.max()}) {
          number(nanos ? Figures.time(value) : Figures.count(value));
        }
        page.append("</tr>");
      }
      page.append("</tbody></table></div></details>");
    }
    page.append("</section>");
  }

  private void environment() {
    page.append("<section><h2>Environment</h2><dl>");
    for (Map.Entry<String, JsonElement> entry : results.environment().entrySet()) {
      page.append("<dt>")
          .append(Markup.escape(entry.getKey()))
          .append("</dt><dd>")
          .append(
              Markup.escape(
                  entry.getValue().isJsonPrimitive()
                      ? entry.getValue().getAsString()
                      : entry.getValue().toString()))
          .append("</dd>");
    }
    page.append("</dl></section>");
  }

  private void reading() {
    page.append("<section><h2>How to read this</h2><ul>")
        .append(
            "<li>Times are elapsed time, not CPU time, on one machine in one run. Compare ratios, not")
        .append(" machines.</li>")
        .append(
            "<li>Results are read lazily: look at <i>consumed</i>, not <i>delivered</i>, when every value is")
        .append(" needed.</li>")
        .append(
            "<li>Wall time is rounded up to ticks, because a callback on the server thread waits for one.</li>")
        .append("<li>Percentiles use the nearest rank: with ten samples p95 is the slowest.</li>")
        .append(
            "<li>Nobody plays on this server, and the run lasts minutes: it shows neither a crowded server")
        .append(" nor a slow leak.</li></ul></section>");
  }

  private void cell(String text) {
    page.append("<td>").append(Markup.escape(text));
  }

  private void number(String text) {
    page.append("<td class=\"n\">").append(Markup.escape(text));
  }

  private static String time(OptionalLong nanos) {
    return nanos.isPresent() ? Figures.time(nanos.getAsLong()) : "–";
  }

  private String fact(String name) {
    JsonElement value = results.environment().get(name);
    return value == null ? "unknown" : value.getAsString();
  }

  private static String style() {
    try (InputStream in = HtmlReport.class.getResourceAsStream(STYLE)) {
      if (in == null) {
        throw new IllegalStateException(STYLE + " is missing from the jar: build it again");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
