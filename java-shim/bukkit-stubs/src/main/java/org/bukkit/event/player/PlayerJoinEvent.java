package org.bukkit.event.player;

import net.kyori.adventure.text.Component;
import org.bukkit.entity.Player;
import org.bukkit.event.HandlerList;

/** A player came into the world. */
public class PlayerJoinEvent extends PlayerEvent {
  private static final HandlerList HANDLERS = new HandlerList();

  private Component joinMessage;

  public PlayerJoinEvent(Player player, Component joinMessage) {
    super(player);
    this.joinMessage = joinMessage;
  }

  public Component joinMessage() {
    return joinMessage;
  }

  public void joinMessage(Component joinMessage) {
    this.joinMessage = joinMessage;
  }

  @Override
  public HandlerList getHandlers() {
    return HANDLERS;
  }

  public static HandlerList getHandlerList() {
    return HANDLERS;
  }
}
