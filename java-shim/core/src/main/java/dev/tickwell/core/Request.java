package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.Pending;
import dev.tickwell.Phases;
import dev.tickwell.Rows;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One request from submit to its last callback. It ends once, under its own lock; callbacks and
 * futures run outside of the lock: on the callback executor, or in a {@link ResultTask} on a tick
 * thread.
 */
final class Request<T> implements Pending<T> {
  /** Makes the value of a result, on the worker thread that has it. */
  interface Reader<T> {
    T read(Completion completion);

    /** The same in two steps, between which values that need a tick thread can be made. */
    default Result<T> begin(Completion completion) {
      T value = read(completion);
      return new Result<>(value instanceof PageRows<?> rows ? rows : null, () -> value);
    }
  }

  /**
   * A result that has been read.
   *
   * @param rows the rows in it, or null
   * @param value gives what callers get, once the rows' values are made
   */
  record Result<T>(PageRows<?> rows, Supplier<T> value) {}

  private record Listener<T>(
      Target target, Consumer<? super T> done, Consumer<? super TickwellException> failed) {}

  /** Whether the library has it, so that only the library can end it. */
  private enum Stage {
    PREPARING,
    SENT,
    ARRIVED
  }

  private final DatabaseView view;
  private final int kind;
  private final String table;
  private final Reader<T> reader;
  private final String publishAs;
  private final long id;
  private final RequestList.Link link = new RequestList.Link();
  // Null where finding it would have cost time of a tick.
  private final CallSite callSite;

  // Everything below is guarded by this.
  private final PhaseTimes times;
  private final List<Listener<T>> listeners = new ArrayList<>(2);
  private final List<TickFuture<T>> futures = new ArrayList<>(1);
  private final List<TickFuture<Phases>> phaseFutures = new ArrayList<>(1);
  // Every future that was given out and is not completed yet.
  private final List<TickFuture<?>> openFutures = new ArrayList<>(1);
  private Stage stage = Stage.PREPARING;
  private boolean ended;
  private boolean withdrawn;
  private boolean ownerGone;
  private boolean handled;
  private boolean published;
  private boolean recorded;
  private T value;
  // What the value is made by when its rows are; null before and afterwards.
  private Supplier<T> unfinished;
  private TickwellException failure;
  // What the phases wait for: the preparation, and each piece of tick work until its record came.
  private int openParts = 1;

  Request(
      DatabaseView view,
      int kind,
      String table,
      Reader<T> reader,
      String publishAs,
      CallSite callSite,
      long startedAt) {
    this.view = view;
    this.kind = kind;
    this.table = table;
    this.reader = reader;
    this.publishAs = publishAs;
    this.published = publishAs == null;
    this.id = view.engine().nextId();
    this.callSite = callSite;
    this.times = new PhaseTimes(startedAt);
  }

  Owner owner() {
    return view.owner();
  }

  private Engine engine() {
    return view.engine();
  }

  DatabaseView view() {
    return view;
  }

  int kind() {
    return kind;
  }

  /** The physical table, or null. */
  String table() {
    return table;
  }

  long id() {
    return id;
  }

  /** Null where finding it would have cost time of a tick. */
  CallSite callSite() {
    return callSite;
  }

  /** The stream that it stands for, or null. */
  StreamRun<?> stream() {
    return reader instanceof StreamRun<?> run ? run : null;
  }

  RequestList.Link link() {
    return link;
  }

  /** What it is, for messages: operation, table, plugin and call site. */
  String describe() {
    return Requests.name(kind)
        + (table == null ? "" : " on " + table)
        + " of "
        + owner().name()
        + (callSite == null ? " (the next time tells where)" : " at " + callSite);
  }

  // ---- What the caller does -----------------------------------------------------------------

  @Override
  public Pending<T> on(
      Target target, Consumer<? super T> done, Consumer<? super TickwellException> failed) {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(failed, "failed");
    return listen(new Listener<>(target, Objects.requireNonNull(done, "done"), failed));
  }

  @Override
  public Pending<T> on(Target target, Consumer<? super T> done) {
    Objects.requireNonNull(target, "target");
    return listen(new Listener<>(target, Objects.requireNonNull(done, "done"), null));
  }

  @Override
  public Pending<T> async(Consumer<? super T> done, Consumer<? super TickwellException> failed) {
    Objects.requireNonNull(failed, "failed");
    return listen(new Listener<>(null, Objects.requireNonNull(done, "done"), failed));
  }

  @Override
  public Pending<T> async(Consumer<? super T> done) {
    return listen(new Listener<>(null, Objects.requireNonNull(done, "done"), null));
  }

  private Pending<T> listen(Listener<T> listener) {
    synchronized (this) {
      handled = true;
      if (ownerGone) {
        return this;
      }
      boolean tick = listener.target != null;
      if (!ended || tick) {
        listeners.add(listener);
      }
      if (!ended || (tick && !published)) {
        return this;
      }
      if (tick) {
        openParts++;
      }
    }
    if (listener.target == null) {
      runAsync(listener);
    } else {
      engine().platform().dispatch(new ResultTask(this, listener.target));
    }
    return this;
  }

  @Override
  public CompletableFuture<T> toFuture() {
    TickFuture<T> future = new TickFuture<>(owner(), this::cancel);
    TickwellException gone = null;
    synchronized (this) {
      handled = true;
      if (ownerGone) {
        gone = ownerGone();
      } else {
        openFutures.add(future);
        owner().waits(this);
        if (ended) {
          complete(future);
        } else {
          futures.add(future);
        }
      }
    }
    if (gone != null) {
      future.completeExceptionally(gone);
    }
    return future;
  }

  @Override
  public CompletableFuture<Phases> phases() {
    TickFuture<Phases> future = new TickFuture<>(owner(), null);
    TickwellException gone = null;
    synchronized (this) {
      if (ownerGone) {
        gone = ownerGone();
      } else {
        openFutures.add(future);
        owner().waits(this);
        phaseFutures.add(future);
      }
    }
    if (gone != null) {
      future.completeExceptionally(gone);
    }
    finishIfDone();
    return future;
  }

  @Override
  public boolean cancel() {
    Stage reached;
    synchronized (this) {
      if (ended) {
        return false;
      }
      reached = stage;
      withdrawn |= reached == Stage.PREPARING;
    }
    return switch (reached) {
      case PREPARING ->
          end(
              null,
              new TickwellException(
                  ErrorCode.CANCELLED, Requests.name(kind), "cancelled by its caller"),
              null);
      case SENT -> engine().cancel(id);
      case ARRIVED -> false;
    };
  }

  @Override
  public synchronized boolean isDone() {
    return ended;
  }

  // ---- The way to the library ----------------------------------------------------------------

  /**
   * Whether it shall not go to the library any more: it was cancelled or has failed, or it reads
   * for a plugin that is gone. A write goes even when its plugin is gone.
   */
  synchronized boolean isWithdrawn() {
    return withdrawn;
  }

  /** Tells that it goes to the library now; false when it must not. */
  synchronized boolean sending() {
    if (withdrawn) {
      return false;
    }
    stage = Stage.SENT;
    return true;
  }

  /** The time that the encoder took. */
  synchronized void encoded(long nanos) {
    times.prepared(nanos, false);
  }

  /** The submitting thread is done with it. */
  void prepared(long nanos, boolean onTickThread) {
    synchronized (this) {
      times.prepared(nanos, onTickThread);
      openParts--;
    }
    finishIfDone();
  }

  /** It ends with a value that no completion brings. */
  void succeed(T result) {
    end(result, null, null);
  }

  void fail(TickwellException problem) {
    synchronized (this) {
      withdrawn = true;
    }
    end(null, problem, null);
  }

  // ---- The way back ---------------------------------------------------------------------------

  /** Takes the result, on the worker thread that has it. */
  void arrived(Completion completion, long takenAt) {
    Result<T> result = null;
    T read = null;
    TickwellException problem;
    long[] conversions = new long[0];
    try {
      problem = completion.error();
      if (problem == null) {
        result = reader.begin(completion);
        if (result.rows() != null) {
          conversions = result.rows().tickConversions();
        }
        if (conversions.length == 0) {
          read = result.value().get();
        }
      }
    } catch (Throwable thrown) {
      problem = Problems.wrap(thrown, Requests.name(kind));
    }
    ResultTask first = null;
    synchronized (this) {
      stage = Stage.ARRIVED;
      times.read(completion, System.nanoTime() - takenAt);
      if (!ended && problem == null && (conversions.length > 0 || publishAs != null)) {
        Target target = firstTarget();
        first =
            new ResultTask(
                this,
                target == null ? new Target.Global() : target,
                result.rows(),
                conversions,
                0,
                publishAs != null,
                target != null);
        openParts++;
        unfinished = result.value();
      }
    }
    if (conversions.length == 0 || problem != null) {
      end(read, problem, first);
    }
    if (first != null) {
      engine().platform().dispatch(first);
    }
    finishIfDone();
  }

  private Target firstTarget() {
    for (Listener<T> listener : listeners) {
      if (listener.target != null) {
        return listener.target;
      }
    }
    return null;
  }

  /** All values that needed a tick thread are made. */
  void converted(ResultTask task) {
    Supplier<T> rest;
    synchronized (this) {
      rest = unfinished;
      unfinished = null;
    }
    T made = null;
    TickwellException problem = null;
    try {
      made = rest.get();
    } catch (Throwable thrown) {
      problem = Problems.wrap(thrown, Requests.name(kind));
    }
    end(made, problem, task);
  }

  void conversionFailed(TickwellException problem) {
    end(null, problem, null);
  }

  /** The one place where it ends. Gives false when it had ended. */
  private boolean end(T result, TickwellException problem, ResultTask running) {
    List<Listener<T>> async = new ArrayList<>(2);
    Set<Target> targets;
    boolean unhandled;
    synchronized (this) {
      if (ended) {
        return false;
      }
      ended = true;
      value = result;
      failure = problem;
      published |= problem != null;
      times.asyncReady(System.nanoTime());
      listeners.removeIf(listener -> listener.target == null && async.add(listener));
      targets = published ? waitingTargets(running) : Set.of();
      openParts += targets.size();
      futures.forEach(this::complete);
      futures.clear();
      unhandled = problem != null && !handled;
    }
    async.forEach(this::runAsync);
    for (Target target : targets) {
      engine().platform().dispatch(new ResultTask(this, target));
    }
    if (unhandled) {
      engine().unhandled(this);
    }
    finishIfDone();
    return true;
  }

  /** The targets with callbacks, without the one that a running task will see to. */
  private Set<Target> waitingTargets(ResultTask running) {
    Target seenTo = running != null && running.delivers() ? running.target() : null;
    Set<Target> targets = null;
    for (int index = 0; index < listeners.size(); index++) {
      Listener<T> listener = listeners.get(index);
      if (seenTo == null || !isFor(seenTo, listener)) {
        if (targets == null) {
          targets = new LinkedHashSet<>();
        }
        targets.add(listener.target);
      }
    }
    return targets == null ? Set.of() : targets;
  }

  /** Publishes the result, on a tick thread; other targets' callbacks may run afterwards. */
  void publish(ResultTask running) {
    Set<Target> targets;
    Rows<?> rows;
    synchronized (this) {
      if (ownerGone) {
        return;
      }
      rows = (Rows<?>) value;
    }
    engine().results().publish(publishAs, owner(), rows);
    synchronized (this) {
      published = true;
      targets = waitingTargets(running);
      openParts += targets.size();
    }
    for (Target target : targets) {
      engine().platform().dispatch(new ResultTask(this, target));
    }
  }

  /** Runs the callbacks of a target, on its tick thread. */
  void deliver(Target target) {
    List<Listener<T>> due;
    long startedAt = System.nanoTime();
    synchronized (this) {
      due = take(target);
      if (due.isEmpty()) {
        return;
      }
      times.delivering(startedAt);
    }
    for (int index = 0; index < due.size(); index++) {
      Listener<T> listener = due.get(index);
      owner().run(() -> call(listener));
    }
    long nanos = System.nanoTime() - startedAt;
    if (nanos >= SlowCallbacks.SLOW_NANOS) {
      boolean cold = false;
      for (Listener<T> listener : due) {
        cold |= owner().isFirstSlow(listener.done.getClass());
      }
      engine().slow(this, nanos, cold);
    }
  }

  /** Removes the listeners of a target and gives them, in their order; called under the lock. */
  private List<Listener<T>> take(Target target) {
    List<Listener<T>> taken = new ArrayList<>(listeners.size());
    int kept = 0;
    for (int index = 0; index < listeners.size(); index++) {
      Listener<T> listener = listeners.get(index);
      if (isFor(target, listener)) {
        taken.add(listener);
      } else {
        listeners.set(kept++, listener);
      }
    }
    listeners.subList(kept, listeners.size()).clear();
    return taken;
  }

  /**
   * Mostly it is the listener's own target, which costs a cold tick less than a record's equals.
   */
  @SuppressWarnings("ReferenceEquality") // before equals, not in its place
  private static boolean isFor(Target target, Listener<?> listener) {
    return target == listener.target || target.equals(listener.target);
  }

  private void runAsync(Listener<T> listener) {
    engine().callbacks().execute(() -> owner().run(() -> call(listener)));
  }

  private void call(Listener<T> listener) {
    T result;
    TickwellException problem;
    synchronized (this) {
      result = value;
      problem = failure;
    }
    call(listener, result, problem);
  }

  private void call(Listener<T> listener, T result, TickwellException problem) {
    try {
      if (problem == null) {
        listener.done.accept(result);
      } else if (listener.failed != null) {
        listener.failed.accept(problem);
      } else {
        engine().logFailure(this, problem);
      }
    } catch (Throwable thrown) {
      owner().tellCallSites();
      engine()
          .log(
              System.Logger.Level.ERROR,
              owner().name(),
              "a callback of " + describe() + " threw " + thrown,
              thrown);
    }
  }

  /** Completes a future on the callback executor; called under the lock. */
  private void complete(TickFuture<T> future) {
    T result = value;
    TickwellException problem = failure;
    completeLater(
        future,
        () -> {
          if (problem == null) {
            future.complete(result);
          } else {
            future.completeExceptionally(problem);
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // this very future
  private void completeLater(TickFuture<?> future, Runnable completion) {
    engine()
        .callbacks()
        .execute(
            () -> {
              owner().run(completion);
              if (!future.isDone()) {
                // Its plugin was disabled before it could be completed.
                future.completeExceptionally(ownerGone());
              }
              synchronized (this) {
                openFutures.removeIf(each -> each == future);
              }
              finishIfDone();
            });
  }

  // ---- Ends of other kinds ---------------------------------------------------------------------

  /** Ends it when the thread that had to make or publish its values is gone. */
  void lose(String reason) {
    TickwellException gone = gone(reason);
    if (!end(null, gone, null)) {
      synchronized (this) {
        published = true;
      }
    }
  }

  private TickwellException gone(String reason) {
    return Problems.of(ErrorCode.GONE, Requests.name(kind), reason, "plugin", owner().name());
  }

  /** Goes on with tick work elsewhere. */
  void redirect(ResultTask task) {
    taskAdded();
    engine().platform().dispatch(task);
  }

  /**
   * Runs the failure callbacks of a target that is gone, on the callback executor: its own thread
   * does not exist any more.
   */
  void targetGone(Target target, String reason) {
    List<Listener<T>> due;
    synchronized (this) {
      due = take(target);
    }
    TickwellException gone = gone(reason);
    for (Listener<T> listener : due) {
      engine().callbacks().execute(() -> owner().run(() -> call(listener, null, gone)));
    }
  }

  /** Ends it because its plugin is disabled; gives the futures that are still to be failed. */
  List<TickFuture<?>> ownerClosed() {
    List<TickFuture<?>> open;
    boolean stop;
    synchronized (this) {
      ownerGone = true;
      listeners.clear();
      futures.clear();
      phaseFutures.clear();
      if (!ended) {
        ended = true;
        withdrawn |= !Requests.isWrite(kind);
        published = true;
        failure = ownerGone();
      }
      stop = stage == Stage.SENT && stream() != null;
      open = List.copyOf(openFutures);
    }
    if (stop) {
      // Nobody asks for its pages any more.
      engine().cancel(id);
    }
    return open;
  }

  private TickwellException ownerGone() {
    return gone("the plugin is disabled");
  }

  // ---- Phases -----------------------------------------------------------------------------------

  void taskAdded() {
    synchronized (this) {
      openParts++;
    }
  }

  /** A piece of tick work begins, on its thread, in the tick that began at this time. */
  void taskBegins(long laneId, long tickStartedAt) {
    // Mostly an earlier tick's, and then a lock is not worth its time.
    if (times.isSince(tickStartedAt)) {
      synchronized (this) {
        times.beginsInTickOfSubmit(laneId);
      }
    }
  }

  /** A piece of tick work ended without a record. */
  void taskEnded() {
    synchronized (this) {
      openParts--;
    }
    finishIfDone();
  }

  /** A piece of tick work ended. */
  void tickRecord(Completion record) {
    synchronized (this) {
      times.tickRecord(record);
    }
    taskEnded();
  }

  private void finishIfDone() {
    Phases phases;
    boolean record;
    synchronized (this) {
      if (!ended || openParts > 0 || ownerGone) {
        return;
      }
      record = !recorded && stage == Stage.ARRIVED;
      recorded = true;
      phases = record || !phaseFutures.isEmpty() ? times.phases() : null;
      for (TickFuture<Phases> future : phaseFutures) {
        completeLater(future, () -> future.complete(phases));
      }
      phaseFutures.clear();
      if (openFutures.isEmpty()) {
        owner().finished(this);
      }
    }
    if (record) {
      engine().record(this, phases);
    }
  }

  /** Why it failed, or null. */
  synchronized TickwellException failure() {
    return failure;
  }

  /** The failure, when nobody has asked for it yet. */
  synchronized TickwellException unhandledFailure() {
    return handled ? null : failure;
  }
}
