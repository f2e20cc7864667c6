package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bukkit.configuration.ConfigurationSection;
import org.bukkit.configuration.InvalidConfigurationException;
import org.bukkit.configuration.file.FileConfiguration;
import org.bukkit.configuration.file.YamlConfiguration;
import org.bukkit.plugin.Plugin;
import org.junit.jupiter.api.Test;

class ConfigurationTest extends HostTestCase {
  private static final String DEFAULTS =
      """
      # kept as it is in the jar
      name: "Grüße 😀"
      budget: 2
      ratio: 0.5
      big: 9007199254740993
      flag: true
      list: [a, 1, true]
      databases:
        main:
          type: sqlite
          readers: 2
      """;

  private Plugin configured() {
    return start(
            jars.make(
                "Configured",
                "",
                Map.of("configured.Main", PluginJars.mainClass("")),
                Map.of("config.yml", DEFAULTS)))
        .getFirst();
  }

  @Test
  void theDefaultFileIsSavedOnceByteForByte() throws Exception {
    Plugin plugin = configured();
    File file = new File(plugin.getDataFolder(), "config.yml");
    file.delete();
    plugin.saveDefaultConfig();
    assertEquals(DEFAULTS, Files.readString(file.toPath()));
    Files.writeString(file.toPath(), "budget: 5\n");
    plugin.saveDefaultConfig();
    assertEquals("budget: 5\n", Files.readString(file.toPath()));
    plugin.reloadConfig();
    FileConfiguration config = plugin.getConfig();
    assertEquals(5, config.getInt("budget"));
    assertEquals("sqlite", config.getString("databases.main.type"), "the jar's is the default");
    assertTrue(config.contains("databases.main.type"));
    assertFalse(config.contains("databases.main.type", true));
    assertEquals(Set.of("budget"), config.getKeys(false));
    assertThrows(IllegalArgumentException.class, () -> plugin.saveResource("absent.txt", true));
    file.delete();
  }

  @Test
  void valuesAreReadByTheirTypes() throws Exception {
    YamlConfiguration config = new YamlConfiguration();
    config.loadFromString(DEFAULTS);
    assertEquals("Grüße 😀", config.getString("name"));
    assertEquals(2, config.getInt("budget"));
    assertEquals("2", config.getString("budget"));
    assertEquals(0.5, config.getDouble("ratio"));
    assertEquals(9007199254740993L, config.getLong("big"));
    assertTrue(config.getBoolean("flag"));
    assertEquals(List.of("a", "1", "true"), config.getStringList("list"));
    assertEquals(List.of(), config.getStringList("absent"));
    assertEquals(7, config.getInt("name", 7));
    assertNull(config.getString("absent"));
    ConfigurationSection databases = config.getConfigurationSection("databases");
    assertEquals(Set.of("main"), databases.getKeys(false));
    assertEquals(Set.of("main", "main.type", "main.readers"), databases.getKeys(true));
    assertEquals("databases.main", databases.getConfigurationSection("main").getCurrentPath());
    assertEquals(2, databases.getInt("main.readers"));
    assertNull(config.getConfigurationSection("budget"));
  }

  @Test
  void whatIsSetAndSavedIsReadAgain() throws Exception {
    YamlConfiguration config = new YamlConfiguration();
    config.loadFromString(DEFAULTS);
    config.set("databases.other.type", "postgres");
    config.set("databases.main", null);
    config.set("budget", 3);
    File file = temp.resolve("deep/er/config.yml").toFile();
    config.save(file);
    YamlConfiguration again = YamlConfiguration.loadConfiguration(file);
    assertEquals(3, again.getInt("budget"));
    assertEquals(Set.of("other"), again.getConfigurationSection("databases").getKeys(false));
    assertEquals("postgres", again.getString("databases.other.type"));
    assertEquals("Grüße 😀", again.getString("name"));
  }

  @Test
  void wrongYamlIsAnError() {
    YamlConfiguration config = new YamlConfiguration();
    assertThrows(InvalidConfigurationException.class, () -> config.loadFromString("a: ["));
    assertThrows(InvalidConfigurationException.class, () -> config.loadFromString("- a"));
    assertThrows(
        InvalidConfigurationException.class, () -> config.loadFromString("a: !!java.io.File [x]"));
    assertEquals(
        Set.of(),
        YamlConfiguration.loadConfiguration(new File(temp.toFile(), "none")).getKeys(true));
  }
}
