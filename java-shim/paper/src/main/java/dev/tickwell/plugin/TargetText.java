package dev.tickwell.plugin;

import dev.tickwell.Target;
import org.bukkit.World;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;

/** Names targets in messages. Pure; any thread. */
final class TargetText {
  private TargetText() {}

  /** The player, the kind of entity, the chunk, or the server thread. */
  static String of(Target target) {
    return switch (target) {
      case Target.Global global -> "the server thread";
      case Target.Entity entity ->
          switch (entity.entity()) {
            case Player player -> "player " + player.getName();
            case Entity other -> "entity " + other.getUniqueId();
            default -> "an entity";
          };
      case Target.Region region ->
          "chunk "
              + region.chunkX()
              + ", "
              + region.chunkZ()
              + (region.world() instanceof World world ? " of " + world.getName() : "");
    };
  }
}
