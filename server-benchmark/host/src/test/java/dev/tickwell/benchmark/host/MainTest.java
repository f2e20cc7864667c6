package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The host as a process of its own. */
class MainTest {
  @TempDir Path temp;

  /** A running host whose lines are read as they come. */
  private final class Child {
    private final Process process;
    private final BufferedReader output;
    private final Writer input;
    private final List<String> lines = new ArrayList<>();

    Child(String... args) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "dev.tickwell.benchmark.host.Main",
                  "--work",
                  temp.toString()));
      command.addAll(List.of(args));
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    void enter(String line) throws IOException {
      input.write(line + "\n");
      input.flush();
    }

    /** Reads up to a line with this in it. */
    void await(String text) throws IOException {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        if (line.contains(text)) {
          return;
        }
      }
      throw new AssertionError("no line with '" + text + "' in " + String.join("\n", lines));
    }

    int end() throws Exception {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
      return process.waitFor();
    }

    int positionOf(String text) {
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains(text)) {
          return i;
        }
      }
      throw new AssertionError("no line with '" + text + "' in " + String.join("\n", lines));
    }
  }

  private void plugin(String name, String body) throws IOException {
    Path folder = Files.createDirectories(temp.resolve("plugins"));
    new PluginJars(folder).make(name, "", body);
  }

  @Test
  void commandsAreReadAndStopEndsWellAndInOrder() throws Exception {
    plugin(
        "Quiet",
        """
        public void onEnable() { getLogger().info("is up"); }
        public void onDisable() { getLogger().info("is down"); }
        """);
    Child host = new Child("--port", "0");
    host.await("Done (");
    host.enter("plugins");
    host.await("Plugins (1): Quiet");
    host.enter("pl\t");
    host.await("Completions: plugins");
    host.enter("nonsense");
    host.await("Unknown command");
    host.enter("world load arena");
    host.await("World arena is loaded");
    host.enter("reload quiet");
    host.await("Reloaded Quiet");
    host.enter("stop");
    assertEquals(0, host.end());
    assertTrue(host.positionOf("[Quiet] is up") < host.positionOf("Done ("));
    assertTrue(host.positionOf("Stopping server") < host.positionOf("Summary: ticks="));
    assertTrue(host.positionOf("Listening on ") < host.positionOf("Done ("));
  }

  @Test
  void aPluginThatFailsMakesAStrictRunFailButNotTheServer() throws Exception {
    plugin("Broken", "public void onEnable() { throw new IllegalStateException(\"broken\"); }");
    Child host = new Child("--strict", "--ticks", "3");
    assertEquals(1, host.end());
    host.positionOf("Error occurred while enabling Broken v1");
    assertTrue(host.lines.get(host.positionOf("Summary: ")).contains("ticks=3 "));
  }

  @Test
  void aSignalStopsTheServerInOrder() throws Exception {
    plugin("Quiet", "public void onDisable() { getLogger().info(\"is down\"); }");
    Child host = new Child();
    host.await("Done (");
    // The process object would close its streams too.
    host.process.toHandle().destroy();
    host.end();
    assertTrue(host.positionOf("[Quiet] is down") < host.positionOf("Summary: ticks="));
  }

  @Test
  void argumentsAreChecked() {
    HostOptions options =
        HostOptions.parse(List.of("--work", "w", "--port", "7", "--ticks", "9", "--strict"));
    assertEquals(
        new HostOptions(
            new File("w").getAbsoluteFile(),
            new File(new File("w").getAbsoluteFile(), "plugins"),
            7,
            9,
            true),
        options);
    for (List<String> wrong :
        List.of(
            List.<String>of(),
            List.of("--work"),
            List.of("--work", "w", "--port", "65536"),
            List.of("--work", "w", "--ticks", "-1"),
            List.of("--work", "w", "--ticks", "x"),
            List.of("--work", "w", "--other"))) {
      assertThrows(
          IllegalArgumentException.class, () -> HostOptions.parse(wrong), wrong.toString());
    }
  }
}
