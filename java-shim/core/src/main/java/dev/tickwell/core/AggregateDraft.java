package dev.tickwell.core;

import dev.tickwell.Aggregate;
import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Row;
import dev.tickwell.TickwellException;
import dev.tickwell.core.Requests.AggregateValue;
import dev.tickwell.core.Requests.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Values of rows being asked for. Not thread-safe; each {@code fetch} takes what it holds then. */
final class AggregateDraft<R> implements Aggregate<R> {
  private static final Filter[] NO_FILTERS = {};
  private static final String OPERATION = "aggregate";

  /** What fetching means: submitting it, or executing it in a transaction. */
  interface Runner<R> {
    R run(Draft draft, Request.Reader<Row> reader);
  }

  private final TableView<?> table;
  private final Runner<R> runner;
  private final List<AggregateValue> values = new ArrayList<>(4);
  private final List<Filter> filters = new ArrayList<>(2);

  AggregateDraft(TableView<?> table, Runner<R> runner) {
    this.table = table;
    this.runner = runner;
  }

  @Override
  public Aggregate<R> count() {
    return add(Function.COUNT, "");
  }

  @Override
  public Aggregate<R> sum(String column) {
    return add(Function.SUM, column);
  }

  @Override
  public Aggregate<R> min(String column) {
    return add(Function.MIN, column);
  }

  @Override
  public Aggregate<R> max(String column) {
    return add(Function.MAX, column);
  }

  @Override
  public Aggregate<R> average(String column) {
    return add(Function.AVERAGE, column);
  }

  /** Asks for one value more; one that is asked for already has its column in the row. */
  AggregateDraft<R> add(Function function, String column) {
    AggregateValue value = new AggregateValue(function, Objects.requireNonNull(column, "column"));
    if (!values.contains(value)) {
      values.add(value);
    }
    return this;
  }

  @Override
  public AggregateDraft<R> where(Filter... more) {
    filters.addAll(List.of(more));
    return this;
  }

  @Override
  public R fetch() {
    List<AggregateValue> asked = List.copyOf(values);
    Draft draft =
        new FilteredDraft(table, table.codecs(), filters.toArray(NO_FILTERS)) {
          @Override
          byte[] body(List<Filter> where, Parameters parameters) {
            if (asked.isEmpty()) {
              throw Problems.of(
                  ErrorCode.INVALID_STATEMENT,
                  OPERATION,
                  "no value is asked for; add count(), sum(), min(), max() or average()",
                  "table",
                  table.name());
            }
            return Requests.aggregate(table.model(), asked, where, parameters);
          }
        };
    return runner.run(draft, completion -> row(completion.page(), asked));
  }

  /** The row under the names of its values: the library numbers them. */
  private static Row row(PageReader page, List<AggregateValue> asked) {
    if (page.rows() != 1 || page.columns() != asked.size()) {
      throw new TickwellException(
          ErrorCode.INVALID_PAGE,
          OPERATION,
          "the result has "
              + page.rows()
              + " rows of "
              + page.columns()
              + " columns, not one of "
              + asked.size());
    }
    Row.Builder row = Row.builder();
    for (int column = 0; column < asked.size(); column++) {
      row.set(asked.get(column).name(), Cells.get(page, 0, column));
    }
    return row.build();
  }
}
