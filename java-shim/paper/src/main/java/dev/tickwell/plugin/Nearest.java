package dev.tickwell.plugin;

import java.util.Collection;
import java.util.Locale;

/** Finds the known word that a mistyped one was probably meant to be. Pure; any thread. */
final class Nearest {
  private Nearest() {}

  /** The known word within a third of its length in typing mistakes, or null. */
  static String of(String word, Collection<String> known) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance < bestDistance && distance <= Math.max(1, candidate.length() / 3)) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** The insertions, deletions, replacements and swaps of neighbours between the two words. */
  private static int distance(String from, String to) {
    int[][] rows = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          rows[i][j] = i + j;
          continue;
        }
        int replaced = rows[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        rows[i][j] = swapped ? Math.min(best, rows[i - 2][j - 2] + 1) : best;
      }
    }
    return rows[from.length()][to.length()];
  }
}
