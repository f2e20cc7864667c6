package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.function.Function;

/**
 * Puts physical names into raw SQL where it writes <code>{name}</code>. Braces inside a literal, a
 * quoted identifier or a comment stay as they are: these are skipped by the rules of standard SQL,
 * in which a quote is escaped by doubling it. Stateless.
 */
final class TableNames {
  private final String sql;
  private final Function<String, String> physicalName;
  private final StringBuilder out;
  private int at;

  private TableNames(String sql, Function<String, String> physicalName) {
    this.sql = sql;
    this.physicalName = physicalName;
    this.out = new StringBuilder(sql.length() + 32);
  }

  /**
   * The text with its names resolved.
   *
   * @param physicalName gives the quoted physical name, or null for a table that nobody registered
   * @throws TickwellException {@code UNKNOWN_TABLE} naming the table; {@code SYNTAX} for a brace
   *     that is not closed
   */
  static String resolve(String sql, Function<String, String> physicalName) {
    return sql.indexOf('{') < 0 ? sql : new TableNames(sql, physicalName).resolve();
  }

  private String resolve() {
    while (at < sql.length()) {
      char c = sql.charAt(at);
      switch (c) {
        case '\'', '"', '`' -> copyTo(quoteEnd(c));
        case '[' -> copyTo(after("]", at + 1));
        case '-' -> copyTo(sql.startsWith("--", at) ? after("\n", at + 2) : at + 1);
        case '/' -> copyTo(sql.startsWith("/*", at) ? after("*/", at + 2) : at + 1);
        case '{' -> name();
        default -> copyTo(at + 1);
      }
    }
    return out.toString();
  }

  private void copyTo(int end) {
    out.append(sql, at, end);
    at = end;
  }

  /** Behind the closing quote; the end of the text when there is none: the database will tell. */
  private int quoteEnd(char quote) {
    int index = at + 1;
    while (index < sql.length()) {
      if (sql.charAt(index) != quote) {
        index++;
      } else if (index + 1 < sql.length() && sql.charAt(index + 1) == quote) {
        index += 2;
      } else {
        return index + 1;
      }
    }
    return index;
  }

  private int after(String mark, int from) {
    int found = sql.indexOf(mark, from);
    return found < 0 ? sql.length() : found + mark.length();
  }

  private void name() {
    int end = sql.indexOf('}', at);
    if (end < 0) {
      throw Problems.of(
          ErrorCode.SYNTAX,
          "sql",
          "a brace is opened and not closed; {name} stands for a registered table",
          "position",
          Integer.toString(at));
    }
    String name = sql.substring(at + 1, end);
    String physical = physicalName.apply(name);
    if (physical == null) {
      throw Problems.of(
          ErrorCode.UNKNOWN_TABLE,
          "sql",
          "this plugin has registered no table " + name,
          "table",
          name,
          "position",
          Integer.toString(at));
    }
    out.append(physical);
    at = end + 1;
  }
}
