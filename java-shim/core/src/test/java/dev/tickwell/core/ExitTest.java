package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.Row;
import dev.tickwell.Rows;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JVM ends with a thousand writes and reads in flight, and nobody has closed anything. */
class ExitTest {
  /** How often each way is tried; more by hand, as what can go wrong is a race. */
  private static final int RUNS = Integer.getInteger("tickwell.test.exits", 2);

  private static final int TERMINATED = 128 + 15;

  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({"exit, 3", "return, 0", "throw, 1", "wait, " + TERMINATED})
  void anExitWithWorkInFlightEndsInTimeAndKeepsEveryAnsweredWrite(String way, int code)
      throws Exception {
    for (int run = 0; run < RUNS; run++) {
      Path folder = Files.createDirectory(root.resolve(way + run));
      Path crash = folder.resolve("crash.log");
      Process process = start(way, folder, crash);
      StringBuilder output = new StringBuilder();
      Set<Integer> answered = new HashSet<>();
      try (BufferedReader reader = process.inputReader()) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          output.append(line).append('\n');
          if (line.startsWith("stored ")) {
            answered.add(Integer.parseInt(line.substring("stored ".length())));
          } else if (line.equals("ready") && way.equals("wait")) {
            // By its handle: through the process itself, the output would end here.
            assertTrue(process.toHandle().destroy());
          }
        }
        assertTrue(process.waitFor(Bed.LIMIT.toSeconds(), TimeUnit.SECONDS), "it goes on");
      } finally {
        process.destroyForcibly();
      }
      assertEquals(code, process.exitValue(), output::toString);
      assertFalse(Files.exists(crash), output::toString);
      assertFalse(output.toString().contains("in native method"), output::toString);
      assertFalse(answered.isEmpty());
      assertStored(folder, answered);
    }
  }

  private static Process start(String way, Path folder, Path crash) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xcheck:jni",
            "-Xmx256m",
            "-XX:ErrorFile=" + crash,
            "--enable-native-access=ALL-UNNAMED",
            "-Dtickwell.test.library=" + System.getProperty("tickwell.test.library"),
            "-cp",
            System.getProperty("java.class.path"),
            ExitMain.class.getName(),
            way,
            folder.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static void assertStored(Path folder, Set<Integer> answered) {
    try (Bed bed = new Bed(folder)) {
      assertEquals("ok", Bed.await(bed.db.query("PRAGMA integrity_check")).getString(0, 0));
      Set<Integer> stored = new HashSet<>();
      Rows<Row> rows = Bed.await(bed.db.query("SELECT id FROM exit_entries"));
      for (int row = 0; row < rows.size(); row++) {
        stored.add((int) rows.getLong(row, 0));
      }
      assertTrue(stored.containsAll(answered), () -> "stored " + stored + " of " + answered);
      assertTrue(stored.size() <= ExitMain.REQUESTS);
    }
  }
}
