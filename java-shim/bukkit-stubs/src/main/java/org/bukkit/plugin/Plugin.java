package org.bukkit.plugin;

import io.papermc.paper.plugin.configuration.PluginMeta;
import java.io.File;
import java.io.InputStream;
import java.util.logging.Logger;
import org.bukkit.Server;
import org.bukkit.command.TabExecutor;
import org.bukkit.configuration.file.FileConfiguration;

/** A plugin. */
public interface Plugin extends TabExecutor {
  File getDataFolder();

  PluginDescriptionFile getDescription();

  PluginMeta getPluginMeta();

  FileConfiguration getConfig();

  InputStream getResource(String filename);

  void saveConfig();

  void saveDefaultConfig();

  void saveResource(String resourcePath, boolean replace);

  void reloadConfig();

  Server getServer();

  boolean isEnabled();

  void onDisable();

  void onLoad();

  void onEnable();

  Logger getLogger();

  String getName();
}
