package dev.tickwell.core;

import dev.tickwell.Database;
import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Phases;
import dev.tickwell.SharedResults;
import dev.tickwell.TickwellException;
import java.lang.System.Logger.Level;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The engine of one server: loads the native library and owns its runtime and the worker threads.
 * All methods may be called on any thread.
 */
public final class Engine implements AutoCloseable {
  /** Ids must stay below this: a step carries its kind in the bits above. */
  private static final long ID_LIMIT = 1L << 48;

  private static final int COMPLETIONS_AT_ONCE = 256;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** How long a failure may wait for its handler before it is logged. */
  private static final long UNHANDLED_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** For how long callbacks may keep all others waiting before that is told. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What may wait to be encoded, as {@link Submission} weighs it. */
  private static final long MAX_QUEUED_BYTES = 64L << 20;

  /** While more wait, no request is made: the callback for its refusal would wait too. */
  static final int MAX_QUEUED_CALLBACKS = 100_000;

  /** Starts a small engine beside this one, of the same library. */
  interface Starter {
    Engine start(Platform platform);
  }

  private record Unhandled(Request<?> request, long since) {}

  private final Platform platform;
  private final long runtime;
  private final AtomicLong ids = new AtomicLong();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Codecs codecs = new Codecs(null);
  private final SharedResultsMap results = new SharedResultsMap();
  private final Map<String, OpenDatabase> databases = new ConcurrentHashMap<>();
  // Names of databases that are closed only to be opened again.
  private final Set<String> replacing = ConcurrentHashMap.newKeySet();
  private final Set<Owner> owners = ConcurrentHashMap.newKeySet();
  private final Set<Lane> lanes = ConcurrentHashMap.newKeySet();
  // Requests that the library has, by id.
  private final Map<Long, Request<?>> open = new ConcurrentHashMap<>();
  // Tick work that the library will send a record of, by id.
  private final Map<Long, Request<?>> records = new ConcurrentHashMap<>();
  private final Queue<Unhandled> unhandled = new ConcurrentLinkedQueue<>();
  private final WorkerPool workers;
  private final TransactionThreads transactions = new TransactionThreads();
  // Null when it is not wanted; it ends by itself.
  private final WarmUp warmUp;
  private volatile boolean closing;
  // Of the thread that takes results alone.
  private volatile boolean stuckTold;
  // Its handle is no longer valid, and nothing in it is left to be closed.
  private volatile boolean runtimeClosed;
  private ShutdownReport report;

  private Engine(EngineOptions options, Platform platform, long runtime) {
    this.platform = platform;
    this.runtime = runtime;
    this.workers = new WorkerPool(options.callbackThreads(), new Work());
    this.warmUp =
        options.warmUp() ? new WarmUp(Engine::startBeside, options.nativeFolder(), platform) : null;
  }

  /**
   * Loads the library and starts.
   *
   * @throws TickwellException {@code UNAVAILABLE} with the reason and the way out when the library
   *     cannot be loaded, {@code INVALID_CONFIG} for a setting
   */
  public static Engine start(EngineOptions options, Platform platform) {
    LibraryLoader.load(options);
    OwnClasses.loadAll();
    Engine engine = open(options, platform);
    if (engine.warmUp != null) {
      engine.warmUp.start();
    }
    return engine;
  }

  /** A small engine of the library that is loaded, without settings and warm-up. */
  static Engine startBeside(Platform platform) {
    return open(new EngineOptions(Path.of(""), null, Map.of(), 1, false), platform);
  }

  private static Engine open(EngineOptions options, Platform platform) {
    long runtime = Native.openRuntime(Wire.pairs(options.runtime()));
    Engine engine = new Engine(options, platform, runtime);
    engine.workers.start();
    return engine;
  }

  // ---- Databases, owners, lanes ----------------------------------------------------------------

  /**
   * Opens a database; its connections are made in the background.
   *
   * @param settings by their names in {@code docs/boundary.md}, without {@code name}
   * @throws TickwellException {@code INVALID_CONFIG} naming the setting, or the database that has
   *     this name or file already
   */
  public void openDatabase(String name, Map<String, String> settings) {
    checkAccepting();
    Map<String, String> pairs = new TreeMap<>(settings);
    if (pairs.put("name", name) != null) {
      throw Problems.of(
          ErrorCode.INVALID_CONFIG,
          "open",
          "the setting name is given by the database's own name; leave it out",
          "database",
          name);
    }
    synchronized (databases) {
      if (databases.containsKey(name)) {
        throw Problems.of(
            ErrorCode.INVALID_CONFIG,
            "open",
            "a database of this name is open already; close it first",
            "database",
            name);
      }
      Path file = file(name, settings.get("path"));
      for (OpenDatabase other : databases.values()) {
        if (other.has(file)) {
          throw Problems.of(
              ErrorCode.INVALID_CONFIG,
              "open",
              "the file " + file + " is open as database " + other.name() + " already",
              "database",
              name);
        }
      }
      OpenDatabase database =
          new OpenDatabase(name, Native.openDatabase(runtime, Wire.pairs(pairs)), file);
      // Before anybody can find it: nothing must reach a table ahead of its registration.
      registerAgain(database);
      databases.put(name, database);
    }
  }

  /** The file of a database, or null for one without. */
  private static Path file(String database, String path) {
    try {
      return path == null ? null : Path.of(path);
    } catch (InvalidPathException e) {
      throw Problems.of(
          ErrorCode.INVALID_CONFIG,
          "open",
          "the path is none: " + e.getMessage().replace("\0", "\\0"),
          "database",
          database);
    }
  }

  /** Makes the tables of plugins that are enabled known to a database that was opened anew. */
  private void registerAgain(OpenDatabase database) {
    for (Owner owner : owners) {
      owner.viewOf(database.name()).ifPresent(view -> view.registerAgain(database));
    }
  }

  /**
   * Closes a database and opens it with other settings; blocks at most for about the limit. The
   * tables that plugins registered are registered again, so their {@code Table} objects go on.
   * Requests that are submitted in between fail with {@code CLOSED} and may be tried again.
   *
   * @param settings as for {@link #openDatabase}
   * @return what was accepted before and not written; each of these requests has failed too
   * @throws TickwellException {@code INVALID_CONFIG} naming the setting, or when no database has
   *     that name; in the first case the database is closed
   */
  public ShutdownReport replaceDatabase(String name, Map<String, String> settings, Duration limit) {
    checkAccepting();
    replacing.add(name);
    try {
      ShutdownReport left = closeDatabase(name, limit);
      openDatabase(name, settings);
      return left;
    } finally {
      replacing.remove(name);
    }
  }

  /** The tables that enabled plugins have registered in open databases, by database and name. */
  public List<RegisteredTable> tables() {
    List<RegisteredTable> tables = new ArrayList<>();
    for (Owner owner : owners) {
      tables.addAll(owner.tables());
    }
    tables.removeIf(table -> !databases.containsKey(table.database()));
    tables.sort(
        Comparator.comparing(RegisteredTable::database)
            .thenComparing(RegisteredTable::table)
            .thenComparing(RegisteredTable::plugin));
    return tables;
  }

  /**
   * Flushes and closes a database; blocks at most for about the limit.
   *
   * @return what was accepted and not written; each of these requests has failed too
   * @throws TickwellException {@code INVALID_CONFIG} when no database has that name
   */
  public ShutdownReport closeDatabase(String name, Duration limit) {
    OpenDatabase database;
    synchronized (databases) {
      database = open(name);
      databases.remove(name);
    }
    byte[] unwritten = Native.closeDatabase(runtime, database.handle(), limit.toNanos());
    return new ShutdownReport(Wire.readPairs(unwritten), 0);
  }

  /**
   * Copies a database, as it is at one moment and while it is in use, into a new file, and checks
   * the copy. Blocks until that has ended; meant for a thread of its own, which yields to ticks
   * from then on. How far it is stands in the {@link #statistics}. Closing the database ends it.
   *
   * @param file an absolute path in a folder that exists; nothing is overwritten
   * @throws TickwellException what went wrong; no file is left then. {@code BUSY} while another
   *     copy of the database is made, {@code INVALID_CONFIG} for an unknown database or a wrong
   *     path
   */
  public void backup(String name, Path file) {
    checkAccepting();
    OpenDatabase database = open(name);
    Native.background();
    Native.backupDatabase(runtime, database.handle(), file.toString());
  }

  /** The names of the open databases. */
  public Set<String> databases() {
    return Set.copyOf(databases.keySet());
  }

  OpenDatabase open(String name) {
    OpenDatabase database = databases.get(name);
    if (database == null && replacing.contains(name)) {
      throw beingReplaced(name);
    }
    if (database == null) {
      throw Problems.of(
          ErrorCode.INVALID_CONFIG,
          "database",
          "no database of this name is open; open are " + String.join(", ", databases()),
          "database",
          name);
    }
    return database;
  }

  private static TickwellException beingReplaced(String name) {
    return new TickwellException(
        ErrorCode.CLOSED,
        Effect.NONE,
        true,
        "submit",
        "the database is being opened with other settings; try again in a moment",
        Map.of("database", name),
        null);
  }

  /** Makes a plugin known. One owner per enabled plugin. */
  public Owner owner(String pluginName) {
    checkAccepting();
    int number = Native.openOwner(runtime, pluginName);
    Owner owner = new Owner(this, pluginName, number, codecs);
    owners.add(owner);
    return owner;
  }

  void ownerClosed(Owner owner) {
    results.ownerClosed(owner);
    if (owners.remove(owner) && !runtimeClosed) {
      Native.closeOwner(runtime, owner.number());
    }
    for (Lane lane : lanes) {
      lane.forget(owner);
    }
  }

  /**
   * A database as one plugin sees it.
   *
   * @throws TickwellException {@code INVALID_CONFIG} when no database has that name
   */
  public Database database(Owner owner, String name) {
    open(name);
    return owner.view(name);
  }

  /**
   * Makes a type known.
   *
   * @param owner for whose tables, or null for everyone's
   * @throws TickwellException {@code INVALID_STATEMENT} for a codec with a storage that is not for
   *     codecs
   */
  public void register(Owner owner, ObjectCodec<?> codec) {
    (owner == null ? codecs : owner.codecs()).register(codec);
  }

  /** The results that plugins publish. */
  public SharedResults shared() {
    return results;
  }

  SharedResultsMap results() {
    return results;
  }

  /** A lane for one tick thread. */
  public Lane openLane() {
    checkAccepting();
    Lane lane = new Lane(this, Native.openLane(runtime));
    lanes.add(lane);
    return lane;
  }

  void laneClosed(Lane lane, long handle) {
    lanes.remove(lane);
    if (!runtimeClosed) {
      Native.closeLane(runtime, handle);
    }
  }

  // ---- What requests use -----------------------------------------------------------------------

  Platform platform() {
    return platform;
  }

  /** Where asynchronous callbacks and dependents of futures run. */
  Executor callbacks() {
    return workers;
  }

  WorkerPool workers() {
    return workers;
  }

  long nextId() {
    long id = ids.incrementAndGet();
    if (id >= ID_LIMIT) {
      throw new IllegalStateException("all request ids are used up");
    }
    return id;
  }

  /** Refuses new work while closing. */
  void checkAccepting() {
    if (closing) {
      throw new TickwellException(ErrorCode.CLOSED, "submit", "Tickwell is shutting down");
    }
  }

  /** Refuses requests while callbacks pile up behind one that does not end. */
  void checkCallbacks() {
    if (workers.queued() > MAX_QUEUED_CALLBACKS) {
      throw Problems.of(
          ErrorCode.BUSY,
          "submit",
          "more than "
              + MAX_QUEUED_CALLBACKS
              + " asynchronous callbacks wait; one of those that run does not end");
    }
  }

  /** Whether something waits to be encoded. */
  boolean isEncoding() {
    return queuedBytes.get() > 0;
  }

  void reserveEncoding(long bytes) {
    long total = queuedBytes.addAndGet(bytes);
    // One write alone may be larger: the page's own limit is what refuses it.
    if (total > MAX_QUEUED_BYTES && total != bytes) {
      queuedBytes.addAndGet(-bytes);
      throw Problems.of(
          ErrorCode.BUSY,
          "submit",
          "more than "
              + (MAX_QUEUED_BYTES >> 20)
              + " MiB of requests wait to be encoded; write less at once, or see whether a write"
              + " waits for a tick thread that has stopped");
    }
  }

  void releaseEncoding(long bytes) {
    queuedBytes.addAndGet(-bytes);
  }

  /** Whether this thread executes a request after its callback: a read, which holds up little. */
  boolean keeps(Request<?> request) {
    return !Requests.isWrite(request.kind()) && workers.mayKeep();
  }

  /** Gives a request to the library; true when its execution is left to one of our threads. */
  boolean send(Request<?> request, byte[] body, byte[] page) {
    OpenDatabase database = open(request.view().name());
    if (request.kind() == Requests.REGISTER) {
      request.view().sent(request, body, page);
    }
    try {
      return send(database, request, body, page, keeps(request) || workers.hasIdle());
    } catch (TickwellException e) {
      // It was found open, and closed before this got there.
      if (isClosed(e) && replacing.contains(database.name())) {
        throw beingReplaced(database.name());
      }
      throw e;
    }
  }

  /** Gives a request to a database that cannot be found by its name yet, for its own threads. */
  void sendAhead(OpenDatabase database, Request<?> request, byte[] body, byte[] page) {
    send(database, request, body, page, false);
  }

  private boolean send(
      OpenDatabase database, Request<?> request, byte[] body, byte[] page, boolean offer) {
    open.put(request.id(), request);
    StreamRun<?> stream = request.stream();
    try {
      if (stream != null) {
        stream.send(runtime, database.handle(), request, body, page);
        return false;
      }
      return Native.submit(
          runtime, database.handle(), request.id(), request.owner().number(), body, page, offer);
    } catch (RuntimeException e) {
      open.remove(request.id());
      throw e;
    }
  }

  long runtime() {
    return runtime;
  }

  TransactionThreads transactions() {
    return transactions;
  }

  /** True when the library will end it as cancelled; false when it has ended. */
  boolean cancel(long requestId) {
    try {
      return Native.cancel(runtime, requestId);
    } catch (TickwellException e) {
      // The runtime was closed in the meantime, and every request with it.
      if (isClosed(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Lets a stream read more pages; nothing when it has ended. */
  void credit(long requestId, int pages) {
    try {
      Native.credit(runtime, requestId, pages);
    } catch (TickwellException e) {
      if (!isClosed(e)) {
        throw e;
      }
    }
  }

  void expectRecord(long id, Request<?> request) {
    records.put(id, request);
  }

  void forgetRecord(long id) {
    records.remove(id);
  }

  void record(Request<?> request, Phases phases) {
    OpenDatabase database = databases.get(request.view().name());
    // Each page of a stream is recorded as a select.
    if (database == null || closing || request.stream() != null) {
      return;
    }
    try {
      Native.record(runtime, database.handle(), request.kind(), PhaseTimes.fields(phases));
    } catch (TickwellException e) {
      // Closed in the meantime: there is nothing left to count in.
      if (!isClosed(e)) {
        throw e;
      }
    }
  }

  // ---- The worker threads ----------------------------------------------------------------------

  /** Executes something of a database and gives the results. */
  @FunctionalInterface
  private interface Execution {
    byte[][] run(long runtime, long database);
  }

  private final class Work implements WorkerPool.Duties {
    @Override
    public void started() {
      Native.background();
    }

    @Override
    public boolean takeResults() {
      long wait = unhandled.isEmpty() ? IDLE_NANOS : UNHANDLED_NANOS;
      byte[][] taken;
      try {
        taken = Native.awaitCompletions(runtime, COMPLETIONS_AT_ONCE, wait);
      } catch (RuntimeException | Error e) {
        if (isClosed(e)) {
          return false;
        }
        // The library keeps what was not handed over, so the next call gets it.
        log(Level.ERROR, null, "completions could not be taken and are asked for again", e);
        LockSupport.parkNanos(RETRY_NANOS);
        return true;
      }
      if (taken == null) {
        return false;
      }
      complete(taken);
      logUnhandled(System.nanoTime() - UNHANDLED_NANOS);
      for (Owner owner : owners) {
        logSlow(owner, owner.slowCallbacks().due());
        logOutages(owner, owner.outages().due());
      }
      logStuck();
      return true;
    }

    @Override
    public boolean send(Submissions next) {
      return next.sendFirst();
    }

    @Override
    public void execute(String name) {
      execute(name, Native::execute);
    }

    @Override
    public void executeRead(String name) {
      execute(name, Native::executeRead);
    }

    private void execute(String name, Execution execution) {
      OpenDatabase database = databases.get(name);
      if (database == null) {
        // Closed, which has ended its requests.
        return;
      }
      byte[][] results;
      try {
        results = execution.run(runtime, database.handle());
      } catch (RuntimeException | Error e) {
        if (!isClosed(e)) {
          // The leader gets what could not be handed over.
          log(Level.ERROR, null, "what a worker thread was to execute is left to others", e);
          decline(name);
        }
        return;
      }
      complete(results);
    }

    @Override
    public void decline(String name) {
      OpenDatabase database = databases.get(name);
      if (database == null) {
        return;
      }
      try {
        Native.wakeDatabase(runtime, database.handle());
      } catch (RuntimeException | Error e) {
        if (!isClosed(e)) {
          log(Level.ERROR, null, "the threads of " + name + " could not be woken", e);
        }
      }
    }

    @Override
    public void failed(Throwable thrown) {
      log(Level.ERROR, null, "a task on a worker thread threw " + thrown, thrown);
    }
  }

  private static boolean isClosed(Throwable thrown) {
    return thrown instanceof TickwellException e
        && (e.code() == ErrorCode.INVALID_HANDLE || e.code() == ErrorCode.CLOSED);
  }

  private void complete(byte[][] completions) {
    for (byte[] bytes : completions) {
      try {
        complete(new Completion(bytes), System.nanoTime());
      } catch (RuntimeException | Error e) {
        log(Level.ERROR, null, "a completion could not be handled", e);
      }
    }
  }

  private void complete(Completion completion, long takenAt) {
    long id = completion.requestId();
    switch (completion.event()) {
      case Completion.EVENT_RESULT -> {
        Request<?> request = open.remove(id);
        if (request != null) {
          request.arrived(completion, takenAt);
        }
      }
      case Completion.EVENT_PAGE -> {
        Request<?> request = open.get(id);
        if (request != null) {
          request.stream().page(request, completion, takenAt);
        }
      }
      case Completion.EVENT_TICK_RECORD -> {
        Request<?> request = records.remove(id);
        if (request != null) {
          request.tickRecord(completion);
        }
      }
      default -> log(Level.ERROR, null, "a completion of kind " + completion.event(), null);
    }
  }

  // ---- Messages --------------------------------------------------------------------------------

  void log(Level level, String owner, String message, Throwable cause) {
    platform.log(level, owner, message, cause);
  }

  /** Remembers a failure without a handler; it may still get one in the next moment. */
  void unhandled(Request<?> request) {
    unhandled.add(new Unhandled(request, System.nanoTime()));
  }

  private void logUnhandled(long until) {
    for (Unhandled next = unhandled.peek();
        next != null && next.since - until <= 0;
        next = unhandled.peek()) {
      unhandled.remove();
      TickwellException failure = next.request.unhandledFailure();
      if (failure != null) {
        logFailure(next.request, failure);
      }
    }
  }

  /** Logs a failure that its plugin does not handle. */
  void logFailure(Request<?> request, TickwellException failure) {
    if (failure.code() == ErrorCode.GONE || failure.code() == ErrorCode.CANCELLED) {
      return;
    }
    Owner owner = request.owner();
    owner.tellCallSites();
    if (!owner.outages().tells(request.view().name(), failure.code(), request.describe())) {
      return;
    }
    log(
        Level.ERROR,
        owner.name(),
        request.describe() + " failed and nobody handled it: " + failure.getMessage(),
        failure);
  }

  /**
   * Names a plugin whose callbacks took more of a tick than everyone's budget.
   *
   * @param first whether one of them was never slow before
   */
  void slow(Request<?> request, long nanos, boolean first) {
    if (first && nanos < SlowCallbacks.SLOW_FIRST_NANOS) {
      return;
    }
    Owner owner = request.owner();
    owner.tellCallSites();
    logSlow(owner, owner.slowCallbacks().add(request.describe(), nanos));
  }

  /** Tells, once, that callbacks which do not end keep all others from running. */
  private void logStuck() {
    String line = stuckCallbacks(System.nanoTime() - STUCK_NANOS);
    if (line != null && !stuckTold) {
      log(Level.WARNING, null, line, null);
    }
    stuckTold = line != null;
  }

  /** The callbacks behind which all others wait since a {@link System#nanoTime}, or null. */
  String stuckCallbacks(long since) {
    List<Thread> stuck = workers.stuckSince(since);
    if (stuck.isEmpty()) {
      return null;
    }
    List<String> places = new ArrayList<>();
    for (Thread thread : stuck) {
      for (Owner owner : owners) {
        if (owner.runsOn(thread)) {
          places.add(owner.name() + " at " + CallSite.of(thread));
        }
      }
    }
    return "all "
        + stuck.size()
        + " threads for callbacks are taken by some that do not end, and "
        + workers.queued()
        + " callbacks wait: "
        + String.join(", ", places)
        + "; a callback must not wait for another one or for a result";
  }

  private void logSlow(Owner owner, String line) {
    if (line != null) {
      log(Level.WARNING, owner.name(), line, null);
    }
  }

  private void logOutages(Owner owner, List<String> lines) {
    lines.forEach(line -> log(Level.ERROR, owner.name(), line, null));
  }

  /** Counters and times by name, as the status command shows them; none once it is closing. */
  public Map<String, String> statistics() {
    if (closing) {
      return Map.of();
    }
    Map<String, String> statistics = new TreeMap<>(Wire.readPairs(Native.statistics(runtime)));
    statistics.put("java.requests.open", Integer.toString(open.size()));
    statistics.put("java.tick-records.expected", Integer.toString(records.size()));
    statistics.put("java.owners", Integer.toString(owners.size()));
    statistics.put("java.callbacks.queued", Integer.toString(workers.queued()));
    statistics.put("java.encoder.queued-bytes", Long.toString(queuedBytes.get()));
    statistics.put("java.shared-results", Integer.toString(results.size()));
    return statistics;
  }

  // ---- The end ---------------------------------------------------------------------------------

  /**
   * Ends everything: new requests are refused, accepted writes are flushed, the rest is cancelled,
   * all threads are joined. Blocks at most for about the limit. The first call counts; later ones
   * give its report.
   */
  public synchronized ShutdownReport close(Duration limit) {
    if (report != null) {
      return report;
    }
    closing = true;
    long deadline = System.nanoTime() + limit.toNanos();
    stopWarmUp(deadline);
    // What was accepted must have reached the library before that is asked to flush.
    for (Owner owner : owners) {
      owner.awaitSubmitted(deadline);
    }
    endRequests(deadline);
    Map<String, String> unwritten = new HashMap<>();
    for (Lane lane : List.copyOf(lanes)) {
      lane.close();
    }
    long left = Math.max(0, deadline - System.nanoTime());
    try {
      unwritten.putAll(Wire.readPairs(Native.closeRuntime(runtime, left)));
    } catch (TickwellException e) {
      log(Level.ERROR, null, "the engine did not close cleanly", e);
    }
    transactions.stop();
    awaitResults(deadline);
    runtimeClosed = true;
    List<Request<?>> abandoned = new ArrayList<>(open.values());
    open.clear();
    for (Request<?> request : abandoned) {
      Effect effect = Requests.isWrite(request.kind()) ? Effect.UNKNOWN : Effect.NONE;
      request.fail(
          new TickwellException(
              ErrorCode.CLOSED,
              effect,
              false,
              Requests.name(request.kind()),
              "Tickwell was shut down before the answer came",
              Map.of(),
              null));
    }
    logUnhandled(System.nanoTime());
    for (Owner owner : List.copyOf(owners)) {
      logOutages(owner, owner.outages().rest());
      owner.close();
    }
    stopWorkers(deadline);
    databases.clear();
    report = new ShutdownReport(unwritten, abandoned.size());
    return report;
  }

  private void stopWarmUp(long deadline) {
    try {
      if (warmUp != null && !warmUp.stop(deadline)) {
        log(Level.WARNING, null, "the warm-up was still running at the end", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void endRequests(long deadline) {
    try {
      if (!workers.endRequests(atLeast100Millis(deadline))) {
        log(Level.WARNING, null, "requests were still being encoded at the end", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitResults(long deadline) {
    try {
      workers.awaitResults(atLeast100Millis(deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stopWorkers(long deadline) {
    try {
      if (!workers.stop(atLeast100Millis(deadline))) {
        log(Level.WARNING, null, "callbacks were still running at the end", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long atLeast100Millis(long deadline) {
    return Math.max(deadline - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(100))
        + System.nanoTime();
  }

  /** {@link #close(Duration)} with 8 seconds: containers kill after 10. */
  @Override
  public void close() {
    close(Duration.ofSeconds(8));
  }
}
