package dev.tickwell.plugin;

import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bukkit.configuration.ConfigurationSection;
import org.bukkit.configuration.InvalidConfigurationException;
import org.bukkit.configuration.file.YamlConfiguration;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * {@code config.yml} on the disk: written from the jar when there is none, then parsed into plain
 * maps. Bukkit's own {@code getConfig} turns a file that it cannot parse into an empty one, which
 * would send every plugin's data to the default database; so the file is loaded here, and a broken
 * one is an error.
 */
final class ConfigFile {
  private static final String NAME = "config.yml";

  private ConfigFile() {}

  /**
   * Reads the settings.
   *
   * @throws InvalidConfigurationException when the file is not YAML; the message says where
   * @throws IOException when the file is there and cannot be read
   */
  static Settings load(JavaPlugin plugin) throws IOException, InvalidConfigurationException {
    Path folder = plugin.getDataFolder().toPath();
    File file = folder.resolve(NAME).toFile();
    writeDefault(file.toPath(), plugin);
    YamlConfiguration yaml = new YamlConfiguration();
    if (file.exists()) {
      yaml.load(file);
    } else {
      try (Reader reader =
          new InputStreamReader(plugin.getResource(NAME), StandardCharsets.UTF_8)) {
        yaml.load(reader);
      }
    }
    return SettingsReader.read(maps(yaml), folder);
  }

  /** A folder that cannot be written is no reason to stop: the default is in the jar as well. */
  private static void writeDefault(Path file, JavaPlugin plugin) {
    Logger logger = plugin.getLogger();
    try (var in = plugin.getResource(NAME)) {
      if (!Files.exists(file)) {
        Files.createDirectories(file.getParent());
        Files.copy(in, file);
      }
    } catch (IOException e) {
      logger.log(
          Level.WARNING,
          "Cannot write {0} ({1}); the defaults are used. Make the folder writable for the server.",
          new Object[] {file, e});
    }
  }

  private static Map<String, Object> maps(ConfigurationSection section) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : section.getValues(false).entrySet()) {
      Object value = entry.getValue();
      values.put(entry.getKey(), value instanceof ConfigurationSection inner ? maps(inner) : value);
    }
    return values;
  }
}
