package dev.tickwell.paper;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.bukkit.Location;
import org.bukkit.World;
import org.junit.jupiter.api.Test;

class LocationCodecTest {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  private final Worlds worlds = new Worlds();
  private final LocationCodec codec = new LocationCodec(worlds);

  @SuppressWarnings("ReferenceEquality") // worlds are themselves only
  private static World world(UUID id, String name) {
    return (World)
        Proxy.newProxyInstance(
            LocationCodecTest.class.getClassLoader(),
            new Class<?>[] {World.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getUID" -> id;
                  case "getName" -> name;
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> id.hashCode();
                  case "toString" -> name;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void bytesAreThoseOfThePageFormat() {
    byte[] bytes = codec.encode(new Location(world(ID, "wörld"), 1.5, -64, 0.25, 90f, -45f));
    assertEquals(
        "00112233445566778899aabbccddeeff"
            + "000000000000f83f"
            + "00000000000050c0"
            + "000000000000d03f"
            + "0000b442"
            + "000034c2"
            + HexFormat.of().formatHex("wörld".getBytes(StandardCharsets.UTF_8)),
        HexFormat.of().formatHex(bytes));
  }

  @Test
  void aLoadedWorldGivesAPlainLocationEqualToTheFirst() {
    World world = world(ID, "world");
    worlds.reset(List.of(world));
    Location first = new Location(world, 1, 2, 3, 4f, 5f);
    Location again = codec.decode(codec.encode(codec.snapshot(first)));
    assertSame(Location.class, again.getClass());
    assertEquals(first, again);
  }

  @Test
  void anUnloadedWorldIsKeptAndResolvesOnceItLoads() {
    World world = world(ID, "later");
    byte[] bytes = codec.encode(new Location(world, 1, 2, 3, 4f, 5f));

    StoredLocation stored = assertInstanceOf(StoredLocation.class, codec.decode(bytes));
    assertNull(stored.getWorld());
    assertEquals(false, stored.isWorldLoaded());
    assertEquals(ID, stored.worldId());
    assertEquals("later", stored.worldName());
    assertArrayEquals(bytes, codec.encode(codec.snapshot(stored)), "nothing is lost meanwhile");

    worlds.add(world);
    assertSame(world, stored.getWorld());
    assertEquals(true, stored.isWorldLoaded());
    worlds.remove(world);
    assertNull(stored.getWorld());
  }

  @Test
  void aWorldMadeAgainUnderItsNameIsFoundByName() {
    byte[] bytes = codec.encode(new Location(world(ID, "arena"), 1, 2, 3));
    World again = world(UUID.randomUUID(), "arena");
    worlds.reset(List.of(world(UUID.randomUUID(), "other"), again));
    assertSame(again, codec.decode(bytes).getWorld());
  }

  @Test
  void aLocationWithoutAWorldStaysOne() {
    Location again = codec.decode(codec.encode(new Location(null, 1, 2, 3)));
    assertSame(Location.class, again.getClass());
    assertNull(again.getWorld());
  }

  @Test
  void aSnapshotDoesNotFollowTheLocation() {
    Location location = new Location(world(ID, "world"), 1, 2, 3);
    Location snapshot = codec.snapshot(location);
    location.setX(100);
    location.setWorld(null);
    worlds.reset(List.of(world(ID, "world")));
    Location again = codec.decode(codec.encode(snapshot));
    assertEquals(1, again.getX());
    assertEquals("world", again.getWorld().getName());
  }

  @Test
  void storedLocationsOfDifferentWorldsDiffer() {
    Location one = codec.decode(codec.encode(new Location(world(ID, "a"), 1, 2, 3)));
    Location same = codec.decode(codec.encode(new Location(world(ID, "a"), 1, 2, 3)));
    Location other =
        codec.decode(codec.encode(new Location(world(UUID.randomUUID(), "a"), 1, 2, 3)));
    assertEquals(one, same);
    assertEquals(one.hashCode(), same.hashCode());
    assertNotEquals(one, other);
    assertEquals(one, one.clone());
  }

  @Test
  void tooFewBytesAreRefusedWithBothNumbers() {
    TickwellException e = assertThrows(TickwellException.class, () -> codec.decode(new byte[47]));
    assertEquals(ErrorCode.INVALID_VALUE, e.code());
    assertEquals(
        "read location: a location has at least 48 bytes, this value has 47", e.getMessage());
  }
}
