package dev.tickwell.core;

import dev.tickwell.core.Requests.InsertMode;
import java.util.List;

/**
 * How rows are inserted. Immutable.
 *
 * @param overwritten the columns that an upsert overwrites; none for all outside of the key
 * @param returnsKeys whether the result is the keys of the rows, not their number
 */
record Insertion(InsertMode mode, List<String> overwritten, boolean returnsKeys) {
  static final Insertion PLAIN = new Insertion(InsertMode.PLAIN, List.of(), false);
  static final Insertion IF_ABSENT = new Insertion(InsertMode.IF_ABSENT, List.of(), false);
  private static final Insertion UPSERT = new Insertion(InsertMode.UPSERT, List.of(), false);

  static Insertion upsert(String... overwritten) {
    return overwritten.length == 0
        ? UPSERT
        : new Insertion(InsertMode.UPSERT, List.of(overwritten), false);
  }

  Insertion returningKeys() {
    return new Insertion(mode, overwritten, true);
  }
}
