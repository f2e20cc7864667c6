package dev.tickwell.benchmark.report;

/**
 * What tells one case of a run from the others.
 *
 * @param id the scenario, such as {@code six-columns}
 * @param implementation {@code tickwell} or {@code jdbc}
 * @param operation {@code read} or {@code write}
 * @param scope whose the input or the result is: {@code local}, {@code shared}, {@code raw}, …
 * @param rows how many rows were asked for
 */
public record CaseKey(String id, String implementation, String operation, String scope, int rows) {
  /** The product. */
  public static final String TICKWELL = "tickwell";

  /** What a careful plugin author does without it. */
  public static final String JDBC = "jdbc";

  /** Reading rows. */
  public static final String READ = "read";

  /** Inserting rows. */
  public static final String WRITE = "write";

  /** The same case of the other implementation. */
  public CaseKey of(String otherImplementation) {
    return new CaseKey(id, otherImplementation, operation, scope, rows);
  }

  /** The case without its implementation, for people. */
  public String title() {
    return id + " · " + operation + " · " + scope + " · " + rows;
  }
}
