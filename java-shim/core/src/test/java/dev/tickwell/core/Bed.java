package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.Database;
import dev.tickwell.Pending;
import dev.tickwell.TickwellException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The engine with the real library over a temporary SQLite database, and a server thread that ticks
 * whenever a test says so or all the time.
 */
final class Bed implements AutoCloseable, Platform {
  static final Duration LIMIT = Duration.ofSeconds(20);

  final Engine engine;
  final Owner owner;
  final Database db;
  final Path folder;
  final List<String> log = new CopyOnWriteArrayList<>();
  final Lane lane;
  private final LinkedBlockingQueue<Runnable> onTick = new LinkedBlockingQueue<>();
  private final Thread server;
  private volatile boolean ticking = true;
  private volatile boolean paused;

  /** Where tick work goes; the lane unless a test takes it. */
  volatile Consumer<TickTask> dispatcher;

  private volatile long budgetNanos = 2_000_000;

  Bed(Path folder) {
    this(folder, Map.of(), Map.of());
  }

  Bed(Path folder, Map<String, String> runtime, Map<String, String> settings) {
    this.folder = folder;
    Path library = Path.of(System.getProperty("tickwell.test.library"));
    assertTrue(Files.isRegularFile(library), "the library has not been built: " + library);
    engine =
        Engine.start(
            EngineOptions.in(folder.resolve("natives"))
                .withNativePath(library)
                .withRuntime(runtime)
                .withWarmUp(false),
            this);
    Map<String, String> all = new HashMap<>(settings);
    all.put("type", "sqlite");
    all.put("path", folder.resolve("test.db").toString());
    engine.openDatabase("main", all);
    owner = engine.owner("Demo");
    db = engine.database(owner, "main");
    lane = engine.openLane();
    dispatcher = lane::queue;
    server = new Thread(this::tick, "server");
    server.start();
  }

  static Path temporary() {
    try {
      return Files.createTempDirectory("tickwell-test");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tick() {
    while (ticking) {
      lane.start(budgetNanos);
      if (!paused) {
        lane.run();
      }
      try {
        Runnable task = onTick.poll(1, TimeUnit.MILLISECONDS);
        if (task != null) {
          task.run();
        }
      } catch (InterruptedException e) {
        return;
      }
      if (!paused) {
        lane.end(0);
      }
    }
  }

  /** Stops running work in ticks, as a server that is paused does. */
  void pause() {
    paused = true;
    onServer(() -> null);
  }

  void resume() {
    paused = false;
  }

  void budget(long nanos) {
    budgetNanos = nanos;
    // The first may run in a tick that began with the budget before, and has its end to come.
    onServer(() -> null);
    onServer(() -> null);
  }

  /** Runs something on the server thread and gives its answer. */
  <T> T onServer(java.util.concurrent.Callable<T> task) {
    java.util.concurrent.FutureTask<T> future = new java.util.concurrent.FutureTask<>(task);
    onTick.add(future);
    return await(future);
  }

  static <T> T await(Future<T> future) {
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof CompletionException wrapped) {
        cause = wrapped.getCause();
      }
      if (cause instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(cause);
    } catch (InterruptedException | TimeoutException e) {
      throw new IllegalStateException("no answer within " + LIMIT, e);
    }
  }

  static <T> T await(Pending<T> pending) {
    return await(pending.toFuture());
  }

  /** The failure of a request. */
  static TickwellException failure(Pending<?> pending) {
    return org.junit.jupiter.api.Assertions.assertThrows(
        TickwellException.class, () -> await(pending));
  }

  /** Waits for a condition that another thread makes true. */
  static void eventually(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> "never: " + what);
      Thread.onSpinWait();
    }
  }

  /** A counter of the statistics. */
  long statistic(String name) {
    return Long.parseLong(engine.statistics().get(name));
  }

  @Override
  public boolean onTickThread() {
    return Thread.currentThread() == server;
  }

  @Override
  public void dispatch(TickTask task) {
    dispatcher.accept(task);
  }

  @Override
  public void log(System.Logger.Level level, String owner, String message, Throwable cause) {
    log.add(level + " " + owner + " " + message);
    if (cause != null && level == System.Logger.Level.ERROR && owner == null) {
      cause.printStackTrace();
    }
  }

  /** Stops the server thread; what is queued stays. */
  void stopTicking() {
    ticking = false;
    try {
      server.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    stopTicking();
    engine.close(LIMIT);
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
