package io.papermc.paper.threadedregions.scheduler;

import java.util.function.Consumer;
import org.bukkit.plugin.Plugin;

/** Runs tasks on the global region's thread. */
public interface GlobalRegionScheduler {
  void execute(Plugin plugin, Runnable run);

  ScheduledTask run(Plugin plugin, Consumer<ScheduledTask> task);

  ScheduledTask runDelayed(Plugin plugin, Consumer<ScheduledTask> task, long delayTicks);

  ScheduledTask runAtFixedRate(
      Plugin plugin, Consumer<ScheduledTask> task, long initialDelayTicks, long periodTicks);

  void cancelTasks(Plugin plugin);
}
