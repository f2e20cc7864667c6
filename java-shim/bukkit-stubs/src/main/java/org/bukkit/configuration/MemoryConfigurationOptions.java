package org.bukkit.configuration;

/** How a configuration in memory behaves. */
public class MemoryConfigurationOptions extends ConfigurationOptions {
  protected MemoryConfigurationOptions(MemoryConfiguration configuration) {
    super(configuration);
  }

  @Override
  public MemoryConfigurationOptions pathSeparator(char value) {
    super.pathSeparator(value);
    return this;
  }

  @Override
  public MemoryConfigurationOptions copyDefaults(boolean value) {
    super.copyDefaults(value);
    return this;
  }
}
