package org.bukkit.configuration;

/** A configuration kept in memory. */
public class MemoryConfiguration extends MemorySection implements Configuration {
  protected Configuration defaults;
  protected MemoryConfigurationOptions options;

  public MemoryConfiguration() {}

  @Override
  public void addDefault(String path, Object value) {
    if (defaults == null) {
      defaults = new MemoryConfiguration();
    }
    defaults.set(path, value);
  }

  @Override
  public void setDefaults(Configuration defaults) {
    this.defaults = defaults;
  }

  @Override
  public Configuration getDefaults() {
    return defaults;
  }

  @Override
  public MemoryConfigurationOptions options() {
    if (options == null) {
      options = new MemoryConfigurationOptions(this);
    }
    return options;
  }
}
