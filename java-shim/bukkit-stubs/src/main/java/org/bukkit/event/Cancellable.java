package org.bukkit.event;

/** An event that a listener can stop. */
public interface Cancellable {
  boolean isCancelled();

  void setCancelled(boolean cancel);
}
