package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.Database;
import dev.tickwell.paper.Tickwell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server's owner touches: the configuration, the command, the texts, backups. */
class OwnerTest {
  @TempDir Path root;

  private Server.Setup setup() throws IOException {
    return new Server.Setup(root).plugin(PluginTest.PROBE);
  }

  @Test
  void aReloadLeavesUnchangedDatabasesAloneAndReplacesChangedOnes() throws Exception {
    Server.Setup setup =
        setup()
            .config(
                """
                databases:
                  main: {type: sqlite}
                  other: {type: sqlite}
                """);
    try (Server server = setup.start()) {
      server.ask("probe roundtrip 10", "PROBE read 10 equal true");
      List<String> readers = server.threads("tickwell-main");
      server.ask("tickwell reload", "Read again; the databases are as they were.");
      assertEquals(readers, server.threads("tickwell-main"));

      setup.config(
          """
          databases:
            main: {type: sqlite, readers: 5}
            fresh: {type: sqlite}
          plugins: {Probe: fresh}
          memory: {read-bytes-in-flight: 32MiB}
          """);
      int mark = server.command("tickwell reload");
      server.await("Opened with new settings: main", mark);
      server.await("Opened: fresh", mark);
      server.await("Closed: other", mark);
      server.await("Probe now uses fresh", mark);
      server.await("memory.read-bytes-in-flight takes effect when the server is started", mark);
      // The plugin's table goes on, in the database where it is.
      server.ask("probe count", "PROBE has 10");
      server.ask("probe roundtrip 5 100", "PROBE read 5 equal true");
      server.ask("tickwell status", "  fresh: ready");
      PluginTest.stopCleanly(server);
    }
    assertEquals(
        15,
        PluginTest.count(
            setup.folder().resolve("tickwell.db"), "SELECT count(*) FROM probe_entries"));
  }

  @Test
  void aBrokenFileChangesNothingAndSaysWhy() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.await("PROBE enabled");
      setup.config("databases: [unclosed");
      server.ask("tickwell reload", "Nothing was changed: config.yml cannot be read: ");
      setup.config("databases: {'': {path: a.db}}");
      server.ask("tickwell reload", "Nothing was changed: config.yml cannot be read: ");
      setup.config("databases: &all {main: *all}");
      server.ask("tickwell reload", "Nothing was changed: config.yml cannot be read: ");
      setup.config("databases: {main: {readers: many}, second: {}}");
      server.ask(
          "tickwell reload",
          "Nothing was changed: databases.main.readers is many, not a whole number from 1 to 64");
      server.ask("probe roundtrip 3", "PROBE read 3 equal true");
      assertFalse(Files.exists(setup.folder().resolve("second.db")));
      PluginTest.stopCleanly(server);
    }
  }

  @Test
  void aDatabaseThatWasClosedForAMistakeOpensWhenItIsCorrected() throws Exception {
    Server.Setup setup = setup().config("databases: {main: {}, second: {synchronus: full}}");
    try (Server server = setup.start()) {
      server.ask("tickwell status", "second: closed: ");
      setup.config("databases: {main: {}, second: {synchronous: full}}");
      server.ask("tickwell reload", "Opened: second");
      server.ask("tickwell status", "  second: ready");
      PluginTest.stopCleanly(server);
    }
  }

  @Test
  void reloadsUnderLoadLoseNoAnsweredWrite() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      int mark = server.command("probe acknowledge 20000");
      server.await("PROBE acknowledged 100", mark);
      for (int readers = 3; readers < 6; readers++) {
        setup.config("databases: {main: {readers: " + readers + "}}");
        server.ask("tickwell reload", "Opened with new settings: main");
      }
      server.await("PROBE acknowledge ended", mark);
      String answered = server.ask("probe answered", "PROBE answered ");
      String count = answered.substring(answered.indexOf("answered ") + "answered ".length());
      server.ask("probe count", "PROBE has " + count.strip());
      PluginTest.stopCleanly(server);
    }
  }

  @Test
  void tablesAreListedWithTheirPlugins() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.ask("probe roundtrip 1", "PROBE read 1 equal true");
      int mark = server.command("tickwell tables main");
      server.await("main: probe_entries of Probe", mark);
      server.await("main: probe_kept of Probe", mark);
      server.ask("tickwell tables mian", "There is no database mian; there are main.");
      PluginTest.stopCleanly(server);
    }
    // What a plugin left that was taken away since.
    PluginTest.change(
        setup.folder().resolve("tickwell.db"),
        "INSERT INTO tickwell_tables VALUES ('shop_items', 'Shop', 0, 0, 20000)");
    setup.config("databases: {main: {}, second: {}}");
    try (Server server = setup.start()) {
      server.ask("probe roundtrip 1", "PROBE read 1 equal true");
      int mark = server.command("tickwell tables");
      server.await("main: probe_entries of Probe", mark);
      server.await("main: shop_items of Shop, not in use; last registered 2024-10-04", mark);
      server.await("second: no plugin has registered a table", mark);
      PluginTest.stopCleanly(server);
    }
  }

  @Test
  void aBackupIsASoundCopyWhileTheServerWrites() throws Exception {
    Server.Setup setup = setup();
    Path backups = setup.folder().resolve("backups");
    try (Server server = setup.start()) {
      server.ask("probe roundtrip 5000", "PROBE read 5000 equal true");
      server.ask("probe queue 2000 10000", "PROBE queued 2000");
      int mark = server.command("tickwell backup main");
      server.await("Copying main to " + backups.resolve("main-"), mark);
      server.await("Copied main to ", mark);
      server.ask("tickwell backup nowhere", "There is no database nowhere");
      PluginTest.stopCleanly(server);
    }
    List<Path> copies;
    try (Stream<Path> files = Files.list(backups)) {
      copies = files.toList();
    }
    assertEquals(1, copies.size(), copies::toString);
    PluginTest.assertSound(copies.get(0));
    long rows = PluginTest.count(copies.get(0), "SELECT count(*) FROM probe_entries");
    assertTrue(rows >= 5_000 && rows <= 7_000, "rows " + rows);
  }

  @Test
  void aBackupThatCannotBeWrittenIsSaid() throws Exception {
    Server.Setup setup = setup();
    Files.createDirectories(setup.folder());
    Files.writeString(setup.folder().resolve("backups"), "no folder");
    try (Server server = setup.start()) {
      server.await("Database main is ready");
      String line = server.ask("tickwell backup", "No copy of main was made: cannot write ");
      assertTrue(line.contains(setup.folder().resolve("backups").toString()), line);
      PluginTest.stopCleanly(server);
    }
  }

  @Test
  void theTextsAreTheOwners() throws Exception {
    Server.Setup setup = setup();
    Path texts = setup.folder().resolve("lang/en.yml");
    try (Server server = setup.start()) {
      server.await("PROBE enabled");
      assertTrue(Files.isRegularFile(texts));
      server.ask("tickwell sttaus", "There is no /tickwell sttaus; did you mean status?");
      Files.writeString(texts, "unknown-subcommand-nearest: '<blue>Meinst du <nearest>?'\n");
      server.ask("tickwell reload", "Read again; the databases are as they were.");
      server.ask("tickwell sttaus", "Meinst du status?");
      Files.writeString(texts, "broken: [");
      server.ask("tickwell reload", "Nothing was changed: lang/en.yml cannot be read");
      server.ask("tickwell sttaus", "Meinst du status?");
      PluginTest.stopCleanly(server);
    }
  }

  @Test
  void anOlderConfigurationIsRewrittenWithACopyKept() throws Exception {
    Server.Setup setup = setup().config("# mine\nversion: 1\nshutdown-seconds: 7\n");
    try (Server server = setup.start()) {
      server.await("config.yml was of version 1 and is now of version 2");
      server.await("PROBE enabled");
      PluginTest.stopCleanly(server);
    }
    String text = Files.readString(setup.folder().resolve("config.yml"));
    assertTrue(text.startsWith("# mine\nversion: 2\n"), text);
    assertTrue(text.endsWith("shutdown-seconds: 7\n"), text);
    assertEquals(
        "# mine\nversion: 1\nshutdown-seconds: 7\n",
        Files.readString(setup.folder().resolve("config.yml.v1.bak")));
  }

  @Test
  void aPluginThatCarriesACopyOfTheApiIsNamed() throws Exception {
    Server.Setup setup = new Server.Setup(root);
    PluginTest.PROBE.writeWith(setup.plugins(), Database.class, Tickwell.class);
    Path jar = setup.plugins().resolve("Probe.jar");
    try (Server server = setup.start()) {
      String refusal = server.await("PROBE refused UNAVAILABLE");
      assertTrue(refusal.contains("the plugin Probe carries a copy of Tickwell's API"), refusal);
      assertTrue(refusal.contains(jar.toString()), refusal);
      assertTrue(refusal.contains("compileOnly"), refusal);
      // Once by the copy itself, and once by Tickwell, for plugins that never ask.
      String log = server.await("dev.tickwell.Database in " + jar);
      assertTrue(log.contains("the plugin Probe carries a copy"), log);
      PluginTest.stopCleanly(server);
    }
  }
}
