package org.bukkit.configuration;

/** The root of a tree of settings, with defaults behind it. */
public interface Configuration extends ConfigurationSection {
  @Override
  void addDefault(String path, Object value);

  void setDefaults(Configuration defaults);

  Configuration getDefaults();

  ConfigurationOptions options();
}
