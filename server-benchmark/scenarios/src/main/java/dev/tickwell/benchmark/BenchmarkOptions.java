package dev.tickwell.benchmark;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * What to run, from {@code options.properties} in the plugin's folder. Every key may be missing.
 *
 * @param cases {@code all}, {@code smoke}, or ids of cases
 * @param samples measured samples of a case, at least 1
 * @param warmups samples before them that count for nothing, at least 0
 * @param output the folder for the result files
 * @param database the database's type; this version runs {@code sqlite}
 * @param conversionMicros how long a value of the type that needs the server thread takes to make
 * @param commit the commit that was built, for the record
 * @param dirty whether that commit's tree had changes
 */
public record BenchmarkOptions(
    Set<String> cases,
    int samples,
    int warmups,
    Path output,
    String database,
    int conversionMicros,
    String commit,
    boolean dirty) {
  private static final List<String> KEYS =
      List.of(
          "cases",
          "samples",
          "warmups",
          "output",
          "database",
          "conversionMicros",
          "commit",
          "dirty");

  /**
   * Reads the options; a missing file gives the defaults.
   *
   * @param folder the plugin's folder
   * @param knownCases the ids that {@code cases} may name
   * @throws IOException when the file is there and cannot be read
   * @throws IllegalArgumentException naming the file, the key and what it takes
   */
  public static BenchmarkOptions read(Path folder, Set<String> knownCases) throws IOException {
    Path file = folder.resolve("options.properties");
    Properties properties = new Properties();
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      }
    }
    try {
      return parse(properties, folder, knownCases);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Whether a case outside of the scenarios' list is asked for; a short run has them all. */
  boolean has(String id) {
    return cases.contains(id) || cases.contains("all") || cases.contains("smoke");
  }

  static BenchmarkOptions parse(Properties properties, Path folder, Set<String> knownCases) {
    for (String key : properties.stringPropertyNames()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "unknown key " + key + "; the keys are " + String.join(", ", KEYS));
      }
    }
    String database = properties.getProperty("database", "sqlite").strip();
    if (!database.equals("sqlite")) {
      throw new IllegalArgumentException(
          "database=" + database + ": this version measures sqlite only");
    }
    return new BenchmarkOptions(
        cases(properties.getProperty("cases", "all"), knownCases),
        number(properties, "samples", 10, 1, 1000),
        number(properties, "warmups", 3, 0, 1000),
        folder.resolve(properties.getProperty("output", "results").strip()),
        database,
        number(properties, "conversionMicros", 50, 0, 1_000_000),
        properties.getProperty("commit", "unknown").strip(),
        Boolean.parseBoolean(properties.getProperty("dirty", "false").strip()));
  }

  private static Set<String> cases(String text, Set<String> known) {
    Set<String> cases = new LinkedHashSet<>(Arrays.asList(text.strip().split("\\s*,\\s*")));
    for (String name : cases) {
      boolean alone = name.equals("all") || name.equals("smoke");
      if ((alone && cases.size() > 1) || (!alone && !known.contains(name))) {
        throw new IllegalArgumentException(
            "cases=" + text + ": take all, smoke, or some of " + String.join(", ", known));
      }
    }
    return cases;
  }

  private static int number(Properties properties, String key, int fallback, int least, int most) {
    String text = properties.getProperty(key, Integer.toString(fallback)).strip();
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the range.
    }
    throw new IllegalArgumentException(
        key + "=" + text + ": take a whole number from " + least + " to " + most);
  }
}
