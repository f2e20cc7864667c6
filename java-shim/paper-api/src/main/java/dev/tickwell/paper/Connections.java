package dev.tickwell.paper;

import dev.tickwell.Database;
import dev.tickwell.DatabaseOptions;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The databases that one plugin opens itself at run time, beside those of {@code config.yml}. Their
 * names are the plugin's own: two plugins may use the same one. They are closed, after what was
 * saved is written, when the plugin is disabled. Every method may be called on any thread; none
 * waits for a database.
 */
public interface Connections {
  /**
   * Opens a database. It is given at once; requests to one that cannot be reached fail with the
   * cause.
   *
   * @param name letters, digits, {@code _ . -}, at most 32, and not a name of {@code config.yml}
   * @return the database; the one that is open when its options are the same
   * @throws dev.tickwell.TickwellException {@code INVALID_CONFIG} naming what is wrong: the name, a
   *     setting, a file that another database has open, or a database of that name which is open
   *     with other options ({@link #replace} changes them)
   */
  Database open(String name, DatabaseOptions options);

  /**
   * Writes what was saved to a database, closes it and opens it with other options. {@link
   * Database} and {@code Table} objects go on. Requests that are made in between fail with {@code
   * CLOSED} and may be tried again.
   *
   * @return completed on a thread of Tickwell's once the database is open with its new options;
   *     fails with what {@link #open} throws, and the database is closed then. It must not be
   *     waited for on a tick thread
   */
  CompletableFuture<Void> replace(String name, DatabaseOptions options);

  /**
   * Writes what was saved to a database and closes it, within the time that {@code
   * shutdown-seconds} sets. Requests to it fail from now on.
   *
   * @return completed on a thread of Tickwell's; fails with {@code INVALID_CONFIG} when no database
   *     of that name is open, and with {@code TIMEOUT}, naming tables and numbers, when not
   *     everything could be written. It must not be waited for on a tick thread
   */
  CompletableFuture<Void> close(String name);

  /**
   * Makes {@link Tickwell#database()} give another database to this plugin, until that one is
   * closed: one that it has opened, or one of the configuration.
   *
   * @throws dev.tickwell.TickwellException {@code INVALID_CONFIG} when there is none of that name
   */
  void makeDefault(String name);

  /** The names of those that are open. */
  Set<String> names();
}
