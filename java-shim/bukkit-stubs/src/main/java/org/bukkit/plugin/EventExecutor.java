package org.bukkit.plugin;

import org.bukkit.event.Event;
import org.bukkit.event.EventException;
import org.bukkit.event.Listener;

/** Hands an event to a listener. */
public interface EventExecutor {
  void execute(Listener listener, Event event) throws EventException;
}
