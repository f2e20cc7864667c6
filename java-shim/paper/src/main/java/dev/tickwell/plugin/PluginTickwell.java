package dev.tickwell.plugin;

import dev.tickwell.Database;
import dev.tickwell.ObjectCodec;
import dev.tickwell.SharedResults;
import dev.tickwell.core.Engine;
import dev.tickwell.core.Owner;
import dev.tickwell.paper.Tickwell;
import java.util.Map;

/** What one plugin has of Tickwell: its owner in the engine, and the configuration's choices. */
final class PluginTickwell implements Tickwell {
  private final Engine engine;
  private final Databases databases;
  private final Owner owner;

  PluginTickwell(Engine engine, Databases databases, Owner owner) {
    this.engine = engine;
    this.databases = databases;
    this.owner = owner;
  }

  Owner owner() {
    return owner;
  }

  @Override
  public Database database() {
    return databases.of(owner);
  }

  @Override
  public Database database(String name) {
    return databases.named(owner, name);
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
