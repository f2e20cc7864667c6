package io.papermc.paper.threadedregions.scheduler;

import java.util.function.Consumer;
import org.bukkit.plugin.Plugin;

/** Runs tasks on the thread that owns an entity, wherever it goes. */
public interface EntityScheduler {
  boolean execute(Plugin plugin, Runnable run, Runnable retired, long delay);

  ScheduledTask run(Plugin plugin, Consumer<ScheduledTask> task, Runnable retired);

  ScheduledTask runDelayed(
      Plugin plugin, Consumer<ScheduledTask> task, Runnable retired, long delayTicks);

  ScheduledTask runAtFixedRate(
      Plugin plugin,
      Consumer<ScheduledTask> task,
      Runnable retired,
      long initialDelayTicks,
      long periodTicks);
}
