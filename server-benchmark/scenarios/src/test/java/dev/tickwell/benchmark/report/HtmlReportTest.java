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
  void hasEveryCaseOfBothSides() {
    for (CaseResult result : Synthetic.run().cases()) {
      String title = result.key().title() + " · " + result.key().implementation();
      assertTrue(html.contains("<summary>" + title + "</summary>"), title);
    }
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
    // 2 curves × 2 ids × 5 sizes × 2 sides, then 44 comparable cases as ratios and twice as points.
    assertEquals(40 + 44 + 2 * 88, drawn);
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
            new RunResults(run.environment(), run.cases(), run.checks(), List.of("3 rows < 4")),
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
