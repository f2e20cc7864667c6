package org.bukkit.event.player;

import org.bukkit.entity.Player;
import org.bukkit.event.Event;

/** Something about a player. */
public abstract class PlayerEvent extends Event {
  protected Player player;

  public PlayerEvent(Player player) {
    this.player = player;
  }

  public final Player getPlayer() {
    return player;
  }
}
