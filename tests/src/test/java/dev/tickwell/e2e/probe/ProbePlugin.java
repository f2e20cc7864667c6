package dev.tickwell.e2e.probe;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.ge;
import static dev.tickwell.Filters.lt;
import static dev.tickwell.paper.Targets.global;

import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import dev.tickwell.paper.StoredLocation;
import dev.tickwell.paper.Tickwell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bukkit.Bukkit;
import org.bukkit.Location;
import org.bukkit.Material;
import org.bukkit.World;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.inventory.Inventory;
import org.bukkit.inventory.ItemStack;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * A plugin as its author would write it, driven from the console by {@code /probe}. Each command
 * prints one line that begins with PROBE when it is over.
 */
public final class ProbePlugin extends JavaPlugin {
  /** A row of the probe's table. */
  public record Entry(@Key int id, String text) {}

  /** A row with what a live server owns. */
  public record Kept(@Key int id, ItemStack item, Location place) {}

  private Database database;
  private Table<Entry> entries;
  private Table<Kept> kept;
  private int saveOnDisable;
  private final AtomicInteger answered = new AtomicInteger();

  @Override
  public void onEnable() {
    try {
      database = Tickwell.of(this).database();
      entries = database.table("entries", Entry.class).register();
      kept = database.table("kept", Kept.class).register();
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
    Pending<Long> last = null;
    for (int i = 0; i < saveOnDisable; i++) {
      last = entries.insert(new Entry(i, "saved in onDisable"));
    }
    try {
      say("saved " + last.toFuture().get(20, TimeUnit.SECONDS) + " last");
    } catch (Exception e) {
      say("not saved: " + e);
    }
  }

  @Override
  public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    int first = args.length > 2 && !args[0].equals("place") ? Integer.parseInt(args[2]) : 0;
    switch (args[0]) {
      case "roundtrip" -> roundTrip(count, first);
      case "queue" -> queue(count, first);
      case "save-on-disable" -> {
        saveOnDisable = count;
        say("will save " + count);
      }
      case "throw" ->
          entries
              .count()
              .on(
                  global(),
                  rows -> {
                    throw new IllegalStateException("thrown by the probe's callback");
                  });
      case "acknowledge" -> acknowledge(count);
      case "answered" -> say("answered " + answered);
      case "count" -> entries.count().on(global(), rows -> say("has " + rows), this::failed);
      case "block" -> block();
      case "connections" -> connections();
      case "item" -> item();
      case "place" -> place(args[2], count);
      case "place-back" -> placeBack(count);
      default -> say("does not know " + args[0]);
    }
    return true;
  }

  private void roundTrip(int rows, int first) {
    List<Entry> written =
        IntStream.range(first, first + rows)
            .mapToObj(i -> new Entry(i, "row " + i + " ☆"))
            .toList();
    entries.insert(written).on(global(), stored -> say("stored " + stored), this::failed);
    // Submitted at once: a read sees the writes that were submitted before it.
    entries
        .select()
        .where(ge("id", first), lt("id", first + rows))
        .orderBy(asc("id"))
        .fetch()
        .on(
            global(),
            read ->
                say(
                    "read "
                        + read.size()
                        + " equal "
                        + read.toList().equals(written)
                        + " on the tick thread "
                        + Bukkit.isPrimaryThread()),
            this::failed);
  }

  /** Leaves many writes waiting: each is a request of its own. */
  private void queue(int rows, int first) {
    for (int i = first; i < first + rows; i++) {
      entries.insert(new Entry(i, "queued"));
    }
    say("queued " + rows);
  }

  /** Writes row by row and says after each hundred how many were answered. */
  private void acknowledge(int rows) {
    answered.set(0);
    AtomicInteger ended = new AtomicInteger();
    for (int i = 0; i < rows; i++) {
      entries
          .insert(new Entry(i, "acknowledged"))
          .async(
              stored -> {
                int now = answered.incrementAndGet();
                if (now % 100 == 0) {
                  say("acknowledged " + now);
                }
                end(ended, rows);
              },
              e -> {
                failed(e);
                end(ended, rows);
              });
    }
  }

  private void end(AtomicInteger ended, int rows) {
    if (ended.incrementAndGet() == rows) {
      say("acknowledge ended");
    }
  }

  /** Waits for what takes the database about a second; a result that is there would be given. */
  private void block() {
    String slow =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000000)"
            + " SELECT count(*) FROM n";
    try {
      say("blocked and got " + database.query(slow).toFuture().get());
    } catch (TickwellException e) {
      say("refused " + e.code() + ": " + e.getMessage());
    } catch (Exception e) {
      say("failed otherwise: " + e);
    }
  }

  /** Uses databases of its own, on a thread that may wait for them. */
  private void connections() {
    Path main = getDataFolder().toPath().resolveSibling("Tickwell").resolve("tickwell.db");
    ConnectionsProbe probe = new ConnectionsProbe(this, main.toAbsolutePath());
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                say("connections refused " + probe.run());
              } catch (Throwable thrown) {
                say("connections failed: " + thrown);
              }
            });
  }

  /** Saves the item of a slot and changes the slot at once. */
  private void item() {
    Inventory inventory = getServer().createInventory(null, 9);
    inventory.setItem(0, new ItemStack(Material.DIAMOND, 3));
    ItemStack live = inventory.getItem(0);
    ItemStack wanted = live.clone();
    List<Kept> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(new Kept(i, live, null));
    }
    Pending<Long> insert = kept.insert(rows);
    live.setAmount(64);
    boolean changed = inventory.getItem(0).getAmount() == 64;
    insert.on(global(), stored -> readItems(wanted, changed), this::failed);
  }

  private void readItems(ItemStack wanted, boolean changed) {
    kept.select()
        .fetch()
        .on(
            global(),
            rows -> {
              long equal = rows.toList().stream().filter(row -> wanted.equals(row.item())).count();
              say("items " + rows.size() + " equal " + equal + " slot changed " + changed);
            },
            this::failed);
  }

  private void place(String world, int id) {
    World loaded = Bukkit.getWorld(world);
    kept.insert(new Kept(id, null, new Location(loaded, 1.5, 64, -2.5, 90f, -10f)))
        .on(global(), stored -> say("place stored in " + world), this::failed);
  }

  private void placeBack(int id) {
    kept.select()
        .where(ge("id", id))
        .fetch()
        .on(
            global(),
            rows -> {
              Location place = rows.row(0).place();
              say(
                  "place x "
                      + place.getX()
                      + " world "
                      + (place.getWorld() == null ? "none" : place.getWorld().getName())
                      + " kept "
                      + (place instanceof StoredLocation stored ? stored.worldName() : "plain"));
            },
            this::failed);
  }

  private void failed(TickwellException e) {
    say("failed " + e.code() + ": " + e.getMessage());
  }

  private void say(String text) {
    getLogger().info("PROBE " + text);
  }
}
