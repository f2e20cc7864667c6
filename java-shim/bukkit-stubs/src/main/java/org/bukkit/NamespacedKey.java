package org.bukkit;

import java.util.Locale;
import net.kyori.adventure.key.Key;
import org.bukkit.plugin.Plugin;

/** A key such as {@code minecraft:stone}. */
public final class NamespacedKey implements Key {
  public static final String MINECRAFT = "minecraft";

  private final String namespace;
  private final String key;

  public NamespacedKey(String namespace, String key) {
    if (!Key.parseableNamespace(namespace)) {
      throw new IllegalArgumentException("Invalid namespace '" + namespace + "'");
    }
    if (!Key.parseableValue(key)) {
      throw new IllegalArgumentException("Invalid key '" + key + "'");
    }
    this.namespace = namespace;
    this.key = key;
  }

  public NamespacedKey(Plugin plugin, String key) {
    this(plugin.getName().toLowerCase(Locale.ROOT), key.toLowerCase(Locale.ROOT));
  }

  public static NamespacedKey minecraft(String key) {
    return new NamespacedKey(MINECRAFT, key);
  }

  /** The key that the text spells, with {@code minecraft} where it names no namespace, or null. */
  public static NamespacedKey fromString(String string) {
    int colon = string.indexOf(':');
    String namespace = colon <= 0 ? MINECRAFT : string.substring(0, colon);
    String key = string.substring(colon + 1);
    boolean valid = !key.isEmpty() && Key.parseableNamespace(namespace) && Key.parseableValue(key);
    return valid ? new NamespacedKey(namespace, key) : null;
  }

  public String getNamespace() {
    return namespace;
  }

  public String getKey() {
    return key;
  }

  @Override
  public String namespace() {
    return namespace;
  }

  @Override
  public String value() {
    return key;
  }

  @Override
  public String asString() {
    return namespace + ':' + key;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key that
        && namespace.equals(that.namespace())
        && key.equals(that.value());
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + key.hashCode();
  }

  @Override
  public String toString() {
    return asString();
  }
}
