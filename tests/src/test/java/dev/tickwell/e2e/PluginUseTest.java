package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plugin does with Tickwell, in one server; the tests use rows of their own. */
class PluginUseTest {
  @TempDir private static Path root;

  private static Server server;

  @BeforeAll
  static void start() throws Exception {
    server = new Server.Setup(root).plugin(PluginTest.PROBE).start();
  }

  @AfterAll
  static void stop() throws Exception {
    try (Server running = server) {
      PluginTest.stopCleanly(running);
    }
  }

  @Test
  void itemsAreStoredAsTheyWereWhenTheyWereSubmitted() throws Exception {
    server.ask("probe item", "PROBE items 100 equal 100 slot changed true");
  }

  @Test
  void aLocationOutlivesItsWorld() throws Exception {
    server.command("world load arena");
    server.ask("probe place 1000 arena", "PROBE place stored in arena");
    server.ask("probe place-back 1000", "PROBE place x 1.5 world arena kept plain");
    server.command("world unload arena");
    server.ask("probe place-back 1000", "PROBE place x 1.5 world none kept arena");
    server.command("world load arena");
    server.ask("probe place-back 1000", "PROBE place x 1.5 world arena kept plain");
  }

  @Test
  void aCallbackThatThrowsIsLoggedWithItsPlugin() throws Exception {
    int mark = server.command("probe throw");
    String line = server.await("threw java.lang.IllegalStateException", mark);
    assertTrue(line.contains("[Probe] a callback of count on probe_entries of Probe"), line);
    // From its first failure on a plugin's requests know where they were made.
    mark = server.command("probe throw");
    line = server.await("threw java.lang.IllegalStateException", mark);
    assertTrue(line.contains("of count on probe_entries of Probe at "), line);
    server.ask("probe count", "PROBE has ");
  }

  @Test
  void aBlockingGetOnTheTickThreadIsRefusedByName() throws Exception {
    String line = server.ask("probe block", "PROBE refused WRONG_THREAD");
    assertTrue(line.contains("ProbePlugin"), line);
  }

  @Test
  void theCommandAnswersOnTheConsole() throws Exception {
    server.ask("probe roundtrip 10 2000", "PROBE read 10 equal true");
    int mark = server.command("tickwell status");
    server.await("Tickwell 0.1.0 on Tickwell benchmark host 1.21.11", mark);
    server.await("Used by: Probe", mark);
    server.await("main: ready, answered within", mark);
    mark = server.command("tickwell stats");
    server.await("main insert: ", mark);
    server.await("main select: ", mark);
    server.ask("tickwell help", "/tickwell stats: how long requests take");
    server.ask("tickwell sttaus", "did you mean status?");
  }

  @Test
  void aPluginOpensReplacesAndClosesDatabasesOfItsOwn() throws Exception {
    server.ask("probe connections", "PROBE connections refused 10");
    // It has left one open: the owner sees it, and it is closed with its plugin.
    server.ask("tickwell status", "Probe/notes: ready, answered within");
    Path file = root.resolve("plugins/Probe/notes.db");
    assertTrue(Files.exists(file.resolveSibling("notes.db-wal")), file.toString());
    server.ask("reload Probe", "PROBE enabled");
    assertFalse(Files.exists(file.resolveSibling("notes.db-wal")), file.toString());
    assertEquals(100, PluginTest.count(file, "SELECT count(*) FROM probe_notes"));
  }

  @Test
  void aDependantCanBeReloadedAndFindsItsRows() throws Exception {
    server.ask("probe roundtrip 10 3000", "PROBE read 10 equal true");
    String rows = rows();
    for (int round = 0; round < 3; round++) {
      server.ask("reload Probe", "PROBE enabled");
      server.ask("probe count", rows);
      server.ask("tickwell status", "Used by: Probe");
    }
  }

  private static String rows() throws Exception {
    String line = server.ask("probe count", "PROBE has ");
    return line.substring(line.indexOf("PROBE has "));
  }
}
