package dev.tickwell.benchmark.host.world;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import net.minestom.server.MinecraftServer;
import net.minestom.server.instance.Instance;
import net.minestom.server.instance.InstanceContainer;
import net.minestom.server.instance.block.Block;
import net.minestom.server.world.DimensionType;
import org.bukkit.NamespacedKey;
import org.bukkit.World;
import org.bukkit.event.world.WorldLoadEvent;
import org.bukkit.event.world.WorldUnloadEvent;
import org.bukkit.plugin.PluginManager;

/**
 * The loaded worlds. A world keeps its id in {@code <container>/<name>/uid.dat}, so that it is the
 * same world after a restart; its blocks are generated each time. Loads and unloads on the tick
 * thread; any thread may look up.
 */
public final class HostWorlds {
  /** The world that is always loaded. */
  public static final String DEFAULT = "world";

  private static final Pattern VALID_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]*");

  private final File container;
  private final PluginManager plugins;
  private final HostEntities entities;
  private final Map<UUID, HostWorld> byId = new ConcurrentHashMap<>();

  /**
   * @param container the folder of the worlds' folders
   */
  public HostWorlds(File container, PluginManager plugins, HostEntities entities) {
    this.container = container;
    this.plugins = plugins;
    this.entities = entities;
  }

  /** The folder of the worlds' folders. */
  public File container() {
    return container;
  }

  /** The world of this name, loaded now if it was not. */
  public HostWorld load(String name) {
    HostWorld there = byName(name);
    if (there != null) {
      return there;
    }
    if (!VALID_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a world's name may hold only letters, digits, '_', '.' and '-', not '" + name + "'");
    }
    UUID id = readOrMakeId(container.toPath().resolve(name).resolve("uid.dat"));
    InstanceContainer instance = new InstanceContainer(id, DimensionType.OVERWORLD);
    instance.setGenerator(unit -> unit.modifier().fillHeight(0, HostWorld.GROUND, Block.STONE));
    MinecraftServer.getInstanceManager().registerInstance(instance);
    NamespacedKey key =
        NamespacedKey.minecraft(name.equals(DEFAULT) ? "overworld" : name.toLowerCase(Locale.ROOT));
    HostWorld world = new HostWorld(name, key, instance, entities);
    byId.put(id, world);
    instance.loadChunk(0, 0).join();
    plugins.callEvent(new WorldLoadEvent(world));
    return world;
  }

  private static UUID readOrMakeId(Path file) {
    try {
      if (Files.exists(file)) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length != 2 * Long.BYTES) {
          throw new IllegalStateException(
              file + " holds " + bytes.length + " bytes, not a world's id of 16; remove it");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
      }
      UUID id = UUID.randomUUID();
      Files.createDirectories(file.getParent());
      Files.write(
          file,
          ByteBuffer.allocate(2 * Long.BYTES)
              .putLong(id.getMostSignificantBits())
              .putLong(id.getLeastSignificantBits())
              .array());
      return id;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the world's id in " + file, e);
    }
  }

  /** Unloads a world; false when it is the default one, has players, or a plugin objects. */
  public boolean unload(World world) {
    if (!(world instanceof HostWorld host)
        || byId.get(host.getUID()) != host
        || host.getName().equals(DEFAULT)
        || !host.instance().getPlayers().isEmpty()) {
      return false;
    }
    WorldUnloadEvent event = new WorldUnloadEvent(host);
    plugins.callEvent(event);
    if (event.isCancelled()) {
      return false;
    }
    byId.remove(host.getUID());
    MinecraftServer.getInstanceManager().unregisterInstance(host.instance());
    return true;
  }

  /** The loaded world of this id, or null. */
  public HostWorld byId(UUID id) {
    return byId.get(id);
  }

  /** The loaded world of this name, in any case, or null. */
  public HostWorld byName(String name) {
    for (HostWorld world : byId.values()) {
      if (world.getName().equalsIgnoreCase(name)) {
        return world;
      }
    }
    return null;
  }

  /** The world over an instance, or null. */
  HostWorld of(Instance instance) {
    return instance == null ? null : byId.get(instance.getUuid());
  }

  /** All loaded worlds, the default one first. */
  public List<World> all() {
    return byId.values().stream()
        .sorted(
            (a, b) ->
                a.getName().equals(b.getName())
                    ? 0
                    : a.getName().equals(DEFAULT)
                        ? -1
                        : b.getName().equals(DEFAULT) ? 1 : a.getName().compareTo(b.getName()))
        .map(World.class::cast)
        .toList();
  }
}
