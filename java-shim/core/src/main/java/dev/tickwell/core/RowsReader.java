package dev.tickwell.core;

import java.util.Optional;
import java.util.function.Function;

/**
 * Makes something of the rows of a result: not before the values of them that can be made on a tick
 * thread only are made. Immutable; any thread.
 *
 * @param <R> what a row is made into
 * @param <T> what is made of the rows
 */
final class RowsReader<R, T> implements Request.Reader<T> {
  private final Function<PageReader, PageRows<R>> rows;
  private final Function<PageRows<R>, T> value;

  RowsReader(Function<PageReader, PageRows<R>> rows, Function<PageRows<R>, T> value) {
    this.rows = rows;
    this.value = value;
  }

  /** The first row. */
  static <R> RowsReader<R, Optional<R>> first(Function<PageReader, PageRows<R>> rows) {
    return new RowsReader<>(
        rows, found -> found.isEmpty() ? Optional.empty() : Optional.of(found.row(0)));
  }

  @Override
  public T read(Completion completion) {
    return begin(completion).value().get();
  }

  @Override
  public Request.Result<T> begin(Completion completion) {
    PageRows<R> found = rows.apply(completion.page());
    return new Request.Result<>(found, () -> value.apply(found));
  }
}
