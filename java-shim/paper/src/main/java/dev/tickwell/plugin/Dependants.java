package dev.tickwell.plugin;

import dev.tickwell.Database;
import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import dev.tickwell.paper.Tickwell;
import dev.tickwell.paper.TickwellProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.logging.Logger;
import org.bukkit.Bukkit;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.event.server.PluginDisableEvent;
import org.bukkit.event.server.PluginEnableEvent;
import org.bukkit.plugin.Plugin;

/**
 * The plugins that use Tickwell. The server announces a disable <em>before</em> it runs {@code
 * onDisable}, in which the plugin may still save and wait for it; nothing is announced after. So
 * the announcement only opens that phase, and the plugin's use ends at the next moment the server
 * thread is ours: the start of its next tick, a new instance of the same plugin, or our own
 * disable. All methods may be called on any thread.
 */
final class Dependants implements Listener {
  private final Engine engine;
  private final Databases databases;
  private final Logger logger;
  private final Runnable sweepSoon;
  // By identity: to the server, a plugin that was loaded again equals the one before.
  private final IdentityHashMap<Plugin, PluginTickwell> open = new IdentityHashMap<>();
  private volatile boolean disabling;

  /**
   * No plugins yet.
   *
   * @param sweepSoon arranges that {@link #sweep} runs when {@code onDisable} is over
   */
  Dependants(Engine engine, Databases databases, Logger logger, Runnable sweepSoon) {
    this.engine = engine;
    this.databases = databases;
    this.logger = logger;
    this.sweepSoon = sweepSoon;
  }

  /** Tickwell for a plugin: the one it has, or a new one when it is enabled. */
  Tickwell of(Plugin plugin) {
    List<PluginTickwell> replaced;
    PluginTickwell made;
    synchronized (this) {
      PluginTickwell known = open.get(plugin);
      if (known != null && !hasBegunAnew(plugin, known)) {
        return known;
      }
      if (!plugin.isEnabled()) {
        throw new TickwellException(
            ErrorCode.GONE,
            "Tickwell.of",
            plugin.getName()
                + " is not enabled; call this in onEnable or later, and not after onDisable");
      }
      Class<?> copy = copySeenBy(plugin);
      if (copy != null) {
        throw new TickwellException(
            ErrorCode.UNAVAILABLE, "Tickwell.of", TickwellProvider.copied(copy));
      }
      String name = plugin.getName();
      replaced = take(other -> other.getName().equals(name));
      made =
          new PluginTickwell(
              engine, databases, engine.owner(name), plugin.getDataFolder().toPath());
      open.put(plugin, made);
    }
    leave(replaced);
    return made;
  }

  /**
   * Whether a plugin was disabled and enabled again before the sweep. Off the server thread, its
   * {@code onDisable} may only be about to begin.
   */
  private static boolean hasBegunAnew(Plugin plugin, PluginTickwell known) {
    return known.owner().isDisabling() && plugin.isEnabled() && Bukkit.isPrimaryThread();
  }

  /**
   * Names a plugin that carries, or finds in another one, a copy of the API: what it asks of that
   * copy never gets here. The server tells of an enabled plugin after its {@code onEnable}.
   */
  @EventHandler(priority = EventPriority.MONITOR)
  public void onPluginEnable(PluginEnableEvent event) {
    Class<?> copy = copySeenBy(event.getPlugin());
    if (copy != null) {
      logger.severe(TickwellProvider.copied(copy));
    }
  }

  /** The API's first class as the plugin sees it, when that is not ours. */
  private static Class<?> copySeenBy(Plugin plugin) {
    try {
      Class<?> seen =
          Class.forName(Database.class.getName(), false, plugin.getClass().getClassLoader());
      return seen == Database.class ? null : seen;
    } catch (ClassNotFoundException | LinkageError e) {
      // It does not use Tickwell.
      return null;
    }
  }

  /** Opens the plugin's last phase. */
  @EventHandler(priority = EventPriority.MONITOR)
  public void onPluginDisable(PluginDisableEvent event) {
    synchronized (this) {
      PluginTickwell leaving = open.get(event.getPlugin());
      if (leaving == null) {
        return;
      }
      leaving.owner().beginDisable();
      disabling = true;
    }
    sweepSoon.run();
  }

  /**
   * Ends the use of every plugin whose {@code onDisable} is over; on the server thread only, which
   * cannot be inside one. Costs nothing when there is none.
   */
  void sweep() {
    if (!disabling) {
      return;
    }
    List<PluginTickwell> gone;
    synchronized (this) {
      disabling = false;
      // One that was enabled again has not asked for Tickwell since, and what it had is over.
      gone = take(plugin -> !plugin.isEnabled() || open.get(plugin).owner().isDisabling());
    }
    leave(gone);
  }

  /** The names of the plugins that use Tickwell now. */
  synchronized Collection<String> names() {
    return open.keySet().stream().map(Plugin::getName).sorted().toList();
  }

  /** Ends the use of all; the engine, which is closed after that, closes their databases. */
  void close() {
    List<PluginTickwell> all;
    synchronized (this) {
      all = take(plugin -> true);
    }
    close(all);
  }

  private List<PluginTickwell> take(Predicate<Plugin> which) {
    List<PluginTickwell> taken = new ArrayList<>();
    open.entrySet().removeIf(entry -> which.test(entry.getKey()) && taken.add(entry.getValue()));
    return taken;
  }

  /** Ends the use of plugins that are gone, while the engine goes on. */
  private void leave(List<PluginTickwell> plugins) {
    close(plugins);
    for (PluginTickwell plugin : plugins) {
      plugin
          .connections()
          .closeAll()
          .forEach((table, writes) -> logger.severe("Not written: " + table + ": " + writes));
    }
  }

  /** Not under the lock: closing waits for callbacks, and a callback may ask for Tickwell. */
  private static void close(List<PluginTickwell> plugins) {
    for (PluginTickwell plugin : plugins) {
      plugin.owner().close();
    }
  }
}
