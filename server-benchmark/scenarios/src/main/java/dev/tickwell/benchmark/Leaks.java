package dev.tickwell.benchmark;

import dev.tickwell.benchmark.arm.JdbcArm;
import dev.tickwell.paper.Tickwell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Compares what is held at the end of a run with what was held before it: handles, results and
 * bytes on their way, queues, native threads, Java threads and the peer's pool slots.
 */
final class Leaks {
  private static final long SETTLE_NANOS = 10_000_000_000L;
  private static final long LOOK_MILLIS = 20;
  private static final String JAVA_THREADS = "java threads";
  private static final String WARMING_UP = "warm-ups";
  private static final String PEER_CONNECTIONS = "lent connections of the peer";

  private final Supplier<Map<String, String>> held;
  private final Map<String, String> base;

  private Leaks(Supplier<Map<String, String>> held) throws InterruptedException {
    this.held = held;
    this.base = settled(held);
  }

  /** Notes what is held now, which has to be held again at the end. */
  static Leaks base(Tickwell tickwell, JdbcArm peer) throws InterruptedException {
    return new Leaks(() -> held(tickwell, peer));
  }

  /** Waits until nothing is held but the base, and checks that it is so. */
  void check(RunLog log) throws InterruptedException {
    long end = System.nanoTime() + SETTLE_NANOS;
    Map<String, String> now = held.get();
    while (!now.equals(base) && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_MILLIS);
      now = held.get();
    }
    List<String> differences = new ArrayList<>();
    Map<String, String> all = new TreeMap<>(base);
    now.forEach(all::putIfAbsent);
    for (String name : all.keySet()) {
      String before = base.getOrDefault(name, "0");
      String after = now.getOrDefault(name, "0");
      if (!before.equals(after)) {
        differences.add(name + " " + before + " → " + after);
      }
    }
    log.check(
        "handles, results in flight, queues, pool slots and threads are back at base",
        differences.isEmpty()
            ? base.size() + " gauges compared, none differs"
            : String.join(", ", differences),
        differences.isEmpty());
  }

  /**
   * What is held once two looks in a row see the same, since the last request may still be ending,
   * and Tickwell's warm-up, which has threads of its own, is over.
   */
  private static Map<String, String> settled(Supplier<Map<String, String>> held)
      throws InterruptedException {
    long end = System.nanoTime() + SETTLE_NANOS;
    Map<String, String> before = held.get();
    while (System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_MILLIS);
      Map<String, String> now = held.get();
      if (now.equals(before) && !now.containsKey(WARMING_UP)) {
        return now;
      }
      before = now;
    }
    return before;
  }

  /** Whether a statistic says what is held; the others only grow. */
  private static boolean isHeld(String name) {
    return name.equals("completions")
        || name.equals("handles")
        || name.equals("databases")
        || name.equals("owners")
        || name.equals("lanes")
        || name.startsWith("bytes.")
        || name.endsWith(".queued")
        || name.endsWith(".queued-writes")
        || name.endsWith(".queued-reads")
        || name.endsWith(".running")
        || name.endsWith(".threads");
  }

  private static Map<String, String> held(Tickwell tickwell, JdbcArm peer) {
    Map<String, String> held = new TreeMap<>();
    tickwell
        .statistics()
        .forEach(
            (name, value) -> {
              if (isHeld(name)) {
                held.put(name, value);
              }
            });
    List<String> threads =
        Thread.getAllStackTraces().keySet().stream()
            .map(thread -> thread.getName().toLowerCase(Locale.ROOT))
            .filter(name -> name.startsWith("tickwell") && !name.startsWith("tickwell-benchmark"))
            .toList();
    held.put(JAVA_THREADS, Integer.toString(threads.size()));
    if (threads.contains("tickwell-warm-up")) {
      held.put(WARMING_UP, "1");
    }
    held.put(PEER_CONNECTIONS, Integer.toString(peer.activeConnections()));
    return held;
  }
}
