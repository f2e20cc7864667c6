package dev.tickwell.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run must show, and whether it does; and what it has to state without a bound. Medians of
 * one run are compared, and times with times of the same run only; a target whose cases did not run
 * is left out.
 */
public final class Targets {
  private static final long TICK_BUDGET_NANOS = 2_000_000;
  private static final long FULL_TPS_MILLI = 19_900;

  private final RunResults results;
  private final List<Verdict> verdicts = new ArrayList<>();

  private Targets(RunResults results) {
    this.results = results;
  }

  /** Judges a run; the order is that of the report. */
  public static List<Verdict> judge(RunResults results, TickResults ticks) {
    Targets targets = new Targets(results);
    targets.reads();
    targets.writes();
    targets.items();
    targets.tickThreadOnly();
    targets.small();
    for (Check check : results.checks()) {
      targets.verdicts.add(Verdict.of(check.name(), check.measured(), check.passed()));
    }
    if (ticks.run().ticks() > 1) {
      long milliTps = ticks.milliTps();
      targets.verdicts.add(
          Verdict.of(
              "the server holds 20 ticks a second through the whole run",
              String.format(
                  java.util.Locale.ROOT,
                  "%.2f, %d of %d ticks late",
                  milliTps / 1000.0,
                  ticks.run().late(),
                  ticks.run().ticks()),
              milliTps >= FULL_TPS_MILLI));
    }
    return List.copyOf(targets.verdicts);
  }

  private void reads() {
    tickwell("six-columns", CaseKey.READ, "local", 5000)
        .ifPresent(
            result -> {
              atMost("read 5000 × 6, local: server thread", result, "mainNs", 20_000);
              shorter("read 5000 × 6, local: every value read", result, "consumedNs", 3);
            });
    tickwell("six-columns", CaseKey.READ, "shared", 5000)
        .ifPresent(
            result -> atMost("read 5000 × 6, shared: server thread", result, "mainNs", 50_000));
  }

  private void writes() {
    for (String scope : List.of("local", "shared")) {
      tickwell("six-columns", CaseKey.WRITE, scope, 5000)
          .ifPresent(
              result -> {
                String name = "write 5000 × 6, " + scope + ": ";
                withinTicks(name + "done", result, 1);
                atMost(name + "server thread", result, "mainNs", 100_000);
                shorter(name + "stored", result, "asyncWallNs", 2);
              });
    }
  }

  private void items() {
    for (String scope : List.of("local", "shared")) {
      tickwell("item-location", CaseKey.READ, scope, 1000)
          .ifPresent(
              result -> {
                String name = "read 1000 items and locations, " + scope + ": ";
                withinTicks(name + "done", result, 2);
                atMost(name + "busiest tick", result, "mainTickMaxNs", TICK_BUDGET_NANOS);
              });
    }
    tickwell("item-location", CaseKey.WRITE, "local", 1000)
        .ifPresent(
            result -> {
              String name =
                  "write 1000 items and locations, local: snapshot on the submitting thread";
              long perRow = result.median("prepareMainNs").orElse(0) / result.key().rows();
              verdicts.add(
                  perRow > 0
                      ? Verdict.stated(name, Figures.time(perRow) + " a row")
                      : Verdict.of(name, "not measured", false));
            });
  }

  private void tickThreadOnly() {
    tickwell("tick-thread-only", CaseKey.READ, "local", 1000)
        .ifPresent(
            result -> {
              long worst = Long.MIN_VALUE;
              long tick = 0;
              long largest = 0;
              for (Sample sample : result.samples()) {
                long busiest = sample.fields().getOrDefault("mainTickMaxNs", 0L);
                long value = sample.fields().getOrDefault("largestConversionNs", 0L);
                if (busiest - value > worst) {
                  worst = busiest - value;
                  tick = busiest;
                  largest = value;
                }
              }
              verdicts.add(
                  Verdict.of(
                      "1000 conversions on the server thread: no tick above 2 ms + the largest"
                          + " value",
                      Figures.time(tick) + ", largest value " + Figures.time(largest),
                      worst <= TICK_BUDGET_NANOS));
            });
  }

  private void small() {
    for (SmallPair pair : SmallPair.of(results)) {
      if (pair.is(SmallResult.CALLERS)) {
        double least = pair.isWrite() ? 3 : 1.5;
        verdicts.add(
            Verdict.of(
                String.format(
                    java.util.Locale.ROOT,
                    "%s: at least %.1f× the peer's requests a second",
                    pair.title(),
                    least),
                pair.ratio().text()
                    + ", "
                    + Figures.count(pair.tickwell().perSecond())
                    + " against "
                    + Figures.count(pair.jdbc().perSecond()),
                pair.ratio().median() >= least));
        if (pair.isWrite()) {
          verdicts.add(
              Verdict.stated(
                  pair.title() + ": transactions of a round",
                  Figures.count(pair.tickwell().summary().get("transactions").median())
                      + " for "
                      + Figures.count(pair.tickwell().key().rows())
                      + " saves"));
        }
      } else {
        verdicts.add(
            Verdict.stated(
                pair.title() + ": until the last was delivered",
                Figures.time(pair.tickwell().summary().get("wallNs").median())
                    + " against "
                    + Figures.time(pair.jdbc().summary().get("wallNs").median())
                    + ", server thread "
                    + Figures.time(pair.tickwell().summary().get("mainNs").median())
                    + " against "
                    + Figures.time(pair.jdbc().summary().get("mainNs").median())));
      }
    }
  }

  private Optional<CaseResult> tickwell(String id, String operation, String scope, int rows) {
    return results.find(new CaseKey(id, CaseKey.TICKWELL, operation, scope, rows));
  }

  private void atMost(String name, CaseResult result, String field, long limit) {
    result
        .median(field)
        .ifPresent(
            median ->
                verdicts.add(
                    Verdict.of(
                        name + " ≤ " + Figures.time(limit),
                        Figures.time(median),
                        median <= limit)));
  }

  private void withinTicks(String name, CaseResult result, long limit) {
    result
        .median("ticks")
        .ifPresent(
            median ->
                verdicts.add(
                    Verdict.of(
                        name + " within " + (limit == 1 ? "1 tick" : limit + " ticks"),
                        median == 1 ? "1 tick" : median + " ticks",
                        median <= limit)));
  }

  private void shorter(String name, CaseResult result, String field, int times) {
    results
        .find(result.key().of(CaseKey.JDBC))
        .filter(peer -> peer.median(field).isPresent() && result.median(field).isPresent())
        .ifPresent(
            peer -> {
              long ours = result.median(field).getAsLong();
              long theirs = peer.median(field).getAsLong();
              verdicts.add(
                  Verdict.of(
                      name + " at least " + times + "× sooner than the peer",
                      Figures.ratio(theirs, ours)
                          + " ("
                          + Figures.time(ours)
                          + " against "
                          + Figures.time(theirs)
                          + ")",
                      theirs >= times * ours));
            });
  }
}
