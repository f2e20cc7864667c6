package dev.tickwell;

import java.util.Optional;
import java.util.Set;

/** Named results that any plugin reads. Reading is one lookup, on any thread. */
public interface SharedResults {
  /** What was last published under this name. */
  Optional<Rows<?>> get(String name);

  /** The names, at this moment. */
  Set<String> names();

  /** Forgets a name. True when there was one. */
  boolean remove(String name);
}
