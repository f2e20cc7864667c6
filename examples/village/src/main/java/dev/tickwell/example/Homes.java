package dev.tickwell.example;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.example.VillagePlugin.account;
import static dev.tickwell.example.VillagePlugin.lower;
import static dev.tickwell.example.VillagePlugin.target;
import static dev.tickwell.example.VillagePlugin.tell;

import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.Length;
import dev.tickwell.NotNull;
import dev.tickwell.Table;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bukkit.Location;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.Player;
import org.bukkit.plugin.Plugin;

/** The homes of players, each named by its owner: a table with a key of two columns. */
final class Homes {
  record Home(@Key UUID owner, @Key @Length(32) String name, @NotNull Location place) {}

  private final Plugin plugin;
  private final Table<Home> homes;

  Homes(Plugin plugin, Database database) {
    this.plugin = plugin;
    this.homes = database.table("homes", Home.class).register();
  }

  boolean command(CommandSender sender, String[] args) {
    String name = lower(args, 1);
    if (name.isEmpty() != lower(args, 0).equals("list")) {
      return false;
    }
    switch (lower(args, 0)) {
      case "set" -> set(sender, name);
      case "go" -> go(sender, name);
      case "delete" -> delete(sender, name);
      case "list" -> list(sender);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void set(CommandSender sender, String name) {
    // The location is copied before upsert returns, so the player may walk on.
    homes
        .upsert(new Home(account(sender), name, place(sender)))
        .on(
            target(sender),
            stored -> sender.sendMessage("Home " + name + " is set."),
            failure -> tell(sender, failure));
  }

  private void go(CommandSender sender, String name) {
    homes
        .find(account(sender), name)
        .on(
            target(sender),
            found ->
                found.ifPresentOrElse(
                    home -> go(sender, home),
                    () -> sender.sendMessage("You have no home " + name + ".")),
            failure -> tell(sender, failure));
  }

  private static void go(CommandSender sender, Home home) {
    if (sender instanceof Player player) {
      // Not teleport, which Folia refuses. There is nothing to do when the player has arrived.
      var unused = player.teleportAsync(home.place());
    } else {
      sender.sendMessage("Home " + home.name() + " is at y " + home.place().getBlockY() + ".");
    }
  }

  private void delete(CommandSender sender, String name) {
    homes
        .deleteByKey(account(sender), name)
        .on(
            target(sender),
            deleted ->
                sender.sendMessage(
                    deleted == 1
                        ? "Home " + name + " is deleted."
                        : "You have no home " + name + "."),
            failure -> tell(sender, failure));
  }

  private void list(CommandSender sender) {
    homes
        .select()
        .where(eq("owner", account(sender)))
        .orderBy(asc("name"))
        .fetch()
        .on(
            target(sender),
            rows ->
                sender.sendMessage(
                    rows.size() == 0
                        ? "You have no homes."
                        : rows.toList().stream()
                            .map(Home::name)
                            .collect(Collectors.joining(", ", "Homes: ", "."))),
            failure -> tell(sender, failure));
  }

  /** The console stands where the first world begins. */
  private Location place(CommandSender sender) {
    return sender instanceof Player player
        ? player.getLocation()
        : new Location(plugin.getServer().getWorlds().get(0), 0, 64, 0);
  }
}
