package dev.tickwell.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetsTest {
  private static CaseKey read(String implementation) {
    return new CaseKey("six-columns", implementation, CaseKey.READ, "local", 5000);
  }

  private static CaseResult with(CaseKey key, Map<String, Long> changed) {
    Map<String, Long> fields = new LinkedHashMap<>(Synthetic.sample(false, 1_000_000).fields());
    fields.putAll(changed);
    return new CaseResult(key, "sqlite", 6, false, List.of(new Sample(false, fields)));
  }

  private static Verdict verdict(List<CaseResult> cases, String part) {
    return Targets.judge(Synthetic.withCases(cases), Synthetic.ticks()).stream()
        .filter(verdict -> verdict.target().contains(part))
        .findFirst()
        .orElseThrow();
  }

  private static List<Verdict> words(List<Verdict> verdicts, String word) {
    return verdicts.stream().filter(verdict -> verdict.word().equals(word)).toList();
  }

  @Test
  void aGoodRunMeetsAllOfThem() {
    List<Verdict> verdicts = Targets.judge(Synthetic.run(), Synthetic.ticks());
    assertEquals(List.of(), words(verdicts, "MISS"));
    assertEquals(3, words(verdicts, "STATED").size());
    assertEquals(19, verdicts.size());
  }

  @Test
  void aBoundIsIncluded() {
    String target = "read 5000 × 6, local: server thread";
    assertEquals(
        "PASS", verdict(List.of(with(read("tickwell"), Map.of("mainNs", 20_000L))), target).word());
    Verdict over = verdict(List.of(with(read("tickwell"), Map.of("mainNs", 20_001L))), target);
    assertEquals("MISS", over.word());
    assertEquals("20.0 µs", over.measured());
  }

  @Test
  void comparesWithThePeerOfTheSameRun() {
    CaseResult ours = with(read("tickwell"), Map.of("consumedNs", 1_000L));
    String target = "every value read";
    assertEquals(
        "PASS",
        verdict(List.of(ours, with(read("jdbc"), Map.of("consumedNs", 3_000L))), target).word());
    assertEquals(
        "3.00× (1.00 µs against 3.00 µs)",
        verdict(List.of(ours, with(read("jdbc"), Map.of("consumedNs", 2_999L))), target)
            .measured());
    assertEquals(
        "MISS",
        verdict(List.of(ours, with(read("jdbc"), Map.of("consumedNs", 2_999L))), target).word());
  }

  @Test
  void theWorstSampleOfTheSlicedConversionCounts() {
    CaseKey key = new CaseKey("tick-thread-only", "tickwell", CaseKey.READ, "local", 1000);
    Sample good =
        new Sample(false, Map.of("mainTickMaxNs", 2_050_000L, "largestConversionNs", 60_000L));
    Sample bad =
        new Sample(true, Map.of("mainTickMaxNs", 2_100_000L, "largestConversionNs", 60_000L));
    String target = "conversions on the server thread";
    assertEquals(
        "PASS",
        verdict(List.of(new CaseResult(key, "sqlite", 2, false, List.of(good))), target).word());
    assertEquals(
        "MISS",
        verdict(List.of(new CaseResult(key, "sqlite", 2, false, List.of(good, bad))), target)
            .word());
  }

  @Test
  void aSnapshotThatWasNotMeasuredIsMissed() {
    CaseKey key = new CaseKey("item-location", "tickwell", CaseKey.WRITE, "local", 1000);
    String target = "snapshot on the submitting thread";
    Verdict stated = verdict(List.of(with(key, Map.of("prepareMainNs", 289_000L))), target);
    assertEquals("STATED 289 ns a row", stated.word() + " " + stated.measured());
    Verdict missing = verdict(List.of(with(key, Map.of("prepareMainNs", 0L))), target);
    assertEquals("MISS not measured", missing.word() + " " + missing.measured());
  }

  @Test
  void smallRequestsAreComparedRoundByRound() {
    List<Verdict> verdicts = Targets.judge(Synthetic.run(), Synthetic.ticks());
    List<String> found =
        verdicts.stream()
            .filter(verdict -> verdict.target().contains("single-row"))
            .map(verdict -> verdict.word() + " " + verdict.measured())
            .toList();
    // Rounds of the peer take from 16 to 23 ms, or from 32 to 46 ms, against 10 ms.
    assertEquals(
        List.of(
            "PASS 1.95× (1.60 to 2.30), 100,000 against 52,632",
            "PASS 3.90× (3.20 to 4.60), 100,000 against 26,316",
            "STATED 111 for 1,000 saves"),
        found);
    assertEquals(
        "MISS",
        words(Targets.judge(withSmall(Synthetic.run(), 15), Synthetic.ticks()), "MISS")
            .getFirst()
            .word());
  }

  /** The run with a peer that reads a round in so many milliseconds. */
  private static RunResults withSmall(RunResults run, int millis) {
    CaseKey key = run.small().getFirst().key();
    return new RunResults(
        run.environment(),
        List.of(),
        List.of(
            Synthetic.small(key, "elapsedNs", 10, 0),
            Synthetic.small(key.of(CaseKey.JDBC), "elapsedNs", millis - 1, 0)),
        List.of(),
        List.of());
  }

  @Test
  void saysWhenTheServerFellBehind() {
    TickResults slow = new TickResults(Synthetic.ticks().run(), 101_000_000_000L, Map.of());
    Verdict verdict =
        Targets.judge(Synthetic.run(), slow).stream()
            .filter(one -> one.target().contains("20 ticks a second"))
            .findFirst()
            .orElseThrow();
    assertEquals("MISS", verdict.word());
    assertEquals("19.80, 3 of 2001 ticks late", verdict.measured());
  }

  @Test
  void leavesOutWhatDidNotRun() {
    assertEquals(
        1, Targets.judge(Synthetic.withCases(List.of()), Synthetic.ticks()).size(), "the ticks");
  }
}
