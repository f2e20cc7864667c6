package dev.tickwell.core;

import dev.tickwell.Database;
import dev.tickwell.ObjectCodec;
import dev.tickwell.SharedResults;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The engine of one server: loads the native library and owns its runtime, the completion thread,
 * the encoder thread and the callback executor. All methods may be called on any thread.
 */
public final class Engine implements AutoCloseable {

  /**
   * Loads the library and starts.
   *
   * @throws dev.tickwell.TickwellException {@code UNAVAILABLE} with the reason and the way out when
   *     the library cannot be loaded, {@code INVALID_CONFIG} for a setting
   */
  public static Engine start(EngineOptions options, Platform platform) {
    throw new UnsupportedOperationException();
  }

  /**
   * Opens a database; its connections are made in the background.
   *
   * @param settings by their names in {@code docs/boundary.md}, without {@code name}
   * @throws dev.tickwell.TickwellException {@code INVALID_CONFIG} naming the setting
   */
  public void openDatabase(String name, Map<String, String> settings) {
    throw new UnsupportedOperationException();
  }

  /** Flushes and closes a database; blocks at most for the limit. */
  public void closeDatabase(String name, Duration limit) {
    throw new UnsupportedOperationException();
  }

  /** The names of the open databases. */
  public Set<String> databases() {
    throw new UnsupportedOperationException();
  }

  /** Makes a plugin known. One owner per enabled plugin. */
  public Owner owner(String pluginName) {
    throw new UnsupportedOperationException();
  }

  /**
   * A database as one plugin sees it.
   *
   * @throws dev.tickwell.TickwellException {@code INVALID_CONFIG} when no database has that name
   */
  public Database database(Owner owner, String name) {
    throw new UnsupportedOperationException();
  }

  /**
   * Makes a type known.
   *
   * @param owner for whose tables, or null for everyone's
   */
  public void register(Owner owner, ObjectCodec<?> codec) {
    throw new UnsupportedOperationException();
  }

  /** The results that plugins publish. */
  public SharedResults shared() {
    throw new UnsupportedOperationException();
  }

  /** A lane for one tick thread. */
  public Lane openLane() {
    throw new UnsupportedOperationException();
  }

  /** Counters and times by name, as the status command shows them. */
  public Map<String, String> statistics() {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends everything: new requests are refused, accepted writes are flushed, the rest is cancelled,
   * all threads are joined. Blocks at most for about the limit. The first call counts.
   */
  public ShutdownReport close(Duration limit) {
    throw new UnsupportedOperationException();
  }

  /** {@link #close(Duration)} with 8 seconds. */
  @Override
  public void close() {
    close(Duration.ofSeconds(8));
  }
}
