package dev.tickwell.elsewhere;

import dev.tickwell.Database;
import dev.tickwell.Table;
import java.util.concurrent.CountDownLatch;

/** Code of a plugin: outside of the core's package, so that it counts as a call site. */
public final class Caller {
  private Caller() {}

  /** Inserts the same row twice and looks at neither result. */
  public static <T> void insertDuplicates(Table<T> table, T row) {
    table.insert(row);
    table.insert(row);
  }

  /** Runs a transaction that fails and does not look at what became of it. */
  public static void failInTransaction(Database database) {
    database.transaction(
        tx -> {
          throw new IllegalStateException("broken");
        });
  }

  /** Waits in a way that nobody can refuse. */
  public static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
