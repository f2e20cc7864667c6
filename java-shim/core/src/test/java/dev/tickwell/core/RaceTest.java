package dev.tickwell.core;

import static dev.tickwell.Filters.eq;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.Key;
import dev.tickwell.Pending;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What callers that race each other for one database may rely on, from Java to SQLite. */
class RaceTest {
  record Profile(@Key long id, long level) {}

  /** A player who left: what was saved, and is to be found when he joins again. */
  private record Left(long id, long level, Pending<Long> save) {}

  /** A load that has been asked for. */
  private record Joined(Left left, Pending<Rows<Profile>> load) {}

  private Bed bed;
  private Table<Profile> profiles;

  @BeforeEach
  void open() {
    bed = new Bed(Bed.temporary());
    profiles = bed.db.table("profiles", Profile.class).register();
    Bed.await(profiles.registration());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private Left quit(long id, long level) {
    return new Left(id, level, profiles.upsert(new Profile(id, level)));
  }

  private Joined join(Left left) {
    return new Joined(left, profiles.select().where(eq("id", left.id())).fetch());
  }

  /**
   * A thousand players quit and join again at once, saved and loaded by the tick thread and others,
   * also one by one and the other by another. Nobody waits for a save.
   */
  @Test
  void eachOfAThousandLoadsSeesTheSaveBeforeIt() throws Exception {
    int threads = 4;
    int pairs = 250;
    BlockingQueue<Left> toOthers = new LinkedBlockingQueue<>();
    BlockingQueue<Left> toTick = new LinkedBlockingQueue<>();
    BlockingQueue<Joined> joined = new LinkedBlockingQueue<>();
    List<Thread> running = new ArrayList<>();
    for (int number = 0; number < threads; number++) {
      int self = number;
      running.add(
          new Thread(
              () -> {
                for (int pair = 0; pair < pairs; pair++) {
                  long id = (long) self * pairs + pair;
                  // Half of them are saved here, and half of those are loaded on the tick thread.
                  if (pair % 2 == 0) {
                    Left left = quit(id, id + 1);
                    if (pair % 4 == 0) {
                      toTick.add(left);
                    } else {
                      joined.add(join(left));
                    }
                  } else {
                    try {
                      joined.add(join(toOthers.take()));
                    } catch (InterruptedException e) {
                      return;
                    }
                  }
                }
              }));
    }
    running.forEach(Thread::start);
    // The other half is saved on the tick thread, and loaded by whoever is free.
    for (int number = 0; number < threads; number++) {
      for (int pair = 1; pair < pairs; pair += 2) {
        long id = (long) number * pairs + pair;
        bed.onServer(
            () -> {
              toOthers.add(quit(id, id + 1));
              for (Left left = toTick.poll(); left != null; left = toTick.poll()) {
                joined.add(join(left));
              }
              return null;
            });
      }
    }
    for (Thread thread : running) {
      thread.join();
    }
    bed.onServer(
        () -> {
          toTick.forEach(left -> joined.add(join(left)));
          return null;
        });
    assertEquals(threads * pairs, joined.size());
    for (Joined pair : joined) {
      Left left = pair.left();
      assertEquals(1, Bed.await(left.save()));
      Rows<Profile> rows = Bed.await(pair.load());
      assertEquals(1, rows.size(), () -> "the save of " + left.id() + " is not there");
      assertEquals(new Profile(left.id(), left.level()), rows.row(0));
    }
    assertEquals(joined.size(), Bed.await(profiles.count()));
  }

  /**
   * The same player leaves and joins again and again, from several threads that hand him on without
   * waiting for the database: each load sees the last save.
   */
  @Test
  void aLoadSeesTheLastOfManySavesWhicheverThreadsHandThePlayerOn() throws Exception {
    int players = 5;
    int turns = 200;
    List<BlockingQueue<Long>> servers = new ArrayList<>();
    for (int server = 0; server < 3; server++) {
      servers.add(new LinkedBlockingQueue<>());
    }
    BlockingQueue<Joined> joined = new LinkedBlockingQueue<>();
    CountDownLatch ended = new CountDownLatch(players);
    List<Thread> running = new ArrayList<>();
    for (int server = 0; server < servers.size(); server++) {
      BlockingQueue<Long> here = servers.get(server);
      BlockingQueue<Long> next = servers.get((server + 1) % servers.size());
      running.add(
          new Thread(
              () -> {
                try {
                  // What is handed on is the player's id and turn; each turn loads, then saves.
                  for (long player = here.take(); player >= 0; player = here.take()) {
                    long id = player % players;
                    long turn = player / players;
                    if (turn > 0) {
                      joined.add(join(new Left(id, turn, null)));
                    }
                    if (turn == turns) {
                      ended.countDown();
                      continue;
                    }
                    quit(id, turn + 1);
                    next.add((turn + 1) * players + id);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (long player = 0; player < players; player++) {
      servers.get((int) player % servers.size()).add(player);
    }
    running.forEach(Thread::start);
    ended.await();
    servers.forEach(server -> server.add(-1L));
    for (Thread thread : running) {
      thread.join();
    }
    assertEquals(players * turns, joined.size());
    for (Joined load : joined) {
      Rows<Profile> rows = Bed.await(load.load());
      assertEquals(1, rows.size());
      // Or one that came later: it may have been stored before this was read.
      long level = rows.row(0).level();
      assertTrue(level >= load.left().level(), () -> level + " after " + load.left());
    }
  }

  /**
   * Holds the writer until the latch is released, so that what is submitted meanwhile queues up.
   */
  private Pending<Object> holdWrites(CountDownLatch release) {
    CompletableFuture<Void> held = new CompletableFuture<>();
    Pending<Object> holding =
        bed.db.transactionResult(
            tx -> {
              held.complete(null);
              release.await();
              return null;
            });
    Bed.await(held);
    return holding;
  }

  @Test
  void oneOfAHundredGroupedCallersFailsAlone() throws Exception {
    Bed.await(profiles.insert(new Profile(1_000, 0)));
    long before = bed.statistic("main.transactions");
    CountDownLatch release = new CountDownLatch(1);
    Pending<Object> holding = holdWrites(release);
    List<Pending<Long>> writes = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      // The last row of number 50 is there already; the first two are not.
      List<Profile> rows =
          LongStream.of(number, 2_000 + number, number == 50 ? 1_000 : 3_000 + number)
              .mapToObj(id -> new Profile(id, 1))
              .toList();
      writes.add(profiles.insert(rows));
    }
    Bed.eventually("all are queued", () -> bed.statistic("main.queued-writes") == 100);
    release.countDown();
    Bed.await(holding);
    for (int number = 0; number < 100; number++) {
      Pending<Long> write = writes.get(number);
      if (number == 50) {
        assertEquals(ErrorCode.UNIQUE_VIOLATION, Bed.failure(write).code());
      } else {
        assertEquals(3, Bed.await(write));
        assertEquals(98, Bed.await(write.phases()).groupedWith());
      }
    }
    // One for all of them, beside the one that held them up.
    assertEquals(before + 2, bed.statistic("main.transactions"));
    assertEquals(1 + 99 * 3, Bed.await(profiles.count()));
    assertEquals(0, Bed.await(profiles.count(eq("id", 50))));
    assertEquals(0, Bed.await(profiles.count(eq("id", 2_050))));
    assertEquals(new Profile(1_000, 0), profile(1_000));
  }

  @Test
  void aCancelledCallerCostsItsNeighboursNothing() throws Exception {
    Bed.await(profiles.insert(new Profile(1, 0)));
    CountDownLatch release = new CountDownLatch(1);
    Pending<Object> holding = holdWrites(release);
    List<Pending<Long>> writes = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      // What is cancelled would show in the sum, and so would what is stored twice.
      long amount = number % 10 == 5 ? 1_000 : 1;
      writes.add(profiles.update().add("level", amount).where(eq("id", 1)).run());
    }
    Bed.eventually("all are queued", () -> bed.statistic("main.queued-writes") == 100);
    for (int number = 5; number < 100; number += 10) {
      assertTrue(writes.get(number).cancel());
    }
    release.countDown();
    Bed.await(holding);
    for (int number = 0; number < 100; number++) {
      if (number % 10 == 5) {
        assertEquals(ErrorCode.CANCELLED, Bed.failure(writes.get(number)).code());
      } else {
        assertEquals(1, Bed.await(writes.get(number)));
      }
    }
    assertEquals(new Profile(1, 90), profile(1));
  }

  private Profile profile(long id) {
    return Bed.await(profiles.select().where(eq("id", id)).fetch()).row(0);
  }
}
