package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Filters;
import dev.tickwell.TickwellException;
import dev.tickwell.ValueType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages, requests and error numbers are the same bytes in both languages. */
class GoldenTest {
  private static final ValueType[] ALL = ValueType.values();
  private static final String[] ALL_NAMES =
      Arrays.stream(ALL).map(Problems::name).toArray(String[]::new);

  private static final Object[] TYPICAL = {
    true,
    (byte) 1,
    (short) 1,
    1,
    1L,
    1.5f,
    1.5,
    new BigDecimal("1.50"),
    "Steve",
    "line one\nline two",
    hex("000102"),
    UUID.fromString("069a79f4-44e9-4726-a5be-fca90e38aaf5"),
    LocalDate.of(2024, 2, 29),
    LocalTime.of(12, 34, 56, 789_012_000),
    Instant.parse("2024-02-29T12:34:56.789012Z"),
    Duration.ofSeconds(1),
    "{\"a\":1}",
    hex("0a000000"),
    location("069a79f4-44e9-4726-a5be-fca90e38aaf5", 0.5, 64, -0.5, 90, -45, "world"),
    hex("0a00"),
    hex("010203040506070809")
  };
  private static final Object[] LEAST = {
    false,
    Byte.MIN_VALUE,
    Short.MIN_VALUE,
    Integer.MIN_VALUE,
    Long.MIN_VALUE,
    -0.0f,
    -0.0,
    new BigDecimal("-0.001"),
    "",
    "",
    hex(""),
    new UUID(0, 0),
    LocalDate.of(1969, 12, 31),
    LocalTime.MIDNIGHT,
    Instant.parse("1969-12-31T23:59:59.999999Z"),
    Duration.ofNanos(Long.MIN_VALUE),
    "[]",
    hex(""),
    new byte[PageFormat.LOCATION_BYTES],
    hex(""),
    hex("")
  };
  private static final Object[] GREATEST = {
    true,
    Byte.MAX_VALUE,
    Short.MAX_VALUE,
    Integer.MAX_VALUE,
    Long.MAX_VALUE,
    Float.NaN,
    Double.POSITIVE_INFINITY,
    new BigDecimal("12345678901234567890.123456789"),
    "Zoë",
    "😀",
    hex("ff"),
    new UUID(-1, -1),
    LocalDate.of(9999, 12, 31),
    LocalTime.of(23, 59, 59, 999_999_000),
    Instant.parse("9999-12-31T23:59:59.999999Z"),
    Duration.ofNanos(Long.MAX_VALUE),
    "null",
    hex("ffffffffffffffffff"),
    location(
        "ffffffff-ffff-ffff-ffff-ffffffffffff", -29999984.0, 320, 29999984.0, -180, 90, "wörld"),
    hex("7f"),
    hex("7f")
  };
  private static final Object[] NULLS = new Object[ALL.length];

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] location(
      String world, double x, double y, double z, float yaw, float pitch, String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[PageFormat.LOCATION_BYTES + utf8.length];
    UUID id = UUID.fromString(world);
    ByteBuffer.wrap(bytes)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits());
    Wire.putLong(bytes, 16, Double.doubleToRawLongBits(x));
    Wire.putLong(bytes, 24, Double.doubleToRawLongBits(y));
    Wire.putLong(bytes, 32, Double.doubleToRawLongBits(z));
    Wire.putInt(bytes, 40, Float.floatToRawIntBits(yaw));
    Wire.putInt(bytes, 44, Float.floatToRawIntBits(pitch));
    System.arraycopy(utf8, 0, bytes, PageFormat.LOCATION_BYTES, utf8.length);
    return bytes;
  }

  private static void check(String name, ValueType[] types, String[] names, Object[]... rows) {
    PageEncoder encoder = new PageEncoder(rows.length, types, names);
    for (int column = 0; column < types.length; column++) {
      encoder.beginColumn();
      for (Object[] row : rows) {
        assertEquals(null, Cells.put(encoder, types[column], null, row[column]));
      }
    }
    byte[] golden = Golden.page(name);
    assertArrayEquals(golden, encoder.finish(), name + " as Java writes it");

    // Read from the middle of other bytes, as in a completion.
    byte[] frame = new byte[golden.length + 32];
    Arrays.fill(frame, (byte) 0x55);
    System.arraycopy(golden, 0, frame, 13, golden.length);
    PageReader page = new PageReader(frame, 13, golden.length);
    assertEquals(rows.length, page.rows());
    assertEquals(types.length, page.columns());
    assertArrayEquals(golden, page.copy());
    for (int column = 0; column < types.length; column++) {
      assertEquals(types[column], page.type(column));
      assertEquals(names == null ? "" : names[column], page.name(column));
      for (int row = 0; row < rows.length; row++) {
        Object value = Cells.get(page, row, column);
        String where = name + " row " + row + " column " + column;
        if (rows[row][column] instanceof byte[] bytes) {
          assertArrayEquals(bytes, (byte[]) value, where);
        } else {
          assertEquals(rows[row][column], value, where);
        }
        assertEquals(value == null, page.isNull(row, column), where);
      }
    }
  }

  @Test
  void allTypes() {
    check("all-types", ALL, ALL_NAMES, TYPICAL, LEAST, GREATEST);
  }

  @Test
  void nullsOfAllTypes() {
    check("nulls", ALL, ALL_NAMES, NULLS, TYPICAL, NULLS);
  }

  @Test
  void zeroRows() {
    check("zero-rows", ALL, ALL_NAMES);
  }

  @Test
  void noNames() {
    check(
        "no-names",
        new ValueType[] {ValueType.INT, ValueType.TEXT},
        null,
        new Object[] {7, "Steve"});
  }

  @Test
  void multiByteText() {
    check(
        "multi-byte",
        new ValueType[] {ValueType.TEXT, ValueType.STRING},
        new String[] {"naïve_😀", "漢字"},
        new Object[] {"😀", "é"},
        new Object[] {"a\0b", "漢"},
        new Object[] {"", "a😀é漢"});
  }

  @Test
  void nineRowsWithTwoBytesOfBitmap() {
    Object[][] rows =
        IntStream.range(0, 9)
            .mapToObj(
                id ->
                    new Object[] {
                      (long) id, (id == 0 || id == 8) ? null : id % 2 == 1, id == 4 ? null : "x"
                    })
            .toArray(Object[][]::new);
    check(
        "nine-rows",
        new ValueType[] {ValueType.BIGINT, ValueType.BOOLEAN, ValueType.TEXT},
        new String[] {"id", "alive", "name"},
        rows);
  }

  static List<Path> badPages() {
    return Golden.badPages();
  }

  @ParameterizedTest
  @MethodSource("badPages")
  void refusesBadPage(Path file) {
    byte[] bytes = Golden.bytes(file);
    TickwellException e =
        assertThrows(
            TickwellException.class, () -> new PageReader(bytes, 0, bytes.length), file::toString);
    assertEquals(ErrorCode.INVALID_PAGE, e.code());
  }

  @Test
  void thereAreBadPages() {
    assertTrue(badPages().size() >= 30, "bad pages: " + badPages().size());
  }

  @Test
  void anyChangedByteGivesAPageOrARefusal() {
    for (String name : List.of("all-types", "nulls", "multi-byte", "nine-rows")) {
      byte[] golden = Golden.page(name);
      for (int at = 0; at < golden.length; at++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] changed = golden.clone();
          changed[at] ^= (byte) (1 << bit);
          readAll(changed);
        }
      }
      for (int length = 0; length < golden.length; length++) {
        readAll(Arrays.copyOf(golden, length));
      }
    }
  }

  private static void readAll(byte[] bytes) {
    try {
      PageReader page = new PageReader(bytes, 0, bytes.length);
      for (int row = 0; row < page.rows(); row++) {
        for (int column = 0; column < page.columns(); column++) {
          Cells.get(page, row, column);
        }
      }
    } catch (TickwellException e) {
      // The one value that the format leaves to its reader is the text of a decimal.
      assertTrue(
          e.code() == ErrorCode.INVALID_PAGE || e.code() == ErrorCode.INVALID_VALUE,
          e.getMessage());
    }
  }

  private static final TableModel PROFILES =
      new TableModel(
          "demo_profiles",
          List.of(
              new Column("id", ValueType.UUID, 0, false, false, null, null, null),
              new Column("name", ValueType.STRING, 16, false, false, null, null, null),
              new Column("level", ValueType.INT, 0, true, false, null, null, null)),
          List.of("id"));

  private static Parameters parameters() {
    return new Parameters(new Codecs(null));
  }

  private static byte[] count(dev.tickwell.Filter... filters) {
    return Requests.count(PROFILES, List.of(filters), false, parameters());
  }

  @Test
  void requests() {
    check(
        "register",
        Requests.register(
            PROFILES,
            List.of(
                new TableModel.Index(List.of("name"), true),
                new TableModel.Index(List.of("level", "name"), false)),
            new Requests.Registration("Demo", false, false),
            parameters()));
    check(
        "register-rules",
        Requests.register(
            new TableModel(
                "offers",
                List.of(
                    new Column("id", ValueType.BIGINT, 0, false, true, null, null, null),
                    new Column("title", ValueType.TEXT, 0, false, false, "none", null, null),
                    new Column("price", ValueType.DOUBLE, 0, true, false, 2.5, null, null)),
                List.of("id")),
            List.of(),
            new Requests.Registration("Demo", true, true),
            parameters()));
    check("insert", PROFILES.insertRequest(Requests.InsertMode.PLAIN));
    check(
        "insert-independent",
        Requests.flagged(PROFILES.insertRequest(Requests.InsertMode.PLAIN), Requests.INDEPENDENT));
    check(
        "select",
        Requests.select(
            PROFILES,
            PROFILES.columns("select", new String[] {"id", "name"}),
            List.of(Filters.ge("level", 3)),
            List.of(Filters.desc("level"), Filters.asc("name")),
            10,
            0,
            parameters()));
    check(
        "select-all",
        Requests.select(
            PROFILES,
            PROFILES.columns("select", new String[] {"id"}),
            List.of(),
            List.of(),
            null,
            0,
            parameters()));
    check("count-all", count());
    check(
        "count-compare",
        count(
            Filters.eq("level", 1),
            Filters.ne("level", 1),
            Filters.lt("level", 1),
            Filters.le("level", 1),
            Filters.gt("level", 1),
            Filters.ge("level", 1)));
    check(
        "count-or-not",
        count(Filters.or(Filters.eq("level", 1), Filters.not(Filters.eq("name", "x")))));
    check("count-between", count(Filters.between("level", 1, 2)));
    check("count-in", count(Filters.in("level", List.of(1, 2, 3))));
    check("count-like", count(Filters.like("name", "S%")));
    check("count-is-null", count(Filters.isNull("level")));
    check(
        "delete",
        Requests.delete(PROFILES, List.of(Filters.eq("id", new UUID(1, 2))), null, parameters()));
    check("delete-all", Requests.delete(PROFILES, List.of(), null, parameters()));
    check(
        "delete-limit",
        Requests.delete(PROFILES, List.of(Filters.isNull("level")), 100, parameters()));
    check(
        "aggregate",
        Requests.aggregate(
            PROFILES,
            List.of(
                new Requests.AggregateValue(Requests.Function.COUNT, ""),
                new Requests.AggregateValue(Requests.Function.SUM, "level"),
                new Requests.AggregateValue(Requests.Function.MIN, "level"),
                new Requests.AggregateValue(Requests.Function.MAX, "level"),
                new Requests.AggregateValue(Requests.Function.AVERAGE, "level")),
            List.of(Filters.gt("level", 0)),
            parameters()));
    Map<String, String> tables = new LinkedHashMap<>();
    check(
        "raw-query",
        Requests.raw(
            Requests.RAW_QUERY,
            "SELECT '😀?', name FROM demo_profiles WHERE level > ? AND name <> ?",
            tables));
    tables.put("profiles", "demo_profiles");
    tables.put("shared", "shared");
    check(
        "raw-query-tables",
        Requests.raw(Requests.RAW_QUERY, "SELECT '{no}' FROM {profiles} JOIN {shared}", tables));
    // Names travel only with a text that may use them.
    check(
        "raw-update",
        Requests.raw(Requests.RAW_UPDATE, "UPDATE demo_profiles SET level = ?", tables));
    check(
        "raw-update-unordered",
        Requests.flagged(
            Requests.raw(Requests.RAW_UPDATE, "UPDATE demo_profiles SET level = ?", tables),
            Requests.UNORDERED));
  }

  @Test
  void requestsOfChanges() {
    List<String> columns = List.of("id", "name", "level");
    check(
        "insert-if-absent",
        Requests.insert("demo_profiles", columns, Requests.InsertMode.IF_ABSENT, List.of(), true));
    check(
        "upsert",
        Requests.insert(
            "demo_profiles", columns, Requests.InsertMode.UPSERT, List.of("level"), false));
    check(
        "select-offset",
        Requests.select(
            PROFILES,
            PROFILES.columns("select", new String[] {"id"}),
            List.of(),
            List.of(Filters.asc("id")),
            10,
            20,
            parameters()));
    check(
        "exists",
        Requests.count(PROFILES, List.of(Filters.eq("name", "Steve")), true, parameters()));
    check(
        "update",
        Requests.update(
            PROFILES,
            List.of(
                new Requests.Assignment("name", false, "Alex"),
                new Requests.Assignment("level", true, 1)),
            List.of(Filters.eq("id", new UUID(1, 2))),
            null,
            parameters()));
    check(
        "update-all",
        Requests.update(
            PROFILES,
            List.of(new Requests.Assignment("level", false, 0)),
            List.of(),
            5,
            parameters()));
  }

  private static void check(String name, byte[] request) {
    assertArrayEquals(Golden.request(name), request, name);
  }

  @Test
  void everyGoldenRequestIsChecked() throws IOException {
    try (var files = Files.list(Golden.FOLDER.resolve("requests"))) {
      assertEquals(27, files.count());
    }
  }

  @Test
  void errorNumbers() throws IOException {
    List<String> expected = Files.readAllLines(Golden.FOLDER.resolve("errors.txt"));
    List<String> found =
        Arrays.stream(ErrorCode.values()).map(code -> code.number() + " " + code.name()).toList();
    assertEquals(expected.stream().filter(line -> !line.startsWith("#")).toList(), found);
  }
}
