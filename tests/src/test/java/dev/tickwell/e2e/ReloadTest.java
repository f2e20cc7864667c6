package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.e2e.life.LifePlugin;
import dev.tickwell.e2e.life.WatchPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickwell ends and begins again while the server goes on, with much in flight. */
class ReloadTest {
  static final PluginJar LIFE =
      new PluginJar("Life", LifePlugin.class, List.of("Tickwell"), List.of("life"));
  static final PluginJar WATCH =
      new PluginJar("Watch", WatchPlugin.class, List.of(), List.of("watch"));

  private static final int RELOADS = 30;

  /** Above what a reload costs, and below what a library with its heap and classes would. */
  private static final long MOST_KIB_PER_RELOAD = 4_096;

  @TempDir Path root;

  private Server.Setup setup() throws IOException {
    return new Server.Setup(root).plugin(LIFE).plugin(WATCH);
  }

  /** The number behind this word in a line. */
  private static long number(String line, String word) {
    int start = line.indexOf(word + " ") + word.length() + 1;
    return Long.parseLong(line.substring(start, line.indexOf(' ', start)));
  }

  private static String gauges(Server server) throws IOException {
    String line = server.ask("watch gauges", "WATCH gauges");
    return line.substring(line.indexOf("WATCH"));
  }

  @Test
  void thirtyReloadsWithQueriesInFlightLeaveNothing() throws Exception {
    // A heap that is there from the start, so that only what a reload adds is measured.
    Server.Setup setup =
        setup().java("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch");
    Path natives = setup.folder().resolve("native");
    try (Server server = setup.start()) {
      server.await("LIFE enabled");
      reload(server, 0);
      reload(server, 1);
      Server.until(
          () -> server.threads("tickwell-warm").isEmpty(), () -> "the warm-up does not end");
      List<String> threads = server.threads("tickwell");
      List<String> files = server.openFiles();
      String gauges = gauges(server);
      final String before = server.ask("watch memory", "WATCH loaders");
      final long kibBefore = server.writtenKib();
      for (int round = 2; round < RELOADS + 2; round++) {
        reload(server, round);
        server.awaitThreads("tickwell", "none", threads);
        Server.until(() -> server.openFiles().equals(files), () -> differs(server, files));
        Server.until(() -> gauges(server).equals(gauges), () -> "gauges other than " + gauges);
      }
      String after = server.ask("watch memory", "WATCH loaders");
      assertEquals(1, number(after, "loaders"), after);
      long kib = (server.writtenKib() - kibBefore) / RELOADS;
      long heap = (number(after, "heap") - number(before, "heap")) / RELOADS / 1024;
      long classes = (number(after, "classes") - number(before, "classes")) / RELOADS / 1024;
      int libraries = server.mapped(natives).size();
      System.out.printf(
          "One reload costs %d KiB beside the heap, %d KiB of it for classes, and %d KiB of heap; %d of"
              + " %d libraries are mapped%n",
          kib, classes, heap, libraries, RELOADS + 3);
      assertTrue(kib < MOST_KIB_PER_RELOAD, kib + " KiB for each reload");
      assertFalse(server.output().contains("already loaded"), server::output);
      PluginTest.stopCleanly(server);
    }
    assertFalse(Files.exists(setup.crashFile()));
    Path file = setup.folder().resolve("tickwell.db");
    assertEquals((RELOADS + 2) * 500L, PluginTest.count(file, "SELECT count(*) FROM life_entries"));
    PluginTest.assertSound(file);
  }

  private static void reload(Server server, int round) throws Exception {
    server.ask("life load 500 " + round * 500, "LIFE reads 500 and writes 500 refused {}");
    int mark = server.command("reload Tickwell");
    server.await("Everything that plugins saved is written.", mark);
    server.await("LIFE enabled", mark);
    server.await("Database main is ready", mark);
  }

  private static String differs(Server server, List<String> files) {
    try {
      return "open are " + server.openFiles() + " and were " + files;
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void whatADependantHasInFlightIsStoredWhenTickwellIsDisabledFirst() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.ask("life save 5000", "LIFE writes 5000 refused {}");
      int mark = server.command("watch disable Tickwell");
      server.await("Everything that plugins saved is written.", mark);
      server.await("WATCH disabled Tickwell", mark);
      String outcome = server.ask("life outcome", "LIFE outcome");
      assertFalse(outcome.contains("PENDING"), outcome);
      server.ask("life save 7 5000", "LIFE writes 0 refused {CLOSED=7}");
      // And its own onDisable finds no Tickwell any more.
      server.ask("life save-on-disable 3", "LIFE will save 3");
      assertEquals(0, server.stop(), server::output);
      server.await("LIFE disable: writes 0 refused {CLOSED=3}");
    }
    Path file = setup.folder().resolve("tickwell.db");
    assertEquals(5000, PluginTest.count(file, "SELECT count(*) FROM life_entries"));
    PluginTest.assertSound(file);
  }

  @Test
  void everyWriteOfAnOnDisableIsStoredAndEveryFutureCompleted() throws Exception {
    Server.Setup setup = setup();
    try (Server server = setup.start()) {
      server.ask("life save-on-disable 5000", "LIFE will save 5000");
      PluginTest.stopCleanly(server);
      server.await("LIFE disable: writes 5000 refused {}");
      server.await("LIFE disable: outcome {DONE=5000}");
    }
    Path file = setup.folder().resolve("tickwell.db");
    assertEquals(5000, PluginTest.count(file, "SELECT count(*) FROM life_entries"));
    PluginTest.assertSound(file);
  }

  @Test
  void aPluginThatIsDisabledAndEnabledAtOnceLeavesNothingOfItsFormerLife() throws Exception {
    try (Server server = setup().start()) {
      server.ask("life hold", "LIFE holds");
      int mark = server.command("watch restart Life");
      server.await("LIFE held disable: the plugin Life is disabled", mark);
      server.await("WATCH restarted Life", mark);
      server.ask("life load 10", "LIFE reads 10 and writes 10 refused {}");
      server.ask("life count", "LIFE has 10 rows");
      PluginTest.stopCleanly(server);
    }
  }
}
