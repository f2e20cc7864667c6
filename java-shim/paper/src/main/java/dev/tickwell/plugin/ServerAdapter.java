package dev.tickwell.plugin;

import dev.tickwell.core.Engine;
import dev.tickwell.core.Platform;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bukkit.Server;
import org.bukkit.plugin.Plugin;

/**
 * How Tickwell's work reaches the tick threads of one server software. Made and opened on the
 * server thread while the plugin is enabled.
 */
abstract class ServerAdapter implements Platform {
  private final Logger logger;
  private final Server server;
  private final String name;

  ServerAdapter(Plugin plugin) {
    this.server = plugin.getServer();
    this.logger = plugin.getLogger();
    this.name = plugin.getName();
  }

  /** What the server calls itself, with the game's version. */
  final String software() {
    return server.getName() + " " + server.getMinecraftVersion();
  }

  /** Takes what ticks may spend from other settings, from the next tick on; on any thread. */
  abstract void budget(Settings settings);

  /**
   * Begins to drive ticks.
   *
   * @param atTickStart runs at the start of each tick of the server thread, on it
   */
  abstract void open(Engine engine, Runnable atTickStart);

  /** Arranges that what {@link #open} was given runs in a later tick, on the server thread. */
  abstract void tickStartSoon();

  /** Stops driving ticks. Work that still arrives ends as gone. */
  abstract void close();

  @Override
  public boolean onTickThread() {
    return server.isPrimaryThread();
  }

  @Override
  public void log(System.Logger.Level level, String owner, String message, Throwable cause) {
    boolean other = owner != null && !owner.equals(name);
    logger.log(levelOf(level), other ? "[" + owner + "] " + message : message, cause);
  }

  private static Level levelOf(System.Logger.Level level) {
    int severity = level.getSeverity();
    if (severity >= System.Logger.Level.ERROR.getSeverity()) {
      return Level.SEVERE;
    }
    if (severity >= System.Logger.Level.WARNING.getSeverity()) {
      return Level.WARNING;
    }
    return severity >= System.Logger.Level.INFO.getSeverity() ? Level.INFO : Level.FINE;
  }
}
