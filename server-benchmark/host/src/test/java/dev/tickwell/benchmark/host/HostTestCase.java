package dev.tickwell.benchmark.host;

import dev.tickwell.benchmark.host.plugin.HostPluginManager;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bukkit.plugin.Plugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests against the one host of this process, whose ticks they run by hand. JUnit's thread is the
 * tick thread.
 */
abstract class HostTestCase {
  private static Host host;

  @TempDir Path temp;
  PluginJars jars;

  static synchronized Host host() {
    if (host == null) {
      try {
        File work = Files.createTempDirectory("tickwell-host-test").toFile();
        host =
            Host.start(
                new HostOptions(
                    work, new File(work, "plugins"), HostOptions.NO_LISTENER, 0, false));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return host;
  }

  static HostServer server() {
    return host().server();
  }

  static HostPluginManager plugins() {
    return server().plugins();
  }

  static void tick(int count) {
    for (int i = 0; i < count; i++) {
      host().tick();
    }
  }

  @BeforeEach
  void prepare() {
    host();
    jars = new PluginJars(temp);
    Trace.take();
  }

  @AfterEach
  void unloadAll() {
    for (Plugin plugin : List.of(plugins().getPlugins()).reversed()) {
      plugins().unload(plugin);
    }
  }

  /** Loads and enables these jars as at a server's start. */
  static List<Plugin> start(File... jars) {
    List<Plugin> loaded = plugins().load(List.of(jars));
    plugins().enableAll();
    return loaded;
  }

  /** A plugin that does nothing, enabled. */
  Plugin idle(String name) {
    return start(jars.make(name, "", "")).getFirst();
  }
}
