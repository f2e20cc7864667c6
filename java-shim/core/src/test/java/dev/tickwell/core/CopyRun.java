package dev.tickwell.core;

import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.Table;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * One of several Tickwells in a process, in a class loader of its own: writes rows while the others
 * do, and gives how many it finds.
 *
 * @param folder its own folder
 * @param rows how many it writes
 * @param together where all of them meet between the steps
 */
record CopyRun(Path folder, int rows, CyclicBarrier together) implements Callable<Long> {
  private static final long LIMIT_SECONDS = 20;

  /** A row of the table, which has the same name for all. */
  record Entry(@Key int id, String text) {}

  @Override
  public Long call() throws Exception {
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
            throw new IllegalStateException(message, e);
          }
        };
    try (Engine engine = Engine.start(EngineOptions.in(folder.resolve("native")), platform)) {
      engine.openDatabase(
          "main", Map.of("type", "sqlite", "path", folder.resolve("a.db").toString()));
      meet();
      Database database = engine.database(engine.owner("Demo"), "main");
      Table<Entry> table = database.table("entries", Entry.class).register();
      for (int i = 0; i < rows; i++) {
        table.insert(new Entry(i, "of " + folder));
      }
      long count = table.count().toFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      meet();
      return count;
    }
  }

  private void meet() throws Exception {
    together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
