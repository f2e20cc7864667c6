package dev.tickwell.example;

import static dev.tickwell.paper.Targets.entity;
import static dev.tickwell.paper.Targets.global;

import dev.tickwell.Database;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import dev.tickwell.paper.Tickwell;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.Player;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * Homes, coins and a journal: what most plugins store, in the least code. It opens the tables when
 * it is enabled and passes commands on; nothing here waits, so all of it runs on tick threads.
 */
public final class VillagePlugin extends JavaPlugin {
  /** The console has homes and coins like a player. */
  private static final UUID CONSOLE = new UUID(0, 0);

  private Homes homes;
  private Bank bank;
  private Journal journal;

  @Override
  public void onEnable() {
    Tickwell tickwell = Tickwell.of(this);
    Database database = tickwell.database();
    journal = new Journal(this, database);
    homes = new Homes(this, database);
    bank = new Bank(tickwell, database, journal);
  }

  @Override
  public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
    try {
      return switch (command.getName()) {
        case "home" -> homes.command(sender, args);
        case "bank" -> bank.command(sender, args);
        case "top" -> bank.top(sender, args);
        case "journal" -> journal.command(sender, args);
        default -> false;
      };
    } catch (NumberFormatException e) {
      return false; // the server then shows the command's usage
    }
  }

  /** The account of whoever gives a command. */
  static UUID account(CommandSender sender) {
    return sender instanceof Player player ? player.getUniqueId() : CONSOLE;
  }

  /**
   * The account of a name as servers without a login check make it, so that it needs no look-up.
   */
  static UUID account(String name) {
    return name.equals("console")
        ? CONSOLE
        : UUID.nameUUIDFromBytes(("OfflinePlayer:" + name).getBytes(StandardCharsets.UTF_8));
  }

  /** Where answers go: to the player's thread, and nowhere when the player has left. */
  static Target target(CommandSender sender) {
    return sender instanceof Player player ? entity(player) : global();
  }

  /** Tells the sender why a request failed, in words that are fit for players. */
  static void tell(CommandSender sender, TickwellException failure) {
    sender.sendMessage(failure.context().getOrDefault("reason", failure.userText()));
  }

  static String lower(String[] args, int index) {
    return index < args.length ? args[index].toLowerCase(Locale.ROOT) : "";
  }
}
