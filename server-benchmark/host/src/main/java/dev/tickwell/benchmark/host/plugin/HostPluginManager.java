package dev.tickwell.benchmark.host.plugin;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.bukkit.Server;
import org.bukkit.command.PluginCommandYamlParser;
import org.bukkit.event.Event;
import org.bukkit.event.EventPriority;
import org.bukkit.event.HandlerList;
import org.bukkit.event.Listener;
import org.bukkit.event.server.PluginDisableEvent;
import org.bukkit.event.server.PluginEnableEvent;
import org.bukkit.permissions.Permission;
import org.bukkit.permissions.PermissionDefault;
import org.bukkit.plugin.EventExecutor;
import org.bukkit.plugin.InvalidDescriptionException;
import org.bukkit.plugin.InvalidPluginException;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.PluginManager;
import org.bukkit.plugin.UnknownDependencyException;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * Loads plugins from jars and takes them through their lives in the real server's order: enabling
 * runs {@code onEnable} and then the enable event; disabling runs the disable event, then {@code
 * onDisable}, then closes the class loader and forgets tasks, services and listeners. All but the
 * look-ups belongs to the tick thread.
 */
public final class HostPluginManager implements PluginManager {
  private final Server server;
  private final File folder;
  private final HostCommandMap commands;
  private final Consumer<Plugin> cancelTasks;
  private final EventCaller events;
  private final Map<String, JavaPlugin> plugins =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private int failures;

  /**
   * @param folder where the jars and the plugins' data folders are
   * @param cancelTasks forgets a plugin's tasks on every scheduler
   */
  public HostPluginManager(
      Server server, File folder, HostCommandMap commands, Consumer<Plugin> cancelTasks) {
    this.server = server;
    this.folder = folder;
    this.commands = commands;
    this.cancelTasks = cancelTasks;
    this.events = new EventCaller(server::isPrimaryThread, server.getLogger());
  }

  /** How many plugins failed to load or to enable. */
  public int failures() {
    return failures;
  }

  /** Loads all jars of the folder and runs their {@code onLoad}; what fails is logged. */
  public void loadAll() {
    File[] jars = folder.listFiles((dir, name) -> name.endsWith(".jar"));
    if (jars == null) {
      return;
    }
    Arrays.sort(jars);
    load(List.of(jars));
  }

  /** Loads these jars in the order of their dependencies and runs their {@code onLoad}. */
  public List<Plugin> load(List<File> jars) {
    List<PluginCandidate> candidates = new ArrayList<>();
    for (File jar : jars) {
      try {
        candidates.add(PluginCandidate.read(jar));
      } catch (InvalidPluginException | InvalidDescriptionException e) {
        fail("Could not load '" + jar.getName() + "': " + e.getMessage(), e.getCause());
      }
    }
    PluginOrder order = PluginOrder.of(candidates, names());
    order
        .refused()
        .forEach((candidate, reason) -> fail("Could not load " + shown(candidate, reason), null));
    List<Plugin> loaded = new ArrayList<>();
    for (PluginCandidate candidate : order.ordered()) {
      try {
        loaded.add(loadOne(candidate));
      } catch (InvalidPluginException | UnknownDependencyException e) {
        fail("Could not load " + shown(candidate, e.getMessage()), e.getCause());
      }
    }
    return loaded;
  }

  private static String shown(PluginCandidate candidate, String reason) {
    return "'" + candidate.file().getName() + "' (" + candidate.name() + "): " + reason;
  }

  private Set<String> names() {
    synchronized (plugins) {
      Set<String> names = new TreeSet<>();
      plugins.values().forEach(plugin -> names.add(plugin.getName()));
      return names;
    }
  }

  private void fail(String message, Throwable cause) {
    failures++;
    server.getLogger().log(Level.SEVERE, message, cause);
  }

  @Override
  public Plugin loadPlugin(File file)
      throws InvalidPluginException, InvalidDescriptionException, UnknownDependencyException {
    PluginCandidate candidate = PluginCandidate.read(file);
    PluginOrder order = PluginOrder.of(List.of(candidate), names());
    String refused = order.refused().get(candidate);
    if (refused != null) {
      throw new InvalidPluginException("Could not load " + shown(candidate, refused));
    }
    return loadOne(candidate);
  }

  private Plugin loadOne(PluginCandidate candidate) throws InvalidPluginException {
    JavaPlugin plugin;
    HostPluginClassLoader loader;
    try {
      loader =
          new HostPluginClassLoader(
              server, candidate, new File(folder, candidate.name()), visible(candidate));
    } catch (IOException e) {
      throw new InvalidPluginException("cannot open the jar", e);
    }
    try {
      plugin = loader.makePlugin();
    } catch (InvalidPluginException e) {
      close(loader, candidate.name());
      throw e;
    }
    plugins.put(key(plugin.getName()), plugin);
    try {
      plugin.getLogger().info("Loading server plugin " + plugin.getDescription().getFullName());
      plugin.onLoad();
    } catch (Throwable e) {
      fail("Error occurred while loading " + plugin.getDescription().getFullName(), e);
    }
    return plugin;
  }

  /** The loaders of all that the plugin depends on, directly or not, nearest first. */
  private List<HostPluginClassLoader> visible(PluginCandidate candidate) {
    Set<HostPluginClassLoader> result = new LinkedHashSet<>();
    List<String> wanted = new ArrayList<>(candidate.description().getDepend());
    wanted.addAll(candidate.description().getSoftDepend());
    for (String name : wanted) {
      JavaPlugin there = plugins.get(key(name));
      if (there != null) {
        result.add(loaderOf(there));
      }
    }
    for (HostPluginClassLoader direct : List.copyOf(result)) {
      result.addAll(direct.dependencies());
    }
    return List.copyOf(result);
  }

  private static HostPluginClassLoader loaderOf(JavaPlugin plugin) {
    return (HostPluginClassLoader) plugin.getClass().getClassLoader();
  }

  private static String key(String name) {
    return name.replace(' ', '_').toLowerCase(Locale.ROOT);
  }

  /** Enables all that is loaded, in the order of loading. */
  public void enableAll() {
    for (Plugin plugin : getPlugins()) {
      enablePlugin(plugin);
    }
  }

  @Override
  public void enablePlugin(Plugin plugin) {
    if (plugin.isEnabled()) {
      return;
    }
    commands.registerAll(plugin.getName(), PluginCommandYamlParser.parse(plugin));
    plugin.getLogger().info("Enabling " + plugin.getPluginMeta().getDisplayName());
    try {
      ((JavaPlugin) plugin).setEnabled(true);
    } catch (Throwable e) {
      fail("Error occurred while enabling " + plugin.getDescription().getFullName(), e);
      disablePlugin(plugin);
      return;
    }
    if (plugin.isEnabled()) {
      callEvent(new PluginEnableEvent(plugin));
    } else {
      fail(plugin.getDescription().getFullName() + " disabled itself while it was enabled", null);
    }
  }

  @Override
  public void disablePlugin(Plugin plugin) {
    if (!plugin.isEnabled()) {
      return;
    }
    String name = plugin.getDescription().getFullName();
    plugin.getLogger().info("Disabling " + name);
    guarded("disabling " + name, () -> callEvent(new PluginDisableEvent(plugin)));
    guarded("disabling " + name, () -> ((JavaPlugin) plugin).setEnabled(false));
    close(loaderOf((JavaPlugin) plugin), name);
    guarded("cancelling tasks for " + name, () -> cancelTasks.accept(plugin));
    guarded(
        "unregistering services for " + name,
        () -> server.getServicesManager().unregisterAll(plugin));
    guarded("unregistering events for " + name, () -> HandlerList.unregisterAll(plugin));
  }

  private void guarded(String doing, Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      server.getLogger().log(Level.SEVERE, "Error occurred while " + doing, e);
    }
  }

  private void close(HostPluginClassLoader loader, String name) {
    try {
      loader.close();
    } catch (IOException e) {
      server.getLogger().log(Level.WARNING, "Error closing the class loader of " + name, e);
    }
  }

  /** Disables all, last loaded first. */
  @Override
  public void disablePlugins() {
    List<Plugin> reversed = new ArrayList<>(List.of(getPlugins()));
    Collections.reverse(reversed);
    reversed.forEach(this::disablePlugin);
  }

  /** Disables a plugin and forgets it and its commands, so that its jar can be loaded again. */
  public void unload(Plugin plugin) {
    disablePlugin(plugin);
    // One that never was enabled still holds its jar open.
    close(loaderOf((JavaPlugin) plugin), plugin.getName());
    commands.unregisterAll(plugin);
    plugins.remove(key(plugin.getName()));
  }

  /**
   * Unloads a plugin and those that use its classes, and loads all of them again from their jars.
   *
   * @return the plugins that were loaded again
   */
  public List<Plugin> reload(Plugin plugin) {
    HostPluginClassLoader loader = loaderOf((JavaPlugin) plugin);
    List<JavaPlugin> affected = new ArrayList<>();
    synchronized (plugins) {
      for (JavaPlugin each : plugins.values()) {
        if (each.equals(plugin) || loaderOf(each).dependencies().contains(loader)) {
          affected.add(each);
        }
      }
    }
    List<File> jars = affected.stream().map(each -> loaderOf(each).file()).toList();
    for (JavaPlugin each : affected.reversed()) {
      unload(each);
    }
    List<Plugin> loaded = load(jars);
    loaded.forEach(this::enablePlugin);
    return loaded;
  }

  /** Who has a permission that nobody set, by what the plugins declare; operators by default. */
  public PermissionDefault permissionDefault(String name) {
    synchronized (plugins) {
      for (JavaPlugin plugin : plugins.values()) {
        for (Permission permission : plugin.getDescription().getPermissions()) {
          if (permission.getName().equalsIgnoreCase(name)) {
            return permission.getDefault();
          }
        }
      }
    }
    return PermissionDefault.OP;
  }

  @Override
  public Plugin getPlugin(String name) {
    return plugins.get(key(name));
  }

  @Override
  public Plugin[] getPlugins() {
    synchronized (plugins) {
      return plugins.values().toArray(Plugin[]::new);
    }
  }

  @Override
  public boolean isPluginEnabled(String name) {
    return isPluginEnabled(getPlugin(name));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // one that was reloaded is not the one from before
  public boolean isPluginEnabled(Plugin plugin) {
    return plugin != null && plugins.get(key(plugin.getName())) == plugin && plugin.isEnabled();
  }

  @Override
  public void callEvent(Event event) throws IllegalStateException {
    events.call(event);
  }

  @Override
  public void registerEvents(Listener listener, Plugin plugin) {
    events.registerAll(listener, plugin);
  }

  @Override
  public void registerEvent(
      Class<? extends Event> event,
      Listener listener,
      EventPriority priority,
      EventExecutor executor,
      Plugin plugin) {
    registerEvent(event, listener, priority, executor, plugin, false);
  }

  @Override
  public void registerEvent(
      Class<? extends Event> event,
      Listener listener,
      EventPriority priority,
      EventExecutor executor,
      Plugin plugin,
      boolean ignoreCancelled) {
    events.register(event, listener, priority, executor, plugin, ignoreCancelled);
  }
}
