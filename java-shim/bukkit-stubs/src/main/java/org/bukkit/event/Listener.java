package org.bukkit.event;

/** An object with {@link EventHandler} methods. */
public interface Listener {}
