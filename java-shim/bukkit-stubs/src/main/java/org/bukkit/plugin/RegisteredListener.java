package org.bukkit.plugin;

import org.bukkit.event.Cancellable;
import org.bukkit.event.Event;
import org.bukkit.event.EventException;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;

/** One listener of one kind of event. */
public class RegisteredListener {
  private final Listener listener;
  private final EventPriority priority;
  private final Plugin plugin;
  private final EventExecutor executor;
  private final boolean ignoreCancelled;

  public RegisteredListener(
      Listener listener,
      EventExecutor executor,
      EventPriority priority,
      Plugin plugin,
      boolean ignoreCancelled) {
    this.listener = listener;
    this.priority = priority;
    this.plugin = plugin;
    this.executor = executor;
    this.ignoreCancelled = ignoreCancelled;
  }

  public Listener getListener() {
    return listener;
  }

  public Plugin getPlugin() {
    return plugin;
  }

  public EventPriority getPriority() {
    return priority;
  }

  public void callEvent(Event event) throws EventException {
    boolean skip =
        ignoreCancelled && event instanceof Cancellable cancellable && cancellable.isCancelled();
    if (!skip) {
      executor.execute(listener, event);
    }
  }

  public boolean isIgnoringCancelled() {
    return ignoreCancelled;
  }
}
