package dev.tickwell.core;

import dev.tickwell.Key;
import dev.tickwell.Table;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A program that ends, in one way or another, while requests are in flight and nothing closed. */
final class ExitMain {
  static final int REQUESTS = 1_000;

  /** Answers to wait for, so that the end comes in the middle. */
  private static final int FIRST = 50;

  /** A row of the table. */
  record Entry(@Key int id, String text) {}

  private ExitMain() {}

  /** Prints the id of each row that is stored; the arguments are the way to end and a folder. */
  public static void main(String[] args) throws InterruptedException {
    Platform platform =
        new Platform() {
          @Override
          public boolean onTickThread() {
            return false;
          }

          @Override
          public void dispatch(TickTask task) {
            task.gone("no server");
          }

          @Override
          public void log(System.Logger.Level level, String owner, String message, Throwable e) {
            System.out.println("log " + message);
          }
        };
    Path library = Path.of(System.getProperty("tickwell.test.library"));
    Engine engine =
        Engine.start(EngineOptions.in(Path.of(args[1])).withNativePath(library), platform);
    engine.openDatabase(
        "main", Map.of("type", "sqlite", "path", Path.of(args[1], "test.db").toString()));
    Table<Entry> table =
        engine.database(engine.owner("Exit"), "main").table("entries", Entry.class).register();
    CountDownLatch first = new CountDownLatch(FIRST);
    for (int i = 0; i < REQUESTS; i++) {
      int id = i;
      table
          .insert(new Entry(id, "in flight"))
          .async(
              stored -> {
                System.out.println("stored " + id);
                first.countDown();
              });
      table.select().fetch().async(rows -> {});
    }
    first.await();
    System.out.println("ready");
    switch (args[0]) {
      case "exit" -> System.exit(3);
      case "throw" -> throw new IllegalStateException("nobody catches this");
      case "wait" -> new CountDownLatch(1).await();
      default -> System.out.println("returns");
    }
  }
}
