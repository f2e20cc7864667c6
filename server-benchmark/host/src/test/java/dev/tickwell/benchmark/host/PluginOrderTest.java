package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.benchmark.host.plugin.PluginCandidate;
import dev.tickwell.benchmark.host.plugin.PluginOrder;
import java.io.File;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.bukkit.plugin.InvalidDescriptionException;
import org.bukkit.plugin.PluginDescriptionFile;
import org.junit.jupiter.api.Test;

class PluginOrderTest {
  private static PluginCandidate candidate(String name, String... lines) {
    return inFile(name + ".jar", name, lines);
  }

  private static PluginCandidate inFile(String file, String name, String... lines) {
    String yml = "name: " + name + "\nversion: 1\nmain: a.B\n" + String.join("\n", lines);
    try {
      return new PluginCandidate(new File(file), new PluginDescriptionFile(new StringReader(yml)));
    } catch (InvalidDescriptionException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> names(PluginOrder order) {
    return order.ordered().stream().map(PluginCandidate::name).toList();
  }

  @Test
  void everyOrderOfTheFilesGivesTheSame() {
    List<PluginCandidate> candidates =
        new ArrayList<>(
            List.of(
                candidate("A", "depend: [C]", "softdepend: [D, Absent]"),
                candidate("B", "loadbefore: [C]"),
                candidate("C"),
                candidate("D")));
    for (int i = 0; i < candidates.size(); i++) {
      Collections.rotate(candidates, 1);
      PluginOrder order = PluginOrder.of(candidates, Set.of());
      assertEquals(List.of("B", "C", "D", "A"), names(order));
      assertTrue(order.refused().isEmpty());
    }
  }

  @Test
  void aCycleIsNamedAndTheOthersLoad() {
    PluginOrder order =
        PluginOrder.of(
            List.of(
                candidate("A", "depend: [B]"),
                candidate("B", "depend: [C]"),
                candidate("C", "depend: [B]"),
                candidate("D")),
            Set.of());
    assertEquals(List.of("D"), names(order));
    assertEquals(
        List.of(
            "B: the plugins depend on each other: B -> C -> B",
            "C: the plugins depend on each other: B -> C -> B",
            "A: it depends on B, which is not there or could not be loaded"),
        order.refused().entrySet().stream()
            .map(each -> each.getKey().name() + ": " + each.getValue())
            .toList());
  }

  @Test
  void wishesGiveWayInACycle() {
    PluginOrder order =
        PluginOrder.of(
            List.of(candidate("A", "softdepend: [B]"), candidate("B", "depend: [A]")), Set.of());
    assertEquals(List.of("A", "B"), names(order));
  }

  @Test
  void aDependencyMayBeLoadedAlready() {
    PluginCandidate user = candidate("A", "depend: [Loaded]");
    assertEquals(List.of("A"), names(PluginOrder.of(List.of(user), Set.of("Loaded"))));
    assertEquals(List.of(), names(PluginOrder.of(List.of(user), Set.of())));
  }

  @Test
  void theSamePluginTwiceIsRefusedWithBothFiles() {
    PluginOrder order =
        PluginOrder.of(List.of(inFile("one.jar", "A"), inFile("two.jar", "A")), Set.of());
    assertEquals(
        List.of("two.jar: another jar, one.jar, is the same plugin; remove one"),
        order.refused().entrySet().stream()
            .map(each -> each.getKey().file() + ": " + each.getValue())
            .toList());
  }

  @Test
  void wrongDescriptionsAreRefusedWithTheReason() {
    for (String[] each :
        new String[][] {
          {"version: 1\nmain: a.B", "name is not defined"},
          {"name: A\nmain: a.B", "version is not defined"},
          {"name: A\nversion: 1", "main is not defined"},
          {"name: 'A/../B'\nversion: 1\nmain: a.B", "name 'A/../B' may hold only letters"},
          {"name: A\nversion: 1\nmain: org.bukkit.X", "main may not be within the org.bukkit"},
          {"- a", "plugin.yml must be a map"},
          {"a: [", "plugin.yml is not valid YAML"},
          {"name: A\nversion: 1\nmain: a.B\ncommands: [x]", "commands must be a map"}
        }) {
      String message =
          assertThrows(
                  InvalidDescriptionException.class,
                  () -> new PluginDescriptionFile(new StringReader(each[0])),
                  Arrays.toString(each))
              .getMessage();
      assertTrue(message.startsWith(each[1]), message);
    }
  }
}
