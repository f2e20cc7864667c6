package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.minestom.server.MinecraftServer;
import net.minestom.server.entity.EntityType;
import net.minestom.server.event.EventDispatcher;
import net.minestom.server.event.player.PlayerDisconnectEvent;
import net.minestom.server.event.player.PlayerSpawnEvent;
import net.minestom.server.instance.Instance;
import net.minestom.server.network.packet.server.SendablePacket;
import net.minestom.server.network.player.GameProfile;
import net.minestom.server.network.player.PlayerConnection;
import org.bukkit.Location;
import org.bukkit.Material;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;
import org.bukkit.event.Event;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.event.player.PlayerJoinEvent;
import org.bukkit.event.player.PlayerQuitEvent;
import org.bukkit.inventory.ItemStack;
import org.bukkit.plugin.Plugin;
import org.junit.jupiter.api.Test;

class PlayerTest extends HostTestCase {

  /** A connection whose other end does not listen. */
  private static final class Deaf extends PlayerConnection {
    @Override
    public void sendPacket(SendablePacket packet) {}

    @Override
    public SocketAddress getRemoteAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }
  }

  private final List<String> seen = new ArrayList<>();

  private static Instance instance() {
    return MinecraftServer.getInstanceManager().getInstance(server().getWorld("world").getUID());
  }

  private static net.minestom.server.entity.Player connect(String name) {
    return new net.minestom.server.entity.Player(
        new Deaf(), new GameProfile(UUID.randomUUID(), name));
  }

  private static void spawn(net.minestom.server.entity.Player player) {
    EventDispatcher.call(new PlayerSpawnEvent(player, instance(), true));
  }

  private void on(Plugin plugin, Class<? extends Event> type, String name) {
    plugins()
        .registerEvent(
            type,
            new Listener() {},
            EventPriority.NORMAL,
            (listener, event) -> seen.add(name + " " + server().getOnlinePlayers().size()),
            plugin);
  }

  @Test
  void joinsAndQuitsAreToldOnTheTickThreadInTheNextTick() throws Exception {
    Plugin plugin = idle("P");
    on(plugin, PlayerJoinEvent.class, "join");
    on(plugin, PlayerQuitEvent.class, "quit");
    net.minestom.server.entity.Player handle = connect("Alex");
    Thread network = new Thread(() -> spawn(handle));
    network.start();
    network.join();
    assertEquals(List.of(), seen);
    assertNull(server().getPlayerExact("alex"));
    tick(1);
    assertEquals(List.of("join 1"), seen);
    Player player = server().getPlayer("al");
    assertSame(player, server().getPlayer(handle.getUuid()));
    assertTrue(player.isOnline());

    player.getScheduler().runDelayed(plugin, task -> seen.add("never"), () -> seen.add("gone"), 9);
    EventDispatcher.call(new PlayerDisconnectEvent(handle));
    tick(1);
    assertEquals(List.of("join 1", "quit 1", "gone"), seen);
    assertFalse(player.isOnline());
    assertNull(server().getPlayer("Alex"));
    assertFalse(player.getScheduler().execute(plugin, () -> seen.add("never"), null, 1));
    tick(10);
    assertEquals(3, seen.size());
  }

  @Test
  void oneThatLeavesBeforeItsSpawnNeitherJoinsNorQuits() {
    Plugin plugin = idle("P");
    on(plugin, PlayerJoinEvent.class, "join");
    on(plugin, PlayerQuitEvent.class, "quit");
    EventDispatcher.call(new PlayerDisconnectEvent(connect("Nobody")));
    tick(1);
    assertEquals(List.of(), seen);
  }

  @Test
  void whatAPlayerCarriesFollowsItsSlots() {
    net.minestom.server.entity.Player handle = connect("Sam");
    spawn(handle);
    tick(1);
    Player player = server().getPlayerExact("Sam");
    player.getInventory().setItemInMainHand(ItemStack.of(Material.STONE, 3));
    ItemStack mirror = player.getInventory().getItemInMainHand();
    handle
        .getInventory()
        .setItemStack(
            0, net.minestom.server.item.ItemStack.of(net.minestom.server.item.Material.DIRT, 9));
    assertEquals(ItemStack.of(Material.DIRT, 9), mirror);
    mirror.setAmount(1);
    assertEquals(1, handle.getInventory().getItemStack(0).amount());

    player.getInventory().setItem(36, ItemStack.of(Material.DIAMOND_BOOTS));
    player.getInventory().setItem(39, ItemStack.of(Material.DIAMOND_HELMET));
    player.getInventory().setItem(40, ItemStack.of(Material.SHIELD));
    assertEquals(
        net.minestom.server.item.Material.DIAMOND_BOOTS,
        handle.getEquipment(net.minestom.server.entity.EquipmentSlot.BOOTS).material());
    assertEquals(
        net.minestom.server.item.Material.DIAMOND_HELMET,
        handle.getEquipment(net.minestom.server.entity.EquipmentSlot.HELMET).material());
    assertEquals(
        net.minestom.server.item.Material.SHIELD,
        handle.getEquipment(net.minestom.server.entity.EquipmentSlot.OFF_HAND).material());
    EventDispatcher.call(new PlayerDisconnectEvent(handle));
    tick(1);
  }

  @Test
  void anEntityThatIsRemovedRetires() throws Exception {
    Plugin plugin = idle("P");
    net.minestom.server.entity.Entity handle =
        new net.minestom.server.entity.Entity(EntityType.ARMOR_STAND);
    handle
        .setInstance(instance(), new net.minestom.server.coordinate.Pos(1, 41, 2))
        .get(10, TimeUnit.SECONDS);
    Entity entity = server().getEntity(handle.getUuid());
    assertSame(entity, server().getEntity(handle.getUuid()));
    assertEquals(new Location(server().getWorld("world"), 1, 41, 2), entity.getLocation());
    assertTrue(server().getWorld("world").getEntities().contains(entity));
    entity.getScheduler().runDelayed(plugin, task -> seen.add("never"), () -> seen.add("gone"), 9);
    entity.remove();
    tick(1);
    assertEquals(List.of("gone"), seen);
    assertTrue(entity.isDead());
    assertNull(server().getEntity(handle.getUuid()));
  }
}
