package dev.tickwell.plugin;

import io.papermc.paper.threadedregions.scheduler.EntityScheduler;
import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import io.papermc.paper.threadedregions.scheduler.RegionScheduler;
import io.papermc.paper.threadedregions.scheduler.ScheduledTask;
import java.io.File;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Logger;
import org.bukkit.Server;
import org.bukkit.World;
import org.bukkit.entity.Entity;
import org.bukkit.plugin.IllegalPluginAccessException;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.PluginManager;

/**
 * Folia as far as Tickwell sees it: schedulers that only collect tasks, and a region whose ticks
 * the test runs on a thread of its choice. Refuses what Folia refuses: zero delays, Bukkit's
 * scheduler, tasks of a disabled plugin.
 */
final class FakeFolia {
  /** A task that was handed to a scheduler. */
  record Scheduled(String scheduler, long delay, Runnable run, Runnable retired) {}

  final BlockingQueue<Scheduled> tasks = new LinkedBlockingQueue<>();
  final List<String> log = new CopyOnWriteArrayList<>();
  volatile boolean pluginEnabled = true;
  volatile boolean entityRetired;
  volatile Thread tickThread;

  final Plugin plugin = stub(Plugin.class, this::plugin);
  final Entity entity = stub(Entity.class, this::entity);
  final World world = stub(World.class, this::world);

  private final Server server = stub(Server.class, this::server);
  private final Logger logger = Logger.getAnonymousLogger();

  FakeFolia() {
    logger.setUseParentHandlers(false);
    logger.addHandler(
        new java.util.logging.Handler() {
          @Override
          public void publish(java.util.logging.LogRecord line) {
            log.add(line.getMessage() + (line.getThrown() == null ? "" : " " + line.getThrown()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }

  /** The next task, which must come. */
  Scheduled next() throws InterruptedException {
    Scheduled task = tasks.poll(30, TimeUnit.SECONDS);
    if (task == null) {
      throw new AssertionError("nothing was scheduled; the log has " + log);
    }
    return task;
  }

  private Object plugin(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "getServer" -> server;
      case "getLogger" -> logger;
      case "getName" -> "Tickwell";
      case "isEnabled" -> pluginEnabled;
      case "getDataFolder" -> new File("Tickwell");
      default -> identity(proxy, method, arguments);
    };
  }

  private Object server(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "isPrimaryThread" -> Thread.currentThread() == tickThread;
      case "getPluginManager" -> stub(PluginManager.class, (manager, called, with) -> null);
      case "getGlobalRegionScheduler" -> stub(GlobalRegionScheduler.class, this::global);
      case "getRegionScheduler" -> stub(RegionScheduler.class, this::region);
      default -> identity(proxy, method, arguments);
    };
  }

  private Object global(Object proxy, Method method, Object[] arguments) {
    return add("global", (long) arguments[2], arguments[1], null);
  }

  private Object region(Object proxy, Method method, Object[] arguments) {
    String where = "region " + arguments[2] + " " + arguments[3];
    return add(where, (long) arguments[5], arguments[4], null);
  }

  private Object entity(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "getScheduler" -> stub(EntityScheduler.class, this::entityScheduler);
      case "getUniqueId" -> new java.util.UUID(1, 2);
      default -> identity(proxy, method, arguments);
    };
  }

  private Object entityScheduler(Object proxy, Method method, Object[] arguments) {
    if (!entityRetired) {
      add("entity", (long) arguments[3], arguments[1], (Runnable) arguments[2]);
    }
    return !entityRetired;
  }

  private Object world(Object proxy, Method method, Object[] arguments) {
    if (method.getName().equals("getName")) {
      return "world";
    }
    return identity(proxy, method, arguments);
  }

  @SuppressWarnings("unchecked")
  private ScheduledTask add(String scheduler, long delay, Object task, Runnable retired) {
    if (!pluginEnabled) {
      throw new IllegalPluginAccessException("Plugin attempted to register task while disabled");
    }
    if (delay < 1) {
      throw new IllegalArgumentException("Delay ticks may not be <= 0");
    }
    Runnable run =
        task instanceof Runnable runnable
            ? runnable
            : () -> ((Consumer<ScheduledTask>) task).accept(null);
    tasks.add(new Scheduled(scheduler, delay, run, retired));
    return null;
  }

  static Object identity(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "a stub";
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private static <T> T stub(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(FakeFolia.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
