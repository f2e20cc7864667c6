package dev.tickwell.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import dev.tickwell.Rows;
import dev.tickwell.core.Engine;
import dev.tickwell.core.EngineOptions;
import dev.tickwell.paper.Tickwell;
import dev.tickwell.paper.TickwellProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bukkit.plugin.Plugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example does what it says, with the real engine; this thread ticks. */
class ReadmeExampleTest {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final UUID RICH = new UUID(0, 1);
  private static final UUID POOR = new UUID(0, 2);
  private static final UUID NOBODY = new UUID(0, 3);

  @TempDir Path folder;

  private final FakePaper paper = new FakePaper();
  private final Plugin known = paper.plugin("Bank");
  private final ReadmeExample plugin =
      (ReadmeExample)
          Proxy.newProxyInstance(
              ReadmeExample.class.getClassLoader(),
              new Class<?>[] {ReadmeExample.class},
              this::call);
  // What the callbacks on the server thread brought.
  private String shown;
  private String outcome;
  private PaperAdapter adapter;
  private Engine engine;
  private Dependants dependants;

  private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    if (method.getName().equals("show")) {
      shown = ((Rows<?>) arguments[0]).toList().toString();
      return null;
    }
    return method.invoke(known, arguments);
  }

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
    TickwellProvider.install(dependants::of);
  }

  @AfterEach
  void stop() {
    TickwellProvider.uninstall();
    dependants.close();
    adapter.close();
    engine.close();
  }

  /** Runs the example and gives what became of its transaction. */
  private String run(UUID from, UUID to, long coins) {
    shown = null;
    outcome = null;
    plugin.example(
        paper.player,
        from,
        to,
        coins,
        done -> outcome = "paid",
        failure -> outcome = failure.context().get("reason"));
    long end = System.nanoTime() + LIMIT_NANOS;
    while (shown == null || outcome == null) {
      assertTrue(System.nanoTime() < end, () -> "no answer; the log has " + paper.log);
      adapter.onTickStart(new ServerTickStartEvent(1));
      adapter.onTickEnd(new ServerTickEndEvent(1, 1.0, 40_000_000L));
    }
    return outcome;
  }

  @Test
  void coinsMoveOrTheReasonIsTold() {
    assertEquals("poor", run(RICH, POOR, 5));
    assertEquals("[]", shown);
    Tickwell.of(plugin).database().update("INSERT INTO {balances} VALUES (?, ?)", RICH, 9L);
    Tickwell.of(plugin).database().update("INSERT INTO {balances} VALUES (?, ?)", POOR, 1L);
    assertEquals("no account", run(RICH, NOBODY, 5));
    assertEquals("[Balance[id=" + RICH + ", coins=9], Balance[id=" + POOR + ", coins=1]]", shown);
    assertEquals("paid", run(RICH, POOR, 5));
    assertEquals("poor", run(RICH, POOR, 5));
    assertEquals("[Balance[id=" + POOR + ", coins=6], Balance[id=" + RICH + ", coins=4]]", shown);
  }
}
