package org.bukkit.plugin.java;

import io.papermc.paper.plugin.configuration.PluginMeta;
import io.papermc.paper.plugin.provider.classloader.ConfiguredPluginClassLoader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bukkit.Server;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.command.PluginCommand;
import org.bukkit.configuration.file.FileConfiguration;
import org.bukkit.configuration.file.YamlConfiguration;
import org.bukkit.plugin.PluginBase;
import org.bukkit.plugin.PluginDescriptionFile;
import org.bukkit.plugin.PluginLogger;

/** A plugin written in Java; its class loader makes it whole in its constructor. */
public abstract class JavaPlugin extends PluginBase {
  private boolean enabled;
  private Server server;
  private File file;
  private PluginDescriptionFile description;
  private File dataFolder;
  private ClassLoader classLoader;
  private File configFile;
  private FileConfiguration config;
  private Logger logger;

  @SuppressWarnings("this-escape")
  public JavaPlugin() {
    if (getClass().getClassLoader() instanceof ConfiguredPluginClassLoader loader) {
      loader.init(this);
    } else {
      throw new IllegalStateException("JavaPlugin requires to be created by a valid classloader.");
    }
  }

  /** Called by the class loader, once, before the plugin's own constructor runs. */
  public final void init(
      Server server,
      PluginDescriptionFile description,
      File dataFolder,
      File file,
      ClassLoader classLoader,
      PluginMeta configuration,
      Logger logger) {
    this.server = server;
    this.file = file;
    this.description = description;
    this.dataFolder = dataFolder;
    this.classLoader = classLoader;
    this.configFile = new File(dataFolder, "config.yml");
    this.logger = logger == null ? new PluginLogger(this) : logger;
  }

  @Override
  public final File getDataFolder() {
    return dataFolder;
  }

  @Override
  public final Server getServer() {
    return server;
  }

  @Override
  public final boolean isEnabled() {
    return enabled;
  }

  protected File getFile() {
    return file;
  }

  protected final ClassLoader getClassLoader() {
    return classLoader;
  }

  @Override
  public final PluginDescriptionFile getDescription() {
    return description;
  }

  @Override
  public final PluginMeta getPluginMeta() {
    return description;
  }

  @Override
  public Logger getLogger() {
    return logger;
  }

  @Override
  public FileConfiguration getConfig() {
    if (config == null) {
      reloadConfig();
    }
    return config;
  }

  @Override
  public void reloadConfig() {
    config = YamlConfiguration.loadConfiguration(configFile);
    try (Reader defaults = getTextResource("config.yml")) {
      if (defaults != null) {
        config.setDefaults(YamlConfiguration.loadConfiguration(defaults));
      }
    } catch (IOException e) {
      logger.log(Level.SEVERE, "Could not read the config.yml inside " + file, e);
    }
  }

  protected final Reader getTextResource(String name) {
    InputStream in = getResource(name);
    return in == null ? null : new InputStreamReader(in, StandardCharsets.UTF_8);
  }

  @Override
  public void saveConfig() {
    try {
      getConfig().save(configFile);
    } catch (IOException e) {
      logger.log(Level.SEVERE, "Could not save config to " + configFile, e);
    }
  }

  @Override
  public void saveDefaultConfig() {
    if (!configFile.exists()) {
      saveResource("config.yml", false);
    }
  }

  @Override
  public void saveResource(String resourcePath, boolean replace) {
    if (resourcePath == null || resourcePath.isEmpty()) {
      throw new IllegalArgumentException("ResourcePath cannot be null or empty");
    }
    String path = resourcePath.replace('\\', '/');
    File target = new File(dataFolder, path);
    try (InputStream in = getResource(path)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "The embedded resource '" + path + "' cannot be found in " + file);
      }
      Files.createDirectories(target.getParentFile().toPath());
      if (target.exists() && !replace) {
        logger.warning(
            "Could not save " + target.getName() + " to " + target + " because it already exists.");
      } else {
        Files.write(target.toPath(), in.readAllBytes());
      }
    } catch (IOException e) {
      logger.log(Level.SEVERE, "Could not save " + target.getName() + " to " + target, e);
    }
  }

  @Override
  public InputStream getResource(String filename) {
    if (filename == null) {
      throw new IllegalArgumentException("Filename cannot be null");
    }
    URL url = classLoader.getResource(filename);
    if (url == null) {
      return null;
    }
    try {
      URLConnection connection = url.openConnection();
      // A cached jar would be read on after the file was replaced.
      connection.setUseCaches(false);
      return connection.getInputStream();
    } catch (IOException e) {
      return null;
    }
  }

  /** Called by the server alone. */
  public final void setEnabled(boolean enabled) {
    if (this.enabled == enabled) {
      return;
    }
    this.enabled = enabled;
    if (enabled) {
      onEnable();
    } else {
      onDisable();
    }
  }

  public PluginCommand getCommand(String name) {
    String alias = name.toLowerCase(Locale.ENGLISH);
    PluginCommand command = server.getPluginCommand(alias);
    if (command == null || !equals(command.getPlugin())) {
      command = server.getPluginCommand(getName().toLowerCase(Locale.ENGLISH) + ':' + alias);
    }
    return command != null && equals(command.getPlugin()) ? command : null;
  }

  @Override
  public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
    return false;
  }

  @Override
  public List<String> onTabComplete(
      CommandSender sender, Command command, String alias, String[] args) {
    return null;
  }

  @Override
  public void onLoad() {}

  @Override
  public void onDisable() {}

  @Override
  public void onEnable() {}

  @Override
  public String toString() {
    return description.getFullName();
  }

  /** The plugin whose main class this is. */
  public static <T extends JavaPlugin> T getPlugin(Class<T> type) {
    return type.cast(getProvidingPlugin(type));
  }

  /** The plugin whose jar holds this class. */
  public static JavaPlugin getProvidingPlugin(Class<?> type) {
    if (type.getClassLoader() instanceof ConfiguredPluginClassLoader loader) {
      JavaPlugin plugin = loader.getPlugin();
      if (plugin == null) {
        throw new IllegalStateException(
            "Cannot get plugin for " + type + " from a static initializer");
      }
      return plugin;
    }
    throw new IllegalArgumentException(type + " is not provided by a plugin");
  }
}
