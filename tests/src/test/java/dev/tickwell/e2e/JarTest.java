package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar changes while the server runs, as when an owner copies an update over it. */
class JarTest {
  @TempDir Path root;

  private interface Change {
    void to(Path jar) throws IOException;
  }

  /** Changes the jar once Tickwell is there, then uses what has not been used before. */
  private void usedAfter(Change change) throws Exception {
    Server.Setup setup = new Server.Setup(root).plugin(PluginTest.PROBE).plugin(ReloadTest.LIFE);
    Path jar = setup.plugins().resolve("Tickwell.jar");
    try (Server server = setup.start()) {
      server.await("PROBE enabled");
      server.await("LIFE enabled");
      server.await("Database main is ready");
      change.to(jar);
      server.ask("probe roundtrip 100", "PROBE read 100 equal true");
      server.ask("probe item", "PROBE items 100 equal 100");
      server.ask("life load 20", "LIFE reads 20 and writes 20 refused {}");
      server.ask("life transaction", "LIFE changed 20 rows");
      server.ask("probe block", "PROBE refused WRONG_THREAD");
      server.ask("life throw", "threw java.lang.IllegalStateException");
      server.ask("tickwell status", "main: ready");
      server.ask("tickwell stats", "main insert: ");
      server.ask("tickwell tables", "main: probe_entries of Probe");
      server.ask("tickwell help", "/tickwell stats");
      server.ask("tickwell backup", "Copied main to ");
      setup.config("databases: {main: {readers: 3}, second: {}}");
      server.ask("tickwell reload", "Opened: second");
      setup.config("databases: [unclosed");
      server.ask("tickwell reload", "Nothing was changed: ");
      server.ask("life save-on-disable 50", "LIFE will save 50");
      PluginTest.stopCleanly(server);
      // Of the 50 ids 20 are taken.
      server.await("LIFE disable: outcome {DONE=70, UNIQUE_VIOLATION=20}");
      assertFalse(server.output().contains("NoClassDefFoundError"), server::output);
      assertFalse(server.output().contains("ClassNotFoundException"), server::output);
      assertFalse(server.output().contains("ZipException"), server::output);
      assertFalse(server.output().contains("Error occurred"), server::output);
    }
    Path file = setup.folder().resolve("tickwell.db");
    assertEquals(50, PluginTest.count(file, "SELECT count(*) FROM life_entries"));
  }

  @Test
  void aJarThatIsDeletedIsNotMissed() throws Exception {
    usedAfter(Files::delete);
  }

  @Test
  void aJarThatIsOverwrittenIsNotReadAgain() throws Exception {
    // In its place, as cp does: what the class loader has open is the new content.
    usedAfter(jar -> Files.write(jar, new byte[1 << 20], StandardOpenOption.TRUNCATE_EXISTING));
  }
}
