package dev.tickwell.benchmark;

import com.google.gson.JsonObject;
import dev.tickwell.Database;
import dev.tickwell.benchmark.arm.JdbcArm;
import dev.tickwell.benchmark.arm.Scheduling;
import dev.tickwell.benchmark.arm.TickwellArm;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.report.Check;
import dev.tickwell.benchmark.report.ReportMain;
import dev.tickwell.benchmark.report.ResultFiles;
import dev.tickwell.benchmark.report.RunResults;
import dev.tickwell.benchmark.report.SmallResult;
import dev.tickwell.benchmark.report.SummaryTable;
import dev.tickwell.benchmark.report.TickResults;
import dev.tickwell.benchmark.shape.CharmCodec;
import dev.tickwell.benchmark.shape.Shape;
import dev.tickwell.benchmark.shape.Single;
import dev.tickwell.benchmark.small.SmallRequests;
import dev.tickwell.paper.Tickwell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.bukkit.Bukkit;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * Runs the benchmark once the server ticks, writes its files, prints its table and stops the
 * server. Owns the conductor's thread; enabled and disabled on the server thread.
 */
public final class BenchmarkPlugin extends JavaPlugin {
  /** The database without a fast chunk, so that the bound on values alone splits a write. */
  private static final String UNCHUNKED = "bench-nochunk";

  private static final long STOP_MILLIS = 2000;

  private volatile boolean stopping;
  private Thread thread;

  @Override
  public void onEnable() {
    BenchmarkOptions options;
    try {
      options = BenchmarkOptions.read(getDataFolder().toPath(), Scenario.ids());
    } catch (IOException | IllegalArgumentException e) {
      getLogger().log(Level.SEVERE, "The benchmark cannot begin: " + e.getMessage(), e);
      Bukkit.getScheduler().runTask(this, Bukkit::shutdown);
      return;
    }
    TickRecorder ticks = new TickRecorder();
    Bukkit.getPluginManager().registerEvents(ticks, this);
    TickThread tickThread = new TickThread(ticks::endedTicks);
    Bukkit.getScheduler().runTaskTimer(this, tickThread::observe, 1, 1);
    thread = new Thread(() -> run(options, ticks, tickThread), "tickwell-benchmark");
    // Begins in the first tick, when every plugin is enabled and the server answers.
    Bukkit.getScheduler().runTask(this, thread::start);
  }

  @Override
  public void onDisable() {
    stopping = true;
    if (thread == null || !thread.isAlive() || thread == Thread.currentThread()) {
      return;
    }
    thread.interrupt();
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(BenchmarkOptions options, TickRecorder ticks, TickThread tickThread) {
    RunLog log = new RunLog(options.database());
    JsonObject environment = Environment.atStart(options);
    try {
      measure(options, ticks, tickThread, log, environment);
    } catch (InterruptedException e) {
      log.fail("the server stopped before the run had ended");
    } catch (Exception e) {
      getLogger().log(Level.SEVERE, "The benchmark failed", e);
      log.fail(e.toString());
    }
    Environment.atEnd(environment);
    finish(options.output(), log.results(environment), ticks.results());
  }

  private void measure(
      BenchmarkOptions options,
      TickRecorder ticks,
      TickThread tickThread,
      RunLog log,
      JsonObject environment)
      throws Exception {
    Tickwell tickwell = Tickwell.of(this);
    tickwell.register(new CharmCodec(options.conversionMicros() * 1000L));
    Path folder = getDataFolder().toPath();
    Files.createDirectories(folder);
    List<Scenario> scenarios = Scenario.selected(options);
    try (TickwellArm ours = new TickwellArm(shape -> database(tickwell, shape), tickwell.shared());
        JdbcArm peer = new JdbcArm(peerFile(), scheduling())) {
      Conductor conductor =
          new Conductor(options, scenarios, tickThread, ticks, ours, peer, log, getLogger()::info);
      conductor.open(environment);
      conductor.warmUp();
      Leaks leaks = Leaks.base(tickwell, peer);
      ticks.begin();
      conductor.run();
      smallRequests(options, ticks, tickwell, log);
      ticks.end();
      conductor.checks();
      leaks.check(log);
    }
  }

  private void smallRequests(
      BenchmarkOptions options, TickRecorder ticks, Tickwell tickwell, RunLog log)
      throws InterruptedException {
    SmallRequests.Findings findings =
        new SmallRequests.Findings() {
          @Override
          public void enter(CaseKey key) {
            ticks.enter(key);
          }

          @Override
          public void result(SmallResult result) {
            log.small(result);
          }

          @Override
          public void check(Check check) {
            log.check(check.name(), check.measured(), check.passed());
          }

          @Override
          public void progress(String line) {
            getLogger().info(line);
          }
        };
    boolean smoke = options.cases().contains("smoke");
    SmallRequests small =
        new SmallRequests(
            smoke ? SmallRequests.Sizes.SMOKE : SmallRequests.Sizes.FULL,
            options.warmups(),
            options.samples(),
            scheduling(),
            ticks::endedTicks,
            findings);
    try {
      small.run(
          options.has(Scenario.CALLERS),
          options.has(Scenario.CROWD),
          tickwell.database(),
          tickwell::statistics,
          peerFile());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      log.fail("many small requests: " + e);
    } finally {
      ticks.enter(null);
    }
  }

  private Path peerFile() {
    return getDataFolder().toPath().resolve("peer.db");
  }

  private static Database database(Tickwell tickwell, Shape<?> shape) {
    return shape instanceof Single ? tickwell.database(UNCHUNKED) : tickwell.database();
  }

  private Scheduling scheduling() {
    return new Scheduling() {
      @Override
      public void async(Runnable task) {
        Bukkit.getScheduler().runTaskAsynchronously(BenchmarkPlugin.this, task);
      }

      @Override
      public void sync(Runnable task) {
        Bukkit.getScheduler().runTask(BenchmarkPlugin.this, task);
      }

      @Override
      public void nextTick(Runnable task) {
        // A task without delay runs in the same tick when it comes from one.
        Bukkit.getScheduler().runTaskLater(BenchmarkPlugin.this, task, 1);
      }
    };
  }

  private void finish(Path output, RunResults results, TickResults ticks) {
    try {
      ResultFiles.write(output, results, ticks);
      Path page = ReportMain.render(output);
      SummaryTable.lines(results, ticks).forEach(getLogger()::info);
      getLogger().info("The report is " + page.toAbsolutePath().normalize());
    } catch (IOException | RuntimeException e) {
      getLogger().log(Level.SEVERE, "The results could not be written to " + output, e);
    }
    if (!stopping) {
      Bukkit.getScheduler().runTask(this, Bukkit::shutdown);
    }
  }
}
