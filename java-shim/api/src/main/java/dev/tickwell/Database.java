package dev.tickwell;

/**
 * One database as one plugin sees it. Every method may be called on any thread, returns at once and
 * never blocks; results and failures arrive through {@link Pending}. Two failures have no way there
 * and are thrown by what makes a request, here and in {@link Table}, {@link TableBuilder} and
 * {@link Select}: {@code CLOSED} after the plugin was disabled, and {@code BUSY} while more than
 * 100,000 asynchronous callbacks wait behind some that do not end.
 */
public interface Database {

  /** The name under which the configuration knows this database. */
  String name();

  /**
   * The same database for raw statements that take no part in the order, and for tables that are
   * declared through it; as {@link Table#unordered}. An ordered raw query waits for every write
   * before it, and what reads after an ordered raw update waits for that; these do not.
   * Registrations and transactions keep their places.
   */
  Database unordered();

  /**
   * Begins the declaration of a table whose rows are records, or objects of a class that is like
   * one: it has one public constructor whose parameters' names are known, and gives the value of
   * each by a method of that name, a getter or a field. The names are known when javac compiles
   * with {@code -parameters}, and in Kotlin data classes. Components become columns of the same
   * name: primitives are not nullable, other types are unless they are a {@link Key} or {@link
   * NotNull}.
   *
   * @param name the table's name without the plugin's prefix
   * @throws TickwellException {@code INVALID_STATEMENT} when the class is not like a record, which
   *     says why, or when a component has a type that no column can keep
   */
  <R> TableBuilder<R> table(String name, Class<R> rows);

  /**
   * Begins the declaration of a table whose columns are named one by one and whose rows are {@link
   * Row}s.
   */
  TableBuilder<Row> table(String name);

  /**
   * Runs SQL that returns rows.
   *
   * @param sql the text, with {@code ?} for each parameter and <code>{name}</code> for the physical
   *     name of this plugin's table
   * @param parameters in the order of the {@code ?}; their number is checked before anything is
   *     sent
   */
  Pending<Rows<Row>> query(String sql, Object... parameters);

  /** Runs SQL that changes rows and gives how many, or -1 where the database does not tell. */
  Pending<Long> update(String sql, Object... parameters);

  /**
   * Runs several statements as one: all are stored, or none. The body runs on a thread of its own
   * kind; it gets its turn behind the writes that were submitted before, later writes wait for its
   * end, and reads from outside see the state before it. Waiting in it for a request from outside
   * is refused with {@code WRONG_THREAD}: that request may wait for this very transaction.
   *
   * <p>The result has no value. A body that gives one belongs to {@link #transactionResult}.
   */
  Pending<Void> transaction(TransactionOptions options, TransactionBody body);

  /** {@link #transaction(TransactionOptions, TransactionBody)} with the default options. */
  Pending<Void> transaction(TransactionBody body);

  /**
   * Runs several statements as one, as {@link #transaction(TransactionOptions, TransactionBody)},
   * and gives what the body returned in the try that was committed.
   */
  <T> Pending<T> transactionResult(TransactionOptions options, TransactionFunction<T> body);

  /**
   * {@link #transactionResult(TransactionOptions, TransactionFunction)} with the default options.
   */
  <T> Pending<T> transactionResult(TransactionFunction<T> body);
}
