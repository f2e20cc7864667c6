package dev.tickwell.core;

import dev.tickwell.Rows;
import dev.tickwell.SharedResults;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The published results. Publishing swaps one reference, whatever the rows; any thread. */
final class SharedResultsMap implements SharedResults {
  private record Published(Owner owner, Rows<?> rows) {}

  private final Map<String, Published> results = new ConcurrentHashMap<>();

  void publish(String name, Owner owner, Rows<?> rows) {
    results.put(name, new Published(owner, rows));
  }

  /** Forgets what a plugin published: its classes must be able to go with it. */
  void ownerClosed(Owner owner) {
    results.values().removeIf(each -> each.owner == owner);
  }

  int size() {
    return results.size();
  }

  @Override
  public Optional<Rows<?>> get(String name) {
    Published published = results.get(name);
    return published == null ? Optional.empty() : Optional.of(published.rows);
  }

  @Override
  public Set<String> names() {
    return Set.copyOf(results.keySet());
  }

  @Override
  public boolean remove(String name) {
    return results.remove(name) != null;
  }
}
