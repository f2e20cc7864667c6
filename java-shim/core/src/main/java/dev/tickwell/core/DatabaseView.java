package dev.tickwell.core;

import dev.tickwell.Database;
import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.TableBuilder;
import dev.tickwell.TickwellException;
import dev.tickwell.TransactionBody;
import dev.tickwell.TransactionFunction;
import dev.tickwell.TransactionOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One database as one plugin sees it; owns the order of that plugin's submits. Beside each one is
 * that for requests that take no part in the order, which shares everything with it. Any thread.
 */
final class DatabaseView implements Database {
  private final Engine engine;
  private final Owner owner;
  private final String name;
  private final Submissions submissions;
  private final Submissions unorderedSubmissions;
  // Itself, when it is the one without order.
  private final DatabaseView unordered;
  // Physical names by the names that the plugin uses.
  private final Map<String, String> tables;
  // The last registration of each physical table.
  private final Map<String, Registration> registrations;

  /** A registration as it went to the library; a database that is opened anew gets it again. */
  private static final class Registration {
    private final Request<?> request;
    private final byte[] body;
    private final byte[] page;

    Registration(Request<?> request, byte[] body, byte[] page) {
      this.request = request;
      this.body = body;
      this.page = page;
    }
  }

  DatabaseView(Engine engine, Owner owner, String name) {
    this.engine = engine;
    this.owner = owner;
    this.name = name;
    this.submissions = new Submissions(engine, name);
    this.unorderedSubmissions = new Submissions(engine, name);
    this.tables = new ConcurrentHashMap<>();
    this.registrations = new ConcurrentHashMap<>();
    this.unordered = new DatabaseView(this);
  }

  private DatabaseView(DatabaseView ordered) {
    this.engine = ordered.engine;
    this.owner = ordered.owner;
    this.name = ordered.name;
    this.submissions = ordered.submissions;
    this.unorderedSubmissions = ordered.unorderedSubmissions;
    this.tables = ordered.tables;
    this.registrations = ordered.registrations;
    this.unordered = this;
  }

  Engine engine() {
    return engine;
  }

  Owner owner() {
    return owner;
  }

  /** What is submitted in order. */
  Submissions submissions() {
    return submissions;
  }

  /** Waits until everything has been sent, up to a {@link System#nanoTime} deadline. */
  boolean awaitSubmitted(long deadline) {
    boolean sent = submissions.awaitEmpty(deadline);
    return unorderedSubmissions.awaitEmpty(deadline) && sent;
  }

  @Override
  public DatabaseView unordered() {
    return unordered;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public <R> TableBuilder<R> table(String table, Class<R> rows) {
    owner.checkOpen();
    return TableDraft.ofRecord(this, Objects.requireNonNull(table, "name"), rows);
  }

  @Override
  public TableBuilder<Row> table(String table) {
    owner.checkOpen();
    return TableDraft.ofRows(this, Objects.requireNonNull(table, "name"));
  }

  /** Makes a table known to this plugin's raw SQL. */
  void registered(String table, String physicalName) {
    tables.put(table, physicalName);
  }

  /** Remembers a registration that is being sent. */
  void sent(Request<?> request, byte[] body, byte[] page) {
    registrations.put(request.table(), new Registration(request, body, page));
  }

  /** Sends the registrations again; one that fails is logged as any request's failure is. */
  void registerAgain(OpenDatabase database) {
    for (Registration known : registrations.values()) {
      Request<Void> again =
          new Request<>(
              this,
              Requests.REGISTER,
              known.request.table(),
              completion -> registrationEnded(known.request.table(), completion),
              null,
              null,
              System.nanoTime());
      sent(again, known.body, known.page);
      try {
        owner.opened(again);
        again.sending();
        engine.sendAhead(database, again, known.body, known.page);
      } catch (RuntimeException e) {
        again.fail(Problems.wrap(e, Requests.name(Requests.REGISTER)));
      }
      again.prepared(0, false);
    }
  }

  /** The tables that were registered. */
  List<RegisteredTable> tables() {
    return registrations.values().stream()
        .map(known -> known.request)
        .map(
            request ->
                new RegisteredTable(
                    owner.name(), name, request.table(), request.isDone(), request.failure()))
        .toList();
  }

  @Override
  public Pending<Rows<Row>> query(String sql, Object... parameters) {
    Objects.requireNonNull(sql, "sql");
    return submit(
        Requests.RAW_QUERY,
        null,
        completion -> rows(completion.page()),
        null,
        raw(Requests.RAW_QUERY, sql, parameters));
  }

  @Override
  public Pending<Long> update(String sql, Object... parameters) {
    Objects.requireNonNull(sql, "sql");
    return submit(
        Requests.RAW_UPDATE,
        null,
        Completion::affected,
        null,
        raw(Requests.RAW_UPDATE, sql, parameters));
  }

  @Override
  public Pending<Void> transaction(TransactionBody body) {
    return transaction(TransactionOptions.DEFAULT, body);
  }

  @Override
  public <T> Pending<T> transactionResult(TransactionFunction<T> body) {
    return transactionResult(TransactionOptions.DEFAULT, body);
  }

  @Override
  public Pending<Void> transaction(TransactionOptions options, TransactionBody body) {
    Objects.requireNonNull(body, "body");
    return transactionResult(
        options,
        tx -> {
          body.run(tx);
          return null;
        });
  }

  @Override
  public <T> Pending<T> transactionResult(TransactionOptions options, TransactionFunction<T> body) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(body, "body");
    engine.checkCallbacks();
    long startedAt = System.nanoTime();
    Request<T> request =
        new Request<>(this, Requests.TRANSACTION, null, null, null, CallSite.capture(), startedAt);
    owner.opened(request);
    try {
      engine.checkAccepting();
      engine.transactions().submit(new TransactionRun<>(this, request, options, body));
    } catch (RuntimeException e) {
      request.fail(Problems.wrap(e, "transaction"));
    }
    request.prepared(System.nanoTime() - startedAt, engine.platform().onTickThread());
    return request;
  }

  Draft raw(int kind, String sql, Object[] given) {
    // A lone null in the place of the varargs is one null parameter.
    Object[] values = given == null ? new Object[1] : given.clone();
    return new Draft() {
      @Override
      public long fixedValues() {
        for (Object value : values) {
          if (!Draft.isFixed(value)) {
            return MUTABLE;
          }
        }
        return values.length;
      }

      @Override
      public long lengths() {
        long lengths = sql.length();
        for (Object value : values) {
          lengths += Draft.length(value);
        }
        return lengths;
      }

      @Override
      public Content make() {
        Parameters parameters = new Parameters(owner.codecs());
        for (Object value : values) {
          parameters.addRaw(Requests.name(kind), value);
        }
        return new Content(Requests.raw(kind, sql, tables), parameters);
      }
    };
  }

  Rows<Row> rows(PageReader page) {
    Codecs codecs = owner.codecs();
    ObjectCodec<?>[] known = new ObjectCodec<?>[page.columns()];
    for (int column = 0; column < known.length; column++) {
      known[column] = codecs.forStorage(page.type(column));
    }
    return new PageRows<>(page, null, known, codecs);
  }

  /**
   * Submits a request. What goes wrong from here on is the request's failure, so that callers have
   * one place to handle it.
   *
   * @param draft makes the bytes and copies the values, on this thread or on the encoder's
   * @throws TickwellException what no request could tell: {@code BUSY} while too many callbacks
   *     wait, {@code CLOSED} when the plugin is disabled
   */
  <T> Request<T> submit(
      int kind, String table, Request.Reader<T> reader, String publishAs, Draft draft) {
    engine.checkCallbacks();
    long startedAt = System.nanoTime();
    boolean onTickThread = engine.platform().onTickThread();
    // Walking the stack costs up to 40 µs in a cold tick, more than all the rest of a submit, and a
    // tenth of a small read in a callback, of which there may be very many.
    boolean often = onTickThread || WorkerPool.isWorker(Thread.currentThread());
    CallSite callSite = !often || owner.tellsCallSites() ? CallSite.capture() : null;
    Request<T> request = new Request<>(this, kind, table, reader, publishAs, callSite, startedAt);
    owner.opened(request);
    try {
      engine.checkAccepting();
      if (unordered == this && kind != Requests.REGISTER) {
        queueOfUnordered(table)
            .submit(request, new FlaggedDraft(draft, Requests.UNORDERED), onTickThread);
      } else {
        submissions.submit(request, draft, onTickThread);
      }
    } catch (Throwable thrown) {
      request.fail(Problems.wrap(thrown, Requests.name(kind)));
    }
    request.prepared(System.nanoTime() - startedAt, onTickThread);
    return request;
  }

  /** The library must hear of a table first; until then a request stays behind its registration. */
  private Submissions queueOfUnordered(String table) {
    Registration known = table == null ? null : registrations.get(table);
    return known != null && known.request.isDone() ? unorderedSubmissions : submissions;
  }

  /** Reads the result of a registration: logs what it changed of a table that was there. */
  Void registrationEnded(String table, Completion completion) {
    PageReader changes = completion.page();
    for (int row = 0; row < changes.rows(); row++) {
      engine.log(
          System.Logger.Level.INFO,
          owner.name(),
          "table " + table + " of " + name + ": " + changes.getText(row, 0),
          null);
    }
    return null;
  }

  /** The failure of a request that is decided before it begins. */
  static TickwellException invalid(String operation, String message) {
    return new TickwellException(ErrorCode.INVALID_STATEMENT, operation, message);
  }
}
