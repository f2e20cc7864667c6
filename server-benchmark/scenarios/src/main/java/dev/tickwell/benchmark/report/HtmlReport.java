package dev.tickwell.benchmark.report;

import com.google.gson.JsonElement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The page that shows a run. It carries its own style and drawings and loads nothing, so that one
 * file can be kept, sent and opened anywhere. Every number that is drawn is also text.
 */
public final class HtmlReport {
  private static final String STYLE = "/dev/tickwell/benchmark/report/report.css";
  private static final String LEGEND =
      "<p class=\"legend\"><i class=\"tickwell\"></i>Tickwell <i class=\"jdbc\"></i>JDBC peer</p>";

  private final RunResults results;
  private final TickResults ticks;
  private final List<CasePair> pairs;
  private final List<SmallPair> small;
  private final StringBuilder page = new StringBuilder(1 << 18);

  private HtmlReport(RunResults results, TickResults ticks) {
    this.results = results;
    this.ticks = ticks;
    this.pairs = CasePair.of(results);
    this.small = SmallPair.of(results);
  }

  /** The whole page. */
  public static String render(RunResults results, TickResults ticks) {
    HtmlReport report = new HtmlReport(results, ticks);
    report.head();
    report.failures();
    report.tiles();
    report.verdicts();
    report.peer();
    report.small();
    report.serverThread();
    report.cases();
    report.fields();
    report.ticks();
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

  /** The figures that say most, for who reads no further. */
  private void tiles() {
    page.append("<section class=\"tiles\">");
    tile("read 5,000 rows of six numbers, until every value was read", CaseKey.READ);
    tile("write 5,000 rows of six numbers, until stored", CaseKey.WRITE);
    if (ticks.run().ticks() > 1) {
      tile(
          String.format(Locale.ROOT, "%.2f TPS", ticks.milliTps() / 1000.0),
          Figures.count(ticks.run().late())
              + " of "
              + Figures.count(ticks.run().ticks())
              + " ticks began late",
          "the longest took " + Figures.time(ticks.run().max()) + " of 50 ms");
    }
    page.append("</section>");
  }

  private void tile(String what, String operation) {
    for (CasePair pair : pairs) {
      String field = pair.doneField();
      if (pair.key().equals(new CaseKey("six-columns", CaseKey.TICKWELL, operation, "local", 5000))
          && pair.comparable(field)) {
        tile(
            pair.ratio(field),
            "the JDBC peer's speed: " + what,
            Figures.time(pair.ours(field)) + ", the peer " + Figures.time(pair.theirs(field)));
      }
    }
  }

  private void tile(String figure, String what, String detail) {
    page.append("<div><b>")
        .append(Markup.escape(figure))
        .append("</b><span>")
        .append(Markup.escape(what))
        .append("</span><em>")
        .append(Markup.escape(detail))
        .append("</em></div>");
  }

  private void verdicts() {
    List<Verdict> verdicts = Targets.judge(results, ticks);
    if (verdicts.isEmpty()) {
      return;
    }
    long passed = count(verdicts, Verdict.Outcome.PASS);
    long stated = count(verdicts, Verdict.Outcome.STATED);
    page.append("<section><h2>Targets: ")
        .append(passed)
        .append(" of ")
        .append(verdicts.size() - stated)
        .append(" met</h2><ul class=\"verdicts\">");
    for (Verdict verdict : verdicts) {
      page.append("<li><b class=\"")
          .append(verdict.word().toLowerCase(Locale.ROOT))
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

  private static long count(List<Verdict> verdicts, Verdict.Outcome outcome) {
    return verdicts.stream().filter(verdict -> verdict.outcome() == outcome).count();
  }

  private void peer() {
    page.append(
            "<section><h2>Against the peer</h2><p>The peer is what a careful plugin author does without")
        .append(
            " Tickwell: HikariCP and the JDBC driver on an asynchronous task, batched inserts in one")
        .append(
            " transaction, one object a row, handed to the main thread by the scheduler; the same")
        .append(
            " journal mode, durability and transactions, in its own file, sample by sample in the same run.")
        .append("</p>")
        .append(LEGEND)
        .append("<div class=\"charts\">");
    sizes("Read, six columns: ms until every value was read", "six-columns", CaseKey.READ);
    sizes("Write, six columns: ms until stored", "six-columns", CaseKey.WRITE);
    sizes("Read, id only: ms until every value was read", "id-only", CaseKey.READ);
    sizes("Write, id only: ms until stored", "id-only", CaseKey.WRITE);
    page.append("</div><div class=\"charts\">");
    figure(
        "Reads: the peer's time ÷ Tickwell's",
        "Until every value was read. To the right of 1× Tickwell is sooner, to the left the peer.",
        Charts.ratios(pairs, CaseKey.READ));
    figure(
        "Writes: the peer's time ÷ Tickwell's",
        "Until stored. To the right of 1× Tickwell is sooner, to the left the peer.",
        Charts.ratios(pairs, CaseKey.WRITE));
    page.append("</div></section>");
  }

  private void sizes(String title, String id, String operation) {
    String field = operation.equals(CaseKey.READ) ? "consumedNs" : "asyncWallNs";
    figure(title, "By number of rows.", Charts.sizes(title, pairs, id, operation, field));
  }

  private void small() {
    if (small.isEmpty()) {
      return;
    }
    page.append(
            "<section><h2>Many small requests at a time</h2><p>Callers that each have one request of one row")
        .append(
            " on its way and send the next as soon as they are answered; and crowds, whose requests are all")
        .append(
            " submitted in one tick and call back on the server thread. A write is answered when it is on")
        .append(" the disk, on both sides.</p>")
        .append(LEGEND)
        .append("<div class=\"charts\">");
    figure(
        "Callers: requests a second",
        "Median of the rounds, Tickwell / peer; each bar against the faster of the two.",
        Charts.throughput(small));
    for (SmallPair pair : small) {
      figure(
          pair.title(),
          (pair.is(SmallResult.CALLERS)
                  ? "From the submit to the answer"
                  : "From the first submit to the callback on the server thread")
              + ", Tickwell / peer, on a logarithmic scale.",
          Charts.latencies(pair));
    }
    page.append("</div><div class=\"scroll\"><table><thead><tr><th>Requests");
    for (String head :
        List.of(
            "A round",
            "Side",
            "A second",
            "Ratio (95 %)",
            "p50",
            "p90",
            "p99",
            "p99.9",
            "Max",
            "Round")) {
      page.append(head.equals("Side") ? "<th>" : "<th class=\"n\">").append(head);
    }
    page.append("<th class=\"n\">Server thread<th class=\"n\">Transactions</tr></thead><tbody>");
    for (SmallPair pair : small) {
      smallRow(pair, "Tickwell", pair.tickwell());
      smallRow(pair, "JDBC", pair.jdbc());
    }
    page.append(
            "</tbody></table></div><p>Ratio: the peer's time ÷ Tickwell's, round by round, with the interval")
        .append(
            " that holds its true median in 95 of 100 runs. Round, server thread and transactions: medians")
        .append(" of a round; the server thread's time is that of all requests together.</p>")
        .append("</section>");
  }

  private void smallRow(SmallPair pair, String side, SmallResult result) {
    page.append("<tr>");
    cell(pair.title());
    number("n", Figures.count(result.key().rows()));
    cell(side);
    number("n", Figures.count(result.perSecond()));
    number("n", result.equals(pair.tickwell()) ? pair.ratio().text() : "");
    Latency latency = result.latency();
    for (long nanos :
        new long[] {latency.p50(), latency.p90(), latency.p99(), latency.p999(), latency.max()}) {
      number("n", Figures.time(nanos));
    }
    Map<String, Summary> summary = result.summary();
    number("n", Figures.time(summary.get(result.doneField()).median()));
    number(
        "n",
        summary.containsKey("mainNs")
            ? Figures.time(summary.get("mainNs").median())
            : Figures.NONE);
    number(
        "n",
        summary.containsKey("transactions")
            ? Figures.count(summary.get("transactions").median())
            : Figures.NONE);
    page.append("</tr>");
  }

  private void serverThread() {
    page.append(
            "<section><h2>What the server thread feels</h2><p>A tick has 50 ms for everything. A statement")
        .append(
            " costs it the submitting call and the work with the result; its callback there can begin")
        .append(" in a tick only, so it waits for one whatever the database does.</p>")
        .append(LEGEND)
        .append("<div class=\"charts\">");
    figure(
        "Wall time: when the callback on the server thread began",
        "Measured samples, Tickwell / peer.",
        Charts.waits(pairs));
    if (ticks.run().ticks() > 1) {
      figure(
          "The server's ticks through the whole run",
          "The time that so many of "
              + Figures.count(ticks.run().ticks())
              + " ticks took at most; all of a tick is 50 ms.",
          Charts.ticks(ticks.run()));
    }
    page.append("</div><div class=\"charts\">");
    String cost = "Median, Tickwell / peer, on a logarithmic scale. Dashed: the budget of 2 ms.";
    figure("Reads: cost in the busiest tick", cost, Charts.busiestTicks(pairs, CaseKey.READ));
    figure("Writes: cost in the busiest tick", cost, Charts.busiestTicks(pairs, CaseKey.WRITE));
    page.append("</div></section>");
  }

  /** A drawing with its title; nothing when there is nothing to draw. */
  private void figure(String title, String note, String drawing) {
    if (drawing.isEmpty()) {
      return;
    }
    page.append("<figure><figcaption>")
        .append(Markup.escape(title))
        .append("<small>")
        .append(Markup.escape(note))
        .append("</small></figcaption>")
        .append(drawing)
        .append("</figure>");
  }

  private void cases() {
    page.append(
            "<section><h2>All cases, medians</h2><p>Delivered: an asynchronous callback has the result.")
        .append(
            " Consumed: it has also read every value. Server thread: all time spent there, and the most")
        .append(
            " of it in one tick. Ticks: how many ended until the callback there. Scope: local is the")
        .append(
            " caller's own rows and result, shared a published one, raw handwritten SQL. Ratios are the")
        .append(" peer's time ÷ Tickwell's.</p>")
        .append("<div class=\"scroll\"><table class=\"cases\"><thead><tr>")
        .append("<th>Case<th>Scope<th class=\"n\">Rows");
    for (String group : List.of("Delivered", "Consumed")) {
      page.append("<th class=\"n side\" colspan=\"3\">").append(group);
    }
    for (String group : List.of("Server thread", "Busiest tick", "Ticks")) {
      page.append("<th class=\"n side\" colspan=\"2\">").append(group);
    }
    page.append("</tr><tr class=\"sides\"><th><th><th>");
    for (int i = 0; i < 5; i++) {
      page.append("<th class=\"n side\">Tickwell<th class=\"n\">JDBC");
      page.append(i < 2 ? "<th class=\"n\">ratio" : "");
    }
    page.append("</tr></thead><tbody>");
    pairs.forEach(this::caseRow);
    page.append("</tbody></table></div></section>");
  }

  private void caseRow(CasePair pair) {
    page.append("<tr>");
    cell(pair.key().id() + ", " + pair.key().operation() + (pair.refused() ? ", refused" : ""));
    cell(pair.key().scope());
    number("n", Figures.count(pair.key().rows()));
    for (String field : List.of("asyncWallNs", "consumedNs")) {
      number("n side", Figures.time(pair.ours(field)));
      number("n", Figures.time(pair.theirs(field)));
      number(comparison(pair, field), pair.ratio(field));
    }
    for (String field : List.of("mainNs", "mainTickMaxNs")) {
      number("n side", Figures.time(pair.ours(field)));
      number("n", Figures.time(pair.theirs(field)));
    }
    number("n side", Figures.count(pair.ours("ticks")));
    number("n", Figures.count(pair.theirs("ticks")));
    page.append("</tr>");
  }

  /** The style of a ratio: who is sooner. */
  private static String comparison(CasePair pair, String field) {
    if (!pair.comparable(field)) {
      return "n";
    }
    return pair.ours(field).getAsLong() <= pair.theirs(field).getAsLong() ? "n sooner" : "n later";
  }

  private void fields() {
    page.append("<section><h2>Every field of every case</h2>");
    for (CasePair pair : pairs) {
      page.append("<details><summary>")
          .append(Markup.escape(pair.key().title()))
          .append("</summary>");
      Map<String, Summary> ours = summary(pair.tickwell());
      Map<String, Summary> theirs = summary(pair.jdbc());
      samples("Tickwell", pair.tickwell());
      samples("JDBC", pair.jdbc());
      page.append("<div class=\"scroll\"><table><thead><tr><th>Field");
      for (String side : List.of("Tickwell", "JDBC")) {
        page.append("<th class=\"n side\">")
            .append(side)
            .append(" median<th class=\"n\">p95<th class=\"n\">max");
      }
      page.append("</tr></thead><tbody>");
      Set<String> names = new LinkedHashSet<>(ours.keySet());
      names.addAll(theirs.keySet());
      for (String name : names) {
        page.append("<tr>");
        cell(name);
        summaryCells(name, ours.get(name));
        summaryCells(name, theirs.get(name));
        page.append("</tr>");
      }
      page.append("</tbody></table></div></details>");
    }
    page.append("</section>");
  }

  private static Map<String, Summary> summary(Optional<CaseResult> side) {
    return side.map(CaseResult::summary).orElse(Map.of());
  }

  private void samples(String side, Optional<CaseResult> result) {
    if (result.isPresent()) {
      List<Sample> samples = result.get().samples();
      long warmups = samples.stream().filter(Sample::warmup).count();
      page.append("<p>")
          .append(side)
          .append(": ")
          .append(samples.size() - warmups)
          .append(" measured samples, warm-ups before them: ")
          .append(warmups)
          .append("</p>");
    }
  }

  private void summaryCells(String name, Summary summary) {
    if (summary == null) {
      number("n side", Figures.NONE);
      number("n", Figures.NONE);
      number("n", Figures.NONE);
      return;
    }
    boolean nanos = name.endsWith("Ns");
    String style = "n side";
    for (long value : new long[] {summary.median(), summary.p95(), summary.max()}) {
      number(style, nanos ? Figures.time(value) : Figures.count(value));
      style = "n";
    }
  }

  private void ticks() {
    page.append(
            "<section><h2>The server's ticks</h2><p>Time of each tick as the server reports it; late: began")
        .append(" more than 5 ms after its place on the 50 ms grid. The whole run ran at ")
        .append(String.format(Locale.ROOT, "%.2f", ticks.milliTps() / 1000.0))
        .append(" ticks a second.</p>");
    tickTable(Map.of("the whole run", ticks.run()));
    Map<String, TickSummary> cases = new LinkedHashMap<>();
    ticks
        .cases()
        .forEach((key, summary) -> cases.put(key.title() + " · " + key.implementation(), summary));
    page.append(
        "<details><summary>While each case's measured statements were on their way</summary>");
    tickTable(cases);
    page.append("</details></section>");
  }

  private void tickTable(Map<String, TickSummary> rows) {
    page.append("<div class=\"scroll\"><table><thead><tr><th>While");
    for (String head : List.of("Ticks", "Late", "p50", "p90", "p99", "p99.9", "Max")) {
      page.append("<th class=\"n\">").append(head);
    }
    page.append("</tr></thead><tbody>");
    rows.forEach(
        (name, summary) -> {
          page.append("<tr>");
          cell(name);
          number("n", Figures.count(summary.ticks()));
          number("n", Figures.count(summary.late()));
          for (long nanos :
              new long[] {
                summary.p50(), summary.p90(), summary.p99(), summary.p999(), summary.max()
              }) {
            number("n", Figures.time(nanos));
          }
          page.append("</tr>");
        });
    page.append("</tbody></table></div>");
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
            "<li>Wall time comes in whole ticks, because a callback on the server thread waits for one.</li>")
        .append("<li>Percentiles use the nearest rank: with ten samples p95 is the slowest.</li>")
        .append(
            "<li>Nobody plays on this server, and the run lasts minutes: it shows neither a crowded server")
        .append(" nor a slow leak.</li></ul></section>");
  }

  private void cell(String text) {
    page.append("<td>").append(Markup.escape(text));
  }

  private void number(String style, String text) {
    page.append("<td class=\"").append(style).append("\">").append(Markup.escape(text));
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
