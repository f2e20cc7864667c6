package dev.tickwell.paper.example;

import static dev.tickwell.Filters.desc;
import static dev.tickwell.paper.Targets.entity;

import dev.tickwell.Key;
import dev.tickwell.Table;
import dev.tickwell.paper.Tickwell;
import java.util.UUID;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.Player;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * The README's example, compiled with the API that it shows. The check compares the part between
 * the two marks with the README.
 */
final class RichestPlugin extends JavaPlugin {
  // README.md: begin
  record Balance(@Key UUID id, String name, long coins) {}

  private Table<Balance> balances;

  @Override
  public void onEnable() {
    balances =
        Tickwell.of(this).database().table("balances", Balance.class).index("coins").register();
  }

  @Override
  public boolean onCommand(
      CommandSender sender, Command command, String label, String[] arguments) {
    if (!(sender instanceof Player player)) return false;
    balances
        .select()
        .orderBy(desc("coins"))
        .limit(10)
        .fetch()
        .on(
            entity(player),
            rows -> rows.forEach(row -> player.sendMessage(row.name() + ": " + row.coins())),
            failure -> player.sendMessage(failure.userText()));
    return true;
  }
  // README.md: end
}
