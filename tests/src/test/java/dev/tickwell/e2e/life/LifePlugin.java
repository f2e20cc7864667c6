package dev.tickwell.e2e.life;

import static dev.tickwell.Filters.lt;

import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.paper.Tickwell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * A plugin that has much in flight whenever something ends. Each command prints one line that
 * begins with LIFE.
 */
public final class LifePlugin extends JavaPlugin {
  /** A row of the plugin's table. */
  public record Entry(@Key int id, String text) {}

  private final List<CompletableFuture<?>> futures = new ArrayList<>();
  private Database database;
  private Table<Entry> entries;
  private int saveOnDisable;

  @Override
  public void onEnable() {
    try {
      database = Tickwell.of(this).database();
      entries = database.table("entries", Entry.class).register();
      say("enabled");
    } catch (TickwellException e) {
      say("refused " + e.code() + ": " + e.getMessage());
    }
  }

  @Override
  public void onDisable() {
    if (saveOnDisable == 0) {
      return;
    }
    try {
      say("disable: " + save(0, saveOnDisable));
      // Whatever comes of each: that is counted.
      CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
          .handle((all, failure) -> null)
          .get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      say("disable waited in vain: " + e);
    }
    say("disable: " + outcome());
  }

  @Override
  public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    int first = args.length > 2 ? Integer.parseInt(args[2]) : 0;
    switch (args[0]) {
      case "save" -> say(save(first, count));
      case "load" -> {
        for (int i = 0; i < count; i++) {
          futures.add(entries.select().where(lt("id", i + 1)).limit(50).fetch().toFuture());
        }
        say("reads " + count + " and " + save(first, count));
      }
      case "outcome" -> say(outcome());
      case "save-on-disable" -> {
        saveOnDisable = count;
        say("will save " + count);
      }
      case "count" ->
          entries
              .count()
              .async(rows -> say("has " + rows + " rows"), e -> say("failed " + e.code()));
      case "throw" ->
          entries
              .count()
              .async(
                  rows -> {
                    throw new IllegalStateException("thrown by a callback");
                  });
      case "transaction" ->
          database
              .transactionResult(tx -> tx.update(entries).set("text", "changed").all().run())
              .async(rows -> say("changed " + rows + " rows"), e -> say("failed " + e));
      case "hold" -> {
        // A future, as no callback runs any more when the plugin is disabled.
        var unused =
            database
                .transaction(
                    tx -> {
                      say("holds");
                      // Until it is interrupted.
                      new CountDownLatch(1).await();
                    })
                .toFuture()
                .whenComplete((nothing, failure) -> say("held " + failure.getMessage()));
      }
      default -> say("does not know " + args[0]);
    }
    return true;
  }

  /** Submits so many inserts, each a request of its own; gives what became of the calls. */
  private String save(int first, int count) {
    int accepted = 0;
    Map<String, Integer> refused = new TreeMap<>();
    for (int i = first; i < first + count; i++) {
      try {
        futures.add(entries.insert(new Entry(i, "saved")).toFuture());
        accepted++;
      } catch (TickwellException e) {
        refused.merge(e.code().name(), 1, Integer::sum);
      }
    }
    return "writes " + accepted + " refused " + refused;
  }

  /** How the futures of all requests so far stand. */
  private String outcome() {
    Map<String, Integer> ends = new TreeMap<>();
    for (CompletableFuture<?> future : futures) {
      ends.merge(end(future), 1, Integer::sum);
    }
    return "outcome " + ends;
  }

  private static String end(CompletableFuture<?> future) {
    if (!future.isDone()) {
      return "PENDING";
    }
    try {
      future.join();
      return "DONE";
    } catch (CompletionException e) {
      return e.getCause() instanceof TickwellException failure ? failure.code().name() : "OTHER";
    }
  }

  private void say(String text) {
    getLogger().info("LIFE " + text);
  }
}
