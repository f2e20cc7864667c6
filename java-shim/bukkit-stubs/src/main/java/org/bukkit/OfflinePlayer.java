package org.bukkit;

import java.util.UUID;
import org.bukkit.entity.Player;
import org.bukkit.permissions.ServerOperator;

/** A player, on the server or not. */
public interface OfflinePlayer extends ServerOperator {
  boolean isOnline();

  String getName();

  UUID getUniqueId();

  Player getPlayer();
}
