package dev.tickwell.plugin;

import dev.tickwell.core.EngineOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What {@code config.yml} says, checked. Immutable; made by {@link SettingsReader}.
 *
 * @param serverId this server's own name, or empty
 * @param defaultDatabase the database of plugins that {@code plugins} does not name
 * @param databases by name, in the order of the file
 * @param plugins names of databases by names of plugins
 * @param budgetNanos the most time of one tick for all results
 * @param elastic whether a tick with time left may spend more
 * @param warmUp whether what ticks run is compiled beforehand
 * @param runtime the native runtime's settings, by their names in {@code docs/boundary.md}
 * @param nativeFolder where the library is unpacked
 * @param nativePath a library file to load as it is, or null
 * @param shutdown how long stopping may take
 * @param warnings sentences about settings that were ignored or replaced by their default
 */
record Settings(
    String serverId,
    String defaultDatabase,
    Map<String, DatabaseSettings> databases,
    Map<String, String> plugins,
    long budgetNanos,
    boolean elastic,
    boolean warmUp,
    Map<String, String> runtime,
    Path nativeFolder,
    Path nativePath,
    Duration shutdown,
    List<String> warnings) {

  /**
   * One database.
   *
   * @param engine its settings by their names in {@code docs/boundary.md}
   * @param problem why it must not be opened, or null: a database whose settings are wrong is
   *     better closed than open in another place or with less safety than was meant
   */
  record DatabaseSettings(Map<String, String> engine, String problem) {}

  /** Why databases must not be opened. */
  List<String> problems() {
    return databases.values().stream()
        .map(DatabaseSettings::problem)
        .filter(Objects::nonNull)
        .toList();
  }

  /** The database that a plugin uses. */
  String databaseOf(String plugin) {
    return plugins.getOrDefault(plugin, defaultDatabase);
  }

  /** How the engine starts. */
  EngineOptions engineOptions() {
    EngineOptions options = EngineOptions.in(nativeFolder).withRuntime(runtime).withWarmUp(warmUp);
    return nativePath == null ? options : options.withNativePath(nativePath);
  }
}
