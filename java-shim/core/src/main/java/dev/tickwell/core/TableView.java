package dev.tickwell.core;

import dev.tickwell.Aggregate;
import dev.tickwell.Delete;
import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.IndependentInserts;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Pending;
import dev.tickwell.ReturningKeys;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.Update;
import dev.tickwell.core.Requests.Function;
import dev.tickwell.core.Requests.InsertMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

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
  public Table<T> unordered() {
    return new TableView<>(view.unordered(), model, shape, registration);
  }

  @Override
  public IndependentInserts<T> independently() {
    return new IndependentView<>(view, this);
  }

  @Override
  public Pending<Long> insert(Collection<? extends T> rows) {
    return insert(rows, Insertion.PLAIN);
  }

  @Override
  public Pending<Long> insert(T row) {
    return insert(row, Insertion.PLAIN);
  }

  @Override
  public Pending<Long> insertIfAbsent(Collection<? extends T> rows) {
    return insert(rows, Insertion.IF_ABSENT);
  }

  @Override
  public Pending<Long> insertIfAbsent(T row) {
    return insert(row, Insertion.IF_ABSENT);
  }

  @Override
  public Pending<Long> upsert(Collection<? extends T> rows, String... overwritten) {
    return insert(rows, Insertion.upsert(overwritten));
  }

  @Override
  public Pending<Long> upsert(T row, String... overwritten) {
    return insert(row, Insertion.upsert(overwritten));
  }

  @Override
  public ReturningKeys<T, Pending<Rows<Row>>> returningKeys() {
    return new ReturningKeysView<>(
        this, draft -> view.submit(Requests.INSERT, model.name(), this::readKeys, null, draft));
  }

  /** The keys of inserted rows. */
  Rows<Row> readKeys(Completion completion) {
    PageReader page = completion.page();
    ObjectCodec<?>[] known = new ObjectCodec<?>[page.columns()];
    for (int column = 0; column < known.length; column++) {
      known[column] = model.column("insert", page.name(column)).codec();
    }
    return new PageRows<>(page, null, known, codecs());
  }

  private Pending<Long> insert(Collection<? extends T> rows, Insertion how) {
    return number(Requests.INSERT, insertDraft(rows, how));
  }

  private Pending<Long> insert(T row, Insertion how) {
    return number(Requests.INSERT, insertDraft(row, how));
  }

  @Override
  public Update<Pending<Long>> update() {
    return new UpdateDraft<>(this, draft -> number(Requests.UPDATE, draft));
  }

  TableModel model() {
    return model;
  }

  Codecs codecs() {
    return view.owner().codecs();
  }

  String name() {
    return model.name();
  }

  Draft insertDraft(Collection<? extends T> rows, Insertion how) {
    Objects.requireNonNull(rows, "rows");
    return insertDraft(rows.toArray(), how);
  }

  Draft insertDraft(T row, Insertion how) {
    Objects.requireNonNull(row, "row");
    return insertDraft(new Object[] {row}, how);
  }

  private Draft insertDraft(Object[] rows, Insertion how) {
    boolean fixed = !model.hasMutableColumns();
    return new Draft() {
      @Override
      public long fixedValues() {
        return fixed ? (long) rows.length * model.columns().size() : MUTABLE;
      }

      @Override
      public long lengths() {
        return TableRows.lengths(model, rows);
      }

      @Override
      public Content make() {
        checkRegistered();
        return new Content(model.insertRequest(how), new TableRows(model, rows));
      }
    };
  }

  @Override
  public Pending<Long> insert(Rows<?> rows) {
    Objects.requireNonNull(rows, "rows");
    return number(
        Requests.INSERT,
        new Draft() {
          @Override
          public long fixedValues() {
            return rows instanceof PageRows<?> known ? known.page().values() : 0;
          }

          @Override
          public long lengths() {
            return rows instanceof PageRows<?> known ? known.page().length() : 0;
          }

          @Override
          public Content make() {
            checkRegistered();
            return copy(rows);
          }
        });
  }

  private Draft.Content copy(Rows<?> rows) {
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
    return new Draft.Content(
        Requests.insert(model.name(), names, InsertMode.PLAIN), PageSlice.of(page, model));
  }

  /**
   * Fails what a table cannot do whose registration has failed. What is made earlier waits for the
   * registration in the library and fails there.
   */
  void checkRegistered() {
    TickwellException failure = registration.failure();
    if (failure != null) {
      throw failure;
    }
  }

  private Pending<Long> number(int kind, Draft draft) {
    return view.submit(kind, model.name(), Completion::affected, null, draft);
  }

  @Override
  public SelectDraft<T> select() {
    return new SelectDraft<>(this, view, model, shape);
  }

  @Override
  public Pending<Optional<T>> find(Object... key) {
    return view.submit(Requests.SELECT, model.name(), select().firstReader(), null, findDraft(key));
  }

  Draft findDraft(Object[] given) {
    KeyValues key = new KeyValues(model, given);
    return new FilteredDraft(this, codecs(), key.filters()) {
      @Override
      byte[] body(List<Filter> where, Parameters parameters) {
        key.check("select");
        Column[] columns = model.columns("select", new String[0]);
        return Requests.select(model, columns, where, List.of(), null, 0, parameters);
      }
    };
  }

  @Override
  public Pending<Long> deleteByKey(Object... key) {
    return number(Requests.DELETE, deleteByKeyDraft(key));
  }

  Draft deleteByKeyDraft(Object[] given) {
    KeyValues key = new KeyValues(model, given);
    return new FilteredDraft(this, codecs(), key.filters()) {
      @Override
      byte[] body(List<Filter> where, Parameters parameters) {
        key.check("delete");
        return Requests.delete(model, where, null, parameters);
      }
    };
  }

  @Override
  public Pending<Long> count(Filter... filters) {
    return number(Requests.COUNT, countDraft(filters, false));
  }

  @Override
  public Pending<Boolean> exists(Filter... filters) {
    return view.submit(
        Requests.COUNT,
        model.name(),
        completion -> completion.affected() > 0,
        null,
        countDraft(filters, true));
  }

  Draft countDraft(Filter[] filters, boolean exists) {
    return new FilteredDraft(this, view.owner().codecs(), filters.clone()) {
      @Override
      byte[] body(List<Filter> where, Parameters parameters) {
        return Requests.count(model, where, exists, parameters);
      }
    };
  }

  @Override
  public Pending<Optional<Number>> sum(String column, Filter... filters) {
    return one(Function.SUM, column, Number.class, filters);
  }

  @Override
  public <V> Pending<Optional<V>> min(String column, Class<V> type, Filter... filters) {
    return one(Function.MIN, column, type, filters);
  }

  @Override
  public <V> Pending<Optional<V>> max(String column, Class<V> type, Filter... filters) {
    return one(Function.MAX, column, type, filters);
  }

  @Override
  public Pending<Optional<Double>> average(String column, Filter... filters) {
    return one(Function.AVERAGE, column, Double.class, filters);
  }

  private <V> Pending<Optional<V>> one(
      Function function, String column, Class<V> type, Filter[] filters) {
    return aggregate(function, column, type, filters, this::ask);
  }

  /** One value alone. */
  <V, R> R aggregate(
      Function function,
      String column,
      Class<V> type,
      Filter[] filters,
      Asker<Optional<V>, R> asker) {
    Objects.requireNonNull(type, "type");
    String name = new Requests.AggregateValue(function, column).name();
    return new AggregateDraft<>(
            this,
            (draft, reader) ->
                asker.ask(
                    draft,
                    completion -> Optional.ofNullable(reader.read(completion).get(name, type))))
        .add(function, column)
        .where(filters)
        .fetch();
  }

  /** How an aggregate is asked for: by submitting it, or by executing it in a transaction. */
  interface Asker<V, R> {
    R ask(Draft draft, Request.Reader<V> reader);
  }

  private <V> Pending<V> ask(Draft draft, Request.Reader<V> reader) {
    return view.submit(Requests.AGGREGATE, model.name(), reader, null, draft);
  }

  @Override
  public Aggregate<Pending<Row>> aggregate() {
    return new AggregateDraft<>(this, this::ask);
  }

  @Override
  public Delete<Pending<Long>> delete() {
    return new DeleteDraft<>(this, draft -> number(Requests.DELETE, draft));
  }

  @Override
  public Pending<Long> delete(Filter first, Filter... more) {
    return number(Requests.DELETE, deleteDraft(first, more));
  }

  @Override
  public Pending<Long> deleteAll() {
    return number(Requests.DELETE, deleteDraft(new Filter[0]));
  }

  Draft deleteDraft(Filter first, Filter... more) {
    Filter[] all = new Filter[1 + more.length];
    all[0] = Objects.requireNonNull(first, "first");
    System.arraycopy(more, 0, all, 1, more.length);
    return deleteDraft(all);
  }

  private Draft deleteDraft(Filter[] filters) {
    return new FilteredDraft(this, view.owner().codecs(), filters) {
      @Override
      byte[] body(List<Filter> where, Parameters parameters) {
        return Requests.delete(model, where, null, parameters);
      }
    };
  }
}
