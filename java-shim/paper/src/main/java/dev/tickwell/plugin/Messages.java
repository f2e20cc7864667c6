package dev.tickwell.plugin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.minimessage.MiniMessage;
import net.kyori.adventure.text.minimessage.tag.resolver.Placeholder;
import net.kyori.adventure.text.minimessage.tag.resolver.TagResolver;

/**
 * The texts of the command, in MiniMessage form: the owner's where there is one, else the built-in
 * one. Values are put in as plain text, so that a name with brackets in it styles nothing.
 * Immutable; any thread.
 */
final class Messages {
  private final Map<String, String> texts;
  private final List<String> warnings;

  private Messages(Map<String, String> texts, List<String> warnings) {
    this.texts = texts;
    this.warnings = warnings;
  }

  /**
   * Puts the owner's texts over the built-in ones.
   *
   * @param builtIn every text by its name
   * @param own the owner's file, parsed; may be empty
   */
  static Messages of(Map<String, Object> builtIn, Map<String, Object> own) {
    Map<String, String> texts = new LinkedHashMap<>();
    builtIn.forEach((name, text) -> texts.put(name, text.toString()));
    List<String> warnings = new ArrayList<>();
    own.forEach(
        (name, text) -> {
          if (!texts.containsKey(name)) {
            String nearest = Nearest.of(name, texts.keySet());
            warnings.add(
                name
                    + " is not a text"
                    + (nearest == null ? "" : " (did you mean " + nearest + "?)")
                    + " and was ignored");
          } else if (text instanceof String given) {
            texts.put(name, given);
          } else {
            warnings.add(name + " is not a text in quotes; the built-in one is used");
          }
        });
    return new Messages(texts, List.copyOf(warnings));
  }

  /** Sentences about lines of the owner's file that were ignored. */
  List<String> warnings() {
    return warnings;
  }

  /**
   * A text with its values.
   *
   * @param values names and values, alternating
   */
  Component text(String name, Object... values) {
    TagResolver.Builder resolver = TagResolver.builder();
    for (int i = 0; i < values.length; i += 2) {
      resolver.resolver(Placeholder.unparsed(values[i].toString(), String.valueOf(values[i + 1])));
    }
    return MiniMessage.miniMessage().deserialize(texts.get(name), resolver.build());
  }
}
