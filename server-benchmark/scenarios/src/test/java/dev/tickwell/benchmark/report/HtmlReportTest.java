package dev.tickwell.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  private final String html = HtmlReport.render(Synthetic.run(), Synthetic.ticks());

  @Test
  void hasEveryFieldOfEveryCase() {
    for (CaseResult result : Synthetic.run().cases()) {
      String title = result.key().title();
      assertEquals(1, count("<summary>" + title + "</summary>"), title);
    }
  }

  @Test
  void putsBothSidesOfACaseIntoOneRowWithTheirRatio() {
    String cell = "(?: class=\"[^\"]*\")?>";
    List<String> row =
        Pattern.compile("<tr>(?:(?!</tr>).)*</tr>")
            .matcher(html)
            .results()
            .map(match -> match.group().replaceAll("</?tr>", ""))
            .map(cells -> cells.replaceFirst("<td", "").replaceAll(cell, ""))
            .filter(cells -> cells.startsWith("six-columns, read<tdlocal<td5,000"))
            .map(cells -> List.of(cells.split("<td")))
            .findFirst()
            .orElseThrow();
    assertEquals(
        "six-columns, read|local|5,000|5.00 ms|20.0 ms|4.00×|7.50 ms|30.0 ms|4.00×"
            + "|18.0 µs|72.0 µs|17.0 µs|68.0 µs|1|1",
        String.join("|", row));
  }

  @Test
  void everyDrawnNumberIsText() {
    Matcher titles = Pattern.compile("<title>[^<]*: ([^<]+)</title>").matcher(html);
    String text = html.replaceAll("<title>[^<]*</title>", "");
    int drawn = 0;
    while (titles.find()) {
      drawn++;
      assertTrue(text.contains(titles.group(1)), titles.group(1));
    }
    assertEquals(2 * 2 * 5 * 2, drawn, "columns: 2 operations × 2 ids × 5 sizes × 2 sides");
    // 44 comparable cases as a ratio and as two dots, six waits and five percentiles.
    // Of small requests two throughputs and three times five percentiles.
    assertEquals(44 + 44 + 6 + 5 + 2 + 15, count("<span class=\"value\">"));
    assertEquals(44 + 1 + 2, count("<i class=\"bar tickwell"));
    assertEquals(44 + 15, count("<i class=\"dot tickwell\""));
    assertEquals(44 + 15, count("<i class=\"dot jdbc\""));
    assertEquals(44, count("<span class=\"value\">4.00×</span>"));
    assertEquals(44, count("<span class=\"value\">17.0 µs / 68.0 µs</span>"));
  }

  @Test
  void countsTheTicksThatCallbacksWaited() {
    // Ten measured samples of each of 44 cases, all in the next tick; a refused case does not
    // count.
    assertTrue(html.contains("<span>in the next tick</span>"));
    assertEquals(1, count("<span class=\"value\">440 / 440</span>"));
    assertEquals(5, count("<span class=\"value\">0 / 0</span>"));
  }

  @Test
  void drawsWhoIsSoonerFromTheMiddle() {
    CaseKey key = new CaseKey("six-columns", CaseKey.TICKWELL, CaseKey.READ, "local", 5000);
    RunResults run =
        Synthetic.withCases(
            List.of(Synthetic.result(key, 4), Synthetic.result(key.of(CaseKey.JDBC), 1)));
    String slower = HtmlReport.render(run, Synthetic.ticks());
    // A quarter of the speed is two doublings, all of the way to the left.
    assertTrue(slower.contains("<i class=\"bar jdbc\" style=\"left:0.00%;width:50.00%\"></i>"));
    assertTrue(slower.contains("<span class=\"value\">0.25×</span>"));
    assertTrue(html.contains("<i class=\"bar tickwell\" style=\"left:50.00%;width:50.00%\"></i>"));
  }

  @Test
  void countsOnlyWhatHasABoundAsATarget() {
    assertTrue(html.contains("<h2>Targets: 16 of 16 met</h2>"));
    assertTrue(html.contains("<b class=\"stated\">STATED</b>"));
  }

  @Test
  void showsSmallRequestsOfBothSides() {
    assertTrue(html.contains("<span class=\"value\">100,000 / 52,632</span>"));
    assertEquals(3, count("<span class=\"value\">1.04 ms / 1.04 ms</span>"));
    String ours =
        "<td>16 callers, single-row saves<td class=\"n\">1,000<td>Tickwell<td class=\"n\">100,000"
            + "<td class=\"n\">3.90× (3.20 to 4.60)";
    assertTrue(html.contains(ours));
    assertTrue(html.contains("<td class=\"n\">111</tr>"));
  }

  private int count(String part) {
    return html.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void loadsNothing() {
    for (String door :
        List.of("http://", "https://", "src=", "@import", "url(", "<script", "<link")) {
      assertFalse(html.contains(door), door);
    }
  }

  @Test
  void escapesWhatTheMachineSays() {
    assertTrue(html.contains("Some &lt;CPU&gt; &amp; &quot;more&quot;"));
    assertFalse(html.contains("<CPU>"));
  }

  @Test
  void showsFailuresFirst() {
    RunResults run = Synthetic.run();
    String failed =
        HtmlReport.render(
            new RunResults(
                run.environment(), run.cases(), run.small(), run.checks(), List.of("3 rows < 4")),
            Synthetic.ticks());
    assertTrue(failed.contains("<li>3 rows &lt; 4</li>"));
    assertTrue(failed.indexOf("This run failed") < failed.indexOf("Targets:"));
    assertFalse(html.contains("This run failed"));
  }

  @Test
  void isRenderedAgainFromItsFiles(@TempDir Path folder) throws IOException {
    ResultFiles.write(folder, Synthetic.run(), Synthetic.ticks());
    assertEquals(html, Files.readString(ReportMain.render(folder)));
  }
}
