package dev.tickwell.core;

import dev.tickwell.ReturningKeys;
import java.util.Collection;
import java.util.function.Function;

/** The inserts of a table that give keys. Immutable; on the threads of its runner. */
final class ReturningKeysView<T, R> implements ReturningKeys<T, R> {
  private final TableView<T> table;
  private final Function<Draft, R> runner;

  /**
   * The inserts of a table.
   *
   * @param runner what inserting means: submitting it, or executing it in a transaction
   */
  ReturningKeysView(TableView<T> table, Function<Draft, R> runner) {
    this.table = table;
    this.runner = runner;
  }

  @Override
  public R insert(Collection<? extends T> rows) {
    return run(rows, Insertion.PLAIN);
  }

  @Override
  public R insert(T row) {
    return run(row, Insertion.PLAIN);
  }

  @Override
  public R insertIfAbsent(Collection<? extends T> rows) {
    return run(rows, Insertion.IF_ABSENT);
  }

  @Override
  public R insertIfAbsent(T row) {
    return run(row, Insertion.IF_ABSENT);
  }

  @Override
  public R upsert(Collection<? extends T> rows, String... overwritten) {
    return run(rows, Insertion.upsert(overwritten));
  }

  @Override
  public R upsert(T row, String... overwritten) {
    return run(row, Insertion.upsert(overwritten));
  }

  private R run(Collection<? extends T> rows, Insertion how) {
    return runner.apply(table.insertDraft(rows, how.returningKeys()));
  }

  private R run(T row, Insertion how) {
    return runner.apply(table.insertDraft(row, how.returningKeys()));
  }
}
