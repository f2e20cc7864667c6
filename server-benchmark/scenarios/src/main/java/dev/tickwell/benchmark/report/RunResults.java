package dev.tickwell.benchmark.report;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * A whole run.
 *
 * @param environment the machine, the server and the versions
 * @param cases in the order in which they first ran
 * @param small the cases of many small requests, in the order in which they ran
 * @param checks what had to be so exactly
 * @param failed one line for everything that went wrong; the run is good when there is none
 */
public record RunResults(
    JsonObject environment,
    List<CaseResult> cases,
    List<SmallResult> small,
    List<Check> checks,
    List<String> failed) {

  /** Copies the lists. */
  public RunResults {
    cases = List.copyOf(cases);
    small = List.copyOf(small);
    checks = List.copyOf(checks);
    failed = List.copyOf(failed);
  }

  /** The result of a case, if the run had it. */
  public Optional<CaseResult> find(CaseKey key) {
    return cases.stream().filter(result -> result.key().equals(key)).findFirst();
  }
}
