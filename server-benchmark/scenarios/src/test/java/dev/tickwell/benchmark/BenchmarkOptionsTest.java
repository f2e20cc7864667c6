package dev.tickwell.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkOptionsTest {
  @TempDir Path folder;

  private BenchmarkOptions read(String text) throws IOException {
    Files.writeString(folder.resolve("options.properties"), text);
    return BenchmarkOptions.read(folder, Scenario.ids());
  }

  private String refusal(String text) {
    return assertThrows(IllegalArgumentException.class, () -> read(text)).getMessage();
  }

  @Test
  void hasDefaultsForEverything() throws IOException {
    assertEquals(
        new BenchmarkOptions(
            Set.of("all"), 10, 3, folder.resolve("results"), "sqlite", 50, "unknown", false),
        BenchmarkOptions.read(folder, Scenario.ids()));
  }

  @Test
  void readsEveryKey() throws IOException {
    Path output = folder.resolve("elsewhere");
    assertEquals(
        new BenchmarkOptions(Set.of("id-only", "split"), 2, 0, output, "sqlite", 10, "abc", true),
        read(
            "cases=id-only, split\nsamples=2\nwarmups=0\noutput="
                + output
                + "\ndatabase=sqlite\nconversionMicros=10\ncommit=abc\ndirty=true\n"));
  }

  @Test
  void saysWhatIsWrongAndWhatItTakes() {
    assertTrue(refusal("sample=1").contains("unknown key sample; the keys are cases, samples"));
    assertTrue(refusal("samples=0").contains("samples=0: take a whole number from 1 to 1000"));
    assertTrue(refusal("warmups=x").contains("warmups=x: take a whole number from 0 to 1000"));
    assertTrue(refusal("database=mysql").contains("measures sqlite only"));
    assertTrue(refusal("cases=all,split").contains("take all, smoke, or some of id-only"));
    assertTrue(refusal("cases=nothing").contains("cases=nothing"));
    assertTrue(refusal("cases=nothing").contains("options.properties"));
  }

  @Test
  void selectsCases() throws IOException {
    List<Scenario> all = Scenario.selected(read("cases=all"));
    assertEquals(28, all.size());
    List<Scenario> smoke = Scenario.selected(read("cases=smoke"));
    assertEquals(9, smoke.size());
    assertTrue(smoke.stream().anyMatch(Scenario::readRefused));
    List<Scenario> some = Scenario.selected(read("cases=mixed-scopes"));
    assertEquals(2, some.size());
  }
}
