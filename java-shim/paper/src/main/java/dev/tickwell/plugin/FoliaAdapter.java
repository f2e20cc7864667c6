package dev.tickwell.plugin;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import dev.tickwell.Target;
import dev.tickwell.core.Engine;
import dev.tickwell.core.Lane;
import dev.tickwell.core.TickTask;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bukkit.Server;
import org.bukkit.World;
import org.bukkit.entity.Entity;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.plugin.IllegalPluginAccessException;
import org.bukkit.plugin.Plugin;

/**
 * Folia: many tick threads, and work belongs to whichever thread ticks its target when it runs.
 * Each piece of work is a task of Folia's own schedulers; each thread has a lane whose budget
 * belongs to the tick that the thread is in. {@link #dispatch} may be called on any thread; owns
 * the lanes.
 */
final class FoliaAdapter extends ServerAdapter implements Listener {
  /** Recognises Folia: Paper has its schedulers, but not its regions. */
  static final String MARKER = "io.papermc.paper.threadedregions.RegionizedServer";

  /** Folia refuses zero, and work that was over budget must not run in the same tick again. */
  private static final long NEXT_TICK = 1L;

  /** Half a tick: how long a budget lasts on a thread whose tick nobody announced. */
  private static final long UNANNOUNCED_NANOS = 25_000_000L;

  private final Plugin plugin;
  private final Server server;
  private volatile long budgetNanos;
  private final Queue<ThreadLane> lanes = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<ThreadLane> laneOfThread = ThreadLocal.withInitial(this::openLane);

  private volatile Engine engine;
  private volatile Runnable atTickStart;

  FoliaAdapter(Plugin plugin, Settings settings) {
    super(plugin);
    this.plugin = plugin;
    this.server = plugin.getServer();
    this.budgetNanos = settings.budgetNanos();
  }

  @Override
  void budget(Settings settings) {
    budgetNanos = settings.budgetNanos();
  }

  @Override
  void open(Engine engine, Runnable atTickStart) {
    this.engine = engine;
    this.atTickStart = atTickStart;
    server.getPluginManager().registerEvents(this, plugin);
  }

  @Override
  void tickStartSoon() {
    if (plugin.isEnabled()) {
      server
          .getGlobalRegionScheduler()
          .runDelayed(plugin, scheduled -> atTickStart.run(), NEXT_TICK);
    }
  }

  @Override
  void close() {
    for (ThreadLane lane = lanes.poll(); lane != null; lane = lanes.poll()) {
      lane.lane.close();
    }
  }

  @Override
  public void dispatch(TickTask task) {
    Runnable run = () -> run(task);
    try {
      switch (task.target()) {
        case Target.Global global ->
            server.getGlobalRegionScheduler().runDelayed(plugin, scheduled -> run.run(), NEXT_TICK);
        case Target.Region region ->
            server
                .getRegionScheduler()
                .runDelayed(
                    plugin,
                    (World) region.world(),
                    region.chunkX(),
                    region.chunkZ(),
                    scheduled -> run.run(),
                    NEXT_TICK);
        case Target.Entity target -> {
          Runnable retired = () -> task.gone(TargetText.of(target));
          if (!((Entity) target.entity()).getScheduler().execute(plugin, run, retired, NEXT_TICK)) {
            retired.run();
          }
        }
      }
    } catch (IllegalPluginAccessException e) {
      // Folia's answer once we are disabled; the engine's shutdown is on its way.
      task.gone("Tickwell is disabled");
    }
  }

  private void run(TickTask task) {
    ThreadLane lane = laneOfThread.get();
    lane.enter();
    if (!lane.lane.runNow(task)) {
      dispatch(task);
    }
  }

  /** Opens the budget of the tick that this thread begins. */
  @EventHandler(priority = EventPriority.LOWEST)
  public void onTickStart(ServerTickStartEvent event) {
    laneOfThread.get().start(true);
  }

  /** The budget is gone with its tick. */
  @EventHandler(priority = EventPriority.MONITOR)
  public void onTickEnd(ServerTickEndEvent event) {
    laneOfThread.get().end();
  }

  private ThreadLane openLane() {
    ThreadLane lane = new ThreadLane(engine.openLane());
    lanes.add(lane);
    return lane;
  }

  /** One thread's lane and the tick that it is in. Used by its own thread only. */
  private final class ThreadLane {
    private final Lane lane;
    private boolean open;
    private boolean announced;
    private long openedAt;

    ThreadLane(Lane lane) {
      this.lane = lane;
    }

    void start(boolean announcedNow) {
      end();
      lane.start(budgetNanos);
      open = true;
      announced = announcedNow;
      openedAt = System.nanoTime();
    }

    void end() {
      if (open) {
        open = false;
        lane.end(0L);
      }
    }

    /** Makes sure that a budget is open: the global region ticks without tick events. */
    void enter() {
      if (!open || (!announced && System.nanoTime() - openedAt > UNANNOUNCED_NANOS)) {
        start(false);
      }
    }
  }
}
