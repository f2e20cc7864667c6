package org.bukkit;

/** What a world to be made or loaded is like. */
public class WorldCreator {
  private final String name;

  public WorldCreator(String name) {
    this.name = name;
  }

  public static WorldCreator name(String name) {
    return new WorldCreator(name);
  }

  public String name() {
    return name;
  }

  public World createWorld() {
    return Bukkit.createWorld(this);
  }
}
