package dev.tickwell.plugin;

import dev.tickwell.Database;
import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.Pending;
import dev.tickwell.Row;
import dev.tickwell.Rows;
import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import dev.tickwell.core.Owner;
import dev.tickwell.plugin.Settings.DatabaseSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.logging.Logger;

/**
 * The databases of the configuration: opens them, tells the log how that went, and remembers for
 * each one that could not be opened why, so that requests fail with the cause; and knows those that
 * plugins opened themselves, for the owner's command. Opened on the server thread, changed on the
 * command's, used on any; owns the databases until the engine is closed.
 */
final class Databases {
  private static final String PROBE = "SELECT 1";

  private final Engine engine;
  private final Logger logger;
  private final Owner self;
  private final Map<String, TickwellException> refused = new ConcurrentHashMap<>();
  // The settings of the databases that plugins opened themselves, by their names in the engine.
  private final Map<String, Map<String, String>> others = new ConcurrentSkipListMap<>();
  private volatile Settings settings;

  /**
   * What other settings made of the databases.
   *
   * @param kept were left alone
   * @param replaced were closed and opened with their new settings
   * @param opened are new
   * @param closed are gone
   * @param failed could not be opened, and why; one with other settings has its former ones
   * @param unwritten what was accepted by those that were closed and not written, by table
   */
  record Changes(
      List<String> kept,
      List<String> replaced,
      List<String> opened,
      List<String> closed,
      Map<String, TickwellException> failed,
      Map<String, String> unwritten) {
    /** Whether there was nothing to do. */
    boolean none() {
      return replaced.isEmpty() && opened.isEmpty() && closed.isEmpty() && failed.isEmpty();
    }
  }

  /** Databases of this engine; {@code self} asks on behalf of Tickwell itself. */
  Databases(Engine engine, Settings settings, Owner self, Logger logger) {
    this.engine = engine;
    this.settings = settings;
    this.self = self;
    this.logger = logger;
  }

  /** Opens all of them; none that fails keeps another, or the server, from starting. */
  void open() {
    settings.databases().forEach(this::open);
  }

  /** Opens one; gives whether it could be. */
  private boolean open(String name, DatabaseSettings database) {
    try {
      if (database.problem() != null) {
        throw new TickwellException(ErrorCode.INVALID_CONFIG, "open database", database.problem());
      }
      engine.openDatabase(name, database.engine());
    } catch (TickwellException e) {
      refused.put(name, e);
      logger.severe(
          "Database "
              + name
              + " is not open, and every request to it will fail: "
              + e.getMessage()
              + ". Correct config.yml and use /tickwell reload.");
      return false;
    }
    refused.remove(name);
    announce(name);
    return true;
  }

  private void announce(String name) {
    probe(name)
        .async(
            rows -> logger.info("Database " + name + " is ready: " + place(name)),
            e ->
                logger.severe(
                    "Database " + name + " (" + place(name) + ") fails: " + e.getMessage()));
  }

  /**
   * Puts other settings into force. A database whose settings are the same is not touched; what a
   * closed one had accepted is written first, for as long as stopping may take. Blocks for as long.
   *
   * @param next settings in which no database has a problem
   */
  synchronized Changes apply(Settings next) {
    Settings before = settings;
    Changes changes =
        new Changes(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>());
    // First, as one that is opened may take the file of one that is closed.
    for (String name : before.databases().keySet()) {
      if (!next.databases().containsKey(name)) {
        if (refused.remove(name) == null) {
          changes.unwritten.putAll(engine.closeDatabase(name, next.shutdown()).unwritten());
        }
        changes.closed.add(name);
      }
    }
    // From here on plugins are told of the databases that there are, and of their places.
    settings = next;
    next.databases().forEach((name, database) -> apply(before, name, database, changes));
    return changes;
  }

  private void apply(Settings before, String name, DatabaseSettings database, Changes changes) {
    DatabaseSettings was = before.databases().get(name);
    boolean isOpen = was != null && !refused.containsKey(name);
    if (isOpen && was.equals(database)) {
      changes.kept.add(name);
    } else if (!isOpen) {
      if (open(name, database)) {
        changes.opened.add(name);
      } else {
        changes.failed.put(name, refused.get(name));
      }
    } else {
      try {
        changes.unwritten.putAll(
            engine.replaceDatabase(name, database.engine(), settings.shutdown()).unwritten());
        changes.replaced.add(name);
        announce(name);
      } catch (TickwellException e) {
        changes.failed.put(name, e);
        open(name, was);
      }
    }
  }

  /** The plugins named in either file that were given another database. */
  static List<String> moved(Settings before, Settings next) {
    Set<String> named = new TreeSet<>(before.plugins().keySet());
    named.addAll(next.plugins().keySet());
    named.removeIf(plugin -> before.databaseOf(plugin).equals(next.databaseOf(plugin)));
    return List.copyOf(named);
  }

  /** Remembers a database that a plugin opened itself, or opened with other settings. */
  void opened(String name, Map<String, String> engineSettings) {
    others.put(name, engineSettings);
  }

  /** Forgets a database that a plugin opened itself. */
  void closed(String name) {
    others.remove(name);
  }

  /** Asks a database for nothing, to see whether it answers. */
  Pending<Rows<Row>> probe(String name) {
    return named(self, name).query(PROBE);
  }

  /** Asks for {@link TablesText#BOOK}; does not wait for the writes that are on their way. */
  Pending<Rows<Row>> book(String name) {
    return named(self, name).unordered().query(TablesText.BOOK);
  }

  /** The database that the configuration gives the owner's plugin. */
  Database of(Owner owner) {
    return named(owner, settings.databaseOf(owner.name()));
  }

  /**
   * A database by name.
   *
   * @throws TickwellException {@code INVALID_CONFIG} when there is none or its settings are wrong
   */
  Database named(Owner owner, String name) {
    TickwellException reason = refused.get(name);
    if (reason != null) {
      throw new TickwellException(
          reason.code(),
          Effect.NONE,
          false,
          "database",
          "database " + name + " is not open: " + reason.getMessage(),
          Map.of(),
          reason);
    }
    boolean known = settings.databases().containsKey(name);
    if (!known && !(owner == self && others.containsKey(name))) {
      throw new TickwellException(
          ErrorCode.INVALID_CONFIG,
          "database",
          "config.yml has no database "
              + name
              + "; it has "
              + String.join(", ", settings.databases().keySet())
              + ". Add it under databases, or correct the name: default-database, plugins."
              + owner.name()
              + ", or what the plugin asks for");
    }
    return engine.database(owner, name);
  }

  /** How long closing one may take. */
  Duration shutdown() {
    return settings.shutdown();
  }

  /** Those of the configuration in its order, then those that plugins opened themselves. */
  Collection<String> names() {
    List<String> names = new ArrayList<>(settings.databases().keySet());
    names.addAll(others.keySet());
    return names;
  }

  /** The database of plugins that the configuration does not name. */
  String defaultName() {
    return settings.defaultDatabase();
  }

  /** Why a database is not open, or null. */
  TickwellException refusal(String name) {
    return refused.get(name);
  }

  /** Where a database is, without secrets. */
  String place(String name) {
    DatabaseSettings configured = settings.databases().get(name);
    return (configured == null ? others.getOrDefault(name, Map.of()) : configured.engine())
        .getOrDefault("path", "?");
  }
}
