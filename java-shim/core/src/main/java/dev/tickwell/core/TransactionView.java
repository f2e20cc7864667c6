package dev.tickwell.core;

import dev.tickwell.Aggregate;
import dev.tickwell.Delete;
import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.ReturningKeys;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.Transaction;
import dev.tickwell.TransactionSelect;
import dev.tickwell.Update;
import dev.tickwell.core.Requests.Function;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A transaction as its body sees it. Belongs to the thread that runs the body. */
final class TransactionView implements Transaction {
  private final DatabaseView view;
  private final long runtime;
  private final long handle;
  private final Thread thread = Thread.currentThread();
  private TickwellException failure;
  private volatile boolean ended;

  TransactionView(DatabaseView view, long runtime, long handle) {
    this.view = view;
    this.runtime = runtime;
    this.handle = handle;
  }

  /** Throws the first failure, when there was one. */
  void checkFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  void end() {
    ended = true;
  }

  @Override
  public <T> long insert(Table<T> table, Collection<? extends T> rows) {
    return insert(own(table).insertDraft(rows, Insertion.PLAIN));
  }

  @Override
  public <T> long insert(Table<T> table, T row) {
    return insert(own(table).insertDraft(row, Insertion.PLAIN));
  }

  @Override
  public <T> long insertIfAbsent(Table<T> table, Collection<? extends T> rows) {
    return insert(own(table).insertDraft(rows, Insertion.IF_ABSENT));
  }

  @Override
  public <T> long insertIfAbsent(Table<T> table, T row) {
    return insert(own(table).insertDraft(row, Insertion.IF_ABSENT));
  }

  @Override
  public <T> long upsert(Table<T> table, Collection<? extends T> rows, String... overwritten) {
    return insert(own(table).insertDraft(rows, Insertion.upsert(overwritten)));
  }

  @Override
  public <T> long upsert(Table<T> table, T row, String... overwritten) {
    return insert(own(table).insertDraft(row, Insertion.upsert(overwritten)));
  }

  @Override
  public <T> ReturningKeys<T, Rows<Row>> returningKeys(Table<T> table) {
    TableView<T> own = own(table);
    return new ReturningKeysView<>(own, draft -> run(Requests.INSERT, draft, own::readKeys));
  }

  private long insert(Draft draft) {
    return run(Requests.INSERT, draft, Completion::affected);
  }

  @Override
  public Update<Long> update(Table<?> table) {
    return new UpdateDraft<>(
        own(table), draft -> run(Requests.UPDATE, draft, Completion::affected));
  }

  @Override
  public <T> TransactionSelect<T> select(Table<T> table) {
    return new TransactionSelectDraft<>(this, own(table).select());
  }

  @Override
  public <T> Rows<T> select(Table<T> table, Filter first, Filter... more) {
    return select(table).where(first).where(more).fetch();
  }

  @Override
  public <T> Optional<T> find(Table<T> table, Object... key) {
    TableView<T> own = own(table);
    return run(Requests.SELECT, own.findDraft(key), own.select().firstReader());
  }

  @Override
  public long count(Table<?> table, Filter... filters) {
    return run(Requests.COUNT, own(table).countDraft(filters, false), Completion::affected);
  }

  @Override
  public boolean exists(Table<?> table, Filter... filters) {
    return run(Requests.COUNT, own(table).countDraft(filters, true), Completion::affected) > 0;
  }

  @Override
  public Optional<Number> sum(Table<?> table, String column, Filter... filters) {
    return own(table).aggregate(Function.SUM, column, Number.class, filters, this::ask);
  }

  @Override
  public <V> Optional<V> min(Table<?> table, String column, Class<V> type, Filter... filters) {
    return own(table).aggregate(Function.MIN, column, type, filters, this::ask);
  }

  @Override
  public <V> Optional<V> max(Table<?> table, String column, Class<V> type, Filter... filters) {
    return own(table).aggregate(Function.MAX, column, type, filters, this::ask);
  }

  @Override
  public Optional<Double> average(Table<?> table, String column, Filter... filters) {
    return own(table).aggregate(Function.AVERAGE, column, Double.class, filters, this::ask);
  }

  @Override
  public Aggregate<Row> aggregate(Table<?> table) {
    return new AggregateDraft<>(own(table), this::ask);
  }

  private <V> V ask(Draft draft, Request.Reader<V> reader) {
    return run(Requests.AGGREGATE, draft, reader);
  }

  @Override
  public Delete<Long> delete(Table<?> table) {
    return new DeleteDraft<>(
        own(table), draft -> run(Requests.DELETE, draft, Completion::affected));
  }

  @Override
  public long deleteByKey(Table<?> table, Object... key) {
    return run(Requests.DELETE, own(table).deleteByKeyDraft(key), Completion::affected);
  }

  @Override
  public long delete(Table<?> table, Filter first, Filter... more) {
    return run(Requests.DELETE, own(table).deleteDraft(first, more), Completion::affected);
  }

  @Override
  public Rows<Row> query(String sql, Object... parameters) {
    Draft draft = view.raw(Requests.RAW_QUERY, Objects.requireNonNull(sql, "sql"), parameters);
    return run(Requests.RAW_QUERY, draft, completion -> view.rows(completion.page()));
  }

  @Override
  public long update(String sql, Object... parameters) {
    Draft draft = view.raw(Requests.RAW_UPDATE, Objects.requireNonNull(sql, "sql"), parameters);
    return run(Requests.RAW_UPDATE, draft, Completion::affected);
  }

  @Override
  public TickwellException rollback(String reason) {
    checkThread();
    checkFailure();
    failure =
        new TickwellException(
            ErrorCode.CANCELLED,
            Effect.NONE,
            false,
            "transaction",
            "rolled back by its body",
            Map.of("reason", String.valueOf(reason)),
            null);
    throw failure;
  }

  private static <T> TableView<T> own(Table<T> table) {
    if (Objects.requireNonNull(table, "table") instanceof TableView<T> known) {
      return known;
    }
    throw DatabaseView.invalid("transaction", "this table was not registered with Tickwell");
  }

  private void checkThread() {
    if (ended || Thread.currentThread() != thread) {
      throw DatabaseView.invalid(
          "transaction",
          "a transaction is used by its body alone, on its thread and while it runs");
    }
  }

  /** Executes a statement and gives what is read of its result. */
  <T> T run(int kind, Draft draft, Request.Reader<T> reader) {
    checkThread();
    checkFailure();
    try {
      Draft.Content content = draft.make();
      if (content.input().tickReads() > 0) {
        throw Problems.of(
            ErrorCode.UNSUPPORTED,
            Requests.name(kind),
            "a value of this statement can be read on a tick thread only; read it before the"
                + " transaction");
      }
      long id = view.engine().nextId();
      Completion completion =
          new Completion(
              Native.executeInTransaction(
                  runtime, handle, id, content.body(), content.input().encode()));
      TickwellException problem = completion.error();
      if (problem != null) {
        throw problem;
      }
      Request.Result<T> result = reader.begin(completion);
      refuseTickValues(kind, result.rows());
      return result.value().get();
    } catch (RuntimeException e) {
      failure = Problems.wrap(e, Requests.name(kind));
      throw failure;
    }
  }

  /** Waiting for a tick thread would make all writes wait for it. */
  private static void refuseTickValues(int kind, PageRows<?> rows) {
    int column = rows == null ? -1 : rows.tickColumn();
    if (column >= 0) {
      throw Problems.of(
          ErrorCode.UNSUPPORTED,
          Requests.name(kind),
          "the values of this column can be made on a tick thread only; leave it out by columns(),"
              + " or read it outside of the transaction",
          "column",
          rows.columnName(column));
    }
  }
}
