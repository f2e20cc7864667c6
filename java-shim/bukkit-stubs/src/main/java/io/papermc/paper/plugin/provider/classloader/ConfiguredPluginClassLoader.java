package io.papermc.paper.plugin.provider.classloader;

import io.papermc.paper.plugin.configuration.PluginMeta;
import java.io.Closeable;
import org.bukkit.plugin.java.JavaPlugin;

/** The class loader of one plugin, which makes the plugin's main object whole. */
public interface ConfiguredPluginClassLoader extends Closeable {
  PluginMeta getConfiguration();

  /** Called by the plugin's constructor. */
  void init(JavaPlugin plugin);

  JavaPlugin getPlugin();
}
