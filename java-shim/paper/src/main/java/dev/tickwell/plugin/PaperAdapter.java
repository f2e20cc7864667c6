package dev.tickwell.plugin;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import dev.tickwell.Target;
import dev.tickwell.core.Engine;
import dev.tickwell.core.Lane;
import dev.tickwell.core.TickTask;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.plugin.Plugin;
import org.bukkit.scheduler.BukkitTask;

/**
 * Paper: one tick thread, one lane, driven at the start and at the end of each tick. A paused
 * server sends no tick events but runs the scheduler, so a repeating task steps in for the ticks
 * that were not announced. Everything but {@link #dispatch} runs on the server thread; owns the
 * lane.
 */
final class PaperAdapter extends ServerAdapter implements Listener {
  /** A tick is not stretched by more than this, and keeps this much in reserve. */
  private static final long MOST_SLACK_NANOS = 4_000_000L;

  private static final long RESERVE_NANOS = 5_000_000L;

  private final Plugin plugin;
  private volatile long budgetNanos;
  private volatile boolean elastic;
  private final Queue<TickTask> arrived = new ConcurrentLinkedQueue<>();

  private Lane lane;
  private Runnable atTickStart;
  private BukkitTask fallback;
  private boolean inTick;
  private boolean tickAnnounced;
  private volatile boolean closed;

  PaperAdapter(Plugin plugin, Settings settings) {
    super(plugin);
    this.plugin = plugin;
    this.budgetNanos = settings.budgetNanos();
    this.elastic = settings.elastic();
  }

  @Override
  void budget(Settings settings) {
    budgetNanos = settings.budgetNanos();
    elastic = settings.elastic();
  }

  @Override
  void open(Engine engine, Runnable atTickStart) {
    this.atTickStart = atTickStart;
    lane = engine.openLane();
    plugin.getServer().getPluginManager().registerEvents(this, plugin);
    fallback = plugin.getServer().getScheduler().runTaskTimer(plugin, this::standIn, 1L, 1L);
  }

  @Override
  void tickStartSoon() {
    // Every tick runs it.
  }

  @Override
  void close() {
    closed = true;
    if (fallback != null) {
      fallback.cancel();
    }
    if (lane != null) {
      lane.close();
    }
    for (TickTask task = arrived.poll(); task != null; task = arrived.poll()) {
      task.gone("Tickwell is disabled");
    }
  }

  @Override
  public void dispatch(TickTask task) {
    arrived.add(task);
    if (closed && arrived.remove(task)) {
      task.gone("Tickwell is disabled");
    }
  }

  /** The first half of a tick's work: what came in since the last one. */
  @EventHandler(priority = EventPriority.LOWEST)
  public void onTickStart(ServerTickStartEvent event) {
    tickAnnounced = true;
    begin();
  }

  /** The second half: what came in during this tick, with what is left of the budget. */
  @EventHandler(priority = EventPriority.MONITOR)
  public void onTickEnd(ServerTickEndEvent event) {
    if (inTick) {
      end(elastic ? slack(event.getTimeRemaining()) : 0L);
    }
  }

  /** What a tick that has this much time left may spend beyond the budget. */
  static long slack(long remainingNanos) {
    return Math.clamp((remainingNanos - RESERVE_NANOS) / 2, 0L, MOST_SLACK_NANOS);
  }

  private void standIn() {
    if (!tickAnnounced) {
      begin();
      end(0L);
    }
    tickAnnounced = false;
  }

  private void begin() {
    atTickStart.run();
    queueArrived();
    lane.start(budgetNanos);
    inTick = true;
    lane.run();
  }

  private void end(long slackNanos) {
    queueArrived();
    inTick = false;
    lane.end(slackNanos);
  }

  private void queueArrived() {
    for (TickTask task = arrived.poll(); task != null; task = arrived.poll()) {
      if (task.target() instanceof Target.Entity target && isGone(target.entity())) {
        task.gone(TargetText.of(target));
      } else {
        lane.queue(task);
      }
    }
  }

  /** A dead player is still there; another entity that is dead, removed or unloaded is not. */
  private static boolean isGone(Object target) {
    return target instanceof Player player
        ? !player.isOnline()
        : target instanceof Entity entity && !entity.isValid();
  }
}
