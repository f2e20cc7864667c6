package dev.tickwell;

import dev.tickwell.Filter.Comparison;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Makes filters and orders; meant for static import. */
public final class Filters {
  private Filters() {}

  /** {@code column = value}; a null value means "has no value". */
  public static Filter eq(String column, Object value) {
    return value == null ? isNull(column) : new Filter.Compare(column, Comparison.EQ, value);
  }

  /** {@code column ≠ value}; a null value means "has a value". */
  public static Filter ne(String column, Object value) {
    return value == null ? not(isNull(column)) : new Filter.Compare(column, Comparison.NE, value);
  }

  /** {@code column < value}. */
  public static Filter lt(String column, Object value) {
    return new Filter.Compare(column, Comparison.LT, value);
  }

  /** {@code column ≤ value}. */
  public static Filter le(String column, Object value) {
    return new Filter.Compare(column, Comparison.LE, value);
  }

  /** {@code column > value}. */
  public static Filter gt(String column, Object value) {
    return new Filter.Compare(column, Comparison.GT, value);
  }

  /** {@code column ≥ value}. */
  public static Filter ge(String column, Object value) {
    return new Filter.Compare(column, Comparison.GE, value);
  }

  /** {@code low ≤ column ≤ high}. */
  public static Filter between(String column, Object low, Object high) {
    return new Filter.Between(column, low, high);
  }

  /**
   * The column has one of these values; no row when there is none.
   *
   * @throws TickwellException {@code INVALID_VALUE} when one of them is null
   */
  public static Filter in(String column, Collection<?> values) {
    List<Object> copy = new ArrayList<>(values);
    if (copy.contains(null)) {
      throw new TickwellException(
          ErrorCode.INVALID_VALUE,
          "in",
          "the values for column " + column + " hold a null; ask for it with isNull()");
    }
    return new Filter.In(column, copy);
  }

  /** The column matches a pattern of {@code %} and {@code _}; {@code \} escapes. */
  public static Filter like(String column, String pattern) {
    return new Filter.Like(column, pattern);
  }

  /** The column has no value. */
  public static Filter isNull(String column) {
    return new Filter.IsNull(column);
  }

  /** Not this. */
  public static Filter not(Filter filter) {
    return new Filter.Not(filter);
  }

  /** All of these; every row when there is none, which a delete refuses. */
  public static Filter and(Filter... filters) {
    return new Filter.And(List.of(filters));
  }

  /** At least one of these; no row when there is none, which a delete refuses. */
  public static Filter or(Filter... filters) {
    return new Filter.Or(List.of(filters));
  }

  /** Least first. */
  public static Order asc(String column) {
    return new Order(column, false);
  }

  /** Greatest first. */
  public static Order desc(String column) {
    return new Order(column, true);
  }
}
