package dev.tickwell.plugin;

import static dev.tickwell.Filters.desc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.ge;
import static dev.tickwell.paper.Targets.entity;

import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.paper.Tickwell;
import java.util.UUID;
import java.util.function.Consumer;
import org.bukkit.entity.Player;
import org.bukkit.plugin.Plugin;

/**
 * The README's example, compiled with the API that it shows and run by {@link ReadmeExampleTest};
 * an interface, so that the test can give it a plugin. The check compares the part between the two
 * marks with the README.
 */
@SuppressWarnings("UnusedNestedClass") // one of the records is only shown
interface ReadmeExample extends Plugin {
  /** Shows the balances to somebody. */
  void show(Rows<?> balances);

  /** What the README shows: reads the richest and moves {@code n} coins from a to b. */
  default void example(
      Player player,
      UUID a,
      UUID b,
      long n,
      Consumer<Void> ok,
      Consumer<TickwellException> failed) {
    // spotless:off
    // README.md: begin
    record Profile(@Key UUID id, String name, int level) {}
    record Balance(@Key UUID id, long coins) {}

    Database db = Tickwell.of(this).database();               // owner known; config says which database
    Table<Balance> balances = db.table("balances", Balance.class).index("coins").register();

    balances.select().orderBy(desc("coins")).limit(10).fetch()
            .on(entity(player), this::show, e -> player.sendMessage(e.userText()));

    db.transaction(tx -> {                                     // on a worker thread; may be run again
      if (tx.update(balances).add("coins", -n).where(eq("id", a), ge("coins", n)).run() != 1) tx.rollback("poor");
      if (tx.update(balances).add("coins",  n).where(eq("id", b)).run() != 1) tx.rollback("no account");
    }).on(entity(player), ok, failed);
    // README.md: end
    // spotless:on
  }
}
