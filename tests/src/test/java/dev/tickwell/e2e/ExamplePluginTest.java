package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example plugin as an owner uses it: commands on the console, a restart, the same again. */
class ExamplePluginTest {
  @TempDir Path root;

  @Test
  void answersStoresAndFindsItAgainAfterARestart() throws Exception {
    Server.Setup setup = new Server.Setup(root);
    Path jar = Path.of(System.getProperty("tickwell.test.example"));
    Files.copy(jar, setup.plugins().resolve("Village.jar"));
    Path file = setup.folder().resolve("tickwell.db");
    try (Server server = setup.start()) {
      server.ask("home list", "You have no homes.");
      server.ask("home set base", "Home base is set.");
      server.ask("home set mine", "Home mine is set.");
      server.ask("home list", "Homes: base, mine.");
      server.ask("home delete mine", "Home mine is deleted.");
      server.ask("home delete mine", "You have no home mine.");
      for (int i = 1; i <= 11; i++) {
        server.ask("bank give a" + i + " " + i, "Gave " + i + " to a" + i + ".");
      }
      server.ask("bank pay a1 5", "You have not that much.");
      server.ask("bank give console 100", "Gave 100 to console.");
      server.ask("bank pay nobody 5", "There is no account nobody.");
      server.ask("bank pay a1 -5", "Give a number of coins above 0.");
      server.ask("bank show", "You have 100.");
      server.ask("bank pay a1 30", "Paid 30 to a1.");
      server.ask("bank show", "You have 70.");
      awaitRichest(server);
      server.ask("top 2", "Richest: a3 3, a2 2.");
      PluginTest.stopCleanly(server);
    }
    assertEquals(1, PluginTest.count(file, "SELECT count(*) FROM village_homes"));
    assertEquals(166, PluginTest.count(file, "SELECT sum(coins) FROM village_accounts"));
    assertEquals(13, PluginTest.count(file, "SELECT count(*) FROM village_journal"));
    try (Server server = setup.start()) {
      server.ask("home go base", "Home base is at y 64.");
      server.ask("home go mine", "You have no home mine.");
      server.ask("bank show", "You have 70.");
      awaitRichest(server);
      server.ask("journal count", "The journal has 13 entries.");
      server.ask("journal export", "Exported 13 entries.");
      assertEquals(13, Files.readAllLines(setup.plugins().resolve("Village/journal.csv")).size());
      PluginTest.stopCleanly(server);
    }
  }

  /** The list is published after the answer, so it may be a moment older than that. */
  private static void awaitRichest(Server server) throws Exception {
    String wanted =
        "Richest: console 70, a1 31, a11 11, a10 10, a9 9, a8 8, a7 7, a6 6, a5 5, a4 4.";
    Server.until(
        () -> {
          int mark = server.command("top");
          // Some answer comes in any case: nothing was published yet, or a list.
          return server.awaitEither(mark, "Richest: ", "The list is not there").contains(wanted);
        },
        server::output);
  }
}
