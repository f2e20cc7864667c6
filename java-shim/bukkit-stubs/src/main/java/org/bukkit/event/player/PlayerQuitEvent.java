package org.bukkit.event.player;

import net.kyori.adventure.text.Component;
import org.bukkit.entity.Player;
import org.bukkit.event.HandlerList;

/** A player left the server. */
public class PlayerQuitEvent extends PlayerEvent {
  private static final HandlerList HANDLERS = new HandlerList();

  private final QuitReason reason;
  private Component quitMessage;

  public PlayerQuitEvent(Player player, Component quitMessage, QuitReason reason) {
    super(player);
    this.quitMessage = quitMessage;
    this.reason = reason;
  }

  public Component quitMessage() {
    return quitMessage;
  }

  public void quitMessage(Component quitMessage) {
    this.quitMessage = quitMessage;
  }

  public QuitReason getReason() {
    return reason;
  }

  @Override
  public HandlerList getHandlers() {
    return HANDLERS;
  }

  public static HandlerList getHandlerList() {
    return HANDLERS;
  }

  /** Why the player left. */
  public enum QuitReason {
    DISCONNECTED,
    KICKED,
    TIMED_OUT,
    ERRONEOUS_STATE
  }
}
