package dev.tickwell.benchmark;

import dev.tickwell.benchmark.arm.Scope;
import dev.tickwell.benchmark.report.SmallResult;
import dev.tickwell.benchmark.shape.CharmCodec;
import dev.tickwell.benchmark.shape.Charms;
import dev.tickwell.benchmark.shape.IdOnly;
import dev.tickwell.benchmark.shape.Kits;
import dev.tickwell.benchmark.shape.Numbers;
import dev.tickwell.benchmark.shape.Shape;
import dev.tickwell.benchmark.shape.Single;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one sample does on each side: write rows with fresh keys, then read the same rows.
 *
 * @param id the case's id in the results
 * @param shape what the rows look like
 * @param rows how many
 * @param write how the write is measured; empty: the rows are stored without measuring
 * @param read how the read is measured; empty: they are not read
 * @param replaces whether the read's result takes the place of an older one
 * @param readRefused whether Tickwell has to refuse the read
 * @param smoke whether a short run has it
 */
record Scenario(
    String id,
    Shape<?> shape,
    int rows,
    Optional<Scope> write,
    Optional<Scope> read,
    boolean replaces,
    boolean readRefused,
    boolean smoke) {
  /** Many small requests by callers that go on when they are answered; no statement of its own. */
  static final String CALLERS = SmallResult.CALLERS;

  /** Many small requests in one tick; no statement of its own either. */
  static final String CROWD = SmallResult.CROWD;

  /** The write that needs two statements. */
  static final String SPLIT = "split";

  /** One more than the values that a statement binds at most. */
  static final int SPLIT_ROWS = 30_001;

  private static final int READ_LIMIT = 5000;
  private static final List<Integer> SIZES = List.of(100, 500, 1000, 2500, 5000);

  private static Scenario of(String id, Shape<?> shape, int rows, Scope write, Scope read) {
    return new Scenario(
        id,
        shape,
        rows,
        Optional.ofNullable(write),
        Optional.ofNullable(read),
        false,
        read != null && rows > READ_LIMIT,
        false);
  }

  private Scenario replacing() {
    return new Scenario(id, shape, rows, write, read, true, readRefused, smoke);
  }

  private Scenario inSmoke() {
    return new Scenario(id, shape, rows, write, read, replaces, readRefused, true);
  }

  /** All ids, in the order in which they run. */
  static Set<String> ids() {
    Set<String> ids = new LinkedHashSet<>();
    all(0).forEach(scenario -> ids.add(scenario.id()));
    ids.add(CALLERS);
    ids.add(CROWD);
    return ids;
  }

  /** What to run of everything for these options. */
  static List<Scenario> selected(BenchmarkOptions options) {
    Set<String> cases = options.cases();
    return all(options.conversionMicros() * 1000L).stream()
        .filter(
            scenario ->
                cases.contains("all")
                    || (cases.contains("smoke") && scenario.smoke())
                    || cases.contains(scenario.id()))
        .toList();
  }

  private static List<Scenario> all(long conversionNanos) {
    Shape<?> idOnly = new IdOnly("id_only");
    Shape<?> raw = new IdOnly("raw_ids");
    Shape<?> six = new Numbers("six_columns");
    Shape<?> kits = new Kits("kits", false);
    Shape<?> named = new Kits("named_kits", true);
    Shape<?> charms = new Charms("charms", new CharmCodec(conversionNanos));
    Shape<?> single = new Single("single_column");
    List<Scenario> all = new ArrayList<>();
    for (int rows : SIZES) {
      Scenario scenario = of("id-only", idOnly, rows, Scope.LOCAL, Scope.LOCAL);
      all.add(rows == 100 ? scenario.inSmoke() : scenario);
    }
    all.add(of("id-only", idOnly, 10_000, Scope.LOCAL, Scope.LOCAL).inSmoke());
    all.add(of("id-only-repeated", idOnly, READ_LIMIT, Scope.LOCAL, Scope.LOCAL));
    all.add(of("raw-sql", raw, READ_LIMIT, Scope.RAW, Scope.RAW).inSmoke());
    for (int rows : SIZES) {
      for (Scope scope : List.of(Scope.LOCAL, Scope.SHARED)) {
        Scenario scenario = of("six-columns", six, rows, scope, scope);
        all.add(rows == READ_LIMIT ? scenario.inSmoke() : scenario);
      }
    }
    all.add(of("six-columns", six, READ_LIMIT, Scope.VALUES, Scope.RECORDS));
    all.add(of("mixed-scopes", six, READ_LIMIT, Scope.LOCAL, Scope.SHARED));
    all.add(of("mixed-scopes", six, READ_LIMIT, Scope.SHARED, Scope.LOCAL));
    all.add(of("replace-results", six, READ_LIMIT, null, Scope.LOCAL).replacing());
    all.add(of("replace-results", six, READ_LIMIT, null, Scope.SHARED).replacing().inSmoke());
    all.add(of("item-location", kits, 1000, Scope.LOCAL, Scope.LOCAL).inSmoke());
    all.add(of("item-location", kits, 1000, Scope.SHARED, Scope.SHARED));
    all.add(of("named-item", named, 1000, Scope.LOCAL, Scope.LOCAL).replacing());
    all.add(of("tick-thread-only", charms, 1000, Scope.LOCAL, Scope.LOCAL).inSmoke());
    all.add(of(SPLIT, single, SPLIT_ROWS, Scope.LOCAL, null).inSmoke());
    return all;
  }
}
