package dev.tickwell.plugin;

import dev.tickwell.TickwellException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import net.kyori.adventure.text.Component;
import org.bukkit.configuration.InvalidConfigurationException;

/**
 * Reads the configuration again and puts it into force. A file with a mistake that would cost a
 * database changes nothing. Runs on the {@link Background} thread; owns the settings in force.
 */
final class Reload {
  /** Reads what is on the disk. */
  interface Source {
    /** The settings. */
    Settings settings() throws IOException, InvalidConfigurationException;

    /** The texts. */
    Messages messages() throws IOException, InvalidConfigurationException;
  }

  private final Source source;
  private final Databases databases;
  private final ServerAdapter adapter;
  private volatile Settings settings;
  private volatile Messages messages;

  /** With what was read at the start. */
  Reload(
      Source source,
      Settings settings,
      Messages messages,
      Databases databases,
      ServerAdapter adapter) {
    this.source = source;
    this.settings = settings;
    this.messages = messages;
    this.databases = databases;
    this.adapter = adapter;
  }

  /** The settings in force. */
  Settings settings() {
    return settings;
  }

  /** The texts in force. */
  Messages messages() {
    return messages;
  }

  /** Reads and applies; tells how that went. */
  void run(Consumer<Component> answer) {
    Settings next;
    Messages texts;
    try {
      next = source.settings();
      texts = source.messages();
    } catch (IOException | InvalidConfigurationException | TickwellException e) {
      answer.accept(messages.text("reload-broken", "reason", e.getMessage()));
      return;
    }
    List<String> problems = next.problems();
    if (!problems.isEmpty()) {
      problems.forEach(problem -> answer.accept(messages.text("reload-broken", "reason", problem)));
      return;
    }
    messages = texts;
    for (String warning : next.warnings()) {
      answer.accept(texts.text("reload-warning", "warning", warning));
    }
    Settings before = settings;
    Databases.Changes changes = databases.apply(next);
    adapter.budget(next);
    settings = next;
    tell(answer, texts, changes);
    for (String plugin : Databases.moved(before, next)) {
      answer.accept(
          texts.text("reload-moved", "plugin", plugin, "database", next.databaseOf(plugin)));
    }
    for (String setting : fixedAtStart(before, next)) {
      answer.accept(texts.text("reload-restart", "setting", setting));
    }
  }

  private static void tell(Consumer<Component> answer, Messages texts, Databases.Changes changes) {
    answer.accept(texts.text(changes.none() ? "reload-unchanged" : "reload-done"));
    list(answer, texts, "reload-kept", changes.kept());
    list(answer, texts, "reload-replaced", changes.replaced());
    list(answer, texts, "reload-opened", changes.opened());
    list(answer, texts, "reload-closed", changes.closed());
    changes
        .failed()
        .forEach(
            (name, e) ->
                answer.accept(
                    texts.text("reload-failed", "database", name, "reason", e.getMessage())));
    changes
        .unwritten()
        .forEach(
            (table, writes) ->
                answer.accept(texts.text("reload-unwritten", "table", table, "writes", writes)));
  }

  private static void list(
      Consumer<Component> answer, Messages texts, String text, List<String> names) {
    if (!names.isEmpty()) {
      answer.accept(texts.text(text, "databases", String.join(", ", names)));
    }
  }

  /** The settings that differ and are read by what only a start makes. */
  static List<String> fixedAtStart(Settings before, Settings next) {
    List<String> names = new ArrayList<>();
    if (before.warmUp() != next.warmUp()) {
      names.add("tick.warm-up");
    }
    next.runtime()
        .forEach(
            (name, value) -> {
              if (!value.equals(before.runtime().get(name))) {
                names.add("memory." + name);
              }
            });
    if (!before.nativeFolder().equals(next.nativeFolder())) {
      names.add("native.folder");
    }
    if (!Objects.equals(before.nativePath(), next.nativePath())) {
      names.add("native.path");
    }
    return names;
  }
}
