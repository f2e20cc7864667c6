package dev.tickwell.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import org.bukkit.plugin.Plugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TickwellProviderTest {
  private static <T> T stub(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            TickwellProviderTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> null));
  }

  private final Plugin plugin = stub(Plugin.class);

  @AfterEach
  void forget() {
    TickwellProvider.uninstall();
  }

  @Test
  void withoutThePluginTheErrorSaysHowToGetIt() {
    TickwellException e = assertThrows(TickwellException.class, () -> Tickwell.of(plugin));
    assertEquals(ErrorCode.UNAVAILABLE, e.code());
    assertTrue(e.getMessage().contains("depend: [Tickwell]"), e.getMessage());
  }

  @Test
  void theReasonAndTheCauseOfAFailedStartAreKept() {
    Exception cause = new Exception("no-exec");
    TickwellProvider.unavailable("the folder forbids programs; set native.folder", cause);
    TickwellException e = assertThrows(TickwellException.class, () -> Tickwell.of(plugin));
    assertEquals(ErrorCode.UNAVAILABLE, e.code());
    assertTrue(e.getMessage().contains("set native.folder"), e.getMessage());
    assertSame(cause, e.getCause());
  }

  @Test
  void theInstalledSourceAnswersUntilItIsRemoved() {
    Tickwell tickwell = stub(Tickwell.class);
    AtomicReference<Plugin> asked = new AtomicReference<>();
    TickwellProvider.install(
        asking -> {
          asked.set(asking);
          return tickwell;
        });
    assertSame(tickwell, Tickwell.of(plugin));
    assertSame(plugin, asked.get());
    TickwellProvider.uninstall();
    assertThrows(TickwellException.class, () -> Tickwell.of(plugin));
  }
}
