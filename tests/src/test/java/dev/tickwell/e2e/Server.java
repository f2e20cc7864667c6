package dev.tickwell.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A server in a JVM of its own, with the real plugin jar and test plugins: started, told commands
 * on its console, and watched by what it prints. {@link #close} ends it whatever the test did.
 * Waits are for conditions; their limit only turns a hang into a failure.
 */
final class Server implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final Thread reader;
  private boolean ended;

  private Server(Process process) {
    this.process = process;
    this.reader = Thread.ofPlatform().daemon().name("server output").start(this::read);
  }

  /** What a server is started with. */
  static final class Setup {
    private final Path root;
    private final List<String> prefix = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private boolean nativeAccess = true;

    /** A server in an empty folder. */
    Setup(Path root) throws IOException {
      this.root = root;
      Files.createDirectories(plugins());
      Files.createDirectories(root.resolve("work"));
      Path jar = Path.of(System.getProperty("tickwell.test.plugin"));
      assertTrue(Files.isRegularFile(jar), "the plugin jar is not built: " + jar);
      Files.copy(jar, plugins().resolve("Tickwell.jar"));
    }

    Path plugins() {
      return root.resolve("plugins");
    }

    /** Where the JVM writes when it crashes. */
    Path crashFile() {
      return root.resolve("crash.log");
    }

    /** Tickwell's own folder. */
    Path folder() {
      return plugins().resolve("Tickwell");
    }

    /** Writes Tickwell's config.yml. */
    Setup config(String yaml) throws IOException {
      Files.createDirectories(folder());
      Files.writeString(folder().resolve("config.yml"), yaml);
      return this;
    }

    /** Adds a test plugin made of this class and those nested in it. */
    Setup plugin(PluginJar plugin) throws IOException {
      plugin.write(plugins());
      return this;
    }

    /** Runs the server as this command's arguments, such as one that takes rights away. */
    Setup under(String... command) {
      prefix.addAll(List.of(command));
      return this;
    }

    /** Leaves out the option by which Java allows native code, also from the host's jar. */
    Setup withoutNativeAccess() {
      nativeAccess = false;
      return this;
    }

    /** Adds options of the JVM, which win over the usual ones. */
    Setup java(String... more) {
      options.addAll(List.of(more));
      return this;
    }

    /** Starts it and waits until it is ready. */
    Server start() throws IOException {
      Path host = Path.of(System.getProperty("tickwell.test.host"));
      assertTrue(Files.isRegularFile(host), "the host is not built: " + host);
      List<String> command = new ArrayList<>(prefix);
      command.addAll(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Xcheck:jni",
              "-Xmx512m",
              "--sun-misc-unsafe-memory-access=allow",
              "-XX:ErrorFile=" + crashFile()));
      command.addAll(options);
      // A jar that is started may allow native code in its manifest, a class path cannot.
      command.addAll(
          nativeAccess
              ? List.of("--enable-native-access=ALL-UNNAMED", "-jar", host.toString())
              : List.of("-cp", host.toString(), "dev.tickwell.benchmark.host.Main"));
      command.addAll(
          List.of(
              "--work",
              root.resolve("work").toString(),
              "--plugins",
              plugins().toString(),
              "--port",
              "0"));
      Server server = new Server(new ProcessBuilder(command).redirectErrorStream(true).start());
      try {
        server.await("Done");
      } catch (AssertionError e) {
        server.close();
        throw e;
      }
      return server;
    }
  }

  private void read() {
    try (InputStream in = process.getInputStream();
        BufferedReader buffered =
            new BufferedReader(new java.io.InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = buffered.readLine(); line != null; line = buffered.readLine()) {
        synchronized (lines) {
          lines.add(line);
          lines.notifyAll();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      synchronized (lines) {
        ended = true;
        lines.notifyAll();
      }
    }
  }

  /** Waits for a line with this text and gives the first. */
  String await(String text) {
    return await(text, 0);
  }

  /** Waits for a line with this text among those after a {@link #mark}. */
  String await(String text, int mark) {
    return await(line -> line.contains(text), "a line with \"" + text + "\"", mark);
  }

  /** Waits for a line with one of two texts among those after a {@link #mark}. */
  String awaitEither(int mark, String one, String other) {
    return await(
        line -> line.contains(one) || line.contains(other),
        "a line with \"" + one + "\" or \"" + other + "\"",
        mark);
  }

  private String await(Predicate<String> wanted, String what, int mark) {
    long end = System.nanoTime() + LIMIT.toNanos();
    synchronized (lines) {
      int next = mark;
      while (true) {
        for (; next < lines.size(); next++) {
          if (wanted.test(lines.get(next))) {
            return lines.get(next);
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (ended || left <= 0) {
          return fail(
              "The server "
                  + (ended ? "ended" : "went on")
                  + " without "
                  + what
                  + ":\n"
                  + output());
        }
        try {
          lines.wait(left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return fail("interrupted");
        }
      }
    }
  }

  /** Where the output is now, for a later {@link #await}. */
  int mark() {
    synchronized (lines) {
      return lines.size();
    }
  }

  /** Types a command into the console. */
  int command(String command) throws IOException {
    int mark = mark();
    process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return mark;
  }

  /** Types a command and waits for the answer's line with this text. */
  String ask(String command, String answer) throws IOException {
    return await(answer, command(command));
  }

  /** Everything printed so far. */
  String output() {
    synchronized (lines) {
      return String.join("\n", lines);
    }
  }

  /** The names of the server's threads that begin so, the native ones too. */
  List<String> threads(String prefix) throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc", "" + process.pid(), "task"))) {
      List<String> names = new ArrayList<>();
      for (Path task : tasks.toList()) {
        try {
          String name = Files.readString(task.resolve("comm")).trim();
          if (name.toLowerCase(java.util.Locale.ROOT).startsWith(prefix)) {
            names.add(name);
          }
        } catch (IOException e) {
          // It ended between the listing and the look.
        }
      }
      names.sort(null);
      return names;
    }
  }

  /** Waits until these are the server's threads whose names begin so, without some of them. */
  void awaitThreads(String prefix, String without, List<String> wanted) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    List<String> names = List.of();
    while (System.nanoTime() < end) {
      names = threads(prefix);
      names.removeIf(name -> name.startsWith(without));
      if (names.equals(wanted)) {
        return;
      }
      Thread.onSpinWait();
    }
    fail("the threads stay " + names + " and never are " + wanted);
  }

  /** What the server has open: files by their path, everything else by its kind. */
  List<String> openFiles() throws IOException {
    try (Stream<Path> descriptors = Files.list(proc("fd"))) {
      List<String> targets = new ArrayList<>();
      for (Path descriptor : descriptors.toList()) {
        try {
          targets.add(Files.readSymbolicLink(descriptor).toString().replaceAll(":\\[\\d+]$", ""));
        } catch (IOException e) {
          // It was closed between the listing and the look.
        }
      }
      targets.sort(null);
      return targets;
    }
  }

  /** The files below this folder that are mapped into the server. */
  Set<String> mapped(Path folder) throws IOException {
    Set<String> files = new TreeSet<>();
    for (String line : Files.readAllLines(proc("maps"))) {
      int path = line.indexOf(folder.toString());
      if (path >= 0) {
        files.add(line.substring(path));
      }
    }
    return files;
  }

  /** Memory that the server has written to and shares with nobody, in KiB. */
  long writtenKib() throws IOException {
    for (String line : Files.readAllLines(proc("smaps_rollup"))) {
      if (line.startsWith("Private_Dirty")) {
        return Long.parseLong(line.replaceAll("\\D+", ""));
      }
    }
    return fail("the kernel does not tell what the process has written to");
  }

  private Path proc(String file) {
    return Path.of("/proc", "" + process.pid(), file);
  }

  /** Waits until this holds. */
  static void until(Callable<Boolean> condition, Supplier<String> otherwise) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        fail(otherwise.get());
      }
      Thread.onSpinWait();
    }
  }

  /** Waits until the process has ended by itself and gives its exit code. */
  int awaitEnd() throws InterruptedException {
    return exitCode();
  }

  /** Asks the process to end, as an operating system does, and gives its exit code. */
  int terminate() throws InterruptedException {
    // Not through the process itself, which would stop reading what is printed until the end.
    assertTrue(process.toHandle().destroy());
    return exitCode();
  }

  /** Ends the process without asking it. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    exitCode();
  }

  private int exitCode() throws InterruptedException {
    assertTrue(
        process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS),
        () -> "the server does not stop:\n" + output());
    reader.join();
    return process.exitValue();
  }

  /** Stops the server in its own way and gives its exit code. */
  int stop() throws IOException, InterruptedException {
    command("stop");
    return exitCode();
  }

  /** Ends the process if it still runs. */
  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
