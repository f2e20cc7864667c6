package dev.tickwell.benchmark.small;

import dev.tickwell.Database;
import dev.tickwell.benchmark.arm.Scheduling;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.report.Check;
import dev.tickwell.benchmark.report.Latency;
import dev.tickwell.benchmark.report.Sample;
import dev.tickwell.benchmark.report.SmallResult;
import dev.tickwell.benchmark.shape.Numbers;
import dev.tickwell.benchmark.shape.Numbers.Stats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Runs the cases of many small requests: rounds of a fixed number, the two arms in turn, on the
 * benchmark's own thread while the server ticks. What is read is compared with what was written,
 * and after each case the whole table with what was acknowledged.
 */
public final class SmallRequests {
  private static final long SEED = 20_481;
  private static final long LONGEST_NANOS = 200_000_000_000L;

  private final Sizes sizes;
  private final int warmups;
  private final int samples;
  private final Scheduling scheduling;
  private final LongSupplier endedTicks;
  private final Findings findings;
  private final Numbers shape = new Numbers("small_requests");
  private final Random random = new Random(SEED);
  private long version = 1;

  /**
   * How much a round does.
   *
   * @param rows how many the table has
   * @param callers how many callers there are
   * @param loads how many reads all callers of a round share
   * @param saves how many writes, at most one for each row
   * @param crowd how many requests are submitted in one tick
   * @param settling rounds of reads before all others, until Java has compiled what runs: the
   *     compiler's threads take the cores that are measured
   */
  public record Sizes(int rows, int callers, int loads, int saves, int crowd, int settling) {
    /** What the figures are made from. */
    public static final Sizes FULL = new Sizes(10_000, 16, 20_000, 1_000, 200, 20);

    /** As little as shows that everything works. */
    public static final Sizes SMOKE = new Sizes(1_000, 16, 800, 200, 50, 0);
  }

  /** Where what is found goes. */
  public interface Findings {
    /** Ticks count for this case from now on; null for none. */
    void enter(CaseKey key);

    /** Keeps the result of a case. */
    void result(SmallResult result);

    /** Keeps something that had to be so exactly. */
    void check(Check check);

    /** What comes next, for whoever waits. */
    void progress(String line);
  }

  /**
   * Nothing runs yet.
   *
   * @param warmups rounds of each case that count for nothing
   * @param samples measured rounds of each case
   * @param endedTicks how many ticks have ended
   */
  public SmallRequests(
      Sizes sizes,
      int warmups,
      int samples,
      Scheduling scheduling,
      LongSupplier endedTicks,
      Findings findings) {
    this.sizes = sizes;
    this.warmups = warmups;
    this.samples = samples;
    this.scheduling = scheduling;
    this.endedTicks = endedTicks;
    this.findings = findings;
  }

  /** One round of one case on one side. */
  @FunctionalInterface
  private interface Round {
    /** Gives the fields of the round, and its requests' times to the consumer. */
    Map<String, Long> run(SmallArm arm, List<Stats> rows, Consumer<long[]> latencies)
        throws InterruptedException;
  }

  /**
   * Runs what is asked for. Blocks.
   *
   * @param callers whether to run callers in a closed loop
   * @param crowds whether to run crowds in one tick
   * @param database Tickwell's
   * @param statistics what Tickwell's engine counts
   * @param peer the peer's file
   * @throws IllegalStateException when a request failed, was wrong, or was not answered
   */
  public void run(
      boolean callers,
      boolean crowds,
      Database database,
      Supplier<Map<String, String>> statistics,
      Path peer)
      throws Exception {
    if (!callers && !crowds) {
      return;
    }
    try (SmallArm ours = new SmallTickwell(database, shape.table(), statistics);
        SmallArm theirs = new SmallJdbc(peer, shape, scheduling)) {
      List<SmallArm> arms = List.of(ours, theirs);
      if (callers) {
        callers(arms);
      }
      if (crowds) {
        crowds(arms);
      }
    }
  }

  /** Callers in a closed loop, reading and then writing, on arms that it leaves open. */
  void callers(List<SmallArm> arms) throws Exception {
    String scope = sizes.callers() + " callers";
    run(
        new CaseKey(SmallResult.CALLERS, "", CaseKey.READ, scope, sizes.loads()),
        arms,
        (arm, rows, latencies) -> loop(rows, latencies, arm::beginLoads));
    run(
        new CaseKey(SmallResult.CALLERS, "", CaseKey.WRITE, scope, sizes.saves()),
        arms,
        (arm, rows, latencies) -> {
          Map<String, Long> before = arm.commits();
          Map<String, Long> fields = loop(rows, latencies, arm::beginSaves);
          arm.commits().forEach((name, after) -> fields.put(name, after - before.get(name)));
          return fields;
        });
  }

  /** Crowds in one tick, reading and then writing, on arms that it leaves open. */
  void crowds(List<SmallArm> arms) throws Exception {
    run(
        new CaseKey(SmallResult.CROWD, "", CaseKey.READ, "one tick", sizes.crowd()),
        arms,
        (arm, rows, latencies) -> crowd(rows, latencies, arm::loadAll));
    run(
        new CaseKey(SmallResult.CROWD, "", CaseKey.WRITE, "one tick", sizes.crowd()),
        arms,
        (arm, rows, latencies) -> crowd(rows, latencies, arm::saveAll));
  }

  private Map<String, Long> loop(
      List<Stats> rows, Consumer<long[]> latencies, Consumer<CallerRound> begin)
      throws InterruptedException {
    CallerRound round = new CallerRound(rows, sizes.callers());
    for (int caller = 0; caller < sizes.callers(); caller++) {
      begin.accept(round);
    }
    round.await();
    latencies.accept(round.latencies());
    Map<String, Long> fields = new LinkedHashMap<>();
    fields.put("elapsedNs", round.elapsedNanos());
    return fields;
  }

  private Map<String, Long> crowd(
      List<Stats> rows, Consumer<long[]> latencies, Consumer<CrowdRound> requests)
      throws InterruptedException {
    CrowdRound round = new CrowdRound(rows, endedTicks);
    scheduling.sync(() -> round.submit(() -> requests.accept(round)));
    round.await();
    latencies.accept(round.latencies());
    return round.fields();
  }

  private void run(CaseKey unnamed, List<SmallArm> arms, Round round) throws Exception {
    findings.progress(unnamed.title());
    boolean write = unnamed.operation().equals(CaseKey.WRITE);
    List<Stats> table = new ArrayList<>(shape.rows(1, sizes.rows()));
    Map<SmallArm, List<Sample>> rounds = new LinkedHashMap<>();
    Map<SmallArm, Histogram> histograms = new LinkedHashMap<>();
    for (SmallArm arm : arms) {
      arm.fill(table);
      rounds.put(arm, new ArrayList<>());
      histograms.put(arm, new Histogram(1, LONGEST_NANOS, 3));
    }
    int settling = write ? 0 : sizes.settling();
    for (int i = -settling; i < warmups + samples; i++) {
      boolean warmup = i < warmups;
      List<Stats> rows = write ? changed(table, unnamed.rows()) : some(table, unnamed.rows());
      // Taking turns at going first, so that each meets what the other leaves behind.
      for (SmallArm arm : i % 2 == 0 ? arms : arms.reversed()) {
        Histogram histogram = histograms.get(arm);
        findings.enter(warmup ? null : unnamed.of(arm.name()));
        Map<String, Long> fields =
            round.run(
                arm,
                rows,
                latencies -> {
                  for (long nanos : warmup ? new long[0] : latencies) {
                    histogram.recordValue(Math.clamp(nanos, 1, LONGEST_NANOS));
                  }
                });
        findings.enter(null);
        if (i >= 0) {
          rounds.get(arm).add(new Sample(warmup, fields));
        }
      }
    }
    for (SmallArm arm : arms) {
      CaseKey key = unnamed.of(arm.name());
      findings.result(
          new SmallResult(key, "sqlite", rounds.get(arm), Latency.of(histograms.get(arm))));
      if (write) {
        findings.check(stored(key, table, arm.stored(sizes.rows())));
      }
    }
  }

  /** Rows of the table in a random order, as often as a round needs them. */
  private List<Stats> some(List<Stats> table, int count) {
    List<Stats> rows = new ArrayList<>(count);
    while (rows.size() < count) {
      List<Stats> shuffled = new ArrayList<>(table);
      Collections.shuffle(shuffled, random);
      rows.addAll(shuffled.subList(0, Math.min(shuffled.size(), count - rows.size())));
    }
    return rows;
  }

  /** Rows of the table with other values, each key once; the table is as they are saved. */
  private List<Stats> changed(List<Stats> table, int count) {
    List<Stats> rows = new ArrayList<>(count);
    for (Stats old : some(table, count)) {
      Stats values = shape.row(sizes.rows() + version++);
      Stats row =
          new Stats(
              old.id(),
              values.level(),
              values.coins(),
              values.balance(),
              values.kills(),
              values.score());
      table.set((int) old.id() - 1, row);
      rows.add(row);
    }
    return rows;
  }

  private Check stored(CaseKey key, List<Stats> table, List<Stats> stored) {
    long wanted = shape.checksum(table);
    long found = shape.checksum(stored);
    return new Check(
        key.id() + ", " + key.implementation() + ": what was acknowledged is stored, and no more",
        stored.size() + " rows, checksum " + (found == wanted ? "as written" : "differs"),
        stored.equals(table));
  }
}
