package dev.tickwell.core;

import static dev.tickwell.Filters.asc;
import static dev.tickwell.Filters.desc;
import static dev.tickwell.Filters.lt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.StreamControl;
import dev.tickwell.StreamEnd;
import dev.tickwell.Table;
import dev.tickwell.Target;
import dev.tickwell.TickwellException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams on their whole way, with the real library. */
class StreamTest {
  private static final Target GLOBAL = new Target.Global();

  record Account(@Key long id, long coins) {}

  private Bed bed;
  private Table<Account> accounts;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary(), Map.of(), Map.of("synchronous", "off"));
    accounts = bed.db.table("accounts", Account.class).register();
  }

  /** Whatever a test did: nothing of a stream is left. */
  @AfterEach
  void close() {
    if (!bed.engine.statistics().isEmpty()) {
      Bed.eventually("no stream holds a connection", () -> bed.statistic("main.streams") == 0);
      Bed.eventually("no request is open", () -> bed.statistic("java.requests.open") == 0);
      Bed.eventually("no bytes are held", () -> bed.statistic("bytes.reads") == 0);
      Bed.eventually("nothing waits for ticks", () -> bed.lane.tasks() == 0);
      Bed.eventually("the plugin waits for nothing", () -> bed.owner.openRequests() == 0);
    }
    bed.close();
  }

  private void fill(int count) {
    Bed.await(
        accounts.insert(
            LongStream.range(0, count).mapToObj(id -> new Account(id, id * 10)).toList()));
  }

  /** What was logged, without callbacks that were slow on a busy machine. */
  private List<String> errors() {
    return bed.log.stream().filter(line -> line.startsWith("ERROR")).toList();
  }

  private static StreamEnd end(CompletableFuture<StreamEnd> end) {
    return Bed.await(end);
  }

  @Test
  void everyRowComesOnceInOrderAndNoTwoPagesAtOnce() {
    fill(200_000);
    AtomicInteger running = new AtomicInteger();
    List<Integer> sizes = new ArrayList<>();
    long[] sums = new long[2];
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().orderBy(asc("id")).stream(1_000)
        .async(
            (page, stream) -> {
              assertEquals(1, running.incrementAndGet());
              sizes.add(page.size());
              for (int row = 0; row < page.size(); row++) {
                assertEquals(sums[0]++, page.getLong(row, 0));
                sums[1] += page.getLong(row, 1);
              }
              running.decrementAndGet();
            },
            end::complete);
    StreamEnd ended = end(end);
    assertNull(ended.failure());
    assertTrue(ended.isComplete());
    assertEquals(200_000, ended.rows());
    assertEquals(200, sizes.size());
    assertEquals(List.of(1_000), sizes.stream().distinct().toList());
    assertEquals(200_000, sums[0]);
    assertEquals(10L * 200_000 * 199_999 / 2, sums[1]);
    // Each page counts as a select, the stream as none.
    Bed.eventually("pages are recorded", () -> bed.statistic("main.select.requests") == 200);
  }

  @Test
  void theNextPageIsReadOnlyWhenOneWasTaken() {
    fill(100);
    Semaphore go = new Semaphore(0);
    AtomicInteger begun = new AtomicInteger();
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().stream(10)
        .ahead(2)
        .async(
            (page, stream) -> {
              begun.incrementAndGet();
              go.acquireUninterruptibly();
            },
            end::complete);
    Bed.eventually("the first page came", () -> begun.get() == 1);
    // A write and a read go on meanwhile, and the stream sees nothing of them.
    Bed.await(accounts.insert(new Account(1_000, 1)));
    assertEquals(101L, Bed.await(accounts.select().fetch()).size());
    assertEquals(1, bed.statistic("main.streams"));
    assertFalse(end.isDone());
    go.release(10);
    assertEquals(100, end(end).rows());
    assertEquals(10, begun.get());
  }

  @Test
  void pagesAndTheEndComeOnTheTargetsThread() {
    fill(95);
    Map<Thread, Integer> threads = new ConcurrentHashMap<>();
    List<Long> ids = new ArrayList<>();
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().where(lt("id", 50L)).orderBy(desc("id")).stream(20)
        .on(
            GLOBAL,
            (page, stream) -> {
              threads.merge(Thread.currentThread(), 1, Integer::sum);
              page.forEach(account -> ids.add(account.id()));
            },
            ended -> {
              threads.merge(Thread.currentThread(), 1, Integer::sum);
              end.complete(ended);
            });
    assertEquals(new StreamEnd(50, null), end(end));
    assertEquals(List.of(4), List.copyOf(threads.values()));
    assertTrue(bed.onServer(() -> threads.containsKey(Thread.currentThread())));
    assertEquals(LongStream.range(0, 50).map(id -> 49 - id).boxed().toList(), ids);
  }

  @Test
  void aStreamThatATickThreadBeginsSeesWhatItWroteBefore() {
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    bed.onServer(
        () -> {
          accounts.insert(new Account(7, 70)).async(done -> {});
          return accounts.select().stream(10).on(GLOBAL, (page, stream) -> {}, end::complete);
        });
    assertEquals(1, end(end).rows());
  }

  @Test
  void noRowIsAnEndWithoutAPage() {
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().stream(10)
        .async(
            (page, stream) -> end.completeExceptionally(new AssertionError("a page")),
            end::complete);
    assertEquals(new StreamEnd(0, null), end(end));
  }

  @Test
  void manualStreamsReadWhatWasAskedFor() {
    fill(50);
    AtomicInteger pages = new AtomicInteger();
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    StreamControl control =
        accounts.select().stream(10)
            .manual()
            .async((page, s) -> pages.incrementAndGet(), end::complete);
    Bed.eventually("it is being read", () -> bed.statistic("main.streams") == 1);
    assertEquals(0, pages.get());
    control.request(2);
    Bed.eventually("two pages came", () -> pages.get() == 2);
    // What is asked for here comes behind whatever the stream would have read by itself.
    Bed.await(accounts.count());
    assertEquals(2, pages.get());
    assertFalse(control.isDone());
    control.request(100);
    assertEquals(50, end(end).rows());
    assertEquals(5, pages.get());
    assertTrue(control.isDone());
    control.request(1);
    assertEquals(
        ErrorCode.INVALID_STATEMENT,
        assertThrows(TickwellException.class, () -> control.request(0)).code());
  }

  @Test
  void creditOfATickThreadIsNotLostWhileItsRequestIsOnItsWay() {
    fill(50);
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    bed.onServer(
        () -> {
          accounts.select().stream(10).manual().async((page, s) -> {}, end::complete).request(5);
          return null;
        });
    assertEquals(50, end(end).rows());
  }

  @Test
  void cancellingInTheMiddleGivesTheConnectionBack() {
    fill(1_000);
    for (Target target : new Target[] {null, GLOBAL}) {
      AtomicInteger pages = new AtomicInteger();
      AtomicReference<Boolean> cancelled = new AtomicReference<>();
      CompletableFuture<StreamEnd> end = new CompletableFuture<>();
      dev.tickwell.PageConsumer<Account> consumer =
          (page, stream) -> {
            if (pages.incrementAndGet() == 3) {
              cancelled.set(stream.cancel());
              assertFalse(stream.cancel());
            }
          };
      StreamControl control =
          target == null
              ? accounts.select().stream(10).async(consumer, end::complete)
              : accounts.select().stream(10).on(target, consumer, end::complete);
      StreamEnd ended = end(end);
      assertEquals(ErrorCode.CANCELLED, ended.failure().code());
      assertFalse(ended.isComplete());
      assertEquals(30, ended.rows());
      assertEquals(3, pages.get());
      assertEquals(true, cancelled.get());
      assertFalse(control.cancel());
    }
    assertEquals(List.of(), errors());
  }

  @Test
  void aConsumerThatThrowsEndsItsStreamAndIsLogged() {
    fill(100);
    AtomicInteger pages = new AtomicInteger();
    IllegalStateException thrown = new IllegalStateException("no more");
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().stream(10)
        .on(
            GLOBAL,
            (page, stream) -> {
              if (pages.incrementAndGet() == 2) {
                throw thrown;
              }
            },
            end::complete);
    StreamEnd ended = end(end);
    assertEquals(ErrorCode.INTERNAL, ended.failure().code());
    assertSame(thrown, ended.failure().getCause());
    assertEquals(20, ended.rows());
    assertEquals(2, pages.get());
    assertEquals(1, errors().size());
    assertTrue(
        bed.log
            .get(0)
            .matches(
                "ERROR Demo the callback of a page of stream on demo_accounts of Demo.*no more"),
        errors().get(0));
  }

  @Test
  void aSlowConsumerLosesItsStreamAndGetsWhatWasRead() {
    fill(100);
    Semaphore go = new Semaphore(0);
    AtomicInteger pages = new AtomicInteger();
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().stream(10)
        .idleLimit(Duration.ofMillis(1))
        .async(
            (page, stream) -> {
              pages.incrementAndGet();
              go.acquireUninterruptibly();
            },
            end::complete);
    Bed.eventually("the first page came", () -> pages.get() == 1);
    Bed.eventually("it lost its connection", () -> bed.statistic("main.streams") == 0);
    Bed.eventually("its end came", () -> bed.statistic("java.requests.open") == 0);
    go.release(2);
    StreamEnd ended = end(end);
    assertEquals(ErrorCode.TIMEOUT, ended.failure().code());
    assertEquals(20, ended.rows());
    assertEquals(2, pages.get());
  }

  @Test
  void aDisabledPluginGetsNothingAnyMore() {
    fill(1_000);
    AtomicInteger pages = new AtomicInteger();
    AtomicInteger ends = new AtomicInteger();
    Table<Account> shared = accounts;
    bed.pause();
    StreamControl control =
        shared.select().stream(10)
            .on(GLOBAL, (page, s) -> pages.incrementAndGet(), e -> ends.incrementAndGet());
    Bed.eventually("its first page waits for a tick", () -> bed.lane.tasks() == 1);
    bed.onServer(
        () -> {
          bed.owner.close();
          return null;
        });
    bed.resume();
    Bed.eventually("its connection is free", () -> bed.statistic("main.streams") == 0);
    Bed.eventually("its end came", () -> bed.statistic("java.requests.open") == 0);
    bed.onServer(() -> null);
    assertEquals(0, pages.get());
    assertEquals(0, ends.get());
    assertTrue(control.isDone());
    assertFalse(control.cancel());
  }

  @Test
  void closingTheDatabaseEndsItAtOnce() {
    fill(100);
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().stream(10).manual().async((page, s) -> {}, end::complete).request(1);
    Bed.eventually("it is being read", () -> bed.statistic("main.streams") == 1);
    // Long: only its consumer could end it otherwise.
    bed.engine.closeDatabase("main", Duration.ofHours(1));
    assertEquals(ErrorCode.CLOSED, end(end).failure().code());
    bed.engine.openDatabase(
        "main", Map.of("type", "sqlite", "path", bed.folder.resolve("test.db").toString()));
  }

  @Test
  void aTargetThatIsGoneEndsIt() {
    fill(100);
    AtomicInteger pages = new AtomicInteger();
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    bed.dispatcher = task -> task.gone("the player left");
    accounts.select().stream(10).on(GLOBAL, (page, s) -> pages.incrementAndGet(), end::complete);
    assertEquals(ErrorCode.GONE, end(end).failure().code());
    assertEquals(0, pages.get());
  }

  @Test
  void whatIsWrongIsSaidAtOnceOrInTheEnd() {
    for (int rows : new int[] {0, -1}) {
      assertEquals(
          ErrorCode.INVALID_STATEMENT,
          assertThrows(TickwellException.class, () -> accounts.select().stream(rows)).code());
    }
    assertEquals(
        ErrorCode.INVALID_STATEMENT,
        assertThrows(
                TickwellException.class, () -> accounts.select().stream(1).idleLimit(Duration.ZERO))
            .code());
    CompletableFuture<StreamEnd> end = new CompletableFuture<>();
    accounts.select().orderBy(asc("nothing")).stream(1).async((page, s) -> {}, end::complete);
    StreamEnd ended = end(end);
    assertEquals(ErrorCode.UNKNOWN_COLUMN, ended.failure().code());
    assertEquals(0, ended.rows());
  }
}
