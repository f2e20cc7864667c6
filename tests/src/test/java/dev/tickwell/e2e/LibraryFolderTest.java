package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Folders that cannot hold or run the library, and a Java that refuses it: one message each, with
 * the reason and what helps, and the server runs on.
 */
class LibraryFolderTest {
  @TempDir Path root;

  private Path natives;
  private boolean mounted;

  @BeforeEach
  void choose() {
    natives = root.resolve("natives");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertEquals(0, new ProcessBuilder("umount", natives.toString()).start().waitFor());
    }
  }

  /** Makes the library's folder a file system of its own, for as long as the test runs. */
  private void mount(String options) throws Exception {
    Files.createDirectories(natives);
    Process process =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", options, "tmpfs", natives.toString())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    mounted = process.waitFor() == 0;
    assumeTrue(mounted, () -> "file systems cannot be mounted here: " + output);
  }

  private Server.Setup setup() throws IOException {
    return new Server.Setup(root)
        .plugin(PluginTest.PROBE)
        .config("native: {folder: '" + natives + "'}");
  }

  /** Starts, and gives the one message; the plugin is told the same. */
  private static String refusal(Server.Setup setup) throws Exception {
    try (Server server = setup.start()) {
      String told = server.await("PROBE refused UNAVAILABLE");
      String logged = server.await("Tickwell has no databases, and plugins cannot use it: ");
      String reason = logged.substring(logged.indexOf("cannot use it: ") + 15);
      assertTrue(told.contains(reason), told + "\n" + reason);
      server.ask("tickwell status", "No databases: ");
      server.ask("tps", "TPS");
      assertEquals(0, server.stop(), server::output);
      long messages = server.output().lines().filter(line -> line.contains("no databases")).count();
      assertEquals(1, messages, server::output);
      return reason;
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void aFolderThatForbidsProgramsIsNamed() throws Exception {
    mount("noexec");
    String reason = refusal(setup());
    assertTrue(reason.contains("noexec"), reason);
    assertTrue(reason.contains(natives.toString()), reason);
    assertTrue(reason.contains("native.folder"), reason);
  }

  @Test
  void aFolderThatIsFullIsNamedAndNothingIsLeftInIt() throws Exception {
    mount("size=64k");
    String reason = refusal(setup());
    assertTrue(reason.contains("No space left"), reason);
    assertTrue(reason.contains(natives.toString()), reason);
    assertTrue(reason.contains("native.folder"), reason);
    assertEquals(List.of(), files(natives));
  }

  @Test
  void aFolderOnAReadOnlyDiskIsNamed() throws Exception {
    mount("ro");
    String reason = refusal(setup());
    assertTrue(reason.contains("Read-only file system"), reason);
    assertTrue(reason.contains(natives.toString()), reason);
    assertTrue(reason.contains("native.folder"), reason);
  }

  @Test
  void aFolderThatIsMissingIsMade() throws Exception {
    natives = root.resolve("a/b/natives");
    try (Server server = setup().start()) {
      server.ask("probe roundtrip 3", "PROBE read 3 equal true");
      long libraries =
          files(natives).stream().filter(file -> file.toString().endsWith(".so")).count();
      assertEquals(1, libraries);
      PluginTest.stopCleanly(server);
    }
  }

  @Test
  void nativeAccessThatIsDeniedIsSaidWithTheOptionThatAllowsIt() throws Exception {
    String reason = refusal(setup().withoutNativeAccess().java("--illegal-native-access=deny"));
    assertTrue(reason.contains("--enable-native-access=ALL-UNNAMED"), reason);
  }
}
