package dev.tickwell.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.core.RegisteredTable;
import dev.tickwell.plugin.TablesText.Noted;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTextTest {
  private static final Messages TEXTS = MessagesTest.shipped(Map.of());

  private static List<String> lines(List<RegisteredTable> running, List<Noted> noted) {
    return TablesText.lines(TEXTS, "main", running, noted).stream()
        .map(StatisticsTextTest::flat)
        .toList();
  }

  @Test
  void runningOnesComeFirstAndEachTableOnce() {
    TickwellException failure =
        new TickwellException(ErrorCode.TABLE_MISMATCH, "register", "it differs");
    List<RegisteredTable> running =
        List.of(
            new RegisteredTable("Bank", "main", "bank_accounts", true, null),
            new RegisteredTable("Bank", "main", "bank_log", false, null),
            new RegisteredTable("Homes", "main", "homes_homes", true, failure),
            new RegisteredTable("Homes", "other", "homes_other", true, null));
    LocalDate day = LocalDate.of(2026, 11, 30);
    List<Noted> noted =
        List.of(
            new Noted("bank_accounts", "Bank", day),
            new Noted("homes_other", "Homes", day),
            new Noted("shop_items", "Shop", day.minusDays(40)));
    assertEquals(
        List.of(
            "  main: bank_accounts of Bank",
            "  main: bank_log of Bank, not answered yet",
            "  main: homes_homes of Homes: register: it differs",
            "  main: homes_other of Homes, not in use; last registered 2026-11-30",
            "  main: shop_items of Shop, not in use; last registered 2026-10-21"),
        lines(running, noted));
  }

  @Test
  void aDatabaseWithoutTablesSaysSo() {
    assertEquals(List.of("  main: no plugin has registered a table"), lines(List.of(), List.of()));
  }
}
