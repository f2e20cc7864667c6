package org.bukkit.entity;

import net.kyori.adventure.text.Component;
import org.bukkit.OfflinePlayer;

/** A player on the server. */
public interface Player extends HumanEntity, OfflinePlayer {
  @Override
  String getName();

  @Override
  java.util.UUID getUniqueId();

  Component displayName();

  void kick(Component message);

  int getPing();
}
