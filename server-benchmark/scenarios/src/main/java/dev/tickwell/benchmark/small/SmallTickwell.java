package dev.tickwell.benchmark.small;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.between;
import static dev.tickwell.Filters.eq;

import dev.tickwell.Database;
import dev.tickwell.Pending;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.benchmark.arm.TickwellArm;
import dev.tickwell.benchmark.report.CaseKey;
import dev.tickwell.benchmark.shape.Numbers.Stats;
import dev.tickwell.paper.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Tickwell, used as its documentation says: a caller's next request follows in the callback. */
final class SmallTickwell implements SmallArm {
  private static final int ROWS_A_READ = 2500;

  private final Table<Stats> table;
  private final Supplier<Map<String, String>> statistics;

  /**
   * Registers the table. Blocks.
   *
   * @param statistics what the engine counts
   */
  SmallTickwell(Database database, String table, Supplier<Map<String, String>> statistics)
      throws Exception {
    this.table = database.table(table, Stats.class).register();
    this.statistics = statistics;
    TickwellArm.get(this.table.registration());
  }

  @Override
  public String name() {
    return CaseKey.TICKWELL;
  }

  @Override
  public void fill(List<Stats> rows) throws Exception {
    TickwellArm.get(table.deleteAll());
    TickwellArm.get(table.insert(rows));
  }

  @Override
  public List<Stats> stored(int count) throws Exception {
    List<Stats> stored = new ArrayList<>(count);
    long all = TickwellArm.get(table.count());
    if (all > count) {
      throw new IllegalStateException(all + " rows are stored, not " + count);
    }
    // Within the limit of one result.
    for (long first = 1; first <= count; first += ROWS_A_READ) {
      stored.addAll(
          TickwellArm.get(
                  table
                      .select()
                      .where(between("id", first, first + ROWS_A_READ - 1))
                      .orderBy(asc("id"))
                      .fetch())
              .toList());
    }
    return stored;
  }

  @Override
  public void beginLoads(CallerRound round) {
    int request = round.next();
    if (request == CallerRound.NONE) {
      round.callerEnded();
      return;
    }
    long begun = System.nanoTime();
    load(round.row(request))
        .async(
            rows -> {
              round.loaded(request, System.nanoTime() - begun, only(rows));
              beginLoads(round);
            },
            error -> {
              round.failed(error);
              round.callerEnded();
            });
  }

  @Override
  public void beginSaves(CallerRound round) {
    int request = round.next();
    if (request == CallerRound.NONE) {
      round.callerEnded();
      return;
    }
    long begun = System.nanoTime();
    table
        .upsert(round.row(request))
        .async(
            affected -> {
              round.saved(request, System.nanoTime() - begun, affected);
              beginSaves(round);
            },
            error -> {
              round.failed(error);
              round.callerEnded();
            });
  }

  @Override
  public void loadAll(CrowdRound round) {
    for (int i = 0; i < round.size(); i++) {
      int request = i;
      Pending<Rows<Stats>> pending = load(round.row(request));
      pending.on(Targets.global(), rows -> round.loaded(request, only(rows)), round::failed);
      observe(pending, round);
    }
  }

  @Override
  public void saveAll(CrowdRound round) {
    for (int i = 0; i < round.size(); i++) {
      int request = i;
      Pending<Long> pending = table.upsert(round.row(request));
      pending.on(Targets.global(), affected -> round.saved(request, affected), round::failed);
      observe(pending, round);
    }
  }

  private Pending<Rows<Stats>> load(Stats row) {
    return table.select().where(eq("id", row.id())).fetch();
  }

  private static Stats only(Rows<Stats> rows) {
    return rows.size() == 1 ? rows.row(0) : null;
  }

  private static void observe(Pending<?> pending, CrowdRound round) {
    // What the action throws is nobody's to catch: it only hands the figure on.
    var unused =
        pending
            .phases()
            .whenComplete((phases, error) -> round.cost(phases == null ? 0 : phases.mainNs()));
  }

  @Override
  public Map<String, Long> commits() {
    Map<String, Long> commits = new TreeMap<>(Map.of("writes", 0L, "transactions", 0L));
    statistics
        .get()
        .forEach(
            (name, value) ->
                commits.computeIfPresent(
                    name.substring(name.lastIndexOf('.') + 1),
                    (what, sum) -> sum + Long.parseLong(value)));
    return commits;
  }

  @Override
  public void close() {
    // The table and the database are the benchmark's own, which closes them with the plugin.
  }
}
