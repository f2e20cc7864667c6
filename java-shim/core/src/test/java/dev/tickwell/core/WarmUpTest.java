package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The warm-up runs beside the engine and leaves nothing behind. */
class WarmUpTest implements Platform {
  @TempDir Path folder;

  private final List<String> heard = new CopyOnWriteArrayList<>();
  private Engine engine;

  @Override
  public boolean onTickThread() {
    return false;
  }

  @Override
  public void dispatch(TickTask task) {
    heard.add("work of the warm-up reached the server");
  }

  @Override
  public void log(System.Logger.Level level, String owner, String message, Throwable cause) {
    heard.add(message);
  }

  @BeforeEach
  void start() {
    Path library = Path.of(System.getProperty("tickwell.test.library"));
    EngineOptions options = EngineOptions.in(folder).withNativePath(library);
    engine = Engine.start(options.withWarmUp(false), this);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private WarmUp begin() {
    WarmUp warmUp = new WarmUp(Engine::startBeside, folder, this);
    warmUp.start();
    return warmUp;
  }

  /** The Java threads of ours. */
  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tickwell"))
        .count();
  }

  private static boolean isRunning() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(WarmUp.THREAD_NAME));
  }

  private void assertFolderIsEmpty() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void allOfItWorksAndNothingOfItIsLeft() throws Exception {
    Map<String, String> statistics = engine.statistics();
    long threads = threads();
    WarmUp warmUp = begin();
    Bed.eventually("the end of the warm-up", () -> !isRunning());
    assertTrue(warmUp.stop(System.nanoTime()));
    assertTrue(warmUp.answered() > 0);
    assertEquals(0, warmUp.failed());
    assertEquals(statistics, engine.statistics());
    assertEquals(threads, threads());
    assertFolderIsEmpty();
    assertEquals(List.of(), heard);
  }

  @Test
  void anEngineThatIsClosedEndsItsWarmUp() throws Exception {
    engine.close();
    Path library = Path.of(System.getProperty("tickwell.test.library"));
    long threads = threads();
    engine = Engine.start(EngineOptions.in(folder).withNativePath(library), this);
    // In the middle: its database is there.
    Bed.eventually("the warm-up's database", () -> Files.exists(folder.resolve("warm-up.db")));
    assertTrue(engine.close(Bed.LIMIT).complete());
    assertEquals(threads, threads());
    assertFolderIsEmpty();
    assertEquals(List.of(), heard);
  }

  @Test
  void aFolderThatCannotBeUsedCostsOnlyTheWarmUp() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    WarmUp warmUp = new WarmUp(Engine::startBeside, file, this);
    warmUp.start();
    Bed.eventually("the end of the warm-up", () -> !isRunning());
    assertTrue(warmUp.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(1)));
    assertEquals(0, warmUp.answered());
    assertEquals(1, heard.size());
    assertTrue(heard.getFirst().contains("warm-up"), heard.getFirst());
  }
}
