package dev.tickwell.paper;

import dev.tickwell.Target;
import org.bukkit.Location;
import org.bukkit.entity.Entity;

/** Makes targets from the server's objects; meant for static import. */
public final class Targets {
  private static final Target GLOBAL = new Target.Global();

  private Targets() {}

  /** The server thread; on Folia the global region's. */
  public static Target global() {
    return GLOBAL;
  }

  /** The thread that owns this entity when the result arrives. */
  public static Target entity(Entity entity) {
    return new Target.Entity(entity);
  }

  /** The thread that owns this location's chunk when the result arrives. */
  public static Target region(Location location) {
    return new Target.Region(
        location.getWorld(), location.getBlockX() >> 4, location.getBlockZ() >> 4);
  }
}
