package dev.tickwell.example;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.desc;
import static dev.tickwell.Filters.eq;
import static dev.tickwell.Filters.ge;
import static dev.tickwell.example.VillagePlugin.account;
import static dev.tickwell.example.VillagePlugin.lower;
import static dev.tickwell.example.VillagePlugin.target;
import static dev.tickwell.example.VillagePlugin.tell;

import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.NotNull;
import dev.tickwell.Rows;
import dev.tickwell.Select;
import dev.tickwell.Table;
import dev.tickwell.paper.Tickwell;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bukkit.command.CommandSender;

/** Coins: paid in a transaction, and a list of the richest that everybody can read at once. */
final class Bank {
  record Account(@Key UUID id, @NotNull String name, long coins) {}

  private static final int PAGE = 10;
  private static final String TOP = "village.top";

  private final Tickwell tickwell;
  private final Database database;
  private final Table<Account> accounts;
  private final Journal journal;

  Bank(Tickwell tickwell, Database database, Journal journal) {
    this.tickwell = tickwell;
    this.database = database;
    this.journal = journal;
    this.accounts = database.table("accounts", Account.class).index("coins").register();
    publish();
  }

  boolean command(CommandSender sender, String[] args) {
    if (lower(args, 0).equals("show")) {
      show(sender);
      return true;
    }
    if (args.length != 3) {
      return false;
    }
    long coins = Long.parseLong(args[2]);
    if (coins <= 0) { // else paying -5 would take 5
      sender.sendMessage("Give a number of coins above 0.");
      return true;
    }
    switch (lower(args, 0)) {
      case "give" -> give(sender, lower(args, 1), coins);
      case "pay" -> pay(sender, lower(args, 1), coins);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void show(CommandSender sender) {
    accounts
        .find(account(sender))
        .on(
            target(sender),
            found -> sender.sendMessage("You have " + found.map(Account::coins).orElse(0L) + "."),
            failure -> tell(sender, failure));
  }

  /** Opens the account if there is none, and adds to what is there, whoever else adds meanwhile. */
  private void give(CommandSender sender, String name, long coins) {
    UUID id = account(name);
    database
        .transaction(
            tx -> {
              tx.insertIfAbsent(accounts, new Account(id, name, 0));
              tx.update(accounts).add("coins", coins).where(eq("id", id)).run();
            })
        .on(
            target(sender),
            done -> done(sender, "Gave " + coins + " to " + name + "."),
            failure -> tell(sender, failure));
  }

  private void pay(CommandSender sender, String name, long coins) {
    UUID payer = account(sender);
    UUID payee = account(name);
    database
        .transaction(
            tx -> {
              if (tx.update(accounts)
                      .add("coins", -coins)
                      .where(eq("id", payer), ge("coins", coins))
                      .run()
                  != 1) {
                tx.rollback("You have not that much.");
              }
              if (tx.update(accounts).add("coins", coins).where(eq("id", payee)).run() != 1) {
                tx.rollback("There is no account " + name + ".");
              }
            })
        .on(
            target(sender),
            done -> done(sender, "Paid " + coins + " to " + name + "."),
            failure -> tell(sender, failure));
  }

  private void done(CommandSender sender, String what) {
    sender.sendMessage(what);
    journal.write(account(sender), what);
    publish();
  }

  private Select<Account> richest() {
    return accounts.select().orderBy(desc("coins"), asc("id")).limit(PAGE);
  }

  private void publish() {
    richest().publish(TOP);
  }

  /** Page 1 is the published one and costs no request; each other goes on behind the one before. */
  boolean top(CommandSender sender, String[] args) {
    int page = args.length == 0 ? 1 : Integer.parseInt(args[0]);
    if (page < 1 || page > 2) {
      sender.sendMessage("There are the pages 1 and 2.");
      return true;
    }
    tickwell
        .shared()
        .get(TOP)
        .ifPresentOrElse(
            rows -> {
              if (page == 1) {
                line(sender, rows.toList(Account.class));
              } else {
                second(sender, rows);
              }
            },
            () -> sender.sendMessage("The list is not there yet."));
    return true;
  }

  private void second(CommandSender sender, Rows<?> first) {
    if (first.size() < PAGE) {
      sender.sendMessage("There is one page.");
      return;
    }
    Account last = first.toList(Account.class).get(PAGE - 1);
    richest()
        .after(last.coins(), last.id())
        .fetch()
        .on(target(sender), rows -> line(sender, rows.toList()), failure -> tell(sender, failure));
  }

  private static void line(CommandSender sender, List<Account> accounts) {
    sender.sendMessage(
        accounts.stream()
            .map(account -> account.name() + " " + account.coins())
            .collect(Collectors.joining(", ", "Richest: ", ".")));
  }
}
