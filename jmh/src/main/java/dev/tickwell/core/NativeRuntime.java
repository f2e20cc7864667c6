package dev.tickwell.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A runtime of the library under test, with one SQLite database in a temporary folder when a
 * benchmark needs one. One thread at a time.
 */
final class NativeRuntime implements AutoCloseable {
  /** The environment variable with the library's path. */
  private static final String LIBRARY = "TICKWELL_LIBRARY";

  private static final long LIMIT_NANOS = Duration.ofSeconds(10).toNanos();

  private final long runtime;
  private final int owner;
  private long database;
  private Path folder;
  private long lastRequest;

  NativeRuntime() {
    String library = System.getenv(LIBRARY);
    if (library == null) {
      throw new IllegalStateException(LIBRARY + " must name the library; ./gradlew jmh sets it");
    }
    System.load(library);
    runtime = Native.openRuntime(Wire.pairs(Map.of()));
    owner = Native.openOwner(runtime, "jmh");
  }

  long handle() {
    return runtime;
  }

  /** Opens the database and runs these statements, each of which changes it. */
  void openDatabase(List<String> statements) throws IOException {
    folder = Files.createTempDirectory("tickwell-jmh");
    database =
        Native.openDatabase(
            runtime,
            Wire.pairs(
                Map.of(
                    "name", "bench", "type", "sqlite", "path", folder.resolve("b.db").toString())));
    for (String statement : statements) {
      request(Requests.raw(Requests.RAW_UPDATE, statement, Map.of()), null);
    }
  }

  int owner() {
    return owner;
  }

  /** Submits one request and waits for its completion, as the completion thread does. */
  Completion request(byte[] request, byte[] page) {
    Native.submit(runtime, database, ++lastRequest, owner, request, page, false);
    byte[][] frames = Native.awaitCompletions(runtime, 1, LIMIT_NANOS);
    if (frames == null || frames.length != 1) {
      throw new IllegalStateException("the request did not end within 10 s");
    }
    Completion completion = new Completion(frames[0]);
    RuntimeException error = completion.error();
    if (error != null) {
      throw error;
    }
    return completion;
  }

  @Override
  public void close() throws IOException {
    byte[] report = Native.closeRuntime(runtime, LIMIT_NANOS);
    if (!Wire.readPairs(report).isEmpty()) {
      throw new IllegalStateException(new String(report, StandardCharsets.UTF_8));
    }
    if (folder != null) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
