package dev.tickwell.core;

import dev.tickwell.Delete;
import dev.tickwell.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A delete being built. Not thread-safe; each {@code run} takes what it holds at that time. */
final class DeleteDraft<R> implements Delete<R> {
  private static final Filter[] NO_FILTERS = {};

  private final TableView<?> table;
  private final Function<Draft, R> runner;
  private final List<Filter> filters = new ArrayList<>(2);
  private boolean all;
  private Integer limit;

  /**
   * A delete of a table's rows.
   *
   * @param runner what running it means: submitting it, or executing it in a transaction
   */
  DeleteDraft(TableView<?> table, Function<Draft, R> runner) {
    this.table = table;
    this.runner = runner;
  }

  @Override
  public Delete<R> where(Filter... more) {
    filters.addAll(List.of(more));
    return this;
  }

  @Override
  public Delete<R> all() {
    all = true;
    return this;
  }

  @Override
  public Delete<R> limit(int rows) {
    limit = Requests.atLeastZero("delete", "limit", rows);
    return this;
  }

  @Override
  public R run() {
    boolean every = all;
    Integer most = limit;
    return runner.apply(
        new FilteredDraft(table, table.codecs(), filters.toArray(NO_FILTERS)) {
          @Override
          byte[] body(List<Filter> where, Parameters parameters) {
            checkChosen("delete", every, where);
            return Requests.delete(table.model(), where, most, parameters);
          }
        });
  }
}
