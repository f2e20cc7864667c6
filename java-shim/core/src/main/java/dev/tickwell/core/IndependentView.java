package dev.tickwell.core;

import dev.tickwell.IndependentInserts;
import dev.tickwell.Pending;
import dev.tickwell.StoredParts;
import dev.tickwell.core.Requests.InsertMode;
import java.util.Collection;

/** Inserts into one table of which each part is stored or refused by itself. Any thread. */
final class IndependentView<T> implements IndependentInserts<T> {
  private final DatabaseView view;
  private final TableView<T> table;

  IndependentView(DatabaseView view, TableView<T> table) {
    this.view = view;
    this.table = table;
  }

  @Override
  public Pending<StoredParts> insert(Collection<? extends T> rows) {
    return insert(rows, InsertMode.PLAIN);
  }

  @Override
  public Pending<StoredParts> insertIfAbsent(Collection<? extends T> rows) {
    return insert(rows, InsertMode.IF_ABSENT);
  }

  @Override
  public Pending<StoredParts> upsert(Collection<? extends T> rows) {
    return insert(rows, InsertMode.UPSERT);
  }

  private Pending<StoredParts> insert(Collection<? extends T> rows, InsertMode mode) {
    Draft draft = new FlaggedDraft(table.insertDraft(rows, mode), Requests.INDEPENDENT);
    return view.submit(Requests.INSERT, table.name(), Completion::parts, null, draft);
  }
}
