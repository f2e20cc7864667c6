package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.e2e.probe.ProbePlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugin jar as it ships, in a ticking server, with a plugin that uses it: how it starts and
 * ends, each time in a server of its own.
 */
class PluginTest {
  static final PluginJar PROBE =
      new PluginJar("Probe", ProbePlugin.class, List.of("Tickwell"), List.of("probe"));

  /** A folder named plainly: its path appears in messages that the tests compare. */
  @TempDir Path root;

  private Server.Setup setup() throws IOException {
    return new Server.Setup(root).plugin(PROBE);
  }

  static long count(Path file, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertTrue(result.next());
      return result.getLong(1);
    }
  }

  static void change(Path file, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      assertEquals(1, statement.executeUpdate(sql));
    }
  }

  static void assertSound(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA integrity_check")) {
      assertTrue(result.next());
      assertEquals("ok", result.getString(1));
    }
  }

  /** Stops, and checks that nothing ended badly on the way. */
  static void stopCleanly(Server server) throws IOException, InterruptedException {
    assertEquals(0, server.stop(), server::output);
    server.await("Everything that plugins saved is written.");
    assertFalse(server.output().contains("FATAL ERROR in native method"), server::output);
    assertFalse(server.output().contains("WARNING in native method"), server::output);
  }

  @Test
  void worksWithoutConfigurationAndReadsBackOnTheTickThread() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.await("PROBE enabled");
      server.await("Database main is ready: " + setup.folder().resolve("tickwell.db"));
      int mark = server.command("probe roundtrip 3000");
      server.await("PROBE stored 3000", mark);
      server.await("PROBE read 3000 equal true on the tick thread true", mark);
      stopCleanly(server);
    }
    assertTrue(Files.isRegularFile(setup.folder().resolve("config.yml")));
    assertEquals(
        3000, count(setup.folder().resolve("tickwell.db"), "SELECT count(*) FROM probe_entries"));
    assertSound(setup.folder().resolve("tickwell.db"));
  }

  @Test
  void aStopWithQueuedWritesLosesNone() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.ask("probe queue 5000", "PROBE queued 5000");
      stopCleanly(server);
    }
    Path file = setup.folder().resolve("tickwell.db");
    assertEquals(5000, count(file, "SELECT count(*) FROM probe_entries"));
    assertEquals(4999, count(file, "SELECT max(id) FROM probe_entries"));
    assertSound(file);
  }

  @Test
  void aPluginMaySaveAndWaitInItsOnDisable() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.ask("probe save-on-disable 5000", "PROBE will save 5000");
      stopCleanly(server);
      server.await("PROBE saved 1 last");
    }
    assertEquals(
        5000, count(setup.folder().resolve("tickwell.db"), "SELECT count(*) FROM probe_entries"));
  }

  @Test
  void aBrokenLibraryPathLeavesTheServerRunning() throws Exception {
    Server.Setup setup = setup().config("native: {path: missing/libtickwell.so}");
    String path = setup.folder().resolve("missing/libtickwell.so").toString();
    try (Server server = setup.start()) {
      assertTrue(server.await("PROBE refused UNAVAILABLE").contains(path), server::output);
      assertTrue(server.await("Tickwell has no databases").contains(path), server::output);
      server.ask("tickwell status", "No databases: ");
      server.ask("tps", "TPS");
      assertEquals(0, server.stop(), server::output);
    }
  }

  @Test
  void aFileThatIsNoLibraryLeavesTheServerRunning() throws Exception {
    Server.Setup setup = setup().config("native: {path: broken.so}");
    Files.writeString(setup.folder().resolve("broken.so"), "not a library");
    try (Server server = setup.start()) {
      String line = server.await("PROBE refused UNAVAILABLE");
      assertTrue(line.contains("broken.so"), line);
      server.ask("tps", "TPS");
      assertEquals(0, server.stop(), server::output);
    }
  }

  @Test
  void aDatabaseInAReadOnlyFolderFailsWithTheCause() throws Exception {
    Path locked = Files.createDirectories(root.resolve("locked"));
    Server.Setup setup =
        setup()
            .config("databases: {main: {path: " + locked.resolve("a.db") + "}}")
            .under(withoutOverride());
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    try (Server server = setup.start()) {
      server.await("PROBE enabled");
      String log = server.await("Database main (" + locked.resolve("a.db") + ") fails: ");
      assertTrue(log.contains(locked.toString()), log);
      server.ask("probe roundtrip 1", "PROBE failed PERMISSION_DENIED");
      server.ask("tickwell status", "main: fails: ");
      assertEquals(0, server.stop(), server::output);
    } finally {
      Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void aReadOnlyDataFolderIsNamedWithTheSettingThatHelps() throws Exception {
    Server.Setup setup = setup().under(withoutOverride());
    Files.createDirectories(setup.folder());
    Files.setPosixFilePermissions(setup.folder(), PosixFilePermissions.fromString("r-xr-xr-x"));
    try (Server server = setup.start()) {
      String line = server.await("PROBE refused UNAVAILABLE");
      assertTrue(line.contains(setup.folder().toString()), line);
      assertTrue(line.contains("native.folder"), line);
      server.ask("tps", "TPS");
      assertEquals(0, server.stop(), server::output);
    } finally {
      Files.setPosixFilePermissions(setup.folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void theConfigurationChoosesThePluginsDatabase() throws Exception {
    Server.Setup setup =
        setup()
            .config(
                """
                databases:
                  main: {type: sqlite}
                  own: {type: sqlite, path: data/own.db}
                plugins: {Probe: own}
                """);
    Files.createDirectories(setup.folder().resolve("data"));
    try (Server server = setup.start()) {
      server.ask("probe roundtrip 7", "PROBE read 7 equal true");
      stopCleanly(server);
    }
    assertEquals(
        7, count(setup.folder().resolve("data/own.db"), "SELECT count(*) FROM probe_entries"));
    assertEquals(
        0,
        count(
            setup.folder().resolve("tickwell.db"),
            "SELECT count(*) FROM sqlite_schema WHERE name = 'probe_entries'"));
  }

  @Test
  void aMistypedSettingClosesItsDatabaseAndNamesTheRightOne() throws Exception {
    Server.Setup setup = setup().config("databases: {main: {synchronus: full}}");
    try (Server server = setup.start()) {
      String line = server.await("PROBE refused INVALID_CONFIG");
      assertTrue(line.contains("did you mean synchronous?"), line);
      server.ask("tickwell status", "main: closed: ");
      stopCleanly(server);
    }
    assertFalse(Files.exists(setup.folder().resolve("tickwell.db")));
  }

  @Test
  void aDatabaseThatNeverAnswersDelaysTheStopOnlySoLongAndIsReported() throws Exception {
    Server.Setup setup = setup().config("shutdown-seconds: 2");
    Path file = setup.folder().resolve("tickwell.db");
    try (Server server = setup.start()) {
      server.ask("probe roundtrip 1", "PROBE read 1 equal true");
      try (Connection holder = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = holder.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
        server.ask("probe queue 10 100", "PROBE queued 10");
        assertEquals(0, server.stop(), server::output);
        server.await("Not written: main/probe_entries: 10 writes, 10 rows");
        statement.execute("ROLLBACK");
      }
    }
    assertEquals(1, count(file, "SELECT count(*) FROM probe_entries"));
    assertSound(file);
  }

  @Test
  void aConfigurationThatIsNotYamlIsNotTakenForAnEmptyOne() throws Exception {
    Server.Setup setup = setup().config("databases: [unclosed");
    try (Server server = setup.start()) {
      String line = server.await("PROBE refused UNAVAILABLE");
      assertTrue(line.contains("config.yml cannot be read"), line);
      assertEquals(0, server.stop(), server::output);
    }
    assertFalse(Files.exists(setup.folder().resolve("tickwell.db")));
  }

  @Test
  void tickwellCanBeReloadedAndLeavesNoThreads() throws Exception {
    // Thread names as the kernel cuts them; the plugin's workers are counted by themselves.
    int workers = Math.max(2, Runtime.getRuntime().availableProcessors() / 4) + 2;
    List<String> wanted =
        List.of("tickwell-main-r", "tickwell-main-r", "tickwell-main-s", "tickwell-main-w");
    try (Server server = new Server.Setup(root).start()) {
      server.await("Database main is ready");
      server.awaitThreads("tickwell", "tickwell-worker", wanted);
      for (int round = 0; round < 3; round++) {
        int mark = server.command("reload Tickwell");
        server.await("Everything that plugins saved is written.", mark);
        server.await("Database main is ready", mark);
        server.awaitThreads("tickwell", "tickwell-worker", wanted);
        assertEquals(workers, server.threads("tickwell-worker").size());
      }
      stopCleanly(server);
    }
  }

  @Test
  void aTerminatedServerWritesWhatWasQueued() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.ask("probe queue 5000", "PROBE queued 5000");
      server.terminate();
      server.await("Everything that plugins saved is written.");
    }
    Path file = setup.folder().resolve("tickwell.db");
    assertEquals(5000, count(file, "SELECT count(*) FROM probe_entries"));
    assertSound(file);
  }

  @Test
  void aKilledServerHasEveryAnsweredWriteAndStartsAgain() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.ask("probe acknowledge 20000", "PROBE acknowledged 500");
      server.kill();
    }
    Path file = setup.folder().resolve("tickwell.db");
    long stored = count(file, "SELECT count(*) FROM probe_entries");
    assertTrue(stored >= 500, "stored " + stored);
    assertEquals(stored - 1, count(file, "SELECT max(id) FROM probe_entries"), "in their order");
    assertSound(file);
    try (Server server = setup.start()) {
      server.ask("probe count", "PROBE has " + stored);
      stopCleanly(server);
    }
  }

  /** Root may write anywhere; without this right it is bound by permissions as everyone is. */
  private static String[] withoutOverride() {
    return System.getProperty("user.name").equals("root")
        ? new String[] {
          "setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"
        }
        : new String[0];
  }
}
