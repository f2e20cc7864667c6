package dev.tickwell.benchmark.host;

import java.util.logging.Logger;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.serializer.legacy.LegacyComponentSerializer;
import net.kyori.adventure.text.serializer.plain.PlainTextComponentSerializer;
import org.bukkit.Server;
import org.bukkit.command.ConsoleCommandSender;

/** The console as the sender of commands: may do everything; its answers are log lines. */
final class ConsoleSender implements ConsoleCommandSender {
  private final Server server;
  private final Logger logger;

  ConsoleSender(Server server, Logger logger) {
    this.server = server;
    this.logger = logger;
  }

  @Override
  public void sendMessage(String message) {
    sendMessage(LegacyComponentSerializer.legacySection().deserialize(message));
  }

  @Override
  public void sendMessage(String... messages) {
    for (String message : messages) {
      sendMessage(message);
    }
  }

  @Override
  public void sendMessage(Component message) {
    logger.info(PlainTextComponentSerializer.plainText().serialize(message));
  }

  @Override
  public Server getServer() {
    return server;
  }

  @Override
  public String getName() {
    return "CONSOLE";
  }

  @Override
  public Component name() {
    return Component.text(getName());
  }

  @Override
  public boolean isPermissionSet(String name) {
    return true;
  }

  @Override
  public boolean hasPermission(String name) {
    return true;
  }

  @Override
  public boolean isOp() {
    return true;
  }

  @Override
  public void setOp(boolean value) {
    throw new UnsupportedOperationException("Cannot change operator status of server console");
  }
}
