package dev.tickwell.core;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.Filter;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.Transaction;
import dev.tickwell.Update;
import dev.tickwell.core.Requests.InsertMode;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

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
    return insert(own(table).insertDraft(rows, InsertMode.PLAIN));
  }

  @Override
  public <T> long insert(Table<T> table, T row) {
    return insert(own(table).insertDraft(row, InsertMode.PLAIN));
  }

  @Override
  public <T> long insertIfAbsent(Table<T> table, Collection<? extends T> rows) {
    return insert(own(table).insertDraft(rows, InsertMode.IF_ABSENT));
  }

  @Override
  public <T> long upsert(Table<T> table, Collection<? extends T> rows) {
    return insert(own(table).insertDraft(rows, InsertMode.UPSERT));
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
  public <T> Rows<T> select(Table<T> table, Filter... filters) {
    SelectDraft<T> select = own(table).select();
    select.where(filters);
    return run(Requests.SELECT, select.draft(), select.reader());
  }

  @Override
  public long count(Table<?> table, Filter... filters) {
    return run(Requests.COUNT, own(table).countDraft(filters, false), Completion::affected);
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

  private <T> T run(int kind, Draft draft, Request.Reader<T> reader) {
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
      return reader.read(completion);
    } catch (RuntimeException e) {
      failure = Problems.wrap(e, Requests.name(kind));
      throw failure;
    }
  }
}
