package dev.tickwell.plugin;

import dev.tickwell.plugin.Settings.DatabaseSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code config.yml}, already parsed into maps, and checks all of it. A mistake outside the
 * databases costs a warning and that setting's default; a mistake in a database closes that
 * database, because data in the wrong place is worse than no database. Runs while the plugin is
 * enabled, and for each reload.
 */
final class SettingsReader {
  /**
   * The version of {@code config.yml} that this reads; {@link ConfigUpgrade} makes it of older
   * ones.
   */
  static final int VERSION = 2;

  private static final Pattern SERVER_ID = Pattern.compile("[A-Za-z0-9_.-]{0,64}");
  private static final Pattern DATABASE_NAME = Pattern.compile("\\P{Cntrl}{1,32}");
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15})\\s*([A-Za-z]*)");
  private static final Map<String, Long> DURATIONS =
      Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);
  private static final Map<String, Long> SIZES =
      Map.of("", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);
  private static final Set<String> TYPES = Set.of("sqlite");
  private static final Set<String> SYNCHRONOUS = Set.of("full", "normal", "off");

  /** A range of whole numbers, as the engine takes them. */
  private record Range(long least, long most) {}

  private static final Map<String, Range> NUMBERS =
      Map.of(
          "readers", new Range(1, 64),
          "busy-timeout-millis", new Range(0, 600_000),
          "statement-deadline-millis", new Range(1, (1L << 32) - 1),
          "transaction-limit-millis", new Range(1, (1L << 32) - 1),
          "transaction-idle-millis", new Range(1, (1L << 32) - 1),
          "max-result-rows", new Range(1, 10_000_000),
          "max-result-bytes", new Range(1_024, 64L << 20),
          "fast-chunk-rows", new Range(0, (1L << 32) - 1),
          "max-bound-values", new Range(1, 32_766));

  /** What only a database on a network has. */
  private static final Set<String> NETWORK_KEYS =
      Set.of("address", "user", "password", "password-env", "password-file", "pool");

  private static final Set<String> DATABASE_KEYS = new TreeSet<>(NUMBERS.keySet());

  static {
    DATABASE_KEYS.addAll(List.of("type", "path", "synchronous"));
  }

  private final Path folder;
  private final List<String> warnings = new ArrayList<>();

  private SettingsReader(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads.
   *
   * @param root the parsed file; sections are maps
   * @param folder the plugin's folder, against which relative paths are resolved
   */
  static Settings read(Map<String, Object> root, Path folder) {
    return new SettingsReader(folder).read(root);
  }

  private Settings read(Map<String, Object> root) {
    Section top = new Section("", root);
    if (top.integer("version", VERSION, 1, Integer.MAX_VALUE) > VERSION) {
      warn("version", "is of a newer Tickwell; this one knows version " + VERSION);
    }
    String serverId = top.text("server-id", "");
    if (!SERVER_ID.matcher(serverId).matches()) {
      warn(
          "server-id",
          "is "
              + serverId
              + ", not at most 64 letters, digits, '_', '.' and '-'; the server has no id");
      serverId = "";
    }
    Map<String, DatabaseSettings> databases = databases(top.section("databases"));
    String defaultDatabase = top.text("default-database", "main");
    if (databases.isEmpty()) {
      databases.put(
          "main",
          new DatabaseSettings(Map.of("type", "sqlite", "path", sqliteFile("main", null)), null));
    }
    if (!databases.containsKey(defaultDatabase)) {
      warn(
          "default-database",
          "names "
              + defaultDatabase
              + ", which is not under databases ("
              + String.join(", ", databases.keySet())
              + "); plugins without an entry under plugins have no database");
    }
    Map<String, String> plugins = plugins(top.section("plugins"), databases.keySet());

    Section tick = top.section("tick");
    long budget = tick.amount("budget", "2ms", DURATIONS, 100_000L, 50_000_000L, "100us to 50ms");
    boolean elastic = tick.flag("elastic", false);
    boolean warmUp = tick.flag("warm-up", true);
    tick.finish();

    Section memory = top.section("memory");
    Map<String, String> runtime = new LinkedHashMap<>();
    for (String key : List.of("read-bytes-in-flight", "write-bytes-in-flight")) {
      runtime.put(
          key,
          Long.toString(memory.amount(key, "64MiB", SIZES, 1L << 20, 1L << 40, "1MiB to 1024GiB")));
    }
    memory.finish();

    Section library = top.section("native");
    Path nativeFolder = library.path("folder", "native");
    Path nativePath = library.path("path", "");
    library.finish();

    int shutdown = top.integer("shutdown-seconds", 8, 1, 300);
    top.finish();
    return new Settings(
        serverId,
        defaultDatabase,
        databases,
        plugins,
        budget,
        elastic,
        warmUp,
        runtime,
        nativeFolder,
        nativePath,
        Duration.ofSeconds(shutdown),
        List.copyOf(warnings));
  }

  private Map<String, DatabaseSettings> databases(Section section) {
    Map<String, DatabaseSettings> databases = new LinkedHashMap<>();
    Map<String, String> files = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : section.values.entrySet()) {
      String name = entry.getKey();
      DatabaseSettings database = database("databases." + name, name, entry.getValue());
      String other = files.putIfAbsent(database.engine().getOrDefault("path", name), name);
      if (database.problem() == null && other != null) {
        database =
            new DatabaseSettings(
                Map.of(),
                "databases." + name + ".path is the file of databases." + other + " already");
      }
      databases.put(name, database);
    }
    return databases;
  }

  /**
   * Reads the settings of one database that a plugin opens itself.
   *
   * @param settings by the names of a database in the file
   * @param folder the plugin's folder, against which a relative path is resolved
   */
  static DatabaseSettings database(String name, Map<String, Object> settings, Path folder) {
    return new SettingsReader(folder).database(name, name, settings);
  }

  private DatabaseSettings database(String where, String name, Object value) {
    if (!DATABASE_NAME.matcher(name).matches()) {
      return new DatabaseSettings(
          Map.of(), where + " is not a name of 1 to 32 printable characters");
    }
    if (!(value instanceof Map<?, ?> map)) {
      return new DatabaseSettings(Map.of(), where + " is not a section with settings below it");
    }
    String type =
        String.valueOf(map.containsKey("type") ? map.get("type") : "sqlite")
            .toLowerCase(Locale.ROOT);
    if (!TYPES.contains(type)) {
      return new DatabaseSettings(
          Map.of(),
          where
              + ".type is "
              + type
              + ", which this version does not know; it knows "
              + String.join(", ", TYPES));
    }
    Map<String, String> engine = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = String.valueOf(entry.getKey());
      String problem = problem(where + "." + key, key, entry.getValue());
      if (problem != null) {
        return new DatabaseSettings(Map.of(), problem);
      }
      engine.put(key, text(entry.getValue()));
    }
    engine.put("type", type);
    try {
      engine.put("path", sqliteFile(name, engine.get("path")));
    } catch (InvalidPathException e) {
      return new DatabaseSettings(Map.of(), where + ".path is no path: " + e.getMessage());
    }
    return new DatabaseSettings(engine, null);
  }

  /** What is wrong with one setting of an SQLite database, or null. */
  private static String problem(String where, String key, Object value) {
    if (NETWORK_KEYS.contains(key)) {
      return where
          + " is for databases on a network; sqlite is a file beside the server and needs only"
          + " path; remove it";
    }
    if (!DATABASE_KEYS.contains(key)) {
      return unknown(where, key, DATABASE_KEYS);
    }
    if (value == null) {
      return where + " has no value";
    }
    if (value instanceof Map || value instanceof List) {
      return where + " is " + value + ", not a single value";
    }
    Range range = NUMBERS.get(key);
    if (range != null) {
      Long number = text(value).matches("\\d{1,15}") ? Long.valueOf(text(value)) : null;
      if (number == null || number < range.least || number > range.most) {
        return where
            + " is "
            + value
            + ", not a whole number from "
            + range.least
            + " to "
            + range.most;
      }
    }
    if (key.equals("synchronous") && !SYNCHRONOUS.contains(text(value))) {
      return where + " is " + value + ", not full, normal or off";
    }
    return null;
  }

  /** A single value as text. YAML takes the word off for a truth value. */
  private static String text(Object value) {
    return value.equals(false) ? "off" : value.toString();
  }

  private String sqliteFile(String name, String path) {
    String file = path;
    if (file == null || file.isBlank()) {
      file = name.equals("main") ? "tickwell.db" : name + ".db";
    }
    return folder.resolve(file).toAbsolutePath().normalize().toString();
  }

  private Map<String, String> plugins(Section section, Set<String> databases) {
    Map<String, String> plugins = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : section.values.entrySet()) {
      String database = String.valueOf(entry.getValue());
      if (entry.getValue() instanceof Map || entry.getValue() instanceof List) {
        warn("plugins." + entry.getKey(), "is " + database + ", not the name of one database");
      }
      // Kept although it is wrong: that plugin's requests then fail by name, and its data does not
      // end up in the default database.
      plugins.put(entry.getKey(), database);
      if (!databases.contains(database)) {
        warn(
            "plugins." + entry.getKey(),
            "names the database "
                + database
                + suggestion(database, databases)
                + "; that plugin has no database until this is corrected");
      }
    }
    return plugins;
  }

  private void warn(String where, String what) {
    warnings.add(where + " " + what);
  }

  private static String unknown(String where, String key, Set<String> known) {
    return where + " is not a setting" + suggestion(key, known);
  }

  private static String suggestion(String word, Set<String> known) {
    String nearest = Nearest.of(word, known);
    return nearest == null
        ? " (known are " + String.join(", ", known) + ")"
        : " (did you mean " + nearest + "?)";
  }

  /** One section, whose keys are ticked off as they are read. */
  private final class Section {
    private final String prefix;
    private final Map<String, Object> values;
    private final Set<String> known = new TreeSet<>();

    Section(String prefix, Map<String, Object> values) {
      this.prefix = prefix;
      this.values = values;
    }

    private Object value(String key) {
      known.add(key);
      return values.get(key);
    }

    private String where(String key) {
      return prefix + key;
    }

    Section section(String key) {
      Object value = value(key);
      Map<String, Object> inner = new LinkedHashMap<>();
      if (value instanceof Map<?, ?> map) {
        map.forEach((name, content) -> inner.put(String.valueOf(name), content));
      } else if (value != null) {
        warn(where(key), "is not a section with settings below it and was ignored");
      }
      return new Section(where(key) + ".", inner);
    }

    String text(String key, String otherwise) {
      Object value = value(key);
      if (value instanceof Map || value instanceof List) {
        warn(where(key), "is " + value + ", not a single value; '" + otherwise + "' is used");
        return otherwise;
      }
      return value == null ? otherwise : value.toString();
    }

    boolean flag(String key, boolean otherwise) {
      Object value = value(key);
      if (value == null || value instanceof Boolean) {
        return value == null ? otherwise : (Boolean) value;
      }
      warn(where(key), "is " + value + ", not true or false; " + otherwise + " is used");
      return otherwise;
    }

    int integer(String key, int otherwise, int least, int most) {
      Object value = value(key);
      if (value == null) {
        return otherwise;
      }
      if (value instanceof Integer number && number >= least && number <= most) {
        return number;
      }
      warn(
          where(key),
          "is "
              + value
              + ", not a whole number from "
              + least
              + " to "
              + most
              + "; "
              + otherwise
              + " is used");
      return otherwise;
    }

    long amount(
        String key,
        String otherwise,
        Map<String, Long> units,
        long least,
        long most,
        String range) {
      Function<String, Long> parse = text -> SettingsReader.amount(text, units);
      String text = text(key, otherwise);
      Long amount = parse.apply(text);
      if (amount != null && amount >= least && amount <= most) {
        return amount;
      }
      warn(where(key), "is " + text + ", not in " + range + "; " + otherwise + " is used");
      return parse.apply(otherwise);
    }

    Path path(String key, String otherwise) {
      String text = text(key, otherwise);
      if (text.isBlank()) {
        return null;
      }
      try {
        return folder.resolve(text).toAbsolutePath().normalize();
      } catch (InvalidPathException e) {
        warn(where(key), "is no path: " + e.getMessage());
        return otherwise.isBlank() ? null : folder.resolve(otherwise);
      }
    }

    /** Warns of every key that nothing asked for. */
    void finish() {
      for (String key : values.keySet()) {
        if (!known.contains(key)) {
          warnings.add(unknown(where(key), key, known) + " and was ignored");
        }
      }
    }
  }

  private static Long amount(String text, Map<String, Long> units) {
    Matcher matcher = AMOUNT.matcher(text.trim());
    if (!matcher.matches()) {
      return null;
    }
    Long unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
    try {
      return unit == null ? null : Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    } catch (ArithmeticException e) {
      return null;
    }
  }
}
