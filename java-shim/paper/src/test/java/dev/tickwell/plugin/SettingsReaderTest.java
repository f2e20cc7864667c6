package dev.tickwell.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.plugin.Settings.DatabaseSettings;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class SettingsReaderTest {
  private static final Path FOLDER = Path.of("/server/plugins/Tickwell");

  private static Settings read(String yaml) {
    Map<String, Object> root = new Yaml().load(yaml);
    return SettingsReader.read(root == null ? Map.of() : root, FOLDER);
  }

  private static String problem(String yaml, String database) {
    return read(yaml).databases().get(database).problem();
  }

  @Test
  void theShippedFileIsWithoutWarningAndEqualToNoFile() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/config.yml")) {
      Settings shipped = SettingsReader.read(new Yaml().load(in), FOLDER);
      assertEquals(List.of(), shipped.warnings());
      Settings none = read("");
      assertEquals(none.defaultDatabase(), shipped.defaultDatabase());
      assertEquals(none.plugins(), shipped.plugins());
      assertEquals(none.budgetNanos(), shipped.budgetNanos());
      assertEquals(none.elastic(), shipped.elastic());
      assertEquals(none.warmUp(), shipped.warmUp());
      assertEquals(none.runtime(), shipped.runtime());
      assertEquals(none.nativeFolder(), shipped.nativeFolder());
      assertEquals(none.nativePath(), shipped.nativePath());
      assertEquals(none.shutdown(), shipped.shutdown());
      assertEquals(
          none.databases().get("main").engine().get("path"),
          shipped.databases().get("main").engine().get("path"));
    }
  }

  @Test
  void theDefaultsNeedNoFile() {
    Settings settings = read("");
    assertEquals(List.of(), settings.warnings());
    assertEquals(
        Map.of(
            "main",
            new DatabaseSettings(
                Map.of("type", "sqlite", "path", "/server/plugins/Tickwell/tickwell.db"), null)),
        settings.databases());
    assertEquals("main", settings.databaseOf("Any"));
    assertEquals(2_000_000L, settings.budgetNanos());
    assertFalse(settings.elastic());
    assertTrue(settings.engineOptions().warmUp());
    assertEquals(
        Map.of("read-bytes-in-flight", "67108864", "write-bytes-in-flight", "67108864"),
        settings.runtime());
    assertEquals(FOLDER.resolve("native"), settings.nativeFolder());
    assertNull(settings.nativePath());
    assertEquals(Duration.ofSeconds(8), settings.shutdown());
  }

  @Test
  void everySettingIsTaken() {
    Settings settings =
        read(
            """
            default-database: other
            databases:
              other: {type: SQLite, path: ../data/o.db, readers: 4, fast-chunk-rows: 0}
              second: {}
            plugins: {Shop: second}
            tick: {budget: 500us, elastic: true, warm-up: false}
            memory: {read-bytes-in-flight: 1GiB, write-bytes-in-flight: 2097152}
            native: {folder: /opt/lib, path: lib/own.so}
            shutdown-seconds: 3
            """);
    assertEquals(List.of(), settings.warnings());
    assertEquals(
        Map.of(
            "type",
            "sqlite",
            "path",
            "/server/plugins/data/o.db",
            "readers",
            "4",
            "fast-chunk-rows",
            "0"),
        settings.databases().get("other").engine());
    assertEquals(
        "/server/plugins/Tickwell/second.db",
        settings.databases().get("second").engine().get("path"));
    assertEquals("second", settings.databaseOf("Shop"));
    assertEquals("other", settings.databaseOf("Any"));
    assertEquals(500_000L, settings.budgetNanos());
    assertTrue(settings.elastic());
    assertFalse(settings.engineOptions().warmUp());
    assertEquals("1073741824", settings.runtime().get("read-bytes-in-flight"));
    assertEquals("2097152", settings.runtime().get("write-bytes-in-flight"));
    assertEquals(Path.of("/opt/lib"), settings.nativeFolder());
    assertEquals(FOLDER.resolve("lib/own.so"), settings.nativePath());
    assertEquals(Duration.ofSeconds(3), settings.shutdown());
  }

  @Test
  void anUnknownKeyIsNamedWithTheNearestKnownOne() {
    assertEquals(
        List.of("tick.budgt is not a setting (did you mean budget?) and was ignored"),
        read("tick: {budgt: 1ms}").warnings());
    assertEquals(
        List.of(
            "shutdown-second is not a setting (did you mean shutdown-seconds?) and was ignored"),
        read("shutdown-second: 4").warnings());
    assertEquals(
        List.of(
            "memory.zzz is not a setting (known are read-bytes-in-flight, write-bytes-in-flight)"
                + " and was ignored"),
        read("memory: {zzz: 1}").warnings());
  }

  @Test
  void aMistakeInADatabaseClosesThatDatabaseOnly() {
    String yaml =
        """
        databases:
          main: {type: sqlite}
          typo: {synchronus: full}
          kind: {type: oracle}
          text: sqlite
          twice: {path: tickwell.db}
        """;
    assertNull(problem(yaml, "main"));
    assertEquals(
        "databases.typo.synchronus is not a setting (did you mean synchronous?)",
        problem(yaml, "typo"));
    assertEquals(
        "databases.kind.type is oracle, which this version does not know; it knows sqlite",
        problem(yaml, "kind"));
    assertEquals("databases.text is not a section with settings below it", problem(yaml, "text"));
    assertEquals(
        "databases.twice.path is the file of databases.main already", problem(yaml, "twice"));
  }

  @Test
  void aPluginWithAnUnknownDatabaseIsNotSentToTheDefault() {
    Settings settings = read("plugins: {Shop: mian}");
    assertEquals("mian", settings.databaseOf("Shop"));
    assertEquals(
        List.of(
            "plugins.Shop names the database mian (did you mean main?); that plugin has no database"
                + " until this is corrected"),
        settings.warnings());
  }

  @Test
  void valuesOutOfRangeFallBackToTheDefaultAndSaySo() {
    Settings settings =
        read("{tick: {budget: 2h, elastic: maybe}, shutdown-seconds: 0, version: one}");
    assertEquals(2_000_000L, settings.budgetNanos());
    assertEquals(
        List.of(
            "version is one, not a whole number from 1 to 2147483647; 2 is used",
            "tick.budget is 2h, not in 100us to 50ms; 2ms is used",
            "tick.elastic is maybe, not true or false; false is used",
            "shutdown-seconds is 0, not a whole number from 1 to 300; 8 is used"),
        settings.warnings());
    assertEquals(1, read("memory: {read-bytes-in-flight: 99999999999999GiB}").warnings().size());
  }

  @Test
  void aFileOfANewerVersionIsSaid() {
    assertEquals(
        List.of("version is of a newer Tickwell; this one knows version 2"),
        read("version: 3").warnings());
  }

  @Test
  void aDatabasesValuesAreCheckedWithTheirPath() {
    String yaml =
        """
        databases:
          readers: {readers: many}
          none: {readers: 0}
          deadline: {statement-deadline-millis: 5000000000}
          idle: {transaction-idle-millis: 0}
          total: {transaction-limit-millis: 60000, transaction-idle-millis: 1}
          list: {path: [a, b]}
          sync: {synchronous: sometimes}
          risky: {synchronous: off}
          secret: {password-env: DB_PASSWORD}
          file: {password-file: secret.txt}
          empty: {readers: }
        """;
    assertEquals(
        "databases.readers.readers is many, not a whole number from 1 to 64",
        problem(yaml, "readers"));
    assertEquals(
        "databases.none.readers is 0, not a whole number from 1 to 64", problem(yaml, "none"));
    assertEquals(
        "databases.deadline.statement-deadline-millis is 5000000000, not a whole number from 1 to"
            + " 4294967295",
        problem(yaml, "deadline"));
    assertEquals(
        "databases.idle.transaction-idle-millis is 0, not a whole number from 1 to 4294967295",
        problem(yaml, "idle"));
    assertNull(problem(yaml, "total"));
    Map<String, String> total = read(yaml).databases().get("total").engine();
    assertEquals("60000", total.get("transaction-limit-millis"));
    assertEquals("1", total.get("transaction-idle-millis"));
    assertEquals("databases.list.path is [a, b], not a single value", problem(yaml, "list"));
    assertEquals(
        "databases.sync.synchronous is sometimes, not full, normal or off", problem(yaml, "sync"));
    assertNull(problem(yaml, "risky"));
    // YAML reads the word as false.
    assertEquals("off", read(yaml).databases().get("risky").engine().get("synchronous"));
    for (String name : List.of("secret", "file")) {
      String key = name.equals("secret") ? "password-env" : "password-file";
      assertEquals(
          "databases."
              + name
              + "."
              + key
              + " is for databases on a network; sqlite is a file beside the server and needs only"
              + " path; remove it",
          problem(yaml, name));
    }
    assertEquals("databases.empty.readers has no value", problem(yaml, "empty"));
    assertEquals(9, read(yaml).problems().size());
  }

  @Test
  void aNameThatTheEngineDoesNotTakeIsRefusedBeforeAnythingIsOpened() {
    String longest = "a".repeat(32);
    assertNull(problem("databases: {" + longest + ": {}}", longest));
    String longer = "a".repeat(33);
    assertEquals(
        "databases." + longer + " is not a name of 1 to 32 printable characters",
        problem("databases: {" + longer + ": {}}", longer));
  }

  @Test
  void aListInThePlaceOfOneValueIsNamed() {
    assertEquals(
        List.of("tick.budget is [1, 2], not a single value; '2ms' is used"),
        read("tick: {budget: [1, 2]}").warnings());
  }

  @Test
  void theServersIdIsTakenWhenItIsOne() {
    assertEquals("lobby-1", read("server-id: lobby-1").serverId());
    Settings wrong = read("server-id: 'lobby 1'");
    assertEquals("", wrong.serverId());
    assertEquals(1, wrong.warnings().size());
  }

  @Test
  void onlyWhatAStartMakesWaitsForTheNextOne() {
    Settings before = read("");
    assertEquals(
        List.of("tick.warm-up", "memory.read-bytes-in-flight", "native.folder", "native.path"),
        Reload.fixedAtStart(
            before,
            read(
                """
                tick: {budget: 1ms, elastic: true, warm-up: false}
                memory: {read-bytes-in-flight: 1MiB}
                native: {folder: other, path: own.so}
                shutdown-seconds: 3
                """)));
    assertEquals(List.of(), Reload.fixedAtStart(before, before));
  }
}
