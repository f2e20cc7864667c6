package dev.tickwell.e2e.life;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bukkit.Bukkit;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.event.EventHandler;
import org.bukkit.event.Listener;
import org.bukkit.event.server.PluginEnableEvent;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * Watches Tickwell from outside: it does not depend on it, so it outlives every reload. Each
 * command prints one line that begins with WATCH.
 */
public final class WatchPlugin extends JavaPlugin implements Listener {
  private static final int COLLECTIONS = 20;

  private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();

  @Override
  public void onEnable() {
    getServer().getPluginManager().registerEvents(this, this);
  }

  /** Remembers the class loader of each Tickwell that is enabled. */
  @EventHandler
  public void onPluginEnable(PluginEnableEvent event) {
    if (event.getPlugin().getName().equals("Tickwell")) {
      loaders.add(new WeakReference<>(event.getPlugin().getClass().getClassLoader()));
    }
  }

  @Override
  public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
    switch (args[0]) {
      case "memory" -> memory();
      case "gauges" -> gauges();
      case "disable" -> {
        Plugin plugin = Bukkit.getPluginManager().getPlugin(args[1]);
        Bukkit.getPluginManager().disablePlugin(plugin);
        say("disabled " + args[1]);
      }
      case "restart" -> {
        Plugin plugin = Bukkit.getPluginManager().getPlugin(args[1]);
        Bukkit.getPluginManager().disablePlugin(plugin);
        Bukkit.getPluginManager().enablePlugin(plugin);
        say("restarted " + args[1]);
      }
      // Not on the tick thread: exiting waits for it.
      case "exit" -> new Thread(() -> System.exit(Integer.parseInt(args[1])), "exit").start();
      default -> say("does not know " + args[0]);
    }
    return true;
  }

  private void memory() {
    int left = 0;
    // A class loader goes in several collections: first what it holds, then itself.
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      left = (int) loaders.stream().filter(loader -> loader.get() != null).count();
      if (left <= 1) {
        break;
      }
    }
    long classes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals("Metaspace") || pool.getName().startsWith("Compressed Class")) {
        classes += pool.getUsage().getUsed();
      }
    }
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    say("loaders " + left + " heap " + heap + " classes " + classes + " end");
  }

  /** What is open in the engine and in the library; nobody but a test looks at it so. */
  private void gauges() {
    Plugin tickwell = Bukkit.getPluginManager().getPlugin("Tickwell");
    try {
      Field field = tickwell.getClass().getDeclaredField("engine");
      field.setAccessible(true);
      Object engine = field.get(tickwell);
      Map<?, ?> all = (Map<?, ?>) engine.getClass().getMethod("statistics").invoke(engine);
      Map<String, Object> open = new TreeMap<>();
      for (String name :
          List.of(
              "bytes.reads",
              "bytes.writes",
              "completions",
              "databases",
              "handles",
              "java.encoder.queued-bytes",
              "java.owners",
              "java.requests.open",
              "java.tick-records.expected",
              "lanes",
              "owners")) {
        open.put(name, all.get(name));
      }
      say("gauges " + open);
    } catch (NoSuchFieldException
        | NoSuchMethodException
        | IllegalAccessException
        | InvocationTargetException e) {
      say("gauges cannot be read: " + e);
    }
  }

  private void say(String text) {
    getLogger().info("WATCH " + text);
  }
}
