package dev.tickwell.benchmark.host.world;

import dev.tickwell.benchmark.host.schedule.RegionTasks;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.kyori.adventure.text.Component;
import net.minestom.server.coordinate.Pos;
import net.minestom.server.entity.Player;
import net.minestom.server.event.GlobalEventHandler;
import net.minestom.server.event.entity.EntityDespawnEvent;
import net.minestom.server.event.player.AsyncPlayerConfigurationEvent;
import net.minestom.server.event.player.PlayerDisconnectEvent;
import net.minestom.server.event.player.PlayerSpawnEvent;
import org.bukkit.Server;
import org.bukkit.entity.Entity;
import org.bukkit.event.player.PlayerJoinEvent;
import org.bukkit.event.player.PlayerQuitEvent;

/**
 * The API's objects for Minestom's entities, one each as long as the entity lives. Minestom tells
 * of joins, quits and removals on its own threads; they are passed on to the tick thread in the
 * order in which they came.
 */
public final class HostEntities {
  private final Server server;
  private final RegionTasks tasks;
  private final Consumer<Runnable> onTickThread;
  private final Map<UUID, HostEntity> known = new ConcurrentHashMap<>();
  private final Map<UUID, HostPlayer> online = new ConcurrentHashMap<>();
  private HostWorlds worlds;

  /**
   * @param onTickThread takes work for the next tick
   */
  public HostEntities(Server server, RegionTasks tasks, Consumer<Runnable> onTickThread) {
    this.server = server;
    this.tasks = tasks;
    this.onTickThread = onTickThread;
  }

  /** Begins to listen; players appear in the default one of these worlds. */
  public void start(HostWorlds worlds, GlobalEventHandler events) {
    this.worlds = worlds;
    events.addListener(
        AsyncPlayerConfigurationEvent.class,
        event -> {
          event.setSpawningInstance(worlds.byName(HostWorlds.DEFAULT).instance());
          event.getPlayer().setRespawnPoint(new Pos(0.5, HostWorld.GROUND, 0.5));
        });
    events.addListener(
        PlayerSpawnEvent.class,
        event -> {
          if (event.isFirstSpawn()) {
            HostPlayer player = player(event.getPlayer());
            onTickThread.accept(() -> joined(player));
          }
        });
    events.addListener(
        PlayerDisconnectEvent.class,
        event -> {
          HostPlayer player = player(event.getPlayer());
          onTickThread.accept(() -> left(player));
        });
    events.addListener(
        EntityDespawnEvent.class,
        event -> {
          // A player's object lives on until its quit event is over.
          if (!(event.getEntity() instanceof Player)) {
            HostEntity entity = known.remove(event.getEntity().getUuid());
            if (entity != null) {
              onTickThread.accept(entity.getScheduler()::retire);
            }
          }
        });
  }

  private void joined(HostPlayer player) {
    online.put(player.getUniqueId(), player);
    Component message = Component.text(player.getName() + " joined the game");
    PlayerJoinEvent event = new PlayerJoinEvent(player, message);
    server.getPluginManager().callEvent(event);
    announce(event.joinMessage());
  }

  private void left(HostPlayer player) {
    // One that never came as far as the world has not joined either.
    if (player.equals(online.get(player.getUniqueId()))) {
      Component message = Component.text(player.getName() + " left the game");
      PlayerQuitEvent event =
          new PlayerQuitEvent(player, message, PlayerQuitEvent.QuitReason.DISCONNECTED);
      server.getPluginManager().callEvent(event);
      online.remove(player.getUniqueId(), player);
      announce(event.quitMessage());
    }
    known.remove(player.getUniqueId(), player);
    player.getScheduler().retire();
  }

  private void announce(Component message) {
    if (message != null) {
      server.broadcast(message);
    }
  }

  HostWorlds worlds() {
    return worlds;
  }

  Server server() {
    return server;
  }

  HostPlayer player(Player player) {
    return (HostPlayer) of(player);
  }

  HostEntity of(net.minestom.server.entity.Entity entity) {
    return known.compute(
        entity.getUuid(),
        (id, there) -> there != null && there.handle().equals(entity) ? there : make(entity));
  }

  private HostEntity make(net.minestom.server.entity.Entity entity) {
    return entity instanceof Player player
        ? new HostPlayer(this, player, tasks)
        : new HostEntity(this, entity, tasks);
  }

  /** The players whose join event was called and whose quit event was not. */
  public Collection<HostPlayer> online() {
    return online.values();
  }

  /** An online player by id, or null. */
  public HostPlayer online(UUID id) {
    return online.get(id);
  }

  /** An entity of a loaded world by its id, or null. */
  public Entity find(UUID id) {
    for (org.bukkit.World world : worlds.all()) {
      net.minestom.server.entity.Entity found = ((HostWorld) world).instance().getEntityByUuid(id);
      if (found != null) {
        return of(found);
      }
    }
    return null;
  }
}
