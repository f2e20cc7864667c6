package dev.tickwell.e2e.probe;

import dev.tickwell.Database;
import dev.tickwell.DatabaseOptions;
import dev.tickwell.Key;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.paper.Connections;
import dev.tickwell.paper.Tickwell;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bukkit.plugin.Plugin;

/** What a plugin may do with databases of its own; runs on a thread that may wait. */
final class ConnectionsProbe {
  /** A row of its table. */
  record Note(@Key int id, String text) {}

  private static final DatabaseOptions NOTES = DatabaseOptions.sqlite(Path.of("notes.db"));

  private final Tickwell tickwell;
  private final Connections connections;
  private final Path mainFile;

  ConnectionsProbe(Plugin plugin, Path mainFile) {
    this.tickwell = Tickwell.of(plugin);
    this.connections = tickwell.connections();
    this.mainFile = mainFile;
  }

  /** Throws what is not as it should be; gives the number of refusals that were seen. */
  int run() throws Exception {
    Database notes = connections.open("notes", NOTES);
    Table<Note> table = notes.table("notes", Note.class).register();
    check(get(table.insert(new Note(1, "kept")).toFuture()) == 1, "insert");
    check(connections.open("notes", NOTES).name().equals("Probe/notes"), "open again");
    check(tickwell.database("notes").name().equals("Probe/notes"), "by name");

    int refusals = 0;
    refusals += refused(() -> connections.open("notes", NOTES.with("readers", 1)), "use replace");
    refusals += refused(() -> connections.open("main", NOTES), "config.yml has a database main");
    refusals += refused(() -> connections.open("a/b", NOTES), "a/b is not a name");
    refusals += refused(() -> connections.open("x", NOTES.with("reders", 1)), "mean readers?");
    refusals += refused(() -> connections.open("x", NOTES.with("readers", 0)), "from 1 to 64");
    refusals += refused(() -> connections.open("x", DatabaseOptions.of("oracle")), "is oracle");
    refusals += refused(() -> connections.open("x", NOTES), "open as database Probe/notes");
    refusals +=
        refused(
            () -> connections.open("x", DatabaseOptions.sqlite(mainFile)), "open as database main");
    refusals += refused(() -> get(connections.close("x")), "open are notes");

    connections.makeDefault("notes");
    check(tickwell.database().name().equals("Probe/notes"), "default");
    // Saved just before: the replacement writes it first, and the table goes on.
    for (int id = 2; id <= 100; id++) {
      table.insert(new Note(id, "kept"));
    }
    get(connections.replace("notes", NOTES.with("readers", 1)));
    check(get(table.count().toFuture()) == 100, "count after the replacement");
    check(connections.names().contains("notes"), "names");

    get(connections.close("notes"));
    check(connections.names().isEmpty(), "names after the end");
    check(tickwell.database().name().equals("main"), "default after the end");
    refusals += refused(() -> get(table.count().toFuture()), "no database of this name is open");
    connections.open("notes", NOTES);
    check(get(table.count().toFuture()) == 100, "count after opening again");
    return refusals;
  }

  private static <T> T get(Future<T> future) throws Exception {
    try {
      return future.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static int refused(Callable<?> action, String reason) throws Exception {
    try {
      action.call();
    } catch (TickwellException e) {
      check(e.code().name().equals("INVALID_CONFIG") && e.getMessage().contains(reason), e);
      return 1;
    }
    throw new AssertionError("not refused: " + reason);
  }

  private static void check(boolean holds, Object what) {
    if (!holds) {
      throw new AssertionError(String.valueOf(what));
    }
  }
}
