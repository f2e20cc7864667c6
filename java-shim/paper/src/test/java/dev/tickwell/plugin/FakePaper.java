package dev.tickwell.plugin;

import java.io.File;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.bukkit.Server;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.PluginManager;
import org.bukkit.scheduler.BukkitScheduler;
import org.bukkit.scheduler.BukkitTask;

/** Paper as far as Tickwell sees it; the test's own thread is the server thread. */
final class FakePaper {
  final List<String> log = new CopyOnWriteArrayList<>();
  final Plugin plugin = plugin("Tickwell");
  final Player player = stub(Player.class, this::player);
  final Entity entity = stub(Entity.class, this::entity);

  volatile boolean online = true;
  volatile boolean valid = true;
  volatile boolean enabled = true;
  Runnable everyTick;
  boolean timerCancelled;

  private final Server server = stub(Server.class, this::server);
  private final Logger logger = Logger.getAnonymousLogger();
  private final Thread serverThread = Thread.currentThread();

  FakePaper() {
    logger.setUseParentHandlers(false);
    logger.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            log.add(line.getMessage() + (line.getThrown() == null ? "" : " " + line.getThrown()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }

  /** Another plugin, enabled as long as {@link #enabled} says so. */
  Plugin plugin(String name) {
    return stub(
        Plugin.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getServer" -> server;
              case "getLogger" -> logger;
              case "getName" -> name;
              case "isEnabled" -> enabled;
              case "getDataFolder" -> new File(name);
              // As the server's own: a plugin that is loaded again equals the one before.
              case "equals" -> arguments[0] instanceof Plugin other && other.getName().equals(name);
              case "hashCode" -> name.hashCode();
              default -> FakeFolia.identity(proxy, method, arguments);
            });
  }

  private Object server(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "isPrimaryThread" -> Thread.currentThread() == serverThread;
      case "getPluginManager" -> stub(PluginManager.class, (manager, called, with) -> null);
      case "getScheduler" -> stub(BukkitScheduler.class, this::scheduler);
      default -> FakeFolia.identity(proxy, method, arguments);
    };
  }

  private Object scheduler(Object proxy, Method method, Object[] arguments) {
    if (method.getName().equals("runTaskTimer")) {
      everyTick = (Runnable) arguments[1];
      return stub(
          BukkitTask.class,
          (task, called, with) -> {
            timerCancelled |= called.getName().equals("cancel");
            return null;
          });
    }
    return FakeFolia.identity(proxy, method, arguments);
  }

  private Object player(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "isOnline" -> online;
      // Dead players are not valid, and still there.
      case "isValid" -> false;
      case "getName" -> "Notch";
      default -> FakeFolia.identity(proxy, method, arguments);
    };
  }

  private Object entity(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "isValid" -> valid;
      case "getUniqueId" -> new UUID(1, 2);
      default -> FakeFolia.identity(proxy, method, arguments);
    };
  }

  private static <T> T stub(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(FakePaper.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
