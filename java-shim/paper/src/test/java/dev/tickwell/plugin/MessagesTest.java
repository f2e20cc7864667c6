package dev.tickwell.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.format.NamedTextColor;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class MessagesTest {
  private static Map<String, Object> builtIn() {
    try (InputStream in = MessagesTest.class.getResourceAsStream("/lang/en.yml")) {
      return new Yaml().load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The texts of the jar under those of an owner. */
  static Messages shipped(Map<String, Object> own) {
    return Messages.of(builtIn(), own);
  }

  @Test
  void anOwnersTextReplacesTheBuiltInOneWithItsStyle() {
    Messages texts = shipped(Map.of("no-databases", "<green>nichts: <reason>"));
    Component text = texts.text("no-databases", "reason", "disk");
    assertEquals("nichts: disk", StatisticsTextTest.flat(text));
    assertEquals(NamedTextColor.GREEN, text.color());
    assertEquals(
        "There is no database a; there are b.",
        StatisticsTextTest.flat(texts.text("unknown-database", "database", "a", "databases", "b")));
    assertEquals(List.of(), texts.warnings());
  }

  @Test
  void whatValuesHoldStylesNothing() {
    Component text = shipped(Map.of()).text("no-databases", "reason", "<red>a</red> <reason>");
    assertTrue(StatisticsTextTest.flat(text).endsWith("<red>a</red> <reason>"));
  }

  @Test
  void anUnknownTextIsNamedWithTheNearest() {
    Messages texts = shipped(Map.of("no-databasses", "x", "title", List.of("a")));
    assertEquals(
        Set.of(
            "no-databasses is not a text (did you mean no-databases?) and was ignored",
            "title is not a text in quotes; the built-in one is used"),
        Set.copyOf(texts.warnings()));
    assertEquals(
        "Tickwell 1 on x",
        StatisticsTextTest.flat(texts.text("title", "version", 1, "server", "x")));
  }

  /** The sources and the file of texts name the same ones. */
  @Test
  void everyTextIsUsedAndEveryUsedOneIsThere() throws IOException {
    Set<String> words = new TreeSet<>();
    Pattern quoted = Pattern.compile("\"([a-z]+(?:-[a-z]+)*-?)\"");
    try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/tickwell/plugin"))) {
      for (Path file : files.toList()) {
        Matcher matcher = quoted.matcher(Files.readString(file));
        while (matcher.find()) {
          words.add(matcher.group(1));
        }
      }
    }
    // Put together from the subcommand's name.
    Stream.of("status", "stats", "tables", "reload", "backup", "help")
        .forEach(each -> words.add("help-" + each));
    Set<String> unused = new TreeSet<>(builtIn().keySet());
    unused.removeAll(words);
    assertEquals(Set.of(), unused);
  }
}
