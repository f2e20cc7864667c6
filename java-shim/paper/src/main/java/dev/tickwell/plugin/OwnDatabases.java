package dev.tickwell.plugin;

import dev.tickwell.Database;
import dev.tickwell.DatabaseOptions;
import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import dev.tickwell.core.Owner;
import dev.tickwell.core.ShutdownReport;
import dev.tickwell.paper.Connections;
import dev.tickwell.plugin.Settings.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * The databases that one plugin opened itself. In the engine, and to the server's owner, they are
 * called {@code <plugin>/<name>}, which no name of the configuration can be taken for. All methods
 * may be called on any thread; owns its databases until they are closed.
 */
final class OwnDatabases implements Connections {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,32}");
  private static final String OPERATION = "connections";

  private final Engine engine;
  private final Databases configured;
  private final Owner owner;
  private final Path folder;

  /**
   * One of them.
   *
   * @param changing whether a thread is closing or replacing it
   */
  private record Own(DatabaseOptions options, boolean changing) {}

  // Everything below is guarded by this, which nobody holds while a database is closed.
  private final Map<String, Own> open = new LinkedHashMap<>();
  // The name of the database to give in place of the configured one, or null.
  private String defaultName;
  private boolean ended;

  /**
   * None yet.
   *
   * @param folder the plugin's data folder
   */
  OwnDatabases(Engine engine, Databases configured, Owner owner, Path folder) {
    this.engine = engine;
    this.configured = configured;
    this.owner = owner;
    this.folder = folder;
  }

  @Override
  public Database open(String name, DatabaseOptions options) {
    if (!NAME.matcher(name).matches()) {
      throw invalid(name + " is not a name of 1 to 32 letters, digits, '_', '.' and '-'");
    }
    synchronized (this) {
      Own known = open.get(name);
      if (known == null) {
        owner.checkOpen();
        if (configured.names().contains(name)) {
          throw invalid("config.yml has a database " + name + " already; choose another name");
        }
        Map<String, String> settings = settings(name, options);
        engine.openDatabase(inEngine(name), settings);
        open.put(name, new Own(options, false));
        configured.opened(inEngine(name), settings);
      } else if (!known.options.equals(options)) {
        throw invalid("database " + name + " is open with other options; use replace");
      }
      return engine.database(owner, inEngine(name));
    }
  }

  @Override
  public CompletableFuture<Void> replace(String name, DatabaseOptions options) {
    Map<String, String> settings = settings(name, options);
    return owner.inBackground(
        "replace",
        () -> {
          beginChange(name);
          ShutdownReport left;
          try {
            left = engine.replaceDatabase(inEngine(name), settings, configured.shutdown());
          } catch (TickwellException e) {
            forget(name);
            throw e;
          }
          configured.opened(inEngine(name), settings);
          if (replaced(name, options)) {
            forget(name);
            engine.closeDatabase(inEngine(name), configured.shutdown());
          }
          check(name, left);
          return null;
        });
  }

  /** Tells whether its plugin has gone meanwhile. */
  private synchronized boolean replaced(String name, DatabaseOptions options) {
    open.put(name, new Own(options, false));
    return ended;
  }

  @Override
  public CompletableFuture<Void> close(String name) {
    return owner.inBackground(
        "close",
        () -> {
          beginChange(name);
          check(name, closeNow(name));
          return null;
        });
  }

  @Override
  public synchronized void makeDefault(String name) {
    if (!open.containsKey(name)) {
      configured.named(owner, name);
    }
    defaultName = name;
  }

  @Override
  public synchronized Set<String> names() {
    return Set.copyOf(open.keySet());
  }

  /** The plugin's database: its own choice, or the configuration's. */
  synchronized Database database() {
    return defaultName == null ? configured.of(owner) : named(defaultName);
  }

  /** A database by name. */
  synchronized Database named(String name) {
    return open.containsKey(name)
        ? engine.database(owner, inEngine(name))
        : configured.named(owner, name);
  }

  /**
   * Writes what was saved, and closes all, when the plugin is gone; each may take as long as
   * stopping may.
   *
   * @return what could not be written, by table
   */
  Map<String, String> closeAll() {
    List<String> names = new ArrayList<>();
    synchronized (this) {
      ended = true;
      open.forEach(
          (name, own) -> {
            if (!own.changing) {
              names.add(name);
            }
          });
    }
    Map<String, String> unwritten = new LinkedHashMap<>();
    for (String name : names) {
      unwritten.putAll(closeNow(name).unwritten());
    }
    return unwritten;
  }

  private ShutdownReport closeNow(String name) {
    try {
      return engine.closeDatabase(inEngine(name), configured.shutdown());
    } finally {
      forget(name);
    }
  }

  private synchronized void forget(String name) {
    open.remove(name);
    configured.closed(inEngine(name));
    if (name.equals(defaultName)) {
      defaultName = null;
    }
  }

  private synchronized void beginChange(String name) {
    Own own = open.get(name);
    if (own == null) {
      throw invalid(
          "no database "
              + name
              + " is open; open are "
              + (open.isEmpty() ? "none" : String.join(", ", open.keySet())));
    }
    if (own.changing) {
      throw invalid("database " + name + " is being closed or replaced already");
    }
    open.put(name, new Own(own.options, true));
  }

  private static void check(String name, ShutdownReport left) {
    if (!left.complete()) {
      throw new TickwellException(
          ErrorCode.TIMEOUT,
          Effect.NONE,
          false,
          OPERATION,
          "database " + name + " was closed before all was written",
          left.unwritten(),
          null);
    }
  }

  private Map<String, String> settings(String name, DatabaseOptions options) {
    DatabaseSettings settings = SettingsReader.database(name, options.settings(), folder);
    if (settings.problem() != null) {
      throw invalid(settings.problem());
    }
    makeFolder(settings.engine().get("path"));
    return settings.engine();
  }

  /**
   * A plugin that never saved a file has no data folder yet; other folders are not ours to make.
   */
  private void makeFolder(String path) {
    Path own = folder.toAbsolutePath().normalize();
    if (path == null || !Path.of(path).startsWith(own)) {
      return;
    }
    try {
      Files.createDirectories(Path.of(path).getParent());
    } catch (IOException e) {
      throw invalid("the folder of " + path + " cannot be made: " + e);
    }
  }

  private String inEngine(String name) {
    return owner.name() + "/" + name;
  }

  private TickwellException invalid(String message) {
    return new TickwellException(
        ErrorCode.INVALID_CONFIG,
        Effect.NONE,
        false,
        OPERATION,
        message,
        Map.of("plugin", owner.name()),
        null);
  }
}
