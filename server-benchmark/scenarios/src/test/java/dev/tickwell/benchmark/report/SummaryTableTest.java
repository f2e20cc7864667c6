package dev.tickwell.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTableTest {
  @Test
  void hasOneLineACaseWithBothSidesAndTheirRatio() {
    List<String> lines = SummaryTable.lines(Synthetic.run(), Synthetic.ticks());
    String line =
        lines.stream()
            .filter(one -> one.matches("six-columns +read +local +5,000 .*"))
            .findFirst()
            .orElseThrow();
    assertEquals(
        "six-columns read local 5,000 5.00 ms 20.0 ms 4.00× 7.50 ms 30.0 ms 4.00× 18.0 µs 72.0 µs 17.0 µs 68.0 µs 1 1",
        line.replaceAll(" +", " "));
    assertEquals(46, lines.indexOf(""), "a head and one line for each of Tickwell's 45 cases");
  }

  @Test
  void doesNotCompareARefusal() {
    String line =
        SummaryTable.lines(Synthetic.run(), Synthetic.ticks()).stream()
            .filter(one -> one.startsWith("id-only (refused)"))
            .findFirst()
            .orElseThrow();
    assertTrue(line.contains("–"), line);
    assertTrue(!line.contains("×"), line);
  }

  @Test
  void everyColumnThatBothSidesHaveIsThereTwice() {
    String head = SummaryTable.lines(Synthetic.run(), Synthetic.ticks()).getFirst();
    for (String column : List.of("delivered", "consumed", "main", "busiest tick", "ticks")) {
      assertTrue(head.matches(".*" + column + " +jdbc.*"), column);
    }
  }

  @Test
  void aStatedFigureIsNeitherMetNorMissed() {
    String line =
        SummaryTable.lines(Synthetic.run(), Synthetic.ticks()).stream()
            .filter(one -> one.contains("snapshot on the submitting thread"))
            .findFirst()
            .orElseThrow();
    assertTrue(line.startsWith("STATED  write 1000 items"), line);
    assertTrue(line.endsWith(": 9 ns a row"), line);
  }

  @Test
  void endsWithTheFailures() {
    RunResults run = Synthetic.run();
    List<String> lines =
        SummaryTable.lines(
            new RunResults(
                run.environment(), run.cases(), run.small(), run.checks(), List.of("wrong")),
            Synthetic.ticks());
    assertEquals("FAILED  wrong", lines.get(lines.size() - 1));
  }
}
