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
  private static final Messages TEXTS = MessagesTest.shipped(Map.of());

  static String flat(Component component) {
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
    statistics.put("bytes.reads", "1536");
    statistics.put("bytes.writes", "0");
    statistics.put("lane.0.queued", "2");
    statistics.put("lane.1.queued", "3");
    statistics.put("lane.0.largest-tick", "1500000");
    statistics.put("lane.1.largest-tick", "20");
    statistics.put("main.backend", "sqlite");
    statistics.put("main.version", "3.50.4");
    statistics.put("main.queued-writes", "4");
    statistics.put("main.writes", "100");
    statistics.put("main.transactions", "7");
    return statistics;
  }

  @Test
  void statementsAreOneLineEach() {
    assertEquals(
        List.of(
            "  main select: requests 12; wall 999 ns/12 ms; tick 999 ns/12 ms;"
                + " execution 999 ns/12 ms (p50/p99)"),
        StatisticsText.statements(TEXTS, statistics()).stream()
            .map(StatisticsTextTest::flat)
            .toList());
  }

  @Test
  void statusAddsUpTheTickThreads() {
    assertEquals(
        List.of(
            "  In flight: 0 B of writes, 1.5 KiB of reads",
            "  Tick threads: results waiting: 5; the most in one tick was 1.5 ms"),
        StatisticsText.status(TEXTS, statistics()).stream().map(StatisticsTextTest::flat).toList());
  }

  @Test
  void aDatabaseSaysWhatWaitsAndHowItsWritesShareTransactions() {
    assertEquals(
        "  main: ready, answered within 1.5 ms; sqlite 3.50.4; waiting writes 4, reads 0; stored writes"
            + " 100, transactions 7; /a.db",
        flat(StatisticsText.database(TEXTS, statistics(), "main", 1_500_000, "/a.db")));
  }

  @Test
  void aDatabaseNamesThePluginWhoseTransactionHasTheWrites() {
    Map<String, String> statistics = statistics();
    statistics.put("main.transaction", "Bank");
    statistics.put("main.transaction-held", "3200000000");
    assertEquals(
        "  main: ready, answered within 1.5 ms; sqlite 3.50.4; waiting writes 4, reads 0; stored writes"
            + " 100, transactions 7; /a.db; a transaction of Bank has the writes since 3.2 s",
        flat(StatisticsText.database(TEXTS, statistics, "main", 1_500_000, "/a.db")));
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
