package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's process ends with a thousand reads and writes in flight. */
class ServerExitTest {
  private static final int TERMINATED = 128 + 15;

  /** How often each way is tried; more by hand, as what can go wrong is a race. */
  private static final int RUNS = Integer.getInteger("tickwell.test.exits", 2);

  @TempDir Path root;

  private interface End {
    int of(Server server) throws IOException, InterruptedException;
  }

  private void endsCleanly(End end, int code) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      Server.Setup setup =
          new Server.Setup(root.resolve("run" + run))
              .plugin(ReloadTest.LIFE)
              .plugin(ReloadTest.WATCH);
      try (Server server = setup.start()) {
        server.ask("life load 500", "LIFE reads 500 and writes 500 refused {}");
        assertEquals(code, end.of(server), server::output);
        server.await("Everything that plugins saved is written.");
        assertFalse(server.output().contains("in native method"), server::output);
      }
      assertFalse(Files.exists(setup.crashFile()));
      Path file = setup.folder().resolve("tickwell.db");
      assertEquals(500, PluginTest.count(file, "SELECT count(*) FROM life_entries"));
      PluginTest.assertSound(file);
    }
  }

  @Test
  void systemExitStoresWhatWasAccepted() throws Exception {
    endsCleanly(
        server -> {
          server.command("watch exit 3");
          return server.awaitEnd();
        },
        3);
  }

  @Test
  void aTerminationStoresWhatWasAccepted() throws Exception {
    endsCleanly(Server::terminate, TERMINATED);
  }
}
