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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;

/**
 * The databases of the configuration: opens them, tells the log how that went, and remembers for
 * each one that could not be opened why, so that requests fail with the cause. Opened on the server
 * thread, used on any; owns the databases until the engine is closed.
 */
final class Databases {
  private static final String PROBE = "SELECT 1";

  private final Engine engine;
  private final Settings settings;
  private final Logger logger;
  private final Owner self;
  private final Map<String, TickwellException> refused = new ConcurrentHashMap<>();

  /** Databases of this engine; {@code self} asks on behalf of Tickwell itself. */
  Databases(Engine engine, Settings settings, Owner self, Logger logger) {
    this.engine = engine;
    this.settings = settings;
    this.self = self;
    this.logger = logger;
  }

  /** Opens all of them; none that fails keeps another, or the server, from starting. */
  void open() {
    for (Map.Entry<String, DatabaseSettings> entry : settings.databases().entrySet()) {
      String name = entry.getKey();
      try {
        if (entry.getValue().problem() != null) {
          throw new TickwellException(
              ErrorCode.INVALID_CONFIG, "open database", entry.getValue().problem());
        }
        engine.openDatabase(name, entry.getValue().engine());
      } catch (TickwellException e) {
        refused.put(name, e);
        logger.severe(
            "Database "
                + name
                + " is not open, and every request to it will fail: "
                + e.getMessage()
                + ". Correct config.yml and start the server again.");
        continue;
      }
      probe(name)
          .async(
              rows -> logger.info("Database " + name + " is ready: " + place(name)),
              e ->
                  logger.severe(
                      "Database " + name + " (" + place(name) + ") fails: " + e.getMessage()));
    }
  }

  /** Asks a database for nothing, to see whether it answers. */
  Pending<Rows<Row>> probe(String name) {
    return named(self, name).query(PROBE);
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
    if (!settings.databases().containsKey(name)) {
      throw new TickwellException(
          ErrorCode.INVALID_CONFIG,
          "database",
          "config.yml has no database "
              + name
              + "; it has "
              + String.join(", ", names())
              + ". Add it under databases, or correct the name: default-database, plugins."
              + owner.name()
              + ", or what the plugin asks for");
    }
    return engine.database(owner, name);
  }

  /** The names in the order of the configuration. */
  Collection<String> names() {
    return List.copyOf(settings.databases().keySet());
  }

  /** Why a database is not open, or null. */
  TickwellException refusal(String name) {
    return refused.get(name);
  }

  /** Where a database is, without secrets. */
  String place(String name) {
    return settings.databases().get(name).engine().getOrDefault("path", "?");
  }
}
