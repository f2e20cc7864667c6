package dev.tickwell.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

class ConfigUpgradeTest {
  private static final String OLD =
      """
      # my server
      version: 1 # do not touch

      default-database: main
      databases:
        main:
          type: sqlite
          readers: 4   # four cores
      """;

  @TempDir Path folder;
  private final FakePaper paper = new FakePaper();

  private Map<String, Object> upgraded(String text) throws Exception {
    Path file = folder.resolve("config.yml");
    Files.writeString(file, text);
    return ConfigFile.upgraded(file, new Yaml().load(text), paper.plugin.getLogger());
  }

  @Test
  void theNewSettingsAreAddedAndEverythingElseStays() {
    String text = ConfigUpgrade.upgrade(OLD, 1);
    assertTrue(text.startsWith("# my server\nversion: 2 # do not touch\n"), text);
    assertTrue(text.contains("readers: 4   # four cores"), text);
    Map<String, Object> before = new TreeMap<>(new Yaml().<Map<String, Object>>load(OLD));
    Map<String, Object> after = new TreeMap<>(new Yaml().<Map<String, Object>>load(text));
    assertEquals(2, after.remove("version"));
    assertEquals("", after.remove("server-id"));
    before.remove("version");
    assertEquals(before, after);
    assertEquals(List.of(), SettingsReader.read(new Yaml().load(text), folder).warnings());
  }

  @Test
  void theFileIsRewrittenAndACopyKept() throws Exception {
    assertEquals(2, upgraded(OLD).get("version"));
    assertEquals(OLD, Files.readString(folder.resolve("config.yml.v1.bak")));
    String text = Files.readString(folder.resolve("config.yml"));
    assertEquals(ConfigUpgrade.upgrade(OLD, 1), text);
    assertTrue(paper.log.toString().contains("config.yml.v1.bak"), paper.log::toString);
    // An owner puts an old file back: no copy is lost.
    upgraded("version: 1\n");
    assertEquals(OLD, Files.readString(folder.resolve("config.yml.v1.bak")));
    assertEquals("version: 1\n", Files.readString(folder.resolve("config.yml.v1.2.bak")));
  }

  @Test
  void aFileOfThePresentVersionOrWithoutOneIsNotTouched() throws Exception {
    for (String text : List.of("version: 2\n", "version: 3\n", "shutdown-seconds: 3\n")) {
      upgraded(text);
      assertEquals(text, Files.readString(folder.resolve("config.yml")));
    }
    try (var files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void aFormThatCannotBeRewrittenIsReadAsItIs() throws Exception {
    String text = "{version: 1, shutdown-seconds: 3}";
    assertEquals(3, upgraded(text).get("shutdown-seconds"));
    assertEquals(text, Files.readString(folder.resolve("config.yml")));
    assertFalse(Files.exists(folder.resolve("config.yml.v1.bak")));
    assertTrue(paper.log.toString().contains("could not be rewritten"), paper.log::toString);
  }
}
