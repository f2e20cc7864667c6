package org.bukkit.scheduler;

import org.bukkit.plugin.Plugin;

/** A task of the server's scheduler. */
public interface BukkitTask {
  int getTaskId();

  Plugin getOwner();

  boolean isSync();

  boolean isCancelled();

  void cancel();
}
