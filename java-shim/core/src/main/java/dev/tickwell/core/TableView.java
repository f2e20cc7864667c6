package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Pending;
import dev.tickwell.Rows;
import dev.tickwell.Select;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** A registered table as its plugin sees it. Immutable; any thread. */
final class TableView<T> implements Table<T> {
  private final DatabaseView view;
  private final TableModel model;
  private final RecordShape shape;
  private final Request<Void> registration;

  TableView(DatabaseView view, TableModel model, RecordShape shape, Request<Void> registration) {
    this.view = view;
    this.model = model;
    this.shape = shape;
    this.registration = registration;
  }

  @Override
  public String physicalName() {
    return model.name();
  }

  @Override
  public Pending<Void> registration() {
    return registration;
  }

  @Override
  public Pending<Long> insert(Collection<? extends T> rows) {
    Objects.requireNonNull(rows, "rows");
    return number(
        Requests.INSERT,
        request -> insert(request, model.insertRequest(), new TableRows(model, rows.toArray())));
  }

  @Override
  public Pending<Long> insert(T row) {
    Objects.requireNonNull(row, "row");
    return number(
        Requests.INSERT,
        request ->
            insert(request, model.insertRequest(), new TableRows(model, new Object[] {row})));
  }

  @Override
  public Pending<Long> insert(Rows<?> rows) {
    Objects.requireNonNull(rows, "rows");
    return number(
        Requests.INSERT,
        request -> {
          if (!(rows instanceof PageRows<?> known)) {
            throw new TickwellException(
                ErrorCode.INVALID_VALUE,
                "insert",
                "these rows are no result of Tickwell; insert them as a collection");
          }
          PageReader page = known.page();
          List<String> names = new ArrayList<>(page.columns());
          for (int column = 0; column < page.columns(); column++) {
            names.add(page.name(column));
          }
          Input slice = PageSlice.of(page, model);
          return insert(request, Requests.insert(model.name(), names), slice);
        });
  }

  /**
   * Fails at once what a table cannot do whose registration has failed. What is submitted earlier
   * waits for the registration in the library and fails there.
   */
  Function<Request<?>, Submission> checked(Function<Request<?>, Submission> draft) {
    return request -> {
      TickwellException failure = registration.failure();
      if (failure != null) {
        throw failure;
      }
      return draft.apply(request);
    };
  }

  private Submission insert(Request<?> request, byte[] body, Input input) {
    return new Submission(request, body, input, view.submissions());
  }

  private Pending<Long> number(int kind, Function<Request<?>, Submission> draft) {
    return view.submit(kind, model.name(), Completion::affected, null, checked(draft));
  }

  @Override
  public Select<T> select() {
    return new SelectDraft<>(this, view, model, shape);
  }

  @Override
  public Pending<Long> count(Filter... filters) {
    List<Filter> all = List.of(filters);
    return number(
        Requests.COUNT,
        request -> {
          Parameters parameters = new Parameters(view.owner().codecs());
          byte[] body = Requests.count(model, all, parameters);
          return new Submission(request, body, parameters, view.submissions());
        });
  }

  @Override
  public Pending<Long> delete(Filter first, Filter... more) {
    List<Filter> all = new ArrayList<>(List.of(more));
    all.addFirst(Objects.requireNonNull(first, "first"));
    return delete(all);
  }

  @Override
  public Pending<Long> deleteAll() {
    return delete(List.of());
  }

  private Pending<Long> delete(List<Filter> filters) {
    return number(
        Requests.DELETE,
        request -> {
          Parameters parameters = new Parameters(view.owner().codecs());
          byte[] body = Requests.delete(model, filters, parameters);
          return new Submission(request, body, parameters, view.submissions());
        });
  }
}
