package dev.tickwell.benchmark.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.benchmark.shape.IdOnly;
import dev.tickwell.benchmark.shape.Numbers;
import dev.tickwell.benchmark.shape.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdbcArmTest {
  @TempDir Path folder;

  private final ExecutorService server = Executors.newSingleThreadExecutor();
  private final ExecutorService async = Executors.newCachedThreadPool();
  private final Shape<Numbers.Stats> numbers = new Numbers("numbers");
  private final Shape<IdOnly.Sparse> ids = new IdOnly("ids");
  private final AtomicLong tick = new AtomicLong();
  private int ticksUntilHandOver;
  private JdbcArm arm;

  @BeforeEach
  void open() throws Exception {
    arm =
        new JdbcArm(
            folder.resolve("peer.db"),
            new Scheduling() {
              @Override
              public void async(Runnable task) {
                async.execute(task);
              }

              @Override
              public void sync(Runnable task) {
                server.execute(
                    () -> {
                      tick.addAndGet(ticksUntilHandOver);
                      task.run();
                    });
              }

              @Override
              public void nextTick(Runnable task) {
                server.execute(task);
              }
            });
    arm.open(numbers);
    arm.open(ids);
  }

  @AfterEach
  void close() {
    arm.close();
    server.shutdown();
    async.shutdown();
  }

  private Measurement measure(Work work) throws Exception {
    Measurement measurement = new Measurement(tick::get);
    server
        .submit(
            () -> {
              measurement.begin();
              work.submit(measurement);
              measurement.submitted();
              measurement.close();
            })
        .get();
    measurement.answered().get(30, TimeUnit.SECONDS);
    assertNull(measurement.fault());
    return measurement;
  }

  @Test
  void writesAndReadsEveryValue() throws Exception {
    List<Numbers.Stats> rows = numbers.rows(100, 1000);
    Measurement write = measure(arm.write(numbers, rows, Scope.LOCAL));
    assertEquals(1000, write.value());
    assertEquals(1000, arm.count(numbers, 100, 1000));
    Measurement read = measure(arm.read(numbers, 100, 1000, Scope.LOCAL));
    assertEquals(rows, read.rows());
    assertEquals(numbers.checksum(rows), read.value());
    assertTrue(read.fields().get("executionNs") > 0);
    assertEquals(0, arm.activeConnections());
  }

  @Test
  void theBusiestTickAddsUpWhatOneTickDid() throws Exception {
    arm.store(numbers, numbers.rows(1, 10));
    Map<String, Long> same = measure(arm.read(numbers, 1, 10, Scope.LOCAL)).fields();
    assertEquals(same.get("mainNs"), same.get("mainTickMaxNs"));
    ticksUntilHandOver = 1;
    Map<String, Long> next = measure(arm.read(numbers, 1, 10, Scope.LOCAL)).fields();
    long submit = next.get("prepareMainNs");
    assertEquals(Math.max(submit, next.get("mainNs") - submit), next.get("mainTickMaxNs"));
  }

  @Test
  void writesManyRowsAStatement() throws Exception {
    List<Numbers.Stats> rows = numbers.rows(7, 123);
    assertEquals(123, measure(arm.write(numbers, rows, Scope.VALUES)).value());
    assertEquals(rows, measure(arm.read(numbers, 7, 123, Scope.LOCAL)).rows());
  }

  @Test
  void keepsNulls() throws Exception {
    List<IdOnly.Sparse> rows = ids.rows(1, 50);
    measure(arm.write(ids, rows, Scope.RAW));
    Measurement read = measure(arm.read(ids, 1, 50, Scope.LOCAL));
    assertEquals(rows, read.rows());
    assertEquals(ids.checksum(rows), read.value());
  }

  @Test
  void publishesInPlaceOfAnOlderResult() throws Exception {
    arm.store(ids, ids.rows(1, 20));
    arm.store(numbers, numbers.rows(1, 10));
    arm.shareOld(ids, 1, 20);
    measure(arm.read(numbers, 1, 10, Scope.SHARED));
    assertEquals(numbers.rows(1, 10), arm.published(numbers));
  }

  @Test
  void writesASharedResult() throws Exception {
    arm.share(numbers, numbers.rows(1, 10));
    assertEquals(10, measure(arm.write(numbers, List.of(), Scope.SHARED)).value());
    assertEquals(10, arm.count(numbers, 1, 10));
  }

  @Test
  void storesNothingOfAFailedBatch() throws Exception {
    arm.store(numbers, numbers.rows(10, 1));
    Measurement measurement = new Measurement(() -> 0);
    server.execute(() -> arm.write(numbers, numbers.rows(1, 10), Scope.LOCAL).submit(measurement));
    measurement.answered().get(30, TimeUnit.SECONDS);
    assertTrue(measurement.fault() instanceof java.sql.SQLException, "" + measurement.fault());
    assertEquals(1, arm.count(numbers, 1, 10));
  }
}
