package org.bukkit.command;

import net.kyori.adventure.audience.Audience;
import net.kyori.adventure.text.Component;
import org.bukkit.Server;
import org.bukkit.permissions.Permissible;

/** Who runs a command and reads its answer. */
public interface CommandSender extends Audience, Permissible {
  void sendMessage(String message);

  void sendMessage(String... messages);

  @Override
  default void sendMessage(Component message) {
    Audience.super.sendMessage(message);
  }

  Server getServer();

  String getName();

  Component name();
}
