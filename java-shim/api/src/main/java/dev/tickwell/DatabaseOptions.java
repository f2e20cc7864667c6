package dev.tickwell;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * How to reach a database that a plugin opens itself: a type, and settings by the names that {@code
 * config.yml} has below {@code databases}. What is not set has the default of the configuration.
 * Immutable; checked where it is used, so that the message can name plugin and database.
 */
public final class DatabaseOptions {
  private final Map<String, Object> settings;

  private DatabaseOptions(Map<String, Object> settings) {
    this.settings = Collections.unmodifiableMap(settings);
  }

  /**
   * An SQLite database.
   *
   * @param file its file, relative to the plugin's own data folder; made when it is not there. The
   *     file is Tickwell's alone while it is open
   */
  public static DatabaseOptions sqlite(Path file) {
    return of("sqlite").with("path", file);
  }

  /** A database of a type by its name in the configuration, such as {@code "sqlite"}. */
  public static DatabaseOptions of(String type) {
    return new DatabaseOptions(Map.of("type", Objects.requireNonNull(type, "type")));
  }

  /** The same with a setting, such as {@code with("readers", 4)}. */
  public DatabaseOptions with(String setting, Object value) {
    Map<String, Object> more = new TreeMap<>(settings);
    more.put(
        Objects.requireNonNull(setting, "setting"),
        Objects.requireNonNull(value, "value") instanceof Path path ? path.toString() : value);
    return new DatabaseOptions(more);
  }

  /** All settings by name, the type among them. */
  public Map<String, Object> settings() {
    return settings;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatabaseOptions options && settings.equals(options.settings);
  }

  @Override
  public int hashCode() {
    return settings.hashCode();
  }

  /** The type alone: settings may hold a password. */
  @Override
  public String toString() {
    return "DatabaseOptions[" + settings.get("type") + "]";
  }
}
