package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import java.util.List;
import java.util.Objects;

/** A statement on a table with filters. */
abstract class FilteredDraft implements Draft {
  private final TableView<?> table;
  private final Codecs codecs;
  private final Filter[] filters;
  private final Object[] assigned;

  FilteredDraft(TableView<?> table, Codecs codecs, Filter[] filters) {
    this(table, codecs, filters, new Object[0]);
  }

  /**
   * A statement with filters and values beside them.
   *
   * @param assigned the values; {@link #body} adds them to the parameters
   */
  FilteredDraft(TableView<?> table, Codecs codecs, Filter[] filters, Object[] assigned) {
    this.assigned = assigned;
    this.table = table;
    this.codecs = codecs;
    for (Filter filter : filters) {
      Objects.requireNonNull(filter, "filter");
    }
    this.filters = filters;
  }

  /** The request bytes; the filters' values go to the parameters. */
  abstract byte[] body(List<Filter> filters, Parameters parameters);

  /**
   * Refuses a change that does not say which rows it means.
   *
   * @param every whether it says that all are meant
   */
  final void checkChosen(String operation, boolean every, List<Filter> where) {
    if (where.isEmpty() && !every) {
      throw Problems.of(
          ErrorCode.FILTER_REQUIRED,
          operation,
          "without a filter it would be every row; say all() when that is meant",
          "table",
          table.name());
    }
    if (!where.isEmpty() && every) {
      throw DatabaseView.invalid(operation, "it means all() rows and has a filter");
    }
  }

  @Override
  public final Content make() {
    table.checkRegistered();
    Parameters parameters = new Parameters(codecs);
    return new Content(body(List.of(filters), parameters), parameters);
  }

  @Override
  public final long fixedValues() {
    long values = assigned.length;
    for (Object value : assigned) {
      if (!Draft.isFixed(value)) {
        return MUTABLE;
      }
    }
    for (Filter filter : filters) {
      long more = fixed(filter, 1);
      if (more == MUTABLE) {
        return MUTABLE;
      }
      values += more;
    }
    return values;
  }

  @Override
  public final long lengths() {
    long lengths = 0;
    for (Object value : assigned) {
      lengths += Draft.length(value);
    }
    for (Filter filter : filters) {
      lengths += lengths(filter);
    }
    return lengths;
  }

  private static long lengths(List<Filter> filters) {
    long lengths = 0;
    for (int index = 0; index < filters.size(); index++) {
      lengths += lengths(filters.get(index));
    }
    return lengths;
  }

  // What is nested too deep has been refused before. Plain tests as below.
  private static long lengths(Filter filter) {
    if (filter instanceof Filter.Compare compare) {
      return Draft.length(compare.value());
    }
    if (filter instanceof Filter.Between between) {
      return Draft.length(between.low()) + Draft.length(between.high());
    }
    if (filter instanceof Filter.In in) {
      long lengths = 0;
      for (int index = 0; index < in.values().size(); index++) {
        lengths += Draft.length(in.values().get(index));
      }
      return lengths;
    }
    if (filter instanceof Filter.Like like) {
      return Draft.length(like.pattern());
    }
    if (filter instanceof Filter.And and) {
      return lengths(and.filters());
    }
    if (filter instanceof Filter.Or or) {
      return lengths(or.filters());
    }
    return filter instanceof Filter.Not not ? lengths(not.filter()) : 0;
  }

  private static long all(List<Filter> filters, int depth) {
    long values = 0;
    for (int index = 0; index < filters.size(); index++) {
      long more = fixed(filters.get(index), depth + 1);
      if (more == MUTABLE) {
        return MUTABLE;
      }
      values += more;
    }
    return values;
  }

  // Plain tests in place of a switch over types, which a cold tick would have to link first.
  private static long fixed(Filter filter, int depth) {
    if (filter instanceof Filter.Compare compare) {
      return Draft.isFixed(compare.value()) ? 1 : MUTABLE;
    }
    if (filter instanceof Filter.Between between) {
      return Draft.isFixed(between.low()) && Draft.isFixed(between.high()) ? 2 : MUTABLE;
    }
    if (filter instanceof Filter.In in) {
      List<Object> values = in.values();
      for (int index = 0; index < values.size(); index++) {
        if (!Draft.isFixed(values.get(index))) {
          return MUTABLE;
        }
      }
      return values.size();
    }
    if (filter instanceof Filter.Like) {
      return 1;
    }
    if (filter instanceof Filter.IsNull) {
      return 0;
    }
    // What is nested too deep is refused where it is made.
    if (depth > Requests.MAX_FILTER_DEPTH) {
      return MUTABLE;
    }
    if (filter instanceof Filter.And and) {
      return all(and.filters(), depth);
    }
    if (filter instanceof Filter.Or or) {
      return all(or.filters(), depth);
    }
    return filter instanceof Filter.Not not ? fixed(not.filter(), depth + 1) : MUTABLE;
  }
}
