package dev.tickwell.plugin;

import java.io.IOException;
import java.util.Map;
import org.bukkit.configuration.InvalidConfigurationException;
import org.bukkit.plugin.java.JavaPlugin;

/** The file of the command's texts, which is written from the jar when there is none. */
final class TextFile {
  static final String NAME = "lang/en.yml";

  private TextFile() {}

  /**
   * The texts, the owner's first.
   *
   * @throws InvalidConfigurationException when the file is not YAML; the message names it
   * @throws IOException when it is there and cannot be read; the message names it
   */
  static Messages load(JavaPlugin plugin) throws IOException, InvalidConfigurationException {
    Map<String, Object> shipped = ConfigFile.readShipped(plugin, NAME);
    try {
      return Messages.of(shipped, ConfigFile.read(plugin, NAME));
    } catch (InvalidConfigurationException e) {
      throw new InvalidConfigurationException(NAME + " cannot be read: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException(NAME + " cannot be read: " + e, e);
    }
  }

  /** The built-in texts alone. */
  static Messages builtIn(JavaPlugin plugin) {
    try {
      return Messages.of(ConfigFile.readShipped(plugin, NAME), Map.of());
    } catch (IOException | InvalidConfigurationException e) {
      throw new IllegalStateException("the plugin's jar is damaged: " + NAME, e);
    }
  }
}
