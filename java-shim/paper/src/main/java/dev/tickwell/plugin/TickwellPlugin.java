package dev.tickwell.plugin;

import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import dev.tickwell.core.Owner;
import dev.tickwell.core.ShutdownReport;
import dev.tickwell.paper.ItemCodec;
import dev.tickwell.paper.LocationCodec;
import dev.tickwell.paper.TickwellProvider;
import dev.tickwell.paper.Worlds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import org.bukkit.command.PluginCommand;
import org.bukkit.configuration.InvalidConfigurationException;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * The Tickwell plugin: reads the configuration, starts the engine, opens the databases, and takes
 * all of it down again in order. Nothing that goes wrong here stops the server: plugins that ask
 * for Tickwell then learn why there is none. Runs on the server thread; owns the engine.
 */
public final class TickwellPlugin extends JavaPlugin {
  /** Plugins that end with the server would lose what is not written by then. */
  private static final String STOPPING =
      "the Tickwell plugin is disabled; plugins that use it must name it under depend in their"
          + " plugin.yml, so that they are disabled before it";

  /** For what has nothing to wait for, or ends soon because the engine has. */
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  /**
   * What only the end needs, loaded from the start: a jar that was replaced while the server ran
   * cannot give it any more.
   */
  private static final List<Class<?>> NEEDED_AT_THE_END =
      List.of(ShutdownReport.class, PluginTickwell.class, OwnDatabases.class, TargetText.class);

  private final Background background = new Background();
  // What was read of the jar, by name: a reload reads it again, and the jar may be another by then.
  private final Map<String, byte[]> shipped = new ConcurrentHashMap<>();
  // Null until there are settings.
  private Reload reload;
  private Engine engine;
  private ServerAdapter adapter;
  private Dependants dependants;

  @Override
  public void onEnable() {
    Messages messages = TextFile.builtIn(this);
    TickwellCommand command;
    try {
      command = start();
    } catch (TickwellException | IOException | InvalidConfigurationException e) {
      String reason = e.getMessage();
      getLogger()
          .log(Level.SEVERE, "Tickwell has no databases, and plugins cannot use it: " + reason, e);
      stop();
      TickwellProvider.unavailable(reason, e);
      command =
          TickwellCommand.unavailable(
              getPluginMeta().getVersion(), getServer().getName(), messages, reason);
    }
    PluginCommand tickwell = getCommand("tickwell");
    tickwell.setExecutor(command);
    tickwell.setTabCompleter(command);
  }

  private TickwellCommand start() throws IOException, InvalidConfigurationException {
    NEEDED_AT_THE_END.forEach(TickwellPlugin::initialize);
    Settings settings = ConfigFile.load(this);
    settings.warnings().forEach(warning -> getLogger().warning("config.yml: " + warning));
    Messages messages = texts();
    adapter = isFolia() ? new FoliaAdapter(this, settings) : new PaperAdapter(this, settings);
    engine = Engine.start(settings.engineOptions(), adapter);
    Worlds worlds = new Worlds();
    worlds.reset(getServer().getWorlds());
    engine.register(null, new ItemCodec());
    engine.register(null, new LocationCodec(worlds));
    Owner self = engine.owner(getName());
    Databases databases = new Databases(engine, settings, self, getLogger());
    dependants = new Dependants(engine, databases, getLogger(), adapter::tickStartSoon);
    reload = new Reload(new Source(), settings, messages, databases, adapter);
    adapter.open(engine, dependants::sweep);
    databases.open();
    getServer().getPluginManager().registerEvents(new WorldListener(worlds), this);
    getServer().getPluginManager().registerEvents(dependants, this);
    TickwellProvider.install(dependants::of);
    Backup backup = new Backup(engine, databases, getDataFolder().toPath(), reload::messages);
    return new TickwellCommand(
        getPluginMeta().getVersion(),
        adapter.software(),
        reload::messages,
        new TickwellCommand.Parts(engine, databases, dependants, reload, backup, background));
  }

  /** The files of the plugin's folder. */
  private final class Source implements Reload.Source {
    @Override
    public Settings settings() throws IOException, InvalidConfigurationException {
      return ConfigFile.load(TickwellPlugin.this);
    }

    @Override
    public Messages messages() throws IOException, InvalidConfigurationException {
      return TextFile.load(TickwellPlugin.this);
    }
  }

  /** The owner's texts; a file that cannot be read costs nobody a database. */
  private Messages texts() {
    try {
      Messages texts = TextFile.load(this);
      texts.warnings().forEach(warning -> getLogger().warning(TextFile.NAME + ": " + warning));
      return texts;
    } catch (IOException | InvalidConfigurationException e) {
      getLogger().warning(e.getMessage() + "; the built-in texts are used");
      return TextFile.builtIn(this);
    }
  }

  private static void initialize(Class<?> type) {
    try {
      MethodHandles.lookup().ensureInitialized(type);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isFolia() {
    try {
      Class.forName(FoliaAdapter.MARKER);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** A file of the jar, as it was when it was first asked for; null when there is none. */
  @Override
  public InputStream getResource(String name) {
    byte[] bytes = shipped.computeIfAbsent(name, this::readJar);
    return bytes == null ? null : new ByteArrayInputStream(bytes);
  }

  private byte[] readJar(String name) {
    try (InputStream in = super.getResource(name)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("the plugin's jar is damaged: " + name, e);
    }
  }

  @Override
  public void onDisable() {
    TickwellProvider.unavailable(STOPPING, null);
    stop();
  }

  /**
   * Takes down what {@link #start} built, also when it built only a part. Whatever fails on the
   * way, the engine is closed: it holds what is not written yet.
   */
  private void stop() {
    try {
      if (dependants != null) {
        dependants.close();
      }
      if (adapter != null) {
        adapter.close();
      }
    } finally {
      dependants = null;
      adapter = null;
      Engine closing = engine;
      engine = null;
      if (closing != null) {
        Duration limit = reload == null ? AT_ONCE : reload.settings().shutdown();
        report(closing.close(limit), limit);
        background.awaitEnd(AT_ONCE);
      }
      reload = null;
    }
  }

  private void report(ShutdownReport report, Duration limit) {
    if (report.complete()) {
      getLogger().info("Everything that plugins saved is written.");
      return;
    }
    for (Map.Entry<String, String> entry : report.unwritten().entrySet()) {
      getLogger().severe("Not written: " + entry.getKey() + ": " + entry.getValue());
    }
    getLogger()
        .severe(
            "The databases did not take it within "
                + limit.toSeconds()
                + " s; shutdown-seconds in config.yml sets how long stopping may take.");
  }
}
