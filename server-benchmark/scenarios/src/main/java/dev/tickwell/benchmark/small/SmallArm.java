package dev.tickwell.benchmark.small;

import dev.tickwell.benchmark.shape.Numbers.Stats;
import java.util.List;
import java.util.Map;

/** One of the implementations under many small requests, with a table of its own. */
interface SmallArm extends AutoCloseable {
  /** The implementation's name in the results. */
  String name();

  /** Makes the table hold these rows and no other. Blocks. */
  void fill(List<Stats> rows) throws Exception;

  /** All rows in the order of their keys, {@code count} at most. Blocks. */
  List<Stats> stored(int count) throws Exception;

  /** Begins a caller that reads rows by key, one after the other, until a round has none left. */
  void beginLoads(CallerRound round);

  /** Begins a caller that saves rows, one after the other, until a round has none left. */
  void beginSaves(CallerRound round);

  /** Submits a read of each row by its key. Server thread. */
  void loadAll(CrowdRound round);

  /** Submits a save of each row. Server thread. */
  void saveAll(CrowdRound round);

  /**
   * How many writes were committed so far and by how many transactions, as {@code writes} and
   * {@code transactions}; empty when each write has its own.
   */
  Map<String, Long> commits();

  @Override
  void close();
}
