package dev.tickwell.core;

import static dev.tickwell.Filters.and;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.ge;
import static dev.tickwell.Filters.gt;
import static dev.tickwell.Filters.isNull;
import static dev.tickwell.Filters.le;
import static dev.tickwell.Filters.lt;
import static dev.tickwell.Filters.not;
import static dev.tickwell.Filters.or;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Order;
import java.util.ArrayList;
import java.util.List;

/**
 * The place in an order behind which a page begins, as filters that every database has: the rows
 * that differ from it first in some column, where they come later. Immutable, beside its values.
 */
final class KeysetPage {
  private final TableModel table;
  private final List<Order> orders;
  private final Object[] values;

  KeysetPage(TableModel table, List<Order> orders, Object[] values) {
    this.table = table;
    this.orders = orders;
    this.values = values;
  }

  /** The rows behind it; of any orders and values, which only {@link #check} looks at. */
  List<Filter> filters() {
    int columns = Math.min(orders.size(), values.length);
    List<Filter> ways = new ArrayList<>(columns);
    List<Filter> equal = new ArrayList<>(columns);
    for (int index = 0; index < columns; index++) {
      Filter later = later(orders.get(index), values[index]);
      if (later != null) {
        List<Filter> way = new ArrayList<>(equal);
        way.add(later);
        ways.add(way.size() == 1 ? later : and(way.toArray(Filter[]::new)));
      }
      equal.add(eq(orders.get(index).column(), values[index]));
    }
    List<Filter> filters = new ArrayList<>(2);
    Filter bound = columns > 1 ? bound(orders.getFirst(), values[0]) : null;
    if (bound != null) {
      filters.add(bound);
    }
    filters.add(or(ways.toArray(Filter[]::new)));
    return filters;
  }

  /** Which values of one column come later; null when none does. */
  private Filter later(Order order, Object value) {
    String column = order.column();
    if (!order.descending()) {
      return value == null ? not(isNull(column)) : gt(column, value);
    }
    if (value == null) {
      return null;
    }
    return mayBeNull(column) ? or(lt(column, value), isNull(column)) : lt(column, value);
  }

  /**
   * What the ways of all columns have in common, said once more: an index over the first column
   * begins there, where the alternatives alone have it read from its beginning.
   */
  private Filter bound(Order order, Object value) {
    if (value == null) {
      return null;
    }
    if (!order.descending()) {
      return ge(order.column(), value);
    }
    return mayBeNull(order.column()) ? null : le(order.column(), value);
  }

  private boolean mayBeNull(String column) {
    return table.has(column) && table.column("select", column).nullable();
  }

  /** Refuses orders in which a row has no place of its own, and values that do not belong there. */
  void check() {
    List<String> key = table.key();
    List<String> sorted = orders.stream().map(Order::column).toList();
    if (key.isEmpty() || !sorted.containsAll(key)) {
      throw refused(
          key.isEmpty()
              ? "after() needs a table with a key: rows without one may have the same place"
              : "after() needs an order by every column of the key ("
                  + String.join(", ", key)
                  + "): else rows may have the same place, and some would be left out");
    }
    if (values.length != sorted.size()) {
      throw refused(
          "after() takes a value for each column to sort by ("
              + String.join(", ", sorted)
              + "), and "
              + values.length
              + " were given");
    }
    for (int index = 0; index < values.length; index++) {
      String column = sorted.get(index);
      if (values[index] == null && !mayBeNull(column)) {
        throw Problems.of(
            ErrorCode.INVALID_VALUE,
            "select",
            "after() has null for a column that is never null: no row is there",
            "table",
            table.name(),
            "column",
            column);
      }
    }
  }

  private RuntimeException refused(String message) {
    return Problems.of(ErrorCode.INVALID_STATEMENT, "select", message, "table", table.name());
  }
}
