package dev.tickwell.core;

import dev.tickwell.IndependentInserts;
import dev.tickwell.Pending;
import dev.tickwell.StoredParts;
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
    return insert(rows, Insertion.PLAIN);
  }

  @Override
  public Pending<StoredParts> insertIfAbsent(Collection<? extends T> rows) {
    return insert(rows, Insertion.IF_ABSENT);
  }

  @Override
  public Pending<StoredParts> upsert(Collection<? extends T> rows, String... overwritten) {
    return insert(rows, Insertion.upsert(overwritten));
  }

  private Pending<StoredParts> insert(Collection<? extends T> rows, Insertion how) {
    Draft draft = new FlaggedDraft(table.insertDraft(rows, how), Requests.INDEPENDENT);
    return view.submit(Requests.INSERT, table.name(), Completion::parts, null, draft);
  }
}
