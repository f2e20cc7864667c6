package dev.tickwell.paper;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.security.CodeSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.bukkit.Server;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * Where {@link Tickwell#of} finds the running Tickwell plugin, or the reason why there is none.
 * Written by the Tickwell plugin on the server thread, read on any thread; it owns nothing.
 */
public final class TickwellProvider {
  private static final TickwellProvider NOT_ENABLED =
      new TickwellProvider(
          null,
          "the Tickwell plugin is not enabled; put its jar into plugins/, add `depend: [Tickwell]`"
              + " to plugin.yml, and do not put the API's classes into your own jar",
          null);

  private static final String PLUGIN = "Tickwell";

  private static volatile TickwellProvider current = NOT_ENABLED;

  private final Function<Plugin, Tickwell> source;
  private final String reason;
  private final Throwable cause;

  private TickwellProvider(Function<Plugin, Tickwell> source, String reason, Throwable cause) {
    this.source = source;
    this.reason = reason;
    this.cause = cause;
  }

  /** What is installed now; never null. */
  static TickwellProvider current() {
    return current;
  }

  /**
   * Tickwell for a plugin.
   *
   * @throws TickwellException {@code UNAVAILABLE} with the reason
   */
  Tickwell of(Plugin plugin) {
    Objects.requireNonNull(plugin, "plugin");
    if (source == null) {
      String told = this == NOT_ENABLED && isCopy(plugin) ? copied(TickwellProvider.class) : reason;
      // A new one for each caller: its stack trace names the plugin that asked.
      throw new TickwellException(
          ErrorCode.UNAVAILABLE, Effect.NONE, false, "Tickwell.of", told, Map.of(), cause);
    }
    return source.apply(plugin);
  }

  /**
   * Whether Tickwell is enabled beside this class, so that this class is a copy in another jar,
   * which nobody installs anything in. Its package may have been renamed on the way.
   */
  private static boolean isCopy(Plugin asking) {
    Server server = asking.getServer();
    Plugin tickwell = server == null ? null : server.getPluginManager().getPlugin(PLUGIN);
    return tickwell != null
        && tickwell.isEnabled()
        && !tickwell.getClass().getClassLoader().equals(TickwellProvider.class.getClassLoader());
  }

  /**
   * Says that a class of the API is a copy, where it is, and what to do about it.
   *
   * @param copy the class as somebody sees it, which is not Tickwell's own
   */
  public static String copied(Class<?> copy) {
    CodeSource source = copy.getProtectionDomain().getCodeSource();
    String jar = source == null ? "a jar" : source.getLocation().getPath();
    String owner;
    try {
      owner = "the plugin " + JavaPlugin.getProvidingPlugin(copy).getName();
    } catch (IllegalArgumentException | IllegalStateException e) {
      owner = "something that is no plugin";
    }
    return owner
        + " carries a copy of Tickwell's API ("
        + copy.getName()
        + " in "
        + jar
        + "), which cannot reach Tickwell; build it with the API as compileOnly (Gradle) or with"
        + " scope provided (Maven), so that the API is not put into its jar";
  }

  /**
   * Makes {@link Tickwell#of} answer. Called by the Tickwell plugin when it is enabled.
   *
   * @param source gives each plugin its own Tickwell; must be thread-safe
   */
  public static void install(Function<Plugin, Tickwell> source) {
    current = new TickwellProvider(Objects.requireNonNull(source, "source"), null, null);
  }

  /**
   * Makes {@link Tickwell#of} fail with {@code UNAVAILABLE}. Called by the Tickwell plugin when it
   * cannot start.
   *
   * @param reason what went wrong and what to do about it
   * @param cause the failure itself, or null
   */
  public static void unavailable(String reason, Throwable cause) {
    current = new TickwellProvider(null, Objects.requireNonNull(reason, "reason"), cause);
  }

  /** Forgets everything. Called by the Tickwell plugin when it is disabled. */
  public static void uninstall() {
    current = NOT_ENABLED;
  }
}
