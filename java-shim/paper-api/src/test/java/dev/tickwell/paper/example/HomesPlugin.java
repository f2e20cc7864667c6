package dev.tickwell.paper.example;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.desc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.ge;
import static dev.tickwell.Filters.like;
import static dev.tickwell.paper.Targets.entity;
import static dev.tickwell.paper.Targets.global;

import dev.tickwell.AutoIncrement;
import dev.tickwell.Database;
import dev.tickwell.DatabaseOptions;
import dev.tickwell.Key;
import dev.tickwell.Length;
import dev.tickwell.NotNull;
import dev.tickwell.Select;
import dev.tickwell.Table;
import dev.tickwell.paper.Tickwell;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.bukkit.Location;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.Player;
import org.bukkit.inventory.ItemStack;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * The examples of docs/plugins.md, compiled with the API that they show. The check compares the
 * parts between two marks, in their order, with that page.
 */
final class HomesPlugin extends JavaPlugin {
  // docs/plugins.md: begin
  record Home(@Key UUID player, @Key @Length(32) String name, @NotNull Location place) {}

  private Table<Home> homes;

  @Override
  public void onEnable() {
    homes = Tickwell.of(this).database().table("homes", Home.class).register();
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  record Offer(@Key @AutoIncrement Long id, @NotNull String title, @NotNull Integer price) {}

  void registerOffers() {
    Table<Offer> offers =
        Tickwell.of(this)
            .database()
            .table("offers", Offer.class)
            .unique("title")
            .defaultValue("price", 10)
            .addMissingColumns()
            .register();
    offers.insert(new Offer(null, "A sword", null));
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void setHome(Player player, String name) {
    homes.upsert(new Home(player.getUniqueId(), name, player.getLocation()));
  }

  // docs/plugins.md: end

  private Table<Offer> offers;

  // docs/plugins.md: begin
  void offer(Player seller, String title) {
    offers
        .returningKeys()
        .insert(new Offer(null, title, 10))
        .on(
            entity(seller),
            keys -> seller.sendMessage("Offer " + keys.getLong(0, 0) + " is open."),
            failure -> seller.sendMessage(failure.userText()));
  }

  // docs/plugins.md: end

  record Slot(@Key UUID player, @Key int slot, @NotNull ItemStack item) {}

  private Table<Slot> inventories;

  // docs/plugins.md: begin
  void save(Player player, List<Slot> slots) {
    inventories.delete(eq("player", player.getUniqueId()));
    inventories.insert(slots); // items are copied before this returns
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void pay(Player from, UUID to, long coins) {
    Tickwell.of(this)
        .database()
        .transaction(
            tx -> {
              UUID payer = from.getUniqueId();
              if (tx.update(balances)
                      .add("coins", -coins)
                      .where(eq("id", payer), ge("coins", coins))
                      .run()
                  != 1) {
                tx.rollback("You have not that much.");
              }
              if (tx.update(balances).add("coins", coins).where(eq("id", to)).run() != 1) {
                tx.rollback("There is no such account.");
              }
            })
        .on(
            entity(from),
            done -> from.sendMessage("Paid " + coins + "."),
            failure ->
                from.sendMessage(failure.context().getOrDefault("reason", failure.userText())));
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void listHomes(Player player) {
    homes
        .select()
        .where(eq("player", player.getUniqueId()), like("name", "b%"))
        .orderBy(asc("name"))
        .limit(20)
        .fetch()
        .on(
            entity(player),
            rows -> rows.forEach(home -> player.sendMessage(home.name() + " " + home.place())),
            failure -> player.sendMessage(failure.userText()));
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void teleport(Player player, String name) {
    homes
        .find(player.getUniqueId(), name)
        .on(
            entity(player),
            home -> home.ifPresent(found -> go(player, found)),
            failure -> player.sendMessage(failure.userText()));
  }

  // docs/plugins.md: end

  private static void go(Player player, Home home) {
    player.sendMessage("Off to " + home.place());
  }

  record Balance(@Key UUID id, String name, long coins) {}

  private Table<Balance> balances;

  // docs/plugins.md: begin
  Select<Balance> page(Balance last) {
    Select<Balance> page = balances.select().orderBy(desc("coins"), asc("id")).limit(20);
    return last == null ? page : page.after(last.coins(), last.id());
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void economy(CommandSender asking) {
    balances
        .aggregate()
        .count()
        .sum("coins")
        .max("coins")
        .where(ge("coins", 1))
        .fetch()
        .on(
            global(),
            row -> asking.sendMessage(row.get("count") + " hold " + row.get("sum(coins)")),
            failure -> asking.sendMessage(failure.userText()));
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void exportHomes(PrintWriter out) {
    homes.select().orderBy(asc("player"), asc("name")).stream(1_000)
        .async(
            (page, stream) -> page.forEach(home -> out.println(home.player() + "," + home.name())),
            end -> {
              out.close();
              getLogger()
                  .info(end.rows() + " homes" + (end.isComplete() ? "" : ", then it failed"));
            });
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void refreshTop() {
    balances.select().orderBy(desc("coins")).limit(10).publish("bank.top");
  }

  // Later, on any thread and in any plugin:
  record Line(String name, long coins) {}

  void showTop(Player player) {
    Tickwell.of(this)
        .shared()
        .get("bank.top")
        .ifPresent(
            rows ->
                rows.toList(Line.class)
                    .forEach(line -> player.sendMessage(line.name() + ": " + line.coins())));
  }

  // docs/plugins.md: end

  // docs/plugins.md: begin
  void openCache() {
    Database cache =
        Tickwell.of(this)
            .connections()
            .open(
                "cache", DatabaseOptions.sqlite(Path.of("cache.db")).with("synchronous", "normal"));
    cache.table("homes", Home.class).register();
  }
  // docs/plugins.md: end
}
