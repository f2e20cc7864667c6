package dev.tickwell.benchmark.host;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import dev.tickwell.benchmark.host.tick.TickLoop;
import dev.tickwell.benchmark.host.tick.TickStatistics;
import dev.tickwell.benchmark.host.world.HostWorlds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.minestom.server.MinecraftServer;
import net.minestom.server.ServerProcess;
import org.bukkit.Bukkit;
import org.bukkit.event.server.ServerLoadEvent;

/**
 * A Minecraft server of Minestom's that loads Bukkit plugins and drives its own ticks. The thread
 * that starts it is the tick thread; there is one in a process.
 */
public final class Host {
  private static final double NANOS_PER_MILLI = 1e6;

  private final HostOptions options;
  private final TickStatistics statistics = new TickStatistics();
  private final TickLoop loop =
      new TickLoop(TickLoop.Clock.SYSTEM, statistics, this::tick, this::warnOfSkipped);
  private final HostServer server;
  private final Logger logger;
  private int ticks;

  private Host(HostOptions options) {
    this.options = options;
    this.server = new HostServer(options, statistics, loop::stop);
    this.logger = server.getLogger();
  }

  /**
   * Starts Minestom, loads the plugins, the default world, and enables the plugins.
   *
   * @throws IOException when the folders cannot be made or the port cannot be listened on
   */
  public static Host start(HostOptions options) throws IOException {
    // Read once, when Minestom's classes are initialised: the host stops in its own order.
    System.setProperty("minestom.shutdown-on-signal", "false");
    Files.createDirectories(options.work().toPath());
    Files.createDirectories(options.plugins().toPath());
    MinecraftServer.init();
    // Bots on the same machine gain nothing from compression.
    MinecraftServer.setCompressionThreshold(0);
    Host host = new Host(options);
    Bukkit.setServer(host.server);
    host.load();
    return host;
  }

  private void load() throws IOException {
    ServerProcess process = MinecraftServer.process();
    process
        .exception()
        .setExceptionHandler(e -> logger.log(Level.SEVERE, "Exception in the server", e));
    server.plugins().loadAll();
    server.entities().start(server.worlds(), process.eventHandler());
    server.worlds().load(HostWorlds.DEFAULT);
    process.dispatcher().start();
    if (options.port() != HostOptions.NO_LISTENER) {
      listen(process);
    }
    server.plugins().enableAll();
    server.plugins().callEvent(new ServerLoadEvent(ServerLoadEvent.LoadType.STARTUP));
  }

  private void listen(ServerProcess process) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port());
    try {
      process.start(address);
    } catch (RuntimeException e) {
      throw new IOException("cannot listen on " + address + "; give another --port", e);
    }
    logger.info("Listening on " + address.getHostString() + ':' + server.getPort());
  }

  /** The server as plugins see it. */
  HostServer server() {
    return server;
  }

  /** How many plugins failed to load or to enable so far. */
  public int pluginFailures() {
    return server.plugins().failures();
  }

  /** Ticks until a stop is asked for or the options' number of ticks is reached. */
  public void run() {
    loop.run(options.ticks());
  }

  /** Asks {@link #run} to return; for any thread. */
  public void requestStop() {
    loop.stop();
  }

  /** One tick: the start event, tasks, worlds and players, the end event. */
  void tick() {
    long start = TickLoop.Clock.SYSTEM.nanoTime();
    ticks++;
    try {
      server.plugins().callEvent(new ServerTickStartEvent(ticks));
      server.tick(ticks);
      double millis = (TickLoop.Clock.SYSTEM.nanoTime() - start) / NANOS_PER_MILLI;
      server.plugins().callEvent(new ServerTickEndEvent(ticks, millis, loop.remainingNanos()));
    } catch (RuntimeException | Error e) {
      logger.log(Level.SEVERE, "Tick " + ticks + " failed", e);
    }
  }

  private void warnOfSkipped(long count) {
    logger.warning("Can't keep up! Is the server overloaded? Skipping " + count + " ticks");
  }

  /**
   * Stops in the real server's order: plugins are disabled, last loaded first, before players are
   * removed; no quit event is called.
   *
   * @return one line on the ticks of the whole run
   */
  public String stop() {
    server.markStopping();
    logger.info("Stopping server");
    server.plugins().disablePlugins();
    server.close();
    MinecraftServer.stopCleanly();
    String summary = "Summary: " + statistics.summary();
    logger.info(summary);
    return summary;
  }
}
