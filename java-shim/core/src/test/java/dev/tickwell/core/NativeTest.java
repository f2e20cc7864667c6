package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every native method against the real library: panics, handles, the contract of its edges. */
class NativeTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;
  private long runtime;
  private long database;
  private int owner;
  private long lane;

  /** Runs an export that throws; what it returns does not matter. */
  private interface Call {
    void run();
  }

  @BeforeEach
  void open() {
    Path library = Path.of(System.getProperty("tickwell.test.library"));
    LibraryLoader.load(EngineOptions.in(folder.resolve("natives")).withNativePath(library));
    runtime = Native.openRuntime(Wire.pairs(Map.of()));
    database = openDatabase(runtime, "main");
    owner = Native.openOwner(runtime, "Demo");
    lane = Native.openLane(runtime);
  }

  @AfterEach
  void close() {
    close(runtime);
  }

  private long openDatabase(long runtime, String name) {
    String path = folder.resolve(name + ".db").toString();
    return Native.openDatabase(
        runtime, Wire.pairs(Map.of("name", name, "type", "sqlite", "path", path)));
  }

  private static void close(long runtime) {
    Native.closeRuntime(runtime, SECOND);
    while (Native.awaitCompletions(runtime, 1_000, SECOND) != null) {
      // What is left was not asked for.
    }
  }

  private static byte[] query(String sql) {
    return Requests.raw(Requests.RAW_QUERY, sql, Map.of());
  }

  private byte[] result(long id) {
    while (true) {
      for (byte[] frame : Native.awaitCompletions(runtime, 10, SECOND)) {
        assertEquals(id, Wire.getLong(frame, 0));
        return frame;
      }
    }
  }

  private Map<String, Call> throwing() {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("openRuntime", () -> Native.openRuntime(Wire.pairs(Map.of())));
    calls.put("openDatabase", () -> openDatabase(runtime, "other"));
    calls.put("closeDatabase", () -> Native.closeDatabase(runtime, database, 0));
    calls.put(
        "backupDatabase",
        () -> Native.backupDatabase(runtime, database, folder.resolve("backup.db").toString()));
    calls.put("openOwner", () -> Native.openOwner(runtime, "Other"));
    calls.put("closeOwner", () -> Native.closeOwner(runtime, owner));
    calls.put(
        "submit",
        () -> Native.submit(runtime, database, 1, owner, query("SELECT 1 AS n"), null, false));
    calls.put(
        "stream",
        () ->
            Native.stream(runtime, database, 1, owner, query("SELECT 1 AS n"), null, 1, 1, SECOND));
    calls.put("credit", () -> Native.credit(runtime, 1, 1));
    calls.put(
        "beginTransaction",
        () -> Native.beginTransaction(runtime, database, 2, owner, SECOND, SECOND, SECOND));
    calls.put(
        "executeInTransaction",
        () -> Native.executeInTransaction(runtime, lane, 3, query("SELECT 1 AS n"), null));
    calls.put("endTransaction", () -> Native.endTransaction(runtime, lane, true));
    calls.put("cancel", () -> Native.cancel(runtime, 1));
    calls.put("awaitCompletions", () -> Native.awaitCompletions(runtime, 1, 0));
    calls.put("execute", () -> Native.execute(runtime, database));
    calls.put("executeRead", () -> Native.executeRead(runtime, database));
    calls.put("wakeDatabase", () -> Native.wakeDatabase(runtime, database));
    calls.put("record", () -> Native.record(runtime, database, 3, new long[13]));
    calls.put("statistics", () -> Native.statistics(runtime));
    calls.put("openLane", () -> Native.openLane(runtime));
    calls.put("closeLane", () -> Native.closeLane(runtime, lane));
    calls.put("closeRuntime", () -> Native.closeRuntime(runtime, 0));
    return calls;
  }

  private Map<String, LongSupplier> hot() {
    Map<String, LongSupplier> calls = new LinkedHashMap<>();
    calls.put("abiVersion", Native::abiVersion);
    calls.put("background", Native::background);
    calls.put("tickStart", () -> Native.tickStart(lane, SECOND));
    calls.put("ready", () -> Native.ready(lane, 5, owner, 0, 0, 1));
    calls.put("next", () -> Native.next(lane));
    calls.put("tickEnd", () -> Native.tickEnd(lane, SECOND));
    calls.put("drop", () -> Native.drop(lane, 6));
    return calls;
  }

  /** Runs something while an export panics. */
  private static void panicking(String export, Call run) {
    long armed = Native.openRuntime(Wire.pairs(Map.of("test-panic", export)));
    try {
      run.run();
    } finally {
      // Opening another runtime ends the panics, and so does the end of the last one opened.
      if (!export.equals("openRuntime")) {
        close(Native.openRuntime(Wire.pairs(Map.of())));
      }
      close(armed);
    }
  }

  @Test
  void everyExportIsTested() {
    Set<String> natives =
        Arrays.stream(Native.class.getDeclaredMethods())
            .filter(method -> Modifier.isNative(method.getModifiers()))
            .map(java.lang.reflect.Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> tested = new TreeSet<>(throwing().keySet());
    tested.addAll(hot().keySet());
    assertEquals(natives, tested);
  }

  @Test
  void aPanicInAnExportIsAnExceptionAndTheLibraryGoesOn() {
    throwing()
        .forEach(
            (export, call) ->
                panicking(
                    export,
                    () -> {
                      TickwellException e =
                          assertThrows(TickwellException.class, call::run, export);
                      assertEquals(ErrorCode.INTERNAL, e.code(), export);
                      assertEquals(export, e.operation());
                      assertTrue(e.getMessage().contains("test-panic in " + export), export);
                    }));
    Native.submit(runtime, database, 7, owner, query("SELECT 1 AS n"), null, false);
    assertEquals(1, result(7)[9], "rows");
  }

  @Test
  void aPanicInAHotExportGivesNothingAndTheLaneGoesOn() {
    Native.tickStart(lane, SECOND);
    Native.ready(lane, 5, owner, 0, 0, 1);
    hot()
        .forEach(
            (export, call) -> panicking(export, () -> assertEquals(0, call.getAsLong(), export)));
    assertEquals(1L << 56 | 5, Native.next(lane));
    assertEquals(0, Native.next(lane));
    assertEquals(0, Native.tickEnd(lane, 0));
    byte[] record = result(5);
    assertEquals(104, record.length);
    assertEquals(2, record[8]);
  }

  @Test
  void handlesThatAreClosedForeignOrMadeUpAreRefused() {
    long other = Native.openRuntime(Wire.pairs(Map.of()));
    long theirs = openDatabase(other, "theirs");
    long theirLane = Native.openLane(other);
    Native.closeDatabase(runtime, database, 0);
    Native.closeLane(runtime, lane);
    for (long handle : new long[] {database, theirs, runtime, lane, 0, -1, Long.MAX_VALUE}) {
      refused(() -> Native.submit(runtime, handle, 1, owner, query("SELECT 1 AS n"), null, false));
      refused(
          () -> Native.stream(runtime, handle, 1, owner, query("SELECT 1 AS n"), null, 1, 1, 0));
      refused(() -> Native.closeDatabase(runtime, handle, 0));
      refused(() -> Native.record(runtime, handle, 3, new long[13]));
    }
    for (long handle : new long[] {lane, theirLane, runtime, 0, -1}) {
      refused(() -> Native.closeLane(runtime, handle));
    }
    for (long handle : new long[] {lane, runtime, theirs, 0, -1}) {
      assertEquals(0, Native.tickStart(handle, 1));
      assertEquals(0, Native.ready(handle, 1, 1, 0, 0, 1));
      assertEquals(0, Native.next(handle));
      assertEquals(0, Native.tickEnd(handle, 0));
      assertEquals(0, Native.drop(handle, 1));
    }
    close(other);
    for (long handle : new long[] {other, theirs, 0, -1}) {
      refused(() -> Native.statistics(handle));
      refused(() -> Native.awaitCompletions(handle, 1, 0));
      refused(() -> Native.closeRuntime(handle, 0));
      refused(() -> Native.openOwner(handle, "x"));
    }
  }

  private static void refused(Call call) {
    TickwellException e = assertThrows(TickwellException.class, call::run);
    assertEquals(ErrorCode.INVALID_HANDLE, e.code());
  }

  @Test
  void closingGivesEveryResultAndThenNullOnce() {
    for (int id = 1; id <= 100; id++) {
      Native.submit(runtime, database, id, owner, query("SELECT 1 AS n"), null, false);
    }
    long closing = Native.openRuntime(Wire.pairs(Map.of()));
    Native.closeRuntime(runtime, 20 * SECOND);
    TickwellException e =
        assertThrows(
            TickwellException.class,
            () ->
                Native.submit(runtime, database, 101, owner, query("SELECT 1 AS n"), null, false));
    assertFalse(e.getMessage().isEmpty());
    int results = 0;
    for (byte[][] frames; (frames = Native.awaitCompletions(runtime, 7, 0)) != null; ) {
      results += frames.length;
    }
    assertEquals(100, results);
    refused(() -> Native.awaitCompletions(runtime, 7, 0));
    runtime = closing;
  }

  @Test
  void aTransactionIsSeenAfterItsCommitAndItsHandleIsGone() {
    long open = Native.beginTransaction(runtime, database, 9, owner, 0, 0, 0);
    byte[] made =
        Native.executeInTransaction(
            runtime,
            open,
            10,
            Requests.raw(Requests.RAW_UPDATE, "CREATE TABLE t (n INTEGER)", Map.of()),
            null);
    assertEquals(10, Wire.getLong(made, 0));
    assertEquals(2, made[9], "affected");
    assertEquals("Demo", Wire.readPairs(Native.statistics(runtime)).get("main.transaction"));
    Native.endTransaction(runtime, open, true);
    refused(() -> Native.endTransaction(runtime, open, true));
    refused(() -> Native.executeInTransaction(runtime, open, 11, query("SELECT 1"), null));
    Native.submit(runtime, database, 12, owner, query("SELECT n FROM t"), null, false);
    assertEquals(1, result(12)[9], "rows");

    long failed = Native.beginTransaction(runtime, database, 13, owner, 0, 0, 0);
    assertEquals(
        3, Native.executeInTransaction(runtime, failed, 14, query("SELEKT 1"), null)[9], "error");
    TickwellException e =
        assertThrows(TickwellException.class, () -> Native.endTransaction(runtime, failed, true));
    assertEquals(ErrorCode.SYNTAX, e.code(), "the first error");
    assertEquals(2, Integer.parseInt(Wire.readPairs(Native.statistics(runtime)).get("handles")));
  }

  @Test
  void missingArgumentsAreRefused() {
    assertThrows(TickwellException.class, () -> Native.openRuntime(null));
    assertThrows(TickwellException.class, () -> Native.openOwner(runtime, null));
    assertThrows(
        TickwellException.class,
        () -> Native.submit(runtime, database, 1, owner, null, null, false));
    assertThrows(TickwellException.class, () -> Native.record(runtime, database, 3, null));
    TickwellException e =
        assertThrows(
            TickwellException.class,
            () -> Native.submit(runtime, database, 0, owner, query("SELECT 1 AS n"), null, false));
    assertEquals(ErrorCode.INVALID_STATEMENT, e.code());
    e =
        assertThrows(
            TickwellException.class,
            () -> Native.submit(runtime, database, 1, 99, query("SELECT 1 AS n"), null, false));
    assertEquals("99", e.context().get("owner"));
    assertNull(e.getCause());
  }
}
