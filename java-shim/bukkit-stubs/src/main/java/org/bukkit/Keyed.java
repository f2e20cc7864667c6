package org.bukkit;

/** Something that the server knows by a namespaced key. */
public interface Keyed {
  NamespacedKey getKey();
}
