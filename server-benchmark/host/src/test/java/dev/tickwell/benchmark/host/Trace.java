package dev.tickwell.benchmark.host;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What test plugins did, in order; they reach this class through the server's class loader. */
public final class Trace {
  private static final List<String> LINES = Collections.synchronizedList(new ArrayList<>());

  private Trace() {}

  public static void add(String line) {
    LINES.add(line);
  }

  /** All lines so far, which are then forgotten. */
  static List<String> take() {
    synchronized (LINES) {
      List<String> taken = List.copyOf(LINES);
      LINES.clear();
      return taken;
    }
  }
}
