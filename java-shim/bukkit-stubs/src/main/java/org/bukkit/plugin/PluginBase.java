package org.bukkit.plugin;

/** What makes two plugin objects the same plugin: the name. */
public abstract class PluginBase implements Plugin {
  @Override
  public final int hashCode() {
    return getName().hashCode();
  }

  @Override
  public final boolean equals(Object object) {
    return this == object || (object instanceof Plugin other && getName().equals(other.getName()));
  }

  @Override
  public final String getName() {
    return getPluginMeta().getName();
  }
}
