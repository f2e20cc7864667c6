package dev.tickwell.benchmark.host.world;

import dev.tickwell.benchmark.host.item.HostPlayerInventory;
import dev.tickwell.benchmark.host.plugin.HostPluginManager;
import dev.tickwell.benchmark.host.schedule.RegionTasks;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.serializer.legacy.LegacyComponentSerializer;
import net.minestom.server.entity.Player;
import org.bukkit.inventory.PlayerInventory;

/** A player over one of Minestom's. */
public final class HostPlayer extends HostEntity implements org.bukkit.entity.Player {
  private final Player player;
  private final PlayerInventory inventory;
  private volatile boolean operator;

  HostPlayer(HostEntities entities, Player player, RegionTasks tasks) {
    super(entities, player, tasks);
    this.player = player;
    this.inventory = new HostPlayerInventory(player, this);
  }

  @Override
  public PlayerInventory getInventory() {
    return inventory;
  }

  @Override
  public String getName() {
    return player.getUsername();
  }

  @Override
  public Component displayName() {
    Component name = player.getDisplayName();
    return name == null ? name() : name;
  }

  @Override
  public void kick(Component message) {
    player.kick(message);
  }

  @Override
  public int getPing() {
    return player.getLatency();
  }

  @Override
  public boolean isOnline() {
    return entities().online(getUniqueId()) == this;
  }

  @Override
  public org.bukkit.entity.Player getPlayer() {
    return isOnline() ? this : null;
  }

  @Override
  public void sendMessage(String message) {
    player.sendMessage(LegacyComponentSerializer.legacySection().deserialize(message));
  }

  @Override
  public void sendMessage(Component message) {
    player.sendMessage(message);
  }

  @Override
  public boolean isOp() {
    return operator;
  }

  @Override
  public void setOp(boolean value) {
    operator = value;
  }

  @Override
  public boolean hasPermission(String name) {
    return ((HostPluginManager) getServer().getPluginManager())
        .permissionDefault(name)
        .getValue(operator);
  }
}
