package dev.tickwell.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
   * @throws IOException when the file is there and cannot be read; both messages name the file
   */
  static Settings load(JavaPlugin plugin) throws IOException, InvalidConfigurationException {
    Path folder = plugin.getDataFolder().toPath();
    Path file = folder.resolve(NAME);
    try {
      return SettingsReader.read(upgraded(file, read(plugin, NAME), plugin.getLogger()), folder);
    } catch (InvalidConfigurationException e) {
      throw new InvalidConfigurationException(NAME + " cannot be read: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException(NAME + " cannot be read: " + e, e);
    }
  }

  /**
   * A file of the plugin's folder, parsed; written from the jar when it is not there.
   *
   * @throws InvalidConfigurationException when it is not YAML; the message says where
   */
  static Map<String, Object> read(JavaPlugin plugin, String name)
      throws IOException, InvalidConfigurationException {
    Path file = plugin.getDataFolder().toPath().resolve(name);
    writeDefault(file, name, plugin);
    return Files.exists(file) ? parse(Files.readString(file)) : readShipped(plugin, name);
  }

  /** A file of the jar, parsed. */
  static Map<String, Object> readShipped(JavaPlugin plugin, String name)
      throws IOException, InvalidConfigurationException {
    try (InputStream in = plugin.getResource(name)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Map<String, Object> parse(String text) throws InvalidConfigurationException {
    YamlConfiguration yaml = new YamlConfiguration();
    try {
      yaml.loadFromString(text);
      return maps(yaml);
    } catch (IllegalArgumentException e) {
      // Bukkit's own sections refuse it, such as an empty name.
      throw new InvalidConfigurationException(e.getMessage(), e);
    } catch (StackOverflowError e) {
      throw new InvalidConfigurationException("an alias (*name) stands inside of what it means", e);
    }
  }

  /**
   * The settings in the present form. A file of an older version is rewritten, with a copy of what
   * it was beside it; where that cannot be done the file stays, and only this start has the new
   * form.
   */
  static Map<String, Object> upgraded(Path file, Map<String, Object> values, Logger logger)
      throws IOException, InvalidConfigurationException {
    if (!(values.get("version") instanceof Integer from) || !ConfigUpgrade.isOlder(from)) {
      return values;
    }
    String old = Files.readString(file);
    String text = ConfigUpgrade.upgrade(old, from);
    Map<String, Object> next = parse(text);
    if (!Integer.valueOf(SettingsReader.VERSION).equals(next.get("version"))) {
      logger.warning(
          file
              + " has the form of version "
              + from
              + " and could not be rewritten: put `version: "
              + from
              + "` on a line of its own. It is read as it is.");
      return values;
    }
    try {
      Path copy = copyOf(file, from);
      Files.writeString(copy, old, StandardOpenOption.CREATE_NEW);
      Path fresh = file.resolveSibling(NAME + ".new");
      Files.writeString(fresh, text);
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      logger.info(
          NAME
              + " was of version "
              + from
              + " and is now of version "
              + SettingsReader.VERSION
              + "; what it was is kept in "
              + copy.getFileName());
    } catch (IOException e) {
      logger.log(
          Level.WARNING,
          "Cannot rewrite {0} in the form of version {1} ({2}); make the folder writable for the"
              + " server.",
          new Object[] {file, SettingsReader.VERSION, e});
    }
    return next;
  }

  /** The name of a copy that is not there yet. */
  private static Path copyOf(Path file, int version) {
    Path copy = file.resolveSibling(NAME + ".v" + version + ".bak");
    for (int number = 2; Files.exists(copy); number++) {
      copy = file.resolveSibling(NAME + ".v" + version + "." + number + ".bak");
    }
    return copy;
  }

  /** A folder that cannot be written is no reason to stop: the default is in the jar as well. */
  private static void writeDefault(Path file, String name, JavaPlugin plugin) {
    Logger logger = plugin.getLogger();
    try (InputStream in = plugin.getResource(name)) {
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
