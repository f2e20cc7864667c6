package org.bukkit.scheduler;

import org.bukkit.Bukkit;
import org.bukkit.plugin.Plugin;

/** A task that can cancel itself. */
public abstract class BukkitRunnable implements Runnable {
  private BukkitTask task;

  public synchronized boolean isCancelled() throws IllegalStateException {
    return scheduled().isCancelled();
  }

  public synchronized void cancel() throws IllegalStateException {
    scheduled().cancel();
  }

  public synchronized int getTaskId() throws IllegalStateException {
    return scheduled().getTaskId();
  }

  public synchronized BukkitTask runTask(Plugin plugin) {
    return keep(Bukkit.getScheduler().runTask(unscheduled(plugin), (Runnable) this));
  }

  public synchronized BukkitTask runTaskAsynchronously(Plugin plugin) {
    return keep(Bukkit.getScheduler().runTaskAsynchronously(unscheduled(plugin), (Runnable) this));
  }

  public synchronized BukkitTask runTaskLater(Plugin plugin, long delay) {
    return keep(Bukkit.getScheduler().runTaskLater(unscheduled(plugin), (Runnable) this, delay));
  }

  public synchronized BukkitTask runTaskTimer(Plugin plugin, long delay, long period) {
    return keep(
        Bukkit.getScheduler().runTaskTimer(unscheduled(plugin), (Runnable) this, delay, period));
  }

  private BukkitTask scheduled() {
    if (task == null) {
      throw new IllegalStateException("Not scheduled yet");
    }
    return task;
  }

  private Plugin unscheduled(Plugin plugin) {
    if (task != null) {
      throw new IllegalStateException("Already scheduled as " + task.getTaskId());
    }
    return plugin;
  }

  private BukkitTask keep(BukkitTask scheduled) {
    task = scheduled;
    return scheduled;
  }
}
