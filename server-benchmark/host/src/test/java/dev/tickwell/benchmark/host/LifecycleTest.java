package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import org.bukkit.plugin.IllegalPluginAccessException;
import org.bukkit.plugin.InvalidPluginException;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.ServicePriority;
import org.junit.jupiter.api.Test;

class LifecycleTest extends HostTestCase {
  private static final String TRACING =
      """
      public void onLoad() { Trace.add(getName() + " load"); }
      public void onEnable() { Trace.add(getName() + " enable " + isEnabled()); }
      public void onDisable() { Trace.add(getName() + " disable " + isEnabled()); }
      """;

  private static final String WATCHING =
      """
      public void onEnable() {
        Trace.add(getName() + " enable " + isEnabled());
        getServer().getPluginManager().registerEvents(this, this);
      }
      public void onDisable() { Trace.add(getName() + " disable " + isEnabled()); }
      @org.bukkit.event.EventHandler
      public void on(org.bukkit.event.server.PluginEnableEvent e) {
        Trace.add("enabled: " + e.getPlugin().getName());
      }
      @org.bukkit.event.EventHandler
      public void on(org.bukkit.event.server.PluginDisableEvent e) {
        Trace.add("disabling: " + e.getPlugin().getName() + " " + e.getPlugin().isEnabled());
      }
      """;

  @Test
  void dependenciesAreLoadedAndEnabledFirstAndDisabledLast() {
    File user = jars.make("Auser", "depend: [Zbase]", TRACING);
    File base = jars.make("Zbase", "", TRACING);
    start(user, base);
    plugins().disablePlugins();
    assertEquals(
        List.of(
            "Zbase load",
            "Auser load",
            "Zbase enable true",
            "Auser enable true",
            "Auser disable false",
            "Zbase disable false"),
        Trace.take());
  }

  @Test
  void theEnableEventFollowsOnEnableAndTheDisableEventPrecedesOnDisable() {
    start(jars.make("Awatch", "", WATCHING), jars.make("Bseen", "", TRACING));
    assertEquals(
        List.of(
            "Bseen load",
            "Awatch enable true",
            "enabled: Awatch",
            "Bseen enable true",
            "enabled: Bseen"),
        Trace.take());
    plugins().disablePlugins();
    assertEquals(
        List.of(
            "disabling: Bseen true",
            "Bseen disable false",
            "disabling: Awatch true",
            "Awatch disable false"),
        Trace.take());
  }

  @Test
  void aPluginThatThrowsWhenEnabledIsDisabledAndCounted() {
    int before = plugins().failures();
    Plugin plugin =
        start(
                jars.make(
                    "Broken",
                    "",
                    """
                    public void onEnable() { throw new IllegalStateException("no"); }
                    public void onDisable() { Trace.add("disabled"); }
                    """))
            .getFirst();
    assertFalse(plugin.isEnabled());
    assertEquals(List.of("disabled"), Trace.take());
    assertEquals(before + 1, plugins().failures());
  }

  @Test
  void tasksAndListenersCannotBeRegisteredWhileDisabled() {
    Plugin plugin =
        start(
                jars.make(
                    "Late",
                    "",
                    """
                    public void onDisable() {
                      try {
                        getServer().getScheduler().runTask(this, () -> {});
                      } catch (org.bukkit.plugin.IllegalPluginAccessException e) {
                        Trace.add(e.getMessage());
                      }
                    }
                    """))
            .getFirst();
    plugins().disablePlugin(plugin);
    assertEquals(List.of("Plugin attempted to register task while disabled"), Trace.take());
    assertThrows(
        IllegalPluginAccessException.class,
        () -> plugins().registerEvents((org.bukkit.event.Listener) plugin, plugin));
  }

  @Test
  void disablingForgetsTasksServicesAndListeners() {
    Plugin plugin =
        start(
                jars.make(
                    "Busy",
                    "",
                    """
                    public void onEnable() {
                      getServer().getPluginManager().registerEvents(this, this);
                      getServer().getScheduler().runTaskTimer(this, () -> Trace.add("task"), 0, 1);
                      getServer().getGlobalRegionScheduler()
                          .runAtFixedRate(this, task -> Trace.add("region"), 1, 1);
                    }
                    @org.bukkit.event.EventHandler
                    public void on(com.destroystokyo.paper.event.server.ServerTickStartEvent e) {
                      Trace.add("tick");
                    }
                    """))
            .getFirst();
    server().getServicesManager().register(Runnable.class, () -> {}, plugin, ServicePriority.Low);
    tick(1);
    assertEquals(List.of("tick", "task", "region"), Trace.take());
    plugins().disablePlugin(plugin);
    tick(2);
    assertEquals(List.of(), Trace.take());
    assertFalse(server().getServicesManager().isProvidedFor(Runnable.class));
    assertEquals(List.of(), server().getScheduler().getPendingTasks());
  }

  @Test
  void aPluginSeesItsOwnClassesThenThoseOfItsDependenciesAndNoOthers() {
    String thing = "public class Thing { public static String from() { return \"%s\"; } }";
    String look =
        """
        public void onEnable() {
          Trace.add(getName() + " own " + shared.Thing.from());
          try {
            Trace.add(getName() + " sees " + Class.forName("base.Only").getSimpleName());
          } catch (ClassNotFoundException e) {
            Trace.add(getName() + " does not see it");
          }
        }
        """;
    File base =
        jars.make(
            "Base",
            "",
            Map.of(
                "base.Main", PluginJars.mainClass(""),
                "base.Only", "public class Only {}",
                "shared.Thing", thing.formatted("base")),
            Map.of());
    File user =
        jars.make(
            "Direct",
            "depend: [Base]",
            Map.of(
                "direct.Main", PluginJars.mainClass(look), "shared.Thing", thing.formatted("own")),
            Map.of());
    File indirect = jars.make("Indirect", "depend: [Direct]", look, base);
    File stranger =
        jars.make(
            "Stranger",
            "",
            Map.of(
                "stranger.Main",
                PluginJars.mainClass(look),
                "shared.Thing",
                thing.formatted("stranger")),
            Map.of());
    start(base, user, indirect, stranger);
    assertEquals(
        List.of(
            "Direct own own",
            "Direct sees Only",
            "Indirect own own",
            "Indirect sees Only",
            "Stranger own stranger",
            "Stranger does not see it"),
        Trace.take());
  }

  @Test
  void reloadTakesTheNewJarAndThePluginsThatUseIt() {
    String body = "public void onEnable() { Trace.add(getName() + \" %s\"); }";
    File base = jars.make("Base", "", body.formatted("one"));
    File user = jars.make("User", "depend: [Base]", body.formatted("of it"));
    File other = jars.make("Other", "", body.formatted("apart"));
    Plugin old = start(base, user, other).getFirst();
    Trace.take();
    jars.make("Base", "", body.formatted("two"));
    List<Plugin> loaded = plugins().reload(old);
    assertEquals(List.of("Base", "User"), loaded.stream().map(Plugin::getName).toList());
    assertEquals(List.of("Base two", "User of it"), Trace.take());
    assertFalse(old.isEnabled());
    assertNotSame(old, plugins().getPlugin("base"));
    assertTrue(plugins().isPluginEnabled("Base"));
    assertFalse(plugins().isPluginEnabled(old));
  }

  @Test
  void nothingOfTheServerHoldsTheClassesOfAnUnloadedPlugin() {
    WeakReference<ClassLoader> loader = loadUseAndUnload();
    // Tasks that were cancelled leave their queues when they would have been due.
    tick(3);
    for (int i = 0; i < 100 && loader.get() != null; i++) {
      System.gc();
    }
    assertNull(loader.get());
  }

  private WeakReference<ClassLoader> loadUseAndUnload() {
    Plugin plugin =
        start(
                jars.make(
                    "Passing",
                    "commands: {pass: {}}",
                    """
                    public void onEnable() {
                      getServer().getPluginManager().registerEvents(this, this);
                      getServer().getScheduler().runTaskTimer(this, () -> {}, 0, 1);
                      getServer().getScheduler().runTaskAsynchronously(this, () -> {});
                      getServer().getGlobalRegionScheduler().runDelayed(this, task -> {}, 3);
                      getServer().getServicesManager().register(
                          Main.class, this, this, org.bukkit.plugin.ServicePriority.Normal);
                      getConfig().set("a.b", 1);
                    }
                    @org.bukkit.event.EventHandler
                    public void on(org.bukkit.event.server.PluginDisableEvent e) {}
                    """))
            .getFirst();
    tick(1);
    server().dispatchCommand(server().getConsoleSender(), "pass");
    WeakReference<ClassLoader> loader = new WeakReference<>(plugin.getClass().getClassLoader());
    plugins().unload(plugin);
    return loader;
  }

  @Test
  void jarsThatAreNoPluginsAreRefusedByName() throws Exception {
    File missing = jars.make("Needy", "depend: [Nowhere]", "");
    String message =
        assertThrows(InvalidPluginException.class, () -> plugins().loadPlugin(missing))
            .getMessage();
    assertTrue(message.contains("Needy.jar") && message.contains("Nowhere"), message);
    File wrong = jars.make("Wrong", "", Map.of("wrong.Main", "public class Main {}"), Map.of());
    message =
        assertThrows(InvalidPluginException.class, () -> plugins().loadPlugin(wrong)).getMessage();
    assertEquals("main class 'wrong.Main' must extend JavaPlugin", message);
    assertNull(plugins().getPlugin("Wrong"));
  }
}
