package dev.tickwell.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.TextComponent;
import org.junit.jupiter.api.Test;

class StatisticsTextTest {
  private static String flat(Component component) {
    StringBuilder text = new StringBuilder(((TextComponent) component).content());
    component.children().forEach(child -> text.append(flat(child)));
    return text.toString();
  }

  private static Map<String, String> statistics() {
    Map<String, String> statistics = new HashMap<>();
    statistics.put("main.select.requests", "12");
    for (String field : List.of("wall", "main", "execution")) {
      statistics.put("main.select." + field + ".sum", "1");
      statistics.put("main.select." + field + ".p50", "999");
      statistics.put("main.select." + field + ".p99", "12345678");
    }
    statistics.put("handles", "3");
    statistics.put("read-bytes-in-flight", "1536");
    return statistics;
  }

  @Test
  void statementsAreOneLineEach() {
    assertEquals(
        List.of(
            "  main select: 12 requests; wall 999 ns/12 ms; tick 999 ns/12 ms;"
                + " execution 999 ns/12 ms (p50/p99)"),
        StatisticsText.statements(statistics()).stream().map(StatisticsTextTest::flat).toList());
  }

  @Test
  void statusHoldsEverythingElse() {
    assertEquals(
        List.of("  handles: 3", "  read-bytes-in-flight: 1.5 KiB"),
        StatisticsText.status(statistics()).stream().map(StatisticsTextTest::flat).toList());
  }

  @Test
  void timesAndSizesHaveReadableUnits() {
    assertEquals("0 ns", StatisticsText.time(0));
    assertEquals("1.0 µs", StatisticsText.time(1_000));
    assertEquals("250 µs", StatisticsText.time(250_000));
    assertEquals("2.5 ms", StatisticsText.time(2_500_000));
    assertEquals("60 s", StatisticsText.time(60_000_000_000L));
    assertEquals("1023 B", StatisticsText.size(1023));
    assertEquals("64 MiB", StatisticsText.size(64 << 20));
  }

  @Test
  void theNearestWordIsFoundWithinAThirdOfItsLength() {
    assertEquals("status", Nearest.of("sttaus", List.of("help", "stats", "status")));
    assertEquals("stats", Nearest.of("stat", List.of("help", "stats", "status")));
    assertNull(Nearest.of("xyz", List.of("help", "stats", "status")));
  }

  @Test
  void slackLeavesAReserveAndHasAnEnd() {
    assertEquals(0, PaperAdapter.slack(4_000_000));
    assertEquals(0, PaperAdapter.slack(-1));
    assertEquals(1_000_000, PaperAdapter.slack(7_000_000));
    assertEquals(4_000_000, PaperAdapter.slack(40_000_000));
  }
}
