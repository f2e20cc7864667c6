package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One plugin that uses Tickwell. Owns its codecs, its databases as it sees them and its open
 * requests. All methods may be called on any thread.
 */
public final class Owner implements AutoCloseable {
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Engine engine;
  private final String name;
  private final int number;
  private final Codecs codecs;
  private final Map<String, DatabaseView> views = new ConcurrentHashMap<>();
  private final RequestList requests = new RequestList();
  // The threads that run a callback of this plugin now: mostly one, and a cold tick goes through a
  // single field much faster than through a map.
  private final AtomicReference<Thread> running = new AtomicReference<>();
  private final Set<Thread> alsoRunning = ConcurrentHashMap.newKeySet();
  // The classes of callbacks that were slow on a tick thread.
  private final Set<Class<?>> slowOnce = ConcurrentHashMap.newKeySet();
  private final SlowCallbacks slowCallbacks = new SlowCallbacks(System::nanoTime);
  private final Outages outages = new Outages(System::nanoTime);
  private volatile boolean tellsCallSites;
  private volatile boolean disabling;
  private volatile boolean closed;

  Owner(Engine engine, String name, int number, Codecs common) {
    this.engine = engine;
    this.name = name;
    this.number = number;
    this.codecs = new Codecs(common);
  }

  /** The plugin's name. */
  public String name() {
    return name;
  }

  Engine engine() {
    return engine;
  }

  int number() {
    return number;
  }

  Codecs codecs() {
    return codecs;
  }

  DatabaseView view(String database) {
    checkOpen();
    return views.computeIfAbsent(database, each -> new DatabaseView(engine, this, each));
  }

  /** This plugin's view of a database, if it has asked for it. */
  Optional<DatabaseView> viewOf(String database) {
    return Optional.ofNullable(views.get(database));
  }

  /** The tables that it has registered. */
  List<RegisteredTable> tables() {
    List<RegisteredTable> tables = new ArrayList<>();
    views.values().forEach(view -> tables.addAll(view.tables()));
    return tables;
  }

  /**
   * Whether its calls on tick threads and in callbacks are remembered too: after its first failure
   * that nobody handled, or its first callback that threw or was slow.
   */
  boolean tellsCallSites() {
    return tellsCallSites;
  }

  void tellCallSites() {
    tellsCallSites = true;
  }

  /** Whether no callback of this class was slow on a tick thread before. */
  boolean isFirstSlow(Class<?> callback) {
    return slowOnce.add(callback);
  }

  SlowCallbacks slowCallbacks() {
    return slowCallbacks;
  }

  /** Which of its failures are told while a database is out of order. */
  Outages outages() {
    return outages;
  }

  /**
   * Refuses use after the plugin was disabled.
   *
   * @throws TickwellException {@code CLOSED}
   */
  public void checkOpen() {
    if (closed) {
      throw new TickwellException(
          ErrorCode.CLOSED, "submit", "the plugin " + name + " is disabled");
    }
  }

  /** Remembers a request; refuses it when {@link #close} can have missed it. */
  void opened(Request<?> request) {
    requests.add(request);
    try {
      checkOpen();
    } catch (TickwellException e) {
      requests.remove(request);
      throw e;
    }
  }

  /** Remembers a request, which may have ended, until its futures have. */
  void waits(Request<?> request) {
    requests.add(request);
  }

  /** How many of its requests have not come to their end. */
  int openRequests() {
    return requests.size();
  }

  void finished(Request<?> request) {
    requests.remove(request);
  }

  /**
   * Tells that the plugin is being disabled and its {@code onDisable} may run: submits still work,
   * and waiting for a future with a limit is allowed on a tick thread.
   */
  public void beginDisable() {
    disabling = true;
  }

  /** Whether {@link #beginDisable} or {@link #close} was called. */
  public boolean isDisabling() {
    return disabling;
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  /** Whether a thread runs a callback of the plugin. */
  boolean runsOn(Thread thread) {
    return running.get() == thread || alsoRunning.contains(thread);
  }

  /** Runs code of the plugin on this thread, unless the plugin is disabled. */
  void run(Runnable callback) {
    Thread thread = Thread.currentThread();
    boolean alone = running.compareAndSet(null, thread);
    boolean beside = !alone && running.get() != thread && alsoRunning.add(thread);
    try {
      if (!closed) {
        callback.run();
      }
    } finally {
      if (alone) {
        running.set(null);
      } else if (beside) {
        alsoRunning.remove(thread);
      }
      if (closed) {
        synchronized (running) {
          running.notifyAll();
        }
      }
    }
  }

  /**
   * Runs work that may wait, on a thread of its own.
   *
   * @return completed on the callback executor, or failed with what the work throws; refuses to be
   *     waited for on a tick thread
   */
  public <T> CompletableFuture<T> inBackground(String operation, Callable<T> work) {
    CompletableFuture<T> result = new TickFuture<>(this, null);
    Thread.ofPlatform()
        .daemon()
        .name("tickwell-" + operation)
        .start(
            () -> {
              try {
                T value = work.call();
                engine.callbacks().execute(() -> result.complete(value));
              } catch (Throwable thrown) {
                TickwellException problem = Problems.wrap(thrown, operation);
                engine.callbacks().execute(() -> result.completeExceptionally(problem));
              }
            });
    return result;
  }

  private boolean runsElsewhere() {
    Thread self = Thread.currentThread();
    Thread other = running.get();
    return (other != null && other != self)
        || alsoRunning.stream().anyMatch(thread -> thread != self);
  }

  /**
   * Ends the plugin's use: its open requests end as {@code GONE} (writes that were accepted are
   * still written), its queued tick work is dropped, its codecs and caches are forgotten. No
   * callback of it begins afterwards; one that is running on another thread is waited for, at most
   * a second; so is the encoder. On a tick thread, values that need one are read here.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      disabling = true;
      closed = true;
    }
    long deadline = System.nanoTime() + CLOSE_NANOS;
    List<TickFuture<?>> futures = new ArrayList<>();
    TickwellException gone =
        new TickwellException(ErrorCode.GONE, "disable", "the plugin " + name + " is disabled");
    for (Request<?> request : requests.all()) {
      futures.addAll(request.ownerClosed());
    }
    engine.transactions().ownerClosed(this);
    fail(futures, gone, deadline);
    awaitCallbacks(deadline);
    // Until what it wrote has reached the library, its number must stay valid there. A callback
    // that does not end takes no time from that.
    awaitSubmitted(System.nanoTime() + CLOSE_NANOS);
    engine.ownerClosed(this);
    requests.all().forEach(requests::remove);
    views.clear();
    codecs.clear();
    slowOnce.clear();
  }

  /** Waits until everything that was submitted has reached the library. */
  void awaitSubmitted(long deadline) {
    for (DatabaseView view : views.values()) {
      if (!view.awaitSubmitted(deadline)) {
        engine.log(
            System.Logger.Level.WARNING,
            name,
            "requests of " + name + " to " + view.name() + " could not be sent in time",
            null);
      }
    }
  }

  /** Ends futures, so that nobody waits for them for ever; on the callback executor as always. */
  private void fail(List<TickFuture<?>> futures, TickwellException gone, long deadline) {
    CountDownLatch left = new CountDownLatch(futures.size());
    for (TickFuture<?> future : futures) {
      engine
          .callbacks()
          .execute(
              () -> {
                try {
                  future.completeExceptionally(gone);
                } finally {
                  left.countDown();
                }
              });
    }
    try {
      if (!left.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        engine.log(
            System.Logger.Level.WARNING,
            name,
            left.getCount() + " futures of " + name + " could not be ended within a second",
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitCallbacks(long deadline) {
    synchronized (running) {
      while (runsElsewhere()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          engine.log(
              System.Logger.Level.WARNING,
              name,
              "a callback of " + name + " is still running after its plugin was disabled",
              null);
          return;
        }
        try {
          running.wait(left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }
}
