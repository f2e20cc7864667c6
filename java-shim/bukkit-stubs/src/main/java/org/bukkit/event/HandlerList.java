package org.bukkit.event;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.RegisteredListener;

/** The listeners of one kind of event, in order of priority and then of registration. */
public class HandlerList {
  private static final List<HandlerList> ALL = new ArrayList<>();

  private final List<RegisteredListener> listeners = new ArrayList<>();
  private volatile RegisteredListener[] baked = {};

  @SuppressWarnings("this-escape")
  public HandlerList() {
    synchronized (ALL) {
      ALL.add(this);
    }
  }

  public static void unregisterAll(Plugin plugin) {
    synchronized (ALL) {
      ALL.forEach(each -> each.unregister(plugin));
    }
  }

  public static void unregisterAll(Listener listener) {
    synchronized (ALL) {
      ALL.forEach(each -> each.unregister(listener));
    }
  }

  public synchronized void register(RegisteredListener listener) {
    if (listeners.contains(listener)) {
      throw new IllegalStateException(
          "This listener is already registered to priority " + listener.getPriority());
    }
    listeners.add(listener);
    bake();
  }

  public synchronized void unregister(RegisteredListener listener) {
    if (listeners.remove(listener)) {
      bake();
    }
  }

  public synchronized void unregister(Plugin plugin) {
    if (listeners.removeIf(each -> each.getPlugin().equals(plugin))) {
      bake();
    }
  }

  public synchronized void unregister(Listener listener) {
    if (listeners.removeIf(each -> each.getListener().equals(listener))) {
      bake();
    }
  }

  public synchronized void bake() {
    List<RegisteredListener> ordered = new ArrayList<>(listeners);
    ordered.sort(Comparator.comparingInt(each -> each.getPriority().getSlot()));
    baked = ordered.toArray(RegisteredListener[]::new);
  }

  public RegisteredListener[] getRegisteredListeners() {
    return baked;
  }

  @SuppressWarnings("NonApiType") // the real signature
  public static ArrayList<HandlerList> getHandlerLists() {
    synchronized (ALL) {
      return new ArrayList<>(ALL);
    }
  }
}
