package dev.tickwell.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import net.kyori.adventure.text.Component;
import org.bukkit.command.CommandSender;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class TickwellCommandTest {
  private static final Messages TEXTS = MessagesTest.shipped(Map.of());
  private static final List<String> ALL =
      List.of("status", "stats", "tables", "reload", "backup", "help");

  private final Set<String> permissions = new HashSet<>();
  private final List<String> told = new ArrayList<>();
  private final CommandSender sender =
      (CommandSender)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {CommandSender.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "hasPermission" -> permissions.contains(arguments[0]);
                    case "sendMessage" ->
                        told.add(StatisticsTextTest.flat((Component) arguments[0]));
                    default -> throw new UnsupportedOperationException(method.getName());
                  });
  private final TickwellCommand closed =
      TickwellCommand.unavailable("1", "Paper", TEXTS, "no library");

  private void allow(String... subcommands) {
    for (String subcommand : subcommands) {
      permissions.add("tickwell.command." + subcommand);
    }
  }

  private List<String> run(TickwellCommand command, String... arguments) {
    told.clear();
    assertTrue(command.onCommand(sender, null, "tickwell", arguments));
    return List.copyOf(told);
  }

  @Test
  void eachSubcommandNeedsItsOwnPermission() {
    for (String subcommand : ALL) {
      permissions.clear();
      assertEquals(
          List.of("You need the permission tickwell.command." + subcommand + " for that."),
          run(closed, subcommand));
      allow(subcommand);
      assertFalse(run(closed, subcommand).getFirst().contains("permission"));
    }
  }

  /** What plugin.yml declares is what the command asks for, for operators. */
  @Test
  void everyPermissionIsDeclaredForOperators() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/plugin.yml")) {
      Map<String, Map<String, Map<String, Object>>> yaml = new Yaml().load(in);
      Map<String, Map<String, Object>> declared = yaml.get("permissions");
      Set<String> wanted = new HashSet<>(Set.of("tickwell.command"));
      ALL.forEach(each -> wanted.add("tickwell.command." + each));
      assertEquals(wanted, declared.keySet());
      declared.values().forEach(each -> assertEquals("op", each.get("default")));
    }
  }

  @Test
  void helpListsWhatTheSenderMayUse() {
    allow("help", "backup");
    assertEquals(
        List.of(
            "Tickwell 1 on Paper",
            "  /tickwell backup [database]: copies a database while it is in use",
            "  /tickwell help: this list"),
        run(closed));
  }

  @Test
  void whatItCannotDoIsSaidWithTheReason() {
    allow("reload");
    assertEquals(List.of("Tickwell 1 on Paper", "No databases: no library"), run(closed, "RELOAD"));
    assertEquals(
        List.of("There is no /tickwell baskup; did you mean backup?"), run(closed, "baskup"));
    assertEquals(List.of("There is no /tickwell x; try /tickwell help"), run(closed, "x"));
  }

  @Test
  void subcommandsAndDatabasesAreCompleted() {
    Map<String, Object> yaml = new Yaml().load("databases: {main: {}, shop: {}, shared: {}}");
    Settings settings = SettingsReader.read(yaml, Path.of("/server"));
    Databases databases = new Databases(null, settings, null, null);
    TickwellCommand command =
        new TickwellCommand(
            "1",
            "Paper",
            () -> TEXTS,
            new TickwellCommand.Parts(null, databases, null, null, null, new Background()));
    allow("status", "stats", "backup");
    assertEquals(List.of("status", "stats"), complete(command, "ST"));
    assertEquals(List.of("status", "stats", "backup"), complete(command, ""));
    assertEquals(List.of("shop", "shared"), complete(command, "backup", "sh"));
    assertEquals(List.of(), complete(command, "backup", "main", ""));
    assertEquals(List.of(), complete(command, "status", ""));
    // Names of databases are nobody's business without the permission.
    assertEquals(List.of(), complete(command, "tables", ""));
    assertEquals(List.of(), complete(closed, "backup", ""));
  }

  private List<String> complete(TickwellCommand command, String... arguments) {
    return command.onTabComplete(sender, null, "tickwell", arguments);
  }

  @Test
  void oneTaskRunsAtATimeAndOthersAreRefused() throws Exception {
    Background background = new Background();
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    assertTrue(
        background.start(
            () -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              ended.countDown();
            },
            e -> {},
            () -> {}));
    assertFalse(background.start(() -> {}, e -> {}, () -> {}));
    go.countDown();
    background.awaitEnd(Duration.ofSeconds(20));
    assertEquals(0, ended.getCount());
    assertTrue(background.start(() -> {}, e -> {}, () -> {}));
  }

  @Test
  void aTaskThatThrowsIsToldAndAnotherMayRun() {
    Background background = new Background();
    List<String> told = new CopyOnWriteArrayList<>();
    Runnable broken =
        () -> {
          throw new IllegalStateException("broken");
        };
    assertTrue(background.start(broken, e -> told.add(e.getMessage()), () -> told.add("after")));
    background.awaitEnd(Duration.ofSeconds(20));
    assertEquals(List.of("broken"), told);
    assertTrue(background.start(() -> {}, e -> {}, () -> {}));
  }
}
