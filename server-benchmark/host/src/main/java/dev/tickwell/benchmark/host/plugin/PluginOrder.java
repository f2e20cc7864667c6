package dev.tickwell.benchmark.host.plugin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The order in which plugins load: each after what it depends on, and, where that does not
 * contradict, after what it would like before it; else by name. What cannot be loaded is named with
 * the reason.
 *
 * @param ordered the plugins that can be loaded
 * @param refused the others, each with the reason
 */
public record PluginOrder(List<PluginCandidate> ordered, Map<PluginCandidate, String> refused) {

  /**
   * Orders the candidates.
   *
   * @param present names of plugins that are loaded already
   */
  public static PluginOrder of(List<PluginCandidate> candidates, Set<String> present) {
    return new Sorting(candidates, present).sort();
  }

  private static final class Sorting {
    private final Map<String, PluginCandidate> waiting = new TreeMap<>();
    private final Map<PluginCandidate, String> refused = new LinkedHashMap<>();
    private final List<PluginCandidate> ordered = new ArrayList<>();
    private final Set<String> placed;

    Sorting(List<PluginCandidate> candidates, Set<String> present) {
      placed = new HashSet<>(present);
      for (PluginCandidate candidate : candidates) {
        PluginCandidate first = waiting.get(candidate.name());
        if (first != null) {
          refuse(
              candidate,
              "another jar, " + first.file().getName() + ", is the same plugin; remove one");
        } else if (present.contains(candidate.name())) {
          refuse(candidate, "a plugin of this name is loaded already");
        } else {
          waiting.put(candidate.name(), candidate);
        }
      }
    }

    private void refuse(PluginCandidate candidate, String reason) {
      refused.put(candidate, reason);
    }

    PluginOrder sort() {
      while (!waiting.isEmpty()) {
        refuseThoseMissingSomething();
        PluginCandidate next = firstReady(true);
        if (next == null) {
          next = firstReady(false);
        }
        if (next != null) {
          waiting.remove(next.name());
          placed.add(next.name());
          ordered.add(next);
        } else if (!waiting.isEmpty()) {
          refuseCycle();
        }
      }
      return new PluginOrder(List.copyOf(ordered), refused);
    }

    private void refuseThoseMissingSomething() {
      boolean changed = true;
      while (changed) {
        changed = false;
        for (PluginCandidate candidate : List.copyOf(waiting.values())) {
          List<String> missing =
              candidate.description().getDepend().stream()
                  .filter(name -> !placed.contains(name) && !waiting.containsKey(name))
                  .toList();
          if (!missing.isEmpty()) {
            waiting.remove(candidate.name());
            refuse(
                candidate,
                "it depends on "
                    + String.join(", ", missing)
                    + ", which is not there or could not be loaded");
            changed = true;
          }
        }
      }
    }

    /** The first by name whose dependencies are placed. */
    private PluginCandidate firstReady(boolean wishesToo) {
      for (PluginCandidate candidate : waiting.values()) {
        boolean ready = placed.containsAll(candidate.description().getDepend());
        if (ready && (!wishesToo || wishesMet(candidate))) {
          return candidate;
        }
      }
      return null;
    }

    private boolean wishesMet(PluginCandidate candidate) {
      for (String name : candidate.description().getSoftDepend()) {
        if (waiting.containsKey(name) && !name.equals(candidate.name())) {
          return false;
        }
      }
      for (PluginCandidate other : waiting.values()) {
        if (!other.name().equals(candidate.name())
            && other.description().getLoadBefore().contains(candidate.name())) {
          return false;
        }
      }
      return true;
    }

    /** All that wait have a dependency that waits; following them must come round. */
    private void refuseCycle() {
      Set<String> path = new LinkedHashSet<>();
      String name = waiting.keySet().iterator().next();
      while (path.add(name)) {
        name =
            waiting.get(name).description().getDepend().stream()
                .filter(waiting::containsKey)
                .findFirst()
                .orElseThrow();
      }
      String start = name;
      List<String> cycle =
          path.stream().dropWhile(each -> !each.equals(start)).collect(Collectors.toList());
      String shown = String.join(" -> ", cycle) + " -> " + start;
      for (String each : cycle) {
        refuse(waiting.remove(each), "the plugins depend on each other: " + shown);
      }
    }
  }
}
