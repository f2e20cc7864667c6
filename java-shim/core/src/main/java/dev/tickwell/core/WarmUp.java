package dev.tickwell.core;

import dev.tickwell.Database;
import dev.tickwell.Filters;
import dev.tickwell.Key;
import dev.tickwell.ObjectCodec;
import dev.tickwell.Pending;
import dev.tickwell.Rows;
import dev.tickwell.Table;
import dev.tickwell.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs what tick threads will run until Java has compiled it. A server sends a request every now
 * and then, so without this its ticks would interpret our code for hours. A thread of its own plays
 * a server's tick thread, with an engine of its own over a database that is deleted afterwards: the
 * statistics, owners and results of the real one know nothing of it.
 */
final class WarmUp {
  static final String THREAD_NAME = "tickwell-warm-up";

  /**
   * Of all kinds together, in about a second. Java's first compiler has what matters after 2,500,
   * its second one after these, which made delivery take half as long once more.
   */
  private static final int REQUESTS = 20_000;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
  private static final long BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String DATABASE = "warm-up";
  private static final String[] FILES = {"warm-up.db", "warm-up.db-wal", "warm-up.db-shm"};
  private static final int ROWS = 4;

  record Plain(@Key long id, UUID player, String name, int level, double balance, boolean active) {}

  record Coded(@Key long id, Piece piece) {}

  /** Stands for what a server converts on tick threads only. */
  record Piece(String text) {}

  private static final class PieceCodec implements ObjectCodec<Piece> {
    @Override
    public Class<Piece> type() {
      return Piece.class;
    }

    @Override
    public byte[] encode(Piece value) {
      return value.text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Piece decode(byte[] bytes) {
      return new Piece(new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public Piece snapshot(Piece value) {
      return value;
    }

    @Override
    public boolean requiresTickThread() {
      return true;
    }
  }

  /** A server of which the warm-up thread is the tick thread. */
  private final class Server implements Platform {
    private final Queue<TickTask> arrived = new ConcurrentLinkedQueue<>();

    @Override
    public boolean onTickThread() {
      return Thread.currentThread() == thread;
    }

    @Override
    public void dispatch(TickTask task) {
      arrived.add(task);
      LockSupport.unpark(thread);
    }

    @Override
    public void log(System.Logger.Level level, String owner, String message, Throwable cause) {
      // The end in the middle of a round fails requests; that is nobody's trouble.
    }

    void queueArrived(Lane lane) {
      for (TickTask task = arrived.poll(); task != null; task = arrived.poll()) {
        lane.queue(task);
      }
    }
  }

  private final Engine.Starter starter;
  private final Path folder;
  private final Platform platform;
  private final Server server = new Server();
  private final Thread thread = new Thread(this::run, THREAD_NAME);
  private volatile boolean stopped;

  // The warm-up thread alone.
  private int sent;
  private int answered;
  private int failed;
  private Rows<?> copied;

  /**
   * A warm-up that is not started yet.
   *
   * @param folder where its database is for that time
   * @param platform where it is logged that there is none; that costs time of ticks, and nothing
   *     else
   */
  WarmUp(Engine.Starter starter, Path folder, Platform platform) {
    this.starter = starter;
    this.folder = folder;
    this.platform = platform;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Ends it, up to a {@link System#nanoTime} deadline; gives whether it has ended in time. */
  boolean stop(long deadline) throws InterruptedException {
    stopped = true;
    LockSupport.unpark(thread);
    thread.join(Math.max(100, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    return !thread.isAlive();
  }

  /** How many requests were answered; once it has ended. */
  int answered() {
    return answered;
  }

  /** How many of them failed; once it has ended. */
  int failed() {
    return failed;
  }

  private void run() {
    Native.background();
    try {
      Files.createDirectories(folder);
      deleteFiles();
      try {
        Engine engine = starter.start(server);
        try {
          warmUp(engine);
        } finally {
          engine.close(CLOSE_LIMIT);
        }
      } finally {
        deleteFiles();
      }
    } catch (IOException | RuntimeException | Error e) {
      platform.log(
          System.Logger.Level.WARNING,
          null,
          "the warm-up failed, so the first requests take more of a tick than later ones: " + e,
          e);
    }
  }

  private void deleteFiles() throws IOException {
    for (String file : FILES) {
      Files.deleteIfExists(folder.resolve(file));
    }
  }

  private void warmUp(Engine engine) {
    String path = folder.resolve(FILES[0]).toString();
    engine.openDatabase(DATABASE, Map.of("type", "sqlite", "path", path, "synchronous", "off"));
    Owner owner = engine.owner(DATABASE);
    engine.register(owner, new PieceCodec());
    Database database = engine.database(owner, DATABASE);
    Table<Plain> plain = database.table("plain", Plain.class).register();
    Table<Coded> coded = database.table("coded", Coded.class).register();
    long deadline = System.nanoTime() + LIMIT_NANOS;
    try (Lane lane = engine.openLane()) {
      for (int round = 0; goesOn(deadline) && answered < REQUESTS; round++) {
        lane.start(BUDGET_NANOS);
        submit(database, plain, coded, round);
        lane.end(0);
        while (answered < sent && goesOn(deadline)) {
          tick(lane);
        }
      }
    }
  }

  private boolean goesOn(long deadline) {
    return !stopped && System.nanoTime() - deadline < 0;
  }

  private void tick(Lane lane) {
    if (server.arrived.isEmpty()) {
      LockSupport.parkNanos(this, PARK_NANOS);
    }
    server.queueArrived(lane);
    lane.start(BUDGET_NANOS);
    lane.run();
    lane.end(0);
  }

  /** One request of each kind that plugins make on ticks. */
  private void submit(Database database, Table<Plain> plain, Table<Coded> coded, int round) {
    long first = (long) round * ROWS;
    long last = first + ROWS - 1;
    List<Plain> rows = new ArrayList<>(ROWS);
    List<Coded> pieces = new ArrayList<>(ROWS);
    for (long id = first; id <= last; id++) {
      rows.add(new Plain(id, new UUID(round, id), "player " + id, round, id / 2.0, id % 2 == 0));
      pieces.add(new Coded(id, new Piece("piece " + id)));
    }
    answer(plain.insert(rows));
    answer(coded.insert(pieces));
    answer(plain.upsert(rows));
    answer(plain.find(first));
    answer(coded.find(last));
    Pending<Rows<Plain>> read =
        plain
            .select()
            .where(Filters.between("id", first, last))
            .orderBy(Filters.asc("id"))
            .limit(ROWS)
            .fetch();
    read.async(WarmUp::decode);
    answer(read);
    answer(plain.select().where(Filters.eq("level", round)).orderBy(Filters.asc("id")).fetch());
    Pending<Rows<Plain>> published =
        plain.select().where(Filters.eq("id", last)).publish("warm-up");
    published.on(new Target.Global(), result -> copied = result, failure -> copied = null);
    answer(published);
    answer(coded.select().where(Filters.between("id", first, last)).fetch());
    answer(database.query("SELECT id, name FROM {plain} WHERE id = ?", first));
    answer(database.update("UPDATE {plain} SET level = ? WHERE id = ?", round + 1, first));
    answer(plain.update().add("level", 1).where(Filters.eq("id", first)).run());
    answer(plain.delete(Filters.between("id", first, last)));
    answer(coded.delete(Filters.between("id", first, last)));
    if (copied != null) {
      answer(plain.insert(copied));
      answer(plain.deleteAll());
    }
  }

  private void answer(Pending<?> pending) {
    sent++;
    pending.on(
        new Target.Global(),
        result -> answered++,
        failure -> {
          answered++;
          failed++;
        });
  }

  /** Reads each value, and each row as a record, as a plugin does off the tick. */
  private static void decode(Rows<Plain> rows) {
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.columnCount(); column++) {
        rows.get(row, column);
      }
      rows.getLong(row, 0);
      rows.getUuid(row, 1);
      rows.getString(row, 2);
      rows.getInt(row, 3);
      rows.getDouble(row, 4);
      rows.getBoolean(row, 5);
    }
    rows.toList();
  }
}
