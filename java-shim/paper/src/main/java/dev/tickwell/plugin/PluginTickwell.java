package dev.tickwell.plugin;

import dev.tickwell.Database;
import dev.tickwell.ObjectCodec;
import dev.tickwell.SharedResults;
import dev.tickwell.core.Engine;
import dev.tickwell.core.Owner;
import dev.tickwell.paper.Tickwell;
import java.nio.file.Path;
import java.util.Map;

/** What one plugin has of Tickwell: its owner in the engine, and its databases. */
final class PluginTickwell implements Tickwell {
  private final Engine engine;
  private final Owner owner;
  private final OwnDatabases databases;

  /**
   * Nothing opened yet.
   *
   * @param folder the plugin's data folder
   */
  PluginTickwell(Engine engine, Databases configured, Owner owner, Path folder) {
    this.engine = engine;
    this.owner = owner;
    this.databases = new OwnDatabases(engine, configured, owner, folder);
  }

  Owner owner() {
    return owner;
  }

  @Override
  public Database database() {
    return databases.database();
  }

  @Override
  public Database database(String name) {
    return databases.named(name);
  }

  @Override
  public OwnDatabases connections() {
    return databases;
  }

  @Override
  public void register(ObjectCodec<?> codec) {
    engine.register(owner, codec);
  }

  @Override
  public SharedResults shared() {
    return engine.shared();
  }

  @Override
  public Map<String, String> statistics() {
    return engine.statistics();
  }
}
