package dev.tickwell.plugin;

import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.core.RegisteredTable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.kyori.adventure.text.Component;

/**
 * What {@code /tickwell tables} says of one database: the tables of the plugins that run, and from
 * the database's own book those of plugins that do not. Stateless; any thread.
 */
final class TablesText {
  /** Reads the book; where no plugin has registered a table yet there is none. */
  static final String BOOK =
      "SELECT name, plugin, last_registered FROM tickwell_tables ORDER BY name";

  /**
   * A table as the book has it.
   *
   * @param plugin its owner
   * @param last the day of the last registration, in UTC
   */
  record Noted(String table, String plugin, LocalDate last) {}

  private TablesText() {}

  /** The answer to {@link #BOOK}. */
  static List<Noted> read(Rows<Row> book) {
    List<Noted> noted = new ArrayList<>();
    for (int row = 0; row < book.size(); row++) {
      noted.add(new Noted(book.getString(row, 0), book.getString(row, 1), book.getDate(row, 2)));
    }
    return noted;
  }

  /**
   * One line for each table.
   *
   * @param running the tables that plugins have registered since the start; those of other
   *     databases are left out
   */
  static List<Component> lines(
      Messages messages, String database, List<RegisteredTable> running, List<Noted> noted) {
    List<Component> lines = new ArrayList<>();
    Set<String> told = new HashSet<>();
    for (RegisteredTable table : running) {
      if (table.database().equals(database)) {
        told.add(table.table());
        lines.add(line(messages, table));
      }
    }
    for (Noted table : noted) {
      if (!told.contains(table.table())) {
        lines.add(
            messages.text(
                "tables-idle",
                "database",
                database,
                "table",
                table.table(),
                "plugin",
                table.plugin(),
                "last",
                table.last()));
      }
    }
    if (lines.isEmpty()) {
      lines.add(messages.text("tables-none", "database", database));
    }
    return lines;
  }

  private static Component line(Messages messages, RegisteredTable table) {
    String answered = table.answered() ? "tables-line" : "tables-waiting";
    return messages.text(
        table.failure() == null ? answered : "tables-failed",
        "database",
        table.database(),
        "table",
        table.table(),
        "plugin",
        table.plugin(),
        "reason",
        table.failure() == null ? "" : table.failure().getMessage());
  }
}
