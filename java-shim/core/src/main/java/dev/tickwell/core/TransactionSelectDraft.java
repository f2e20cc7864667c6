package dev.tickwell.core;

import dev.tickwell.Filter;
import dev.tickwell.Order;
import dev.tickwell.Rows;
import dev.tickwell.TransactionSelect;
import java.util.Optional;

/** A read in a transaction being built. Belongs to the thread of the transaction. */
final class TransactionSelectDraft<T> implements TransactionSelect<T> {
  private final TransactionView transaction;
  private final SelectDraft<T> select;

  TransactionSelectDraft(TransactionView transaction, SelectDraft<T> select) {
    this.transaction = transaction;
    this.select = select;
  }

  @Override
  public TransactionSelect<T> where(Filter... filters) {
    select.where(filters);
    return this;
  }

  @Override
  public TransactionSelect<T> columns(String... columns) {
    select.columns(columns);
    return this;
  }

  @Override
  public TransactionSelect<T> orderBy(Order... orders) {
    select.orderBy(orders);
    return this;
  }

  @Override
  public TransactionSelect<T> limit(int rows) {
    select.limit(rows);
    return this;
  }

  @Override
  public TransactionSelect<T> offset(int rows) {
    select.offset(rows);
    return this;
  }

  @Override
  public TransactionSelect<T> after(Object... values) {
    select.after(values);
    return this;
  }

  @Override
  public Rows<T> fetch() {
    return transaction.run(Requests.SELECT, select.draft(), select.reader());
  }

  @Override
  public Optional<T> first() {
    return transaction.run(Requests.SELECT, select.firstDraft(), select.firstReader());
  }
}
