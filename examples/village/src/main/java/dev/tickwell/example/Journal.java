package dev.tickwell.example;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.example.VillagePlugin.lower;
import static dev.tickwell.example.VillagePlugin.target;
import static dev.tickwell.example.VillagePlugin.tell;

import dev.tickwell.AutoIncrement;
import dev.tickwell.Database;
import dev.tickwell.Key;
import dev.tickwell.NotNull;
import dev.tickwell.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.bukkit.command.CommandSender;
import org.bukkit.plugin.Plugin;

/** What was done, line by line. No read waits for its writes, since nobody needs them at once. */
final class Journal {
  record Entry(
      @Key @AutoIncrement Long id,
      @NotNull Instant time,
      @NotNull UUID account,
      @NotNull String what) {}

  private final Plugin plugin;
  private final Table<Entry> entries;

  Journal(Plugin plugin, Database database) {
    this.plugin = plugin;
    this.entries = database.table("journal", Entry.class).register();
  }

  /** Notes this without keeping up what is submitted after it; a failure is logged by Tickwell. */
  void write(UUID account, String what) {
    entries.unordered().insert(new Entry(null, Instant.now(), account, what));
  }

  boolean command(CommandSender sender, String[] args) {
    switch (lower(args, 0)) {
      case "count" -> count(sender);
      case "export" -> export(sender);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void count(CommandSender sender) {
    entries
        .count()
        .on(
            target(sender),
            count -> sender.sendMessage("The journal has " + count + " entries."),
            failure -> tell(sender, failure));
  }

  /** Writes all entries to a file, page by page on a worker thread, however many there are. */
  private void export(CommandSender sender) {
    PrintWriter out;
    Path file = plugin.getDataFolder().toPath().resolve("journal.csv");
    try {
      Files.createDirectories(file.getParent());
      out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      sender.sendMessage("The file cannot be written: " + e.getMessage());
      return;
    }
    entries.select().orderBy(asc("id")).stream(1_000)
        .async(
            (page, stream) -> page.forEach(entry -> out.println(entry.time() + "," + entry.what())),
            end -> {
              out.close();
              plugin
                  .getLogger()
                  .info(
                      "Exported "
                          + end.rows()
                          + " entries"
                          + (end.isComplete() ? "." : ", then it failed."));
            });
  }
}
