package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.destroystokyo.paper.event.server.ServerTickEndEvent;
import com.destroystokyo.paper.event.server.ServerTickStartEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.bukkit.Bukkit;
import org.bukkit.Location;
import org.bukkit.World;
import org.bukkit.command.CommandException;
import org.bukkit.event.Event;
import org.bukkit.event.EventPriority;
import org.bukkit.event.HandlerList;
import org.bukkit.event.Listener;
import org.bukkit.event.world.WorldLoadEvent;
import org.bukkit.event.world.WorldUnloadEvent;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.RegisteredServiceProvider;
import org.bukkit.plugin.ServicePriority;
import org.junit.jupiter.api.Test;

class ServerTest extends HostTestCase {
  private final List<String> seen = new ArrayList<>();

  private void on(Plugin plugin, Class<? extends Event> type, EventPriority priority, String name) {
    plugins()
        .registerEvent(
            type, new Listener() {}, priority, (listener, event) -> seen.add(name), plugin, true);
  }

  @Test
  void listenersHearInTheOrderOfTheirPriorities() {
    Plugin plugin = idle("P");
    on(plugin, WorldUnloadEvent.class, EventPriority.MONITOR, "monitor");
    on(plugin, WorldUnloadEvent.class, EventPriority.NORMAL, "normal");
    on(plugin, WorldUnloadEvent.class, EventPriority.LOWEST, "lowest");
    on(plugin, WorldUnloadEvent.class, EventPriority.NORMAL, "normal again");
    World world = server().getWorld("world");
    plugins().callEvent(new WorldUnloadEvent(world));
    assertEquals(List.of("lowest", "normal", "normal again", "monitor"), seen);
    seen.clear();
    WorldUnloadEvent cancelled = new WorldUnloadEvent(world);
    cancelled.setCancelled(true);
    plugins().callEvent(cancelled);
    assertEquals(List.of(), seen);
  }

  @Test
  void aListenerThatThrowsHarmsNoOther() {
    Plugin plugin = idle("P");
    plugins()
        .registerEvent(
            WorldLoadEvent.class,
            new Listener() {},
            EventPriority.LOW,
            (listener, event) -> {
              throw new IllegalStateException("on purpose");
            },
            plugin);
    on(plugin, WorldLoadEvent.class, EventPriority.HIGH, "second");
    plugins().callEvent(new WorldLoadEvent(server().getWorld("world")));
    assertEquals(List.of("second"), seen);
  }

  /** An event that belongs on other threads. */
  private static final class AsyncEvent extends Event {
    private static final HandlerList HANDLERS = new HandlerList();

    AsyncEvent() {
      super(true);
    }

    @Override
    public HandlerList getHandlers() {
      return HANDLERS;
    }
  }

  @Test
  void eventsAreCalledOnTheThreadsThatTheyAreFor() {
    assertThrows(IllegalStateException.class, () -> plugins().callEvent(new AsyncEvent()));
    CompletableFuture.runAsync(() -> plugins().callEvent(new AsyncEvent())).join();
    World world = server().getWorld("world");
    ExecutionException refused =
        assertThrows(
            ExecutionException.class,
            () ->
                CompletableFuture.runAsync(() -> plugins().callEvent(new WorldLoadEvent(world)))
                    .get());
    assertInstanceOf(IllegalStateException.class, refused.getCause());
  }

  @Test
  void aTickHasOneStartAndOneEndAroundItsTasks() {
    Plugin plugin = idle("P");
    List<Integer> numbers = new ArrayList<>();
    plugins()
        .registerEvent(
            ServerTickStartEvent.class,
            new Listener() {},
            EventPriority.NORMAL,
            (listener, event) -> {
              seen.add("start");
              numbers.add(((ServerTickStartEvent) event).getTickNumber());
            },
            plugin);
    plugins()
        .registerEvent(
            ServerTickEndEvent.class,
            new Listener() {},
            EventPriority.NORMAL,
            (listener, event) -> {
              ServerTickEndEvent end = (ServerTickEndEvent) event;
              seen.add(end.getTickDuration() > 0 ? "end" : "end without duration");
              numbers.add(end.getTickNumber());
            },
            plugin);
    server().getScheduler().runTaskTimer(plugin, () -> seen.add("task"), 0, 1);
    int before = server().getCurrentTick();
    tick(2);
    assertEquals(List.of("start", "task", "end", "start", "task", "end"), seen);
    assertEquals(List.of(before + 1, before + 1, before + 2, before + 2), numbers);
    assertEquals(before + 2, Bukkit.getCurrentTick());
  }

  @Test
  void aWorldKeepsItsIdAndTellsOfItsComingAndGoing() {
    Plugin plugin = idle("P");
    plugins()
        .registerEvent(
            WorldLoadEvent.class,
            new Listener() {},
            EventPriority.NORMAL,
            (listener, event) -> seen.add("load " + ((WorldLoadEvent) event).getWorld().getName()),
            plugin);
    plugins()
        .registerEvent(
            WorldUnloadEvent.class,
            new Listener() {},
            EventPriority.NORMAL,
            (listener, event) -> {
              WorldUnloadEvent unload = (WorldUnloadEvent) event;
              seen.add("unload " + (server().getWorld(unload.getWorld().getUID()) != null));
              unload.setCancelled(seen.size() == 2);
            },
            plugin);
    World world = new org.bukkit.WorldCreator("arena").createWorld();
    UUID id = world.getUID();
    assertSame(world, server().getWorld("Arena"));
    assertSame(world, server().getWorld(id));
    Location location = new Location(world, 1.5, 64, -1.5, 90, -10);
    assertEquals(-2, location.getBlockZ());
    assertTrue(location.isWorldLoaded());
    assertFalse(server().unloadWorld(world, true), "a plugin objected");
    assertTrue(server().unloadWorld(world, true));
    assertFalse(server().unloadWorld(world, true), "it is gone");
    assertNull(server().getWorld("arena"));
    assertFalse(location.isWorldLoaded());
    World again = server().createWorld(new org.bukkit.WorldCreator("arena"));
    assertEquals(id, again.getUID());
    assertNotEquals(world, again);
    assertEquals(List.of("load arena", "unload true", "unload true", "load arena"), seen);
    assertTrue(server().unloadWorld("arena", false));
    assertFalse(server().unloadWorld("world", false));
    assertThrows(
        IllegalArgumentException.class,
        () -> server().createWorld(new org.bukkit.WorldCreator("../out")));
  }

  @Test
  void locationsBehaveAsTheRealOnes() {
    World world = server().getWorld("world");
    Location one = new Location(world, 1, 2, 3, 4, 5);
    assertEquals(one, one.clone());
    assertEquals(one.hashCode(), one.clone().hashCode());
    assertNotEquals(one, one.clone().add(0, 0, 1));
    assertNotEquals(one, new Location(null, 1, 2, 3, 4, 5));
    assertEquals(5, one.distance(one.clone().add(3, 0, 4)));
    assertThrows(IllegalArgumentException.class, () -> one.distance(new Location(null, 1, 2, 3)));
    assertNull(new Location(null, 0, 0, 0).getWorld());
  }

  @Test
  void theBestProviderOfAServiceIsFound() {
    Plugin plugin = idle("P");
    Runnable low = () -> {};
    Runnable high = () -> {};
    server().getServicesManager().register(Runnable.class, low, plugin, ServicePriority.Low);
    server().getServicesManager().register(Runnable.class, high, plugin, ServicePriority.High);
    assertSame(high, server().getServicesManager().load(Runnable.class));
    assertEquals(
        List.of(high, low),
        server().getServicesManager().getRegistrations(Runnable.class).stream()
            .map(RegisteredServiceProvider::getProvider)
            .toList());
    server().getServicesManager().unregister(high);
    assertSame(low, server().getServicesManager().load(Runnable.class));
    server().getServicesManager().unregisterAll(plugin);
    assertNull(server().getServicesManager().load(Runnable.class));
  }

  @Test
  void commandsRunAndComplete() {
    Plugin plugin =
        start(
                jars.make(
                    "Shop",
                    """
                    commands:
                      buy:
                        aliases: [purchase]
                        usage: "/<command> <item>"
                        permission: shop.buy
                      fail: {}
                    permissions:
                      shop.buy: {default: true}
                    """,
                    """
                    public boolean onCommand(org.bukkit.command.CommandSender sender,
                        org.bukkit.command.Command command, String label, String[] args) {
                      if (command.getName().equals("fail")) throw new RuntimeException("inner");
                      Trace.add(label + java.util.List.of(args));
                      return args.length == 1;
                    }
                    public java.util.List<String> onTabComplete(
                        org.bukkit.command.CommandSender sender,
                        org.bukkit.command.Command command, String label, String[] args) {
                      return java.util.List.of("apple", "arg" + args.length);
                    }
                    """))
            .getFirst();
    var console = server().getConsoleSender();
    assertTrue(server().dispatchCommand(console, "buy sword"));
    assertTrue(server().dispatchCommand(console, "PURCHASE a  b"));
    assertTrue(server().dispatchCommand(console, "shop:buy"));
    assertFalse(server().dispatchCommand(console, "nothing"));
    assertEquals(List.of("buy[sword]", "PURCHASE[a, b]", "shop:buy[]"), Trace.take());
    assertEquals(List.of("apple", "arg2"), server().getCommandMap().tabComplete(console, "buy x "));
    assertEquals(List.of("purchase"), server().getCommandMap().tabComplete(console, "pur"));
    assertEquals(List.of("reload"), server().getCommandMap().tabComplete(console, "rel"));
    assertEquals(List.of("Shop"), server().getCommandMap().tabComplete(console, "reload s"));
    String message =
        assertThrows(CommandException.class, () -> server().dispatchCommand(console, "fail"))
            .getMessage();
    assertTrue(message.contains("'fail'") && message.contains("Shop"), message);
    assertEquals(
        org.bukkit.permissions.PermissionDefault.TRUE, plugins().permissionDefault("shop.buy"));
    assertEquals(org.bukkit.permissions.PermissionDefault.OP, plugins().permissionDefault("other"));
    plugins().disablePlugin(plugin);
    message =
        assertThrows(CommandException.class, () -> server().dispatchCommand(console, "buy x"))
            .getMessage();
    assertTrue(message.endsWith("plugin is disabled."), message);
    plugins().unload(plugin);
    assertFalse(server().dispatchCommand(console, "buy x"));
  }
}
