package dev.tickwell.plugin;

import static dev.tickwell.paper.Targets.global;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import dev.tickwell.Database;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.Table;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import dev.tickwell.core.EngineOptions;
import dev.tickwell.paper.Targets;
import dev.tickwell.paper.Tickwell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bukkit.event.server.PluginDisableEvent;
import org.bukkit.plugin.Plugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Paper adapter and the plugins that depend on it, with the real engine; this thread ticks. */
class PaperAdapterTest {
  record Entry(@Key int id) {}

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  @TempDir Path folder;

  private final FakePaper paper = new FakePaper();
  private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
  private PaperAdapter adapter;
  private Engine engine;
  private Dependants dependants;
  private Plugin probe;
  private Tickwell tickwell;
  private Database database;

  @BeforeEach
  void start() {
    Settings settings = SettingsReader.read(Map.of(), folder);
    adapter = new PaperAdapter(paper.plugin, settings);
    Path library = Path.of(System.getProperty("tickwell.test.library"));
    engine =
        Engine.start(EngineOptions.in(folder).withNativePath(library).withWarmUp(false), adapter);
    Databases databases =
        new Databases(engine, settings, engine.owner("Tickwell"), paper.plugin.getLogger());
    dependants =
        new Dependants(engine, databases, paper.plugin.getLogger(), adapter::tickStartSoon);
    adapter.open(engine, dependants::sweep);
    databases.open();
    probe = paper.plugin("Probe");
    tickwell = dependants.of(probe);
    database = tickwell.database();
  }

  @AfterEach
  void stop() {
    dependants.close();
    adapter.close();
    engine.close();
  }

  private void ask(Target target) {
    database
        .query("SELECT 1")
        .on(target, rows -> answers.add(Thread.currentThread()), answers::add);
  }

  private void tick() {
    adapter.onTickStart(new ServerTickStartEvent(1));
    adapter.onTickEnd(new ServerTickEndEvent(1, 1.0, 40_000_000L));
  }

  /** Ticks in this way until there is an answer. */
  private Object answer(Runnable tick) {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (answers.isEmpty() && System.nanoTime() < end) {
      tick.run();
    }
    Object answer = answers.poll();
    assertTrue(answer != null, () -> "no answer; the log has " + paper.log);
    return answer;
  }

  private ErrorCode failure() {
    return ((TickwellException) answer(this::tick)).code();
  }

  @Test
  void resultsArriveOnTheServerThread() {
    ask(global());
    assertSame(Thread.currentThread(), answer(this::tick));
  }

  @Test
  void aResultThatComesInDuringATickIsDeliveredAtItsEnd() {
    adapter.onTickStart(new ServerTickStartEvent(1));
    ask(global());
    // No tick begins any more: only ends of ticks can deliver it.
    Thread delivered =
        (Thread)
            answer(
                () -> {
                  adapter.onTickEnd(new ServerTickEndEvent(1, 1.0, 40_000_000L));
                  if (answers.isEmpty()) {
                    adapter.onTickStart(new ServerTickStartEvent(1));
                    assertTrue(answers.isEmpty() || answers.peek() instanceof Thread);
                  }
                });
    assertSame(Thread.currentThread(), delivered);
  }

  /** The most callbacks of one tick, of some that each take longer than the smallest budget. */
  private int mostInOneTick(String budget) {
    Map<String, Object> tick = Map.of("tick", Map.of("budget", budget));
    adapter.budget(SettingsReader.read(tick, Path.of("/server")));
    AtomicInteger delivered = new AtomicInteger();
    List<Pending<?>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Pending<?> pending = database.query("SELECT 1");
      pending.on(
          global(),
          rows -> {
            long until = System.nanoTime() + 200_000L;
            while (System.nanoTime() < until) {
              Thread.onSpinWait();
            }
            delivered.incrementAndGet();
          });
      all.add(pending);
    }
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!all.stream().allMatch(Pending::isDone) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    int most = 0;
    while (delivered.get() < all.size() && System.nanoTime() < end) {
      int before = delivered.get();
      tick();
      most = Math.max(most, delivered.get() - before);
    }
    assertEquals(all.size(), delivered.get());
    return most;
  }

  @Test
  void anotherBudgetIsInForceFromTheNextTickOn() {
    assertEquals(1, mostInOneTick("100us"));
    assertTrue(mostInOneTick("50ms") > 1);
    assertEquals(1, mostInOneTick("100us"));
  }

  @Test
  void aPausedServerDeliversByItsScheduler() {
    ask(global());
    assertSame(Thread.currentThread(), answer(paper.everyTick));
  }

  @Test
  void theSchedulerStandsInForTicksThatWereNotAnnouncedOnly() {
    paper.everyTick.run();
    long quiet = ticks();
    adapter.onTickStart(new ServerTickStartEvent(1));
    paper.everyTick.run();
    adapter.onTickEnd(new ServerTickEndEvent(1, 1.0, 40_000_000L));
    assertEquals(quiet + 1, ticks(), "an announced tick is one tick");
    paper.everyTick.run();
    assertEquals(quiet + 2, ticks(), "one that nobody announced is one as well");
  }

  private long ticks() {
    return Long.parseLong(engine.statistics().get("lane.0.ticks"));
  }

  @Test
  void aPlayerWhoLeftEndsTheRequestAsGoneAndADeadOneDoesNot() {
    ask(Targets.entity(paper.player));
    assertSame(Thread.currentThread(), answer(this::tick));
    paper.online = false;
    ask(Targets.entity(paper.player));
    assertEquals(ErrorCode.GONE, failure());
  }

  @Test
  void anEntityThatWasRemovedEndsTheRequestAsGone() {
    ask(Targets.entity(paper.entity));
    assertSame(Thread.currentThread(), answer(this::tick));
    paper.valid = false;
    ask(Targets.entity(paper.entity));
    assertEquals(ErrorCode.GONE, failure());
  }

  @Test
  void afterItsEndWorkIsGone() throws Exception {
    adapter.close();
    assertTrue(paper.timerCancelled);
    ask(global());
    Object answer = answers.poll(30, TimeUnit.SECONDS);
    assertEquals(ErrorCode.GONE, ((TickwellException) answer).code());
  }

  @Test
  void aPluginKeepsItsTickwellUntilItsOnDisableIsOver() throws Exception {
    Table<Entry> table = database.table("entries", Entry.class).register();
    assertSame(tickwell, dependants.of(probe));
    assertEquals(java.util.List.of("Probe"), java.util.List.copyOf(dependants.names()));

    // As the server does it: the event, then the flag, then onDisable.
    dependants.onPluginDisable(new PluginDisableEvent(probe));
    paper.enabled = false;
    assertSame(tickwell, dependants.of(probe), "it may be asked for in onDisable");
    assertEquals(1L, table.insert(new Entry(1)).toFuture().get(30, TimeUnit.SECONDS));
    Pending<Long> late = table.insert(new Entry(2)).on(global(), answers::add, answers::add);

    tick();
    assertEquals(java.util.List.of(), java.util.List.copyOf(dependants.names()));
    assertEquals(
        ErrorCode.GONE, assertThrows(TickwellException.class, () -> dependants.of(probe)).code());
    assertThrows(TickwellException.class, () -> table.insert(new Entry(3)));
    late.cancel();
    tick();
    assertTrue(answers.isEmpty(), "no callback after the plugin is disabled");
  }

  @Test
  void aPluginThatIsLoadedAgainBeginsAnew() {
    dependants.onPluginDisable(new PluginDisableEvent(probe));
    Plugin again = paper.plugin("Probe");
    Tickwell anew = dependants.of(again);
    assertNotSame(tickwell, anew);
    assertThrows(
        TickwellException.class, () -> database.query("SELECT 1"), "the old one has ended");
    database = anew.database();
    ask(global());
    assertSame(Thread.currentThread(), answer(this::tick));
  }

  @Test
  void blockingOnTheServerThreadIsRefusedWhileThePluginIsEnabled() {
    // It does not end by itself: waiting for what has ended already is no waiting.
    var endless =
        database.query(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
    TickwellException e = assertThrows(TickwellException.class, () -> endless.toFuture().get());
    assertEquals(ErrorCode.WRONG_THREAD, e.code());
    endless.cancel();
  }
}
