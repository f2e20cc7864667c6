package org.bukkit.configuration.file;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import org.bukkit.Bukkit;
import org.bukkit.configuration.ConfigurationSection;
import org.bukkit.configuration.InvalidConfigurationException;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.representer.Representer;

/** A configuration in YAML. Unlike the real one, this does not keep comments when it saves. */
public class YamlConfiguration extends FileConfiguration {
  public YamlConfiguration() {}

  @Override
  public String saveToString() {
    DumperOptions options = new DumperOptions();
    options.setIndent(2);
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    Map<String, Object> plain = plain(this);
    return plain.isEmpty() ? "" : new Yaml(new Representer(options), options).dump(plain);
  }

  private static Map<String, Object> plain(ConfigurationSection section) {
    Map<String, Object> result = new LinkedHashMap<>();
    section
        .getValues(false)
        .forEach(
            (key, value) ->
                result.put(
                    key, value instanceof ConfigurationSection inner ? plain(inner) : value));
    return result;
  }

  @Override
  public void loadFromString(String contents) throws InvalidConfigurationException {
    Object loaded;
    try {
      loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(contents);
    } catch (YAMLException e) {
      throw new InvalidConfigurationException(e);
    }
    if (loaded != null && !(loaded instanceof Map)) {
      throw new InvalidConfigurationException("Top level is not a Map.");
    }
    map.clear();
    if (loaded instanceof Map<?, ?> entries) {
      entries.forEach(
          (key, value) -> {
            if (value instanceof Map<?, ?> inner) {
              createSection(key.toString(), inner);
            } else {
              set(key.toString(), value);
            }
          });
    }
  }

  /** Loads a file; a missing one is empty, a wrong one is logged and empty. */
  public static YamlConfiguration loadConfiguration(File file) {
    YamlConfiguration config = new YamlConfiguration();
    try {
      config.load(file);
    } catch (FileNotFoundException | NoSuchFileException missing) {
      return config;
    } catch (IOException | InvalidConfigurationException e) {
      Bukkit.getLogger().log(Level.SEVERE, "Cannot load " + file, e);
    }
    return config;
  }

  public static YamlConfiguration loadConfiguration(Reader reader) {
    YamlConfiguration config = new YamlConfiguration();
    try {
      config.load(reader);
    } catch (IOException | InvalidConfigurationException e) {
      Bukkit.getLogger().log(Level.SEVERE, "Cannot load configuration from stream", e);
    }
    return config;
  }
}
