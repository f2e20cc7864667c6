package dev.tickwell.plugin;

import static dev.tickwell.paper.Targets.global;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import dev.tickwell.Database;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Table;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import dev.tickwell.core.EngineOptions;
import dev.tickwell.core.Owner;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Folia adapter with the real engine under a server that only collects its tasks. */
class FoliaAdapterTest {
  /** A value that can be made on a tick thread only, and takes its time. */
  record Slow(long value) {}

  record Kept(@Key int id, Slow slow) {}

  private static final class SlowCodec implements ObjectCodec<Slow> {
    @Override
    public Class<Slow> type() {
      return Slow.class;
    }

    @Override
    public byte[] encode(Slow value) {
      return ByteBuffer.allocate(8).putLong(value.value()).array();
    }

    @Override
    public Slow decode(byte[] bytes) {
      long until = System.nanoTime() + 1_000_000L;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      return new Slow(ByteBuffer.wrap(bytes).getLong());
    }

    @Override
    public Slow snapshot(Slow value) {
      return value;
    }

    @Override
    public boolean requiresTickThread() {
      return true;
    }
  }

  @TempDir Path folder;

  private final FakeFolia folia = new FakeFolia();
  private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
  private FoliaAdapter adapter;
  private Engine engine;
  private Database database;

  @BeforeEach
  void start() {
    adapter = new FoliaAdapter(folia.plugin, SettingsReader.read(Map.of(), folder));
    Path library = Path.of(System.getProperty("tickwell.test.library"));
    engine =
        Engine.start(EngineOptions.in(folder).withNativePath(library).withWarmUp(false), adapter);
    adapter.open(engine, () -> answers.add("swept"));
    engine.openDatabase(
        "main", Map.of("type", "sqlite", "path", folder.resolve("folia.db").toString()));
    Owner owner = engine.owner("Probe");
    engine.register(owner, new SlowCodec());
    database = engine.database(owner, "main");
  }

  @AfterEach
  void stop() {
    adapter.close();
    engine.close();
  }

  private void ask(Target target) {
    database
        .query("SELECT 1")
        .on(target, rows -> answers.add(Thread.currentThread()), e -> answers.add(e));
  }

  private Object answer() throws InterruptedException {
    Object answer = answers.poll(30, TimeUnit.SECONDS);
    assertTrue(answer != null, () -> "no answer; the log has " + folia.log);
    return answer;
  }

  /** Runs code as the given thread's tick, between the events that Folia sends on it. */
  private Thread tick(Runnable inTick) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("region")
            .unstarted(
                () -> {
                  try {
                    adapter.onTickStart(new ServerTickStartEvent(1));
                    inTick.run();
                    adapter.onTickEnd(new ServerTickEndEvent(1, 1.0, 40_000_000L));
                  } catch (RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
    folia.tickThread = thread;
    thread.start();
    thread.join();
    assertNull(failure.get());
    return thread;
  }

  @Test
  void eachTargetIsScheduledWhereItLivesAndRunsThere() throws Exception {
    Map<String, Target> targets =
        Map.of(
            "global", global(),
            "entity", new Target.Entity(folia.entity),
            "region 3 -4", new Target.Region(folia.world, 3, -4));
    for (Map.Entry<String, Target> target : targets.entrySet()) {
      ask(target.getValue());
      FakeFolia.Scheduled task = folia.next();
      assertEquals(target.getKey(), task.scheduler());
      assertEquals(1, task.delay());
      assertTrue(answers.isEmpty(), "nothing runs before its thread's tick");
      assertSame(tick(task.run()), answer());
    }
  }

  @Test
  void aThreadWhoseTickNobodyAnnouncedStillDelivers() throws Exception {
    ask(global());
    Runnable run = folia.next().run();
    Thread thread = Thread.ofPlatform().start(run);
    thread.join();
    assertSame(thread, answer());
  }

  @Test
  void anEntityThatIsRetiredMeanwhileEndsTheRequestAsGone() throws Exception {
    ask(new Target.Entity(folia.entity));
    folia.next().retired().run();
    assertEquals(ErrorCode.GONE, ((TickwellException) answer()).code());
  }

  @Test
  void anEntityThatIsRetiredAlreadyEndsTheRequestAsGone() throws Exception {
    folia.entityRetired = true;
    ask(new Target.Entity(folia.entity));
    assertEquals(ErrorCode.GONE, ((TickwellException) answer()).code());
    assertTrue(folia.tasks.isEmpty());
  }

  @Test
  void aDisabledPluginSchedulesNothing() throws Exception {
    folia.pluginEnabled = false;
    ask(global());
    assertEquals(ErrorCode.GONE, ((TickwellException) answer()).code());
    adapter.tickStartSoon();
    assertTrue(folia.tasks.isEmpty());
  }

  @Test
  void workOverTheBudgetGoesOnInLaterTicksAndIsDeliveredOnce() throws Exception {
    int rows = 12;
    Table<Kept> table = database.table("kept", Kept.class).register();
    table
        .insert(IntStream.range(0, rows).mapToObj(i -> new Kept(i, new Slow(i))).toList())
        .async(stored -> answers.add(stored), e -> answers.add(e));
    while (answers.isEmpty()) {
      // Values that need a tick thread are read on one, too.
      FakeFolia.Scheduled task = folia.tasks.poll(10, TimeUnit.MILLISECONDS);
      if (task != null) {
        tick(task.run());
      }
    }
    assertEquals((long) rows, answer());

    Target target = new Target.Entity(folia.entity);
    table
        .select()
        .fetch()
        .on(target, read -> answers.add(read.toList().size()), e -> answers.add(e));
    int ticks = 0;
    while (answers.isEmpty()) {
      FakeFolia.Scheduled task = folia.next();
      assertEquals(1, task.delay(), "the same tick would be over its budget again");
      tick(task.run());
      ticks++;
    }
    assertEquals(rows, answer());
    // 12 values of 1 ms, at most 2 begun before a budget of 2 ms is spent, each tick.
    assertTrue(ticks >= rows / 3, "delivered in " + ticks + " ticks");
    assertTrue(folia.tasks.isEmpty(), "nothing is left behind");
  }

  @Test
  void theSweepRunsOnTheGlobalRegion() throws Exception {
    adapter.tickStartSoon();
    FakeFolia.Scheduled task = folia.next();
    assertEquals("global", task.scheduler());
    task.run().run();
    assertEquals("swept", answer());
  }
}
