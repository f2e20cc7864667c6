package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.benchmark.host.schedule.HostEntityScheduler;
import dev.tickwell.benchmark.host.schedule.RegionTasks;
import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import io.papermc.paper.threadedregions.scheduler.ScheduledTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bukkit.plugin.Plugin;
import org.bukkit.scheduler.BukkitScheduler;
import org.bukkit.scheduler.BukkitTask;
import org.junit.jupiter.api.Test;

class SchedulerTest extends HostTestCase {
  private final List<String> ran = new ArrayList<>();

  private BukkitScheduler scheduler() {
    return server().getScheduler();
  }

  @Test
  void tasksRunInTheTickInWhichTheyAreDueInOrderOfRegistration() {
    Plugin plugin = idle("P");
    int now = server().getCurrentTick();
    scheduler().runTaskLater(plugin, () -> ran.add("two " + passed(now)), 2);
    scheduler().runTask(plugin, () -> ran.add("first " + passed(now)));
    scheduler().runTask(plugin, () -> ran.add("second " + passed(now)));
    scheduler().runTaskTimer(plugin, () -> ran.add("each " + passed(now)), 1, 2);
    tick(4);
    assertEquals(List.of("first 1", "second 1", "each 1", "two 2", "each 3"), ran);
  }

  private static int passed(int since) {
    return server().getCurrentTick() - since;
  }

  @Test
  void aTaskThatATaskAddsWithoutDelayRunsInTheSameTick() {
    Plugin plugin = idle("P");
    scheduler()
        .runTask(
            plugin,
            () -> {
              ran.add("outer");
              scheduler().runTask(plugin, () -> ran.add("inner"));
            });
    tick(1);
    assertEquals(List.of("outer", "inner"), ran);
  }

  @Test
  void cancelledTasksDoNotRun() {
    Plugin plugin = idle("P");
    BukkitTask queued = scheduler().runTask(plugin, () -> ran.add("queued"));
    assertTrue(scheduler().isQueued(queued.getTaskId()));
    queued.cancel();
    assertFalse(scheduler().isQueued(queued.getTaskId()));
    assertTrue(queued.isCancelled());
    scheduler()
        .runTaskTimer(
            plugin,
            task -> {
              ran.add("once");
              task.cancel();
            },
            0,
            1);
    tick(3);
    assertEquals(List.of("once"), ran);
  }

  @Test
  void aTaskThatThrowsHarmsNoOther() {
    Plugin plugin = idle("P");
    AtomicInteger runs = new AtomicInteger();
    scheduler()
        .runTaskTimer(
            plugin,
            () -> {
              runs.incrementAndGet();
              throw new IllegalStateException("on purpose");
            },
            0,
            1);
    scheduler().runTask(plugin, () -> ran.add("after"));
    tick(2);
    assertEquals(2, runs.get());
    assertEquals(List.of("after"), ran);
  }

  @Test
  void asynchronousTasksRunOffTheTickThreadAndSyncMethodsOnIt() throws Exception {
    Plugin plugin = idle("P");
    CompletableFuture<Boolean> primary = new CompletableFuture<>();
    scheduler().runTaskAsynchronously(plugin, () -> primary.complete(server().isPrimaryThread()));
    tick(1);
    assertFalse(primary.get(10, TimeUnit.SECONDS));
    Future<Boolean> called = scheduler().callSyncMethod(plugin, server()::isPrimaryThread);
    assertFalse(called.isDone());
    tick(1);
    assertTrue(called.get(0, TimeUnit.SECONDS));
  }

  @Test
  void regionTasksRunInTheNextTickAtTheEarliest() {
    Plugin plugin = idle("P");
    GlobalRegionScheduler global = server().getGlobalRegionScheduler();
    int now = server().getCurrentTick();
    global.execute(
        plugin,
        () -> {
          ran.add("outer " + passed(now));
          global.execute(plugin, () -> ran.add("inner " + passed(now)));
        });
    server()
        .getRegionScheduler()
        .runAtFixedRate(
            plugin, server().getWorld("world"), 0, 0, task -> ran.add("each " + passed(now)), 2, 2);
    tick(4);
    assertEquals(List.of("outer 1", "each 2", "inner 2", "each 4"), ran);
    assertThrows(IllegalArgumentException.class, () -> global.runDelayed(plugin, task -> {}, 0));
    assertThrows(
        IllegalArgumentException.class, () -> global.runAtFixedRate(plugin, task -> {}, 1, 0));
  }

  @Test
  void aScheduledTaskTellsItsStateAndWhatCancellingCameTo() {
    Plugin plugin = idle("P");
    GlobalRegionScheduler global = server().getGlobalRegionScheduler();
    ScheduledTask once = global.run(plugin, task -> ran.add(task.getExecutionState().name()));
    assertEquals(ScheduledTask.ExecutionState.IDLE, once.getExecutionState());
    tick(1);
    assertEquals(List.of("RUNNING"), ran);
    assertEquals(ScheduledTask.ExecutionState.FINISHED, once.getExecutionState());
    assertEquals(ScheduledTask.CancelledState.ALREADY_EXECUTED, once.cancel());

    ScheduledTask idle = global.run(plugin, task -> ran.add("never"));
    assertEquals(ScheduledTask.CancelledState.CANCELLED_BY_CALLER, idle.cancel());
    assertEquals(ScheduledTask.CancelledState.CANCELLED_ALREADY, idle.cancel());
    assertTrue(idle.isCancelled());

    List<ScheduledTask.CancelledState> within = new ArrayList<>();
    global.runAtFixedRate(
        plugin,
        task -> {
          within.add(task.cancel());
          within.add(task.cancel());
        },
        1,
        1);
    tick(3);
    assertEquals(
        List.of(
            ScheduledTask.CancelledState.NEXT_RUNS_CANCELLED,
            ScheduledTask.CancelledState.NEXT_RUNS_CANCELLED_ALREADY),
        within);
    assertEquals(List.of("RUNNING"), ran);
  }

  @Test
  void anEntityThatIsGoneRetiresWhatWaitsAndTakesNothingMore() {
    Plugin plugin = idle("P");
    RegionTasks tasks = new RegionTasks();
    HostEntityScheduler entity = new HostEntityScheduler(tasks);
    assertTrue(entity.execute(plugin, () -> ran.add("ran"), () -> ran.add("not retired"), 0));
    assertNotNull(entity.runDelayed(plugin, task -> ran.add("late"), () -> ran.add("gone"), 3));
    tasks.heartbeat(1);
    entity.retire();
    assertEquals(List.of("ran", "gone"), ran);
    assertNull(entity.run(plugin, task -> ran.add("never"), () -> ran.add("never")));
    assertFalse(entity.execute(plugin, () -> ran.add("never"), null, 1));
    tasks.heartbeat(10);
    assertEquals(List.of("ran", "gone"), ran);
  }

  @Test
  void theAsyncSchedulerRepeatsUntilCancelled() throws Exception {
    Plugin plugin = idle("P");
    CountDownLatch three = new CountDownLatch(3);
    ScheduledTask task =
        server()
            .getAsyncScheduler()
            .runAtFixedRate(plugin, each -> three.countDown(), 0, 1, TimeUnit.MILLISECONDS);
    assertTrue(three.await(10, TimeUnit.SECONDS));
    task.cancel();
    assertTrue(task.isCancelled());
    CompletableFuture<ScheduledTask> seen = new CompletableFuture<>();
    ScheduledTask now = server().getAsyncScheduler().runNow(plugin, seen::complete);
    assertSame(now, seen.get(10, TimeUnit.SECONDS));
  }
}
