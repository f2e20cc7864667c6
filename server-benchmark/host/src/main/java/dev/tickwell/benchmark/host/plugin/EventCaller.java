package dev.tickwell.benchmark.host.plugin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bukkit.event.Event;
import org.bukkit.event.EventException;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.HandlerList;
import org.bukkit.event.Listener;
import org.bukkit.plugin.EventExecutor;
import org.bukkit.plugin.IllegalPluginAccessException;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.RegisteredListener;

/**
 * Registers listeners and hands events to them. Synchronous events are called on the tick thread,
 * asynchronous ones on any other.
 */
final class EventCaller {
  private final BooleanSupplier onTickThread;
  private final Logger logger;

  EventCaller(BooleanSupplier onTickThread, Logger logger) {
    this.onTickThread = onTickThread;
    this.logger = logger;
  }

  void call(Event event) {
    boolean onTick = onTickThread.getAsBoolean();
    if (event.isAsynchronous() && onTick) {
      throw new IllegalStateException(
          event.getEventName() + " may only be triggered asynchronously.");
    }
    if (!event.isAsynchronous() && !onTick) {
      throw new IllegalStateException(
          event.getEventName() + " may only be triggered synchronously.");
    }
    for (RegisteredListener listener : event.getHandlers().getRegisteredListeners()) {
      if (!listener.getPlugin().isEnabled()) {
        continue;
      }
      try {
        listener.callEvent(event);
      } catch (Throwable e) {
        Throwable cause = e instanceof EventException && e.getCause() != null ? e.getCause() : e;
        logger.log(
            Level.SEVERE,
            "Could not pass event "
                + event.getEventName()
                + " to "
                + listener.getPlugin().getDescription().getFullName(),
            cause);
      }
    }
  }

  void registerAll(Listener listener, Plugin plugin) {
    requireEnabled(plugin, listener.toString());
    for (Method method : handlerMethods(listener.getClass())) {
      EventHandler handler = method.getAnnotation(EventHandler.class);
      if (method.getParameterCount() != 1
          || !Event.class.isAssignableFrom(method.getParameterTypes()[0])) {
        logger.severe(
            plugin.getDescription().getFullName()
                + " attempted to register an invalid EventHandler method signature \""
                + method.toGenericString()
                + "\" in "
                + listener.getClass());
        continue;
      }
      Class<? extends Event> type = method.getParameterTypes()[0].asSubclass(Event.class);
      method.setAccessible(true);
      register(
          type,
          listener,
          handler.priority(),
          executor(type, method),
          plugin,
          handler.ignoreCancelled());
    }
  }

  private static Set<Method> handlerMethods(Class<?> type) {
    Set<Method> methods = new HashSet<>(Set.of(type.getMethods()));
    methods.addAll(Set.of(type.getDeclaredMethods()));
    methods.removeIf(
        method ->
            method.getAnnotation(EventHandler.class) == null
                || method.isBridge()
                || method.isSynthetic());
    return methods;
  }

  private static EventExecutor executor(Class<? extends Event> type, Method method) {
    return (listener, event) -> {
      // One handler list may serve several kinds of event.
      if (!type.isInstance(event)) {
        return;
      }
      try {
        method.invoke(listener, event);
      } catch (InvocationTargetException e) {
        throw new EventException(e.getCause());
      } catch (IllegalAccessException e) {
        throw new EventException(e);
      }
    };
  }

  void register(
      Class<? extends Event> type,
      Listener listener,
      EventPriority priority,
      EventExecutor executor,
      Plugin plugin,
      boolean ignoreCancelled) {
    requireEnabled(plugin, type.toString());
    handlers(type)
        .register(new RegisteredListener(listener, executor, priority, plugin, ignoreCancelled));
  }

  private static void requireEnabled(Plugin plugin, String what) {
    if (!plugin.isEnabled()) {
      throw new IllegalPluginAccessException(
          "Plugin attempted to register " + what + " while not enabled");
    }
  }

  /** The list of the nearest class up the hierarchy that has one. */
  private static HandlerList handlers(Class<? extends Event> type) {
    for (Class<?> each = type; each != null && each != Event.class; each = each.getSuperclass()) {
      try {
        Method method = each.getDeclaredMethod("getHandlerList");
        method.setAccessible(true);
        return (HandlerList) method.invoke(null);
      } catch (NoSuchMethodException e) {
        // The superclass may have it.
      } catch (ReflectiveOperationException e) {
        throw new IllegalPluginAccessException(each.getName() + ".getHandlerList failed: " + e);
      }
    }
    throw new IllegalPluginAccessException(
        "Unable to find handler list for event "
            + type.getName()
            + ". Static getHandlerList method required!");
  }
}
