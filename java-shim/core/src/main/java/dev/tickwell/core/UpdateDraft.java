package dev.tickwell.core;

import dev.tickwell.Filter;
import dev.tickwell.Update;
import dev.tickwell.core.Requests.Assignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** An update being built. Not thread-safe; each {@code run} takes what it holds at that time. */
final class UpdateDraft<R> implements Update<R> {
  private static final Filter[] NO_FILTERS = {};

  private final TableView<?> table;
  private final Function<Draft, R> runner;
  private final List<Assignment> assignments = new ArrayList<>(2);
  private final List<Filter> filters = new ArrayList<>(2);
  private boolean all;
  private Integer limit;

  /**
   * An update of a table.
   *
   * @param runner what running it means: submitting it, or executing it in a transaction
   */
  UpdateDraft(TableView<?> table, Function<Draft, R> runner) {
    this.table = table;
    this.runner = runner;
  }

  @Override
  public Update<R> set(String column, Object value) {
    assignments.add(new Assignment(Objects.requireNonNull(column, "column"), false, value));
    return this;
  }

  @Override
  public Update<R> add(String column, Number amount) {
    Objects.requireNonNull(amount, "amount");
    assignments.add(new Assignment(Objects.requireNonNull(column, "column"), true, amount));
    return this;
  }

  @Override
  public Update<R> where(Filter... more) {
    filters.addAll(List.of(more));
    return this;
  }

  @Override
  public Update<R> all() {
    all = true;
    return this;
  }

  @Override
  public Update<R> limit(int rows) {
    limit = Requests.atLeastZero("update", "limit", rows);
    return this;
  }

  @Override
  public R run() {
    List<Assignment> changes = List.copyOf(assignments);
    Object[] values = new Object[changes.size()];
    for (int index = 0; index < values.length; index++) {
      values[index] = changes.get(index).value();
    }
    boolean every = all;
    Integer most = limit;
    return runner.apply(
        new FilteredDraft(table, table.codecs(), filters.toArray(NO_FILTERS), values) {
          @Override
          byte[] body(List<Filter> where, Parameters parameters) {
            checkChosen("update", every, where);
            return Requests.update(table.model(), changes, where, most, parameters);
          }
        });
  }
}
