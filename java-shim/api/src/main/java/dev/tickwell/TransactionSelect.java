package dev.tickwell;

import java.util.Optional;

/**
 * A read in a transaction being built, with the meaning of {@link Select}. Belongs to the thread of
 * the transaction's body. Columns whose values can be made on a tick thread only, as {@link
 * ObjectCodec#requiresTickThread} tells, are refused with {@code UNSUPPORTED}: leave them out by
 * {@link #columns}, or read them outside.
 */
public interface TransactionSelect<T> {

  /** As {@link Select#where}. */
  TransactionSelect<T> where(Filter... filters);

  /** As {@link Select#columns}. */
  TransactionSelect<T> columns(String... columns);

  /** As {@link Select#orderBy}. */
  TransactionSelect<T> orderBy(Order... orders);

  /** As {@link Select#limit}. */
  TransactionSelect<T> limit(int rows);

  /** As {@link Select#offset}. */
  TransactionSelect<T> offset(int rows);

  /** As {@link Select#after}. */
  TransactionSelect<T> after(Object... values);

  /** Reads the rows; no more than {@link Select#fetch} may. */
  Rows<T> fetch();

  /** Reads the first row only; empty when there is none. */
  Optional<T> first();
}
