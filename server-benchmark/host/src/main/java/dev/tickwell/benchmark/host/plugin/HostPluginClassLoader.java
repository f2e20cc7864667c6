package dev.tickwell.benchmark.host.plugin;

import io.papermc.paper.plugin.configuration.PluginMeta;
import io.papermc.paper.plugin.provider.classloader.ConfiguredPluginClassLoader;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.bukkit.Server;
import org.bukkit.plugin.InvalidPluginException;
import org.bukkit.plugin.PluginDescriptionFile;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * The classes of one plugin: the server's first, then those of its jar, then those of the plugins
 * that it depends on. Closed when the plugin is disabled.
 */
final class HostPluginClassLoader extends URLClassLoader implements ConfiguredPluginClassLoader {
  static {
    ClassLoader.registerAsParallelCapable();
  }

  private final Server server;
  private final PluginDescriptionFile description;
  private final File dataFolder;
  private final File file;
  private final List<HostPluginClassLoader> dependencies;
  private JavaPlugin plugin;

  /**
   * @param dependencies the loaders of the plugins that this one may use, their own included
   */
  HostPluginClassLoader(
      Server server,
      PluginCandidate candidate,
      File dataFolder,
      List<HostPluginClassLoader> dependencies)
      throws MalformedURLException {
    super(
        candidate.name(),
        new URL[] {candidate.file().toURI().toURL()},
        HostPluginClassLoader.class.getClassLoader());
    this.server = server;
    this.description = candidate.description();
    this.dataFolder = dataFolder;
    this.file = candidate.file();
    this.dependencies = List.copyOf(dependencies);
  }

  /** Makes the plugin's main object, whose constructor calls {@link #init}. */
  JavaPlugin makePlugin() throws InvalidPluginException {
    String main = description.getMain();
    try {
      Class<?> type = Class.forName(main, true, this);
      if (type.getClassLoader() != this) {
        throw new InvalidPluginException("main class " + main + " is not in the plugin's own jar");
      }
      return type.asSubclass(JavaPlugin.class).getDeclaredConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new InvalidPluginException("Cannot find main class '" + main + "'", e);
    } catch (ClassCastException e) {
      throw new InvalidPluginException("main class '" + main + "' must extend JavaPlugin", e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new InvalidPluginException("Cannot make main class '" + main + "'", e);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      return super.findClass(name);
    } catch (ClassNotFoundException e) {
      for (HostPluginClassLoader dependency : dependencies) {
        Class<?> found = dependency.ownClass(name);
        if (found != null) {
          return found;
        }
      }
      throw e;
    }
  }

  private Class<?> ownClass(String name) {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return super.findClass(name);
      } catch (ClassNotFoundException e) {
        return null;
      }
    }
  }

  List<HostPluginClassLoader> dependencies() {
    return dependencies;
  }

  File file() {
    return file;
  }

  @Override
  public PluginMeta getConfiguration() {
    return description;
  }

  @Override
  public synchronized void init(JavaPlugin plugin) {
    if (this.plugin != null) {
      throw new IllegalStateException("Plugin already initialized: " + this.plugin);
    }
    this.plugin = plugin;
    plugin.init(server, description, dataFolder, file, this, description, null);
  }

  @Override
  public synchronized JavaPlugin getPlugin() {
    return plugin;
  }
}
