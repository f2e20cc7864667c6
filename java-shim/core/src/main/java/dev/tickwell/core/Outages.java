package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps the log readable while a database is out of order: a full disk fails every request of a
 * plugin, and each failure that nobody handles would be a line. Of one kind and database the first
 * is told at once, then one line in a minute at most, which counts those that came since. Failures
 * that are a request's own fault are left out of this, since each has its own cause. All methods
 * may be called on any thread; the log is left to the caller.
 */
final class Outages {
  /** How long nothing is told after a line. */
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What is wrong with a database and not with a request. */
  private static final Set<ErrorCode> KINDS =
      EnumSet.of(
          ErrorCode.BUSY,
          ErrorCode.TIMEOUT,
          ErrorCode.CLOSED,
          ErrorCode.CONNECT_FAILED,
          ErrorCode.PERMISSION_DENIED,
          ErrorCode.CORRUPT,
          ErrorCode.DISK_FULL,
          ErrorCode.LOCKED,
          ErrorCode.IO);

  private record Outage(String database, ErrorCode code) {}

  private static final class Told {
    long at;
    int untold;
    String last;
  }

  private final LongSupplier clock;
  // Guarded by this; as many as there are kinds and databases.
  private final Map<Outage, Told> told = new HashMap<>();
  // Written under the lock; read without it, as every turn of the leading thread asks.
  private volatile boolean anyUntold;

  /**
   * None yet.
   *
   * @param clock nanoseconds, such as {@link System#nanoTime}
   */
  Outages(LongSupplier clock) {
    this.clock = clock;
  }

  /** Whether this failure is to be told now; if not, a later line counts it. */
  synchronized boolean tells(String database, ErrorCode code, String request) {
    if (!KINDS.contains(code)) {
      return true;
    }
    Told before = told.get(new Outage(database, code));
    if (before == null) {
      before = new Told();
      told.put(new Outage(database, code), before);
    } else if (before.untold > 0 || clock.getAsLong() - before.at < PAUSE_NANOS) {
      before.untold++;
      before.last = request;
      anyUntold = true;
      return false;
    }
    before.at = clock.getAsLong();
    return true;
  }

  /** The lines about failures that came in pauses which are over by now. */
  List<String> due() {
    return anyUntold ? lines(PAUSE_NANOS) : List.of();
  }

  /** The lines about all that was not told; for the end. */
  List<String> rest() {
    return lines(Long.MIN_VALUE);
  }

  private synchronized List<String> lines(long pause) {
    long now = clock.getAsLong();
    List<String> lines = new ArrayList<>();
    boolean left = false;
    for (Map.Entry<Outage, Told> each : told.entrySet()) {
      Told kind = each.getValue();
      if (kind.untold == 0) {
        continue;
      }
      if (now - kind.at < pause) {
        left = true;
        continue;
      }
      lines.add(
          kind.untold
              + " more requests to "
              + each.getKey().database()
              + " failed with "
              + each.getKey().code()
              + " since the last such line and nobody handled it; the last was "
              + kind.last);
      kind.untold = 0;
      kind.at = now;
    }
    anyUntold = left;
    return lines;
  }
}
