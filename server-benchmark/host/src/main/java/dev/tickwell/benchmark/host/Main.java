package dev.tickwell.benchmark.host;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the host from the command line; the main thread is the tick thread. */
public final class Main {
  private static final int EXIT_PLUGIN_FAILED = 1;
  private static final int EXIT_USAGE = 2;
  private static final int EXIT_START_FAILED = 3;
  private static final long SIGNAL_LIMIT_SECONDS = 30;

  private Main() {}

  /** See {@link HostOptions#USAGE}. */
  public static void main(String[] args) {
    List<String> given = List.of(args);
    if (given.contains("--help")) {
      System.out.print(HostOptions.USAGE);
      return;
    }
    HostOptions options;
    try {
      options = HostOptions.parse(given);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(HostOptions.USAGE);
      System.exit(EXIT_USAGE);
      return;
    }
    LogFormat.install();
    System.exit(run(options));
  }

  private static int run(HostOptions options) {
    Logger logger = Logger.getLogger("Minecraft");
    long began = System.nanoTime();
    CountDownLatch finished = new CountDownLatch(1);
    try {
      Host host = Host.start(options);
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> stopOnSignal(host, finished), "Signal"));
      new Console(
              System.in,
              host.server()::onTickThread,
              host.server().getCommandMap(),
              host.server().getConsoleSender(),
              logger)
          .start();
      double seconds = (System.nanoTime() - began) / (double) Duration.ofSeconds(1).toNanos();
      logger.info(String.format(Locale.ROOT, "Done (%.3fs)! For help, type \"help\"", seconds));
      host.run();
      host.stop();
      return options.strict() && host.pluginFailures() > 0 ? EXIT_PLUGIN_FAILED : 0;
    } catch (IOException | RuntimeException e) {
      logger.log(Level.SEVERE, "The server cannot run: " + e.getMessage(), e);
      return EXIT_START_FAILED;
    } finally {
      // Exiting waits for the hooks, and the hook waits for this.
      finished.countDown();
    }
  }

  private static void stopOnSignal(Host host, CountDownLatch finished) {
    host.requestStop();
    try {
      if (!finished.await(SIGNAL_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        Logger.getLogger("Minecraft").severe("The server did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
