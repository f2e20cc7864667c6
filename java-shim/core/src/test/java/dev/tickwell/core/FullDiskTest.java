package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tickwell.Effect;
import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.Table;
import dev.tickwell.TickwellException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk on which no room is left: a small file system in memory, mounted for each test. */
class FullDiskTest {
  record Line(@Key long id, String text) {}

  private static final int DISK_BYTES = 2 << 20;

  private Path disk;
  private Bed bed;
  private Table<Line> lines;

  @BeforeEach
  void open() throws Exception {
    disk = Bed.temporary();
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tickwell", disk.toString());
    if (!mounted) {
      Files.delete(disk);
    }
    assumeTrue(mounted, "a file system can be mounted by a privileged user on Linux only");
    bed = new Bed(Bed.temporary());
    bed.engine.openDatabase(
        "small", Map.of("type", "sqlite", "path", disk.resolve("small.db").toString()));
    lines = bed.engine.database(bed.owner, "small").table("lines", Line.class).register();
    Bed.await(lines.insert(rows(0, 10)));
  }

  @AfterEach
  void close() throws Exception {
    if (bed != null) {
      bed.close();
      assertTrue(run("umount", disk.toString()), "the file system stays");
      Files.delete(disk);
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static List<Line> rows(long first, int count) {
    String text = "x".repeat(200);
    return LongStream.range(first, first + count).mapToObj(id -> new Line(id, text)).toList();
  }

  /** Takes all room but a little; gives the file that holds it. */
  private Path fill() throws IOException {
    Path filler = disk.resolve("filler");
    long room = Files.getFileStore(disk).getUsableSpace();
    Files.write(filler, new byte[(int) Math.max(0, room - (128 << 10))]);
    return filler;
  }

  @Test
  void aWriteThatFindsNoRoomFailsWholeAndTheDatabaseGoesOn() throws Exception {
    Path filler = fill();
    TickwellException failure = Bed.failure(lines.insert(rows(100, 5_000)));
    assertEquals(ErrorCode.DISK_FULL, failure.code());
    assertEquals(Effect.NONE, failure.effect());
    assertTrue(failure.getMessage().contains("free space on its disk"), failure::getMessage);
    assertTrue(failure.context().get("path").endsWith("small.db"), failure::getMessage);
    assertEquals(10, Bed.await(lines.count()));
    Files.delete(filler);
    assertEquals(1_000, Bed.await(lines.insert(rows(100, 1_000))));
    assertEquals(1_010, Bed.await(lines.count()));
  }

  @Test
  void oneThatFindsNoRoomCostsItsNeighboursNothing() throws Exception {
    Path filler = fill();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Pending<Void> holder =
        bed.engine
            .database(bed.owner, "small")
            .transactionResult(
                tx -> {
                  begun.countDown();
                  end.await();
                  return null;
                });
    begun.await();
    Pending<Long> before = lines.insert(rows(100, 1));
    Pending<Long> large = lines.insert(rows(1_000, 5_000));
    Pending<Long> after = lines.insert(rows(101, 1));
    end.countDown();
    Bed.await(holder);
    assertEquals(1, Bed.await(before));
    assertEquals(ErrorCode.DISK_FULL, Bed.failure(large).code());
    assertEquals(1, Bed.await(after));
    assertEquals(12, Bed.await(lines.count()));
    Files.delete(filler);
    assertEquals(1, Bed.await(lines.insert(rows(102, 1))));
  }

  @Test
  void aTransactionThatFindsNoRoomIsRolledBack() throws Exception {
    Path filler = fill();
    Pending<Long> transaction =
        bed.engine
            .database(bed.owner, "small")
            .transactionResult(
                tx -> tx.insert(lines, rows(100, 1)) + tx.insert(lines, rows(1_000, 5_000)));
    TickwellException failure = Bed.failure(transaction);
    assertEquals(ErrorCode.DISK_FULL, failure.code());
    assertEquals(Effect.NONE, failure.effect());
    assertEquals(10, Bed.await(lines.count()));
    Files.delete(filler);
    assertEquals(1, Bed.await(lines.insert(rows(102, 1))));
  }

  @Test
  void aCopyThatFindsNoRoomLeavesNoFile() throws Exception {
    Bed.await(lines.insert(rows(100, 1_000)));
    Path filler = fill();
    Path copy = disk.resolve("copy.db");
    TickwellException failure =
        assertThrows(TickwellException.class, () -> bed.engine.backup("small", copy));
    assertEquals(ErrorCode.DISK_FULL, failure.code());
    assertEquals(copy.toString(), failure.context().get("path"));
    try (Stream<Path> files = Files.list(disk)) {
      assertEquals(
          List.of(),
          files.filter(file -> file.getFileName().toString().startsWith("copy")).toList());
    }
    assertEquals(1_010, Bed.await(lines.count()));
    Files.delete(filler);
    bed.engine.backup("small", copy);
    assertTrue(Files.size(copy) > 200_000);
  }

  @Test
  void aDatabaseThatIsOpenedOnAFullDiskSaysSo() throws Exception {
    Path filler = disk.resolve("filler");
    Files.write(filler, new byte[(int) Files.getFileStore(disk).getUsableSpace()]);
    bed.engine.openDatabase(
        "late", Map.of("type", "sqlite", "path", disk.resolve("late.db").toString()));
    Table<Line> late = bed.engine.database(bed.owner, "late").table("lines", Line.class).register();
    assertEquals(ErrorCode.DISK_FULL, Bed.failure(late.registration()).code());
    Files.delete(filler);
    Table<Line> again =
        bed.engine.database(bed.owner, "late").table("lines", Line.class).register();
    assertEquals(1, Bed.await(again.insert(rows(1, 1))));
  }
}
