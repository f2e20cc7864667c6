package dev.tickwell.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The threads that bring requests into the library, take results and run asynchronous callbacks.
 * Waking an idle thread takes longer than most requests do, so a thread that has begun a request
 * goes on with it: it encodes it, executes it, and runs its callbacks.
 *
 * <p>Two roles are always filled, by threads that meanwhile run neither statements nor code of
 * plugins: the leader waits for results of the library's own threads, as their only consumer; the
 * encoder waits for requests. Each gives its role to an idle thread before it goes on with what it
 * got. The read that a callback submits is executed by the callback's own thread, afterwards. While
 * no thread is idle it keeps the role, the library's own threads execute, and callbacks wait: what
 * blocks in a callback holds up neither requests nor results.
 */
final class WorkerPool implements Executor {
  /** What the threads do. */
  interface Duties {
    /** Waits for results once and handles them; false when there will be no more. */
    boolean takeResults();

    /** Sends the next request of a queue; true when its execution is left to this thread. */
    boolean send(Submissions next);

    /** Executes what is next in a database and handles the results. */
    void execute(String database);

    /** Executes the next read of a database and handles the result. */
    void executeRead(String database);

    /** Has the library's own threads execute what was left to one of these. */
    void decline(String database);

    /** One of the threads begins; runs on it. */
    void started();

    /** A callback threw. */
    void failed(Throwable thrown);
  }

  /** How long a callback may go on before others execute what it left to its thread. */
  private static final long KEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Threads that run no callbacks at a time, for the two roles. */
  private static final int ROLES = 2;

  private enum Turn {
    LEAD,
    ENCODE,
    EXECUTE,
    CALL_BACK,
    END
  }

  private final class Worker extends Thread {
    // While it handles results their callbacks are its own to run or pass on. Itself alone.
    private boolean handlesResults;
    // When it began its callback; 0 while it runs none.
    private volatile long callsSince;
    // The database that it was woken for; guarded by the pool.
    private String database;
    // Where its callback has left a read to it, and since when. Whoever takes it out sees to it.
    private final AtomicReference<String> kept = new AtomicReference<>();
    private volatile long keptSince;

    // Where the system takes a hint, ticks should win over background work; nothing relies on it.
    @SuppressWarnings("ThreadPriorityCheck")
    Worker(int number) {
      super("tickwell-worker-" + number);
      setDaemon(true);
      setPriority(NORM_PRIORITY - 1);
    }

    @Override
    public void run() {
      duties.started();
      Runnable task = next(this);
      while (task != null) {
        // The clock may be 0 at one moment, but never at two.
        callsSince = System.nanoTime() | 1;
        try {
          task.run();
        } catch (RuntimeException | Error e) {
          failed(e);
        } finally {
          callsSince = 0;
        }
        Runnable following = executeKept(this);
        task = following == null ? next(this) : following;
      }
    }
  }

  private final Duties duties;
  private final List<Worker> workers = new ArrayList<>();
  private final Queue<Submissions> requests = new ConcurrentLinkedQueue<>();
  private final CountDownLatch lastRequest = new CountDownLatch(1);
  private final CountDownLatch lastResult = new CountDownLatch(1);
  // Read by ticks, which take no lock. Both are written under it, or by the encoder.
  private volatile Worker encoder;
  private volatile boolean encoderParked;
  // Whether the encoder looks after what is kept, and wakes by itself for that.
  private volatile boolean watching;
  private volatile boolean requestsEnding;
  private volatile boolean requestsEnded;
  // How many threads execute something or are about to.
  private final AtomicInteger executing = new AtomicInteger();
  // Written under the lock.
  private volatile boolean resultsEnded;
  private volatile int queued;
  private volatile int idleCount;

  // Everything below is guarded by this.
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  // The last one to become idle is woken first: its caches are the warmest.
  private final Deque<Worker> idle = new ArrayDeque<>();
  private Worker leader;
  private boolean stopped;

  /**
   * Threads that are not started yet.
   *
   * @param callbacks how many callbacks may run at a time; there are two threads more, for the
   *     roles
   */
  WorkerPool(int callbacks, Duties duties) {
    this.duties = duties;
    for (int number = 1; number <= callbacks + ROLES; number++) {
      workers.add(new Worker(number));
    }
  }

  /** Whether callbacks run on this thread. */
  static boolean isWorker(Thread thread) {
    return thread instanceof Worker;
  }

  void start() {
    workers.forEach(Thread::start);
  }

  // ---- What other threads ask for --------------------------------------------------------------

  /**
   * Has a queue drained of one request. After the end the calling thread does it. Takes no lock.
   */
  void send(Submissions queue) {
    requests.add(queue);
    if (encoderParked) {
      LockSupport.unpark(encoder);
    }
    if (requestsEnded) {
      sendAll();
    }
  }

  /** Whether a thread is likely to be free to execute something. */
  boolean hasIdle() {
    return idleCount > 0;
  }

  /** Whether this thread runs a callback that has left it nothing to execute yet. */
  boolean mayKeep() {
    return Thread.currentThread() instanceof Worker self
        && self.callsSince != 0
        && self.kept.get() == null
        && !requestsEnded;
  }

  /**
   * Has this thread execute what is next in a database once its callback has returned, which wakes
   * nobody. When that takes long the library's own threads do it, after {@link #mayKeep} alone.
   */
  void keep(String database) {
    Worker self = (Worker) Thread.currentThread();
    self.keptSince = System.nanoTime();
    self.kept.set(database);
    if (!watching) {
      watching = true;
      LockSupport.unpark(encoder);
    }
  }

  /** Has an idle thread execute what is next in a database, or the library's own when none is. */
  void executeIn(String database) {
    Worker worker;
    synchronized (this) {
      worker = pollIdle();
      if (worker != null) {
        worker.database = database;
        executing.incrementAndGet();
      }
    }
    if (worker == null) {
      decline(database);
    } else {
      LockSupport.unpark(worker);
    }
  }

  /**
   * Queues a callback. After the end the calling thread runs it: what waits is completed, no more.
   */
  @Override
  public void execute(Runnable task) {
    Worker woken = null;
    boolean here;
    synchronized (this) {
      here = stopped;
      if (!here) {
        tasks.add(task);
        queued = tasks.size();
        if (!(Thread.currentThread() instanceof Worker worker && worker.handlesResults)) {
          woken = pollIdle();
        }
      }
    }
    if (here) {
      task.run();
    } else if (woken != null) {
      LockSupport.unpark(woken);
    }
  }

  /** How many callbacks wait. */
  int queued() {
    return queued;
  }

  /**
   * The threads that have run the same callbacks since a {@link System#nanoTime}, when these are
   * all that may and others wait; else none.
   */
  List<Thread> stuckSince(long time) {
    if (queued == 0) {
      return List.of();
    }
    List<Thread> stuck = new ArrayList<>();
    for (Worker worker : workers) {
      long since = worker.callsSince;
      if (since != 0 && since - time <= 0) {
        stuck.add(worker);
      }
    }
    return stuck.size() < workers.size() - ROLES ? List.of() : stuck;
  }

  // ---- What the threads do ---------------------------------------------------------------------

  /** The callback that a thread runs next, having done all else until then; null at the end. */
  private Runnable next(Worker self) {
    while (true) {
      Turn turn = await(self);
      if (turn == Turn.END) {
        return null;
      }
      Runnable task =
          switch (turn) {
            case LEAD -> lead(self);
            case ENCODE -> encode(self);
            case EXECUTE -> executeAssigned(self);
            case CALL_BACK, END -> take();
          };
      if (task != null) {
        return task;
      }
    }
  }

  /** Waits until there is something to do for a thread. */
  private Turn await(Worker self) {
    while (true) {
      synchronized (this) {
        idle.remove(self);
        Turn turn = turn(self);
        if (turn == null) {
          idle.addFirst(self);
        }
        idleCount = idle.size();
        if (turn != null) {
          return turn;
        }
      }
      park();
    }
  }

  private Turn turn(Worker self) {
    if (self.database != null) {
      return Turn.EXECUTE;
    }
    if (leader == null && !resultsEnded) {
      leader = self;
    }
    if (leader == self) {
      return Turn.LEAD;
    }
    if (encoder == null && !requestsEnded) {
      encoder = self;
    }
    if (encoder == self) {
      return Turn.ENCODE;
    }
    if (!tasks.isEmpty()) {
      return Turn.CALL_BACK;
    }
    return stopped ? Turn.END : null;
  }

  private void park() {
    if (watching && Thread.currentThread() == encoder) {
      LockSupport.parkNanos(this, KEEP_NANOS);
    } else {
      LockSupport.park(this);
    }
    // An interrupt was meant for a callback that has ended by now.
    Thread.interrupted();
  }

  /** Takes results until there are callbacks to run and a thread to take the role. */
  private Runnable lead(Worker self) {
    while (handle(self, duties::takeResults)) {
      Worker next;
      synchronized (this) {
        next = tasks.isEmpty() ? null : pollIdle();
        if (next != null) {
          leader = next;
        }
      }
      if (next != null) {
        LockSupport.unpark(next);
        return takeFirst();
      }
    }
    synchronized (this) {
      leader = null;
      resultsEnded = true;
    }
    lastResult.countDown();
    return null;
  }

  /** Sends requests until the execution of one is left to it and there is a thread for the role. */
  private Runnable encode(Worker self) {
    while (true) {
      watch();
      Submissions next = requests.poll();
      if (next != null) {
        if (sendNext(next)) {
          if (passEncoding()) {
            return execute(self, () -> duties.execute(next.database()));
          }
          decline(next.database());
        }
      } else if (requestsEnding) {
        endRequests();
        return null;
      } else {
        encoderParked = true;
        if (requests.isEmpty() && !requestsEnding) {
          park();
        }
        encoderParked = false;
      }
    }
  }

  /** Has others execute what a callback that has not returned keeps from them for too long. */
  private void watch() {
    if (!watching) {
      return;
    }
    // Before the look: who keeps something later asks for another one.
    watching = false;
    long now = System.nanoTime();
    for (Worker worker : workers) {
      String database = worker.kept.get();
      if (database == null) {
        continue;
      }
      if (now - worker.keptSince < KEEP_NANOS) {
        watching = true;
      } else if (worker.kept.compareAndSet(database, null)) {
        decline(database);
      }
    }
  }

  /** Gives the role of the encoder to an idle thread, which need not wake up for that. */
  private boolean passEncoding() {
    Worker next;
    synchronized (this) {
      next = pollIdle();
      if (next == null) {
        return false;
      }
      executing.incrementAndGet();
      encoder = next;
      encoderParked = true;
    }
    if (!requests.isEmpty() || requestsEnding || watching) {
      LockSupport.unpark(next);
    }
    return true;
  }

  private void endRequests() {
    synchronized (this) {
      encoder = null;
      requestsEnded = true;
    }
    sendAll();
    lastRequest.countDown();
  }

  /** Sends what is queued, on a thread that does not go on with it. */
  private void sendAll() {
    for (Submissions next = requests.poll(); next != null; next = requests.poll()) {
      if (sendNext(next)) {
        decline(next.database());
      }
    }
  }

  private Runnable executeAssigned(Worker self) {
    String database;
    synchronized (this) {
      database = self.database;
      self.database = null;
    }
    return execute(self, () -> duties.execute(database));
  }

  /**
   * Executes the read that the callback that has returned left to its thread; gives the first
   * callback that waits then, or null.
   */
  private Runnable executeKept(Worker self) {
    String database = self.kept.get();
    if (database == null || !self.kept.compareAndSet(database, null)) {
      return null;
    }
    executing.incrementAndGet();
    return execute(self, () -> duties.executeRead(database));
  }

  /** Executes something, for which it was counted, and gives the first callback. */
  private Runnable execute(Worker self, Runnable execution) {
    try {
      handle(
          self,
          () -> {
            execution.run();
            return true;
          });
    } finally {
      if (executing.decrementAndGet() == 0 && resultsEnded) {
        synchronized (this) {
          notifyAll();
        }
      }
    }
    return takeFirst();
  }

  /** Runs what handles results; what it throws costs no thread, and so no role. */
  private boolean handle(Worker self, BooleanSupplier results) {
    self.handlesResults = true;
    try {
      return results.getAsBoolean();
    } catch (RuntimeException | Error e) {
      failed(e);
      return true;
    } finally {
      self.handlesResults = false;
    }
  }

  /** Tells of something that was thrown, as far as that can be told. */
  private void failed(Throwable thrown) {
    try {
      duties.failed(thrown);
    } catch (RuntimeException | Error e) {
      // The log itself throws, so there is nobody to tell; the thread matters more.
    }
  }

  /** Sends the next request of a queue; true when its execution is left to this thread. */
  private boolean sendNext(Submissions next) {
    try {
      return duties.send(next);
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  private void decline(String database) {
    try {
      duties.decline(database);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** The next callback; an idle thread is woken for each one behind it. */
  private Runnable takeFirst() {
    List<Worker> woken = List.of();
    Runnable first;
    synchronized (this) {
      first = take();
      if (!tasks.isEmpty() && !idle.isEmpty()) {
        woken = new ArrayList<>();
        for (int left = Math.min(tasks.size(), idle.size()); left > 0; left--) {
          woken.add(pollIdle());
        }
      }
    }
    woken.forEach(LockSupport::unpark);
    return first;
  }

  private synchronized Runnable take() {
    Runnable task = tasks.poll();
    queued = tasks.size();
    return task;
  }

  private Worker pollIdle() {
    Worker worker = idle.pollFirst();
    idleCount = idle.size();
    return worker;
  }

  // ---- The end ---------------------------------------------------------------------------------

  /**
   * Ends the encoder's role once nothing is left to send, up to a {@link System#nanoTime} deadline;
   * gives whether it has ended in time.
   */
  boolean endRequests(long deadline) throws InterruptedException {
    requestsEnding = true;
    LockSupport.unpark(encoder);
    return lastRequest.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /**
   * Waits until there are no more results and all are handled, up to a {@link System#nanoTime}
   * deadline; gives whether that was in time.
   */
  boolean awaitResults(long deadline) throws InterruptedException {
    if (!lastResult.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    synchronized (this) {
      while (executing.get() > 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
    }
    return true;
  }

  /**
   * Refuses new callbacks and waits for those that there are, up to a {@link System#nanoTime}
   * deadline; then drops and interrupts them and gives false.
   */
  boolean stop(long deadline) throws InterruptedException {
    synchronized (this) {
      stopped = true;
    }
    workers.forEach(LockSupport::unpark);
    for (Worker worker : workers) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (worker != Thread.currentThread()) {
        worker.join(Math.max(1, left));
      }
    }
    if (workers.stream().noneMatch(Thread::isAlive)) {
      return true;
    }
    synchronized (this) {
      tasks.clear();
      queued = 0;
    }
    workers.forEach(Thread::interrupt);
    return false;
  }
}
