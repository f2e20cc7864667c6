package dev.tickwell.benchmark.shape;

import dev.tickwell.Key;
import dev.tickwell.NotNull;
import dev.tickwell.Rows;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.format.NamedTextColor;
import org.bukkit.Bukkit;
import org.bukkit.Location;
import org.bukkit.Material;
import org.bukkit.World;
import org.bukkit.inventory.ItemStack;

/** Four numbers, one item with components and one location; the item named, with lore, or not. */
public final class Kits extends Shape<Kits.Kit> {
  private static final List<Material> MATERIALS =
      List.of(
          Material.DIAMOND_SWORD, Material.DIAMOND_PICKAXE, Material.BOW, Material.DIAMOND_HELMET);
  private static final int LOCATION_BYTES = 48;

  private final boolean named;

  /** What a player carries, and where. */
  public record Kit(
      @Key long id,
      int level,
      long coins,
      double balance,
      @NotNull ItemStack item,
      @NotNull Location location) {}

  /** The shape under this table name. */
  public Kits(String table, boolean named) {
    super(
        table,
        Kit.class,
        List.of("id", "level", "coins", "balance", "item", "location"),
        "id INTEGER PRIMARY KEY, level INTEGER NOT NULL, coins INTEGER NOT NULL,"
            + " balance REAL NOT NULL, item BLOB NOT NULL, location BLOB NOT NULL");
    this.named = named;
  }

  @Override
  public Kit row(long id) {
    return new Kit(
        id,
        (int) mix(id, 1) & 0x7F,
        mix(id, 2) >>> 24,
        (mix(id, 3) >>> 11) / 4096.0,
        item(id),
        new Location(
            Bukkit.getWorlds().get(0),
            (mix(id, 5) & 0xFFFF) / 8.0,
            (mix(id, 6) & 0xFF) / 2.0,
            (mix(id, 7) & 0xFFFF) / -8.0,
            mix(id, 8) & 0x7F,
            mix(id, 9) & 0x3F));
  }

  private ItemStack item(long id) {
    ItemStack item = ItemStack.of(MATERIALS.get((int) (mix(id, 4) & (MATERIALS.size() - 1))), 1);
    item.editMeta(
        meta -> {
          meta.setUnbreakable((id & 1) == 0);
          meta.setEnchantmentGlintOverride((id & 2) == 0);
          if (named) {
            meta.displayName(Component.text("Blade of " + id, NamedTextColor.GOLD));
            meta.lore(
                List.of(
                    Component.text("Forged in the deep"),
                    Component.text("Owner: " + mix(id, 10), NamedTextColor.GRAY),
                    Component.text("Soulbound", NamedTextColor.RED)));
          }
        });
    return item;
  }

  @Override
  public long checksum(long sum, Kit row) {
    sum = Checksum.add(sum, row.id());
    sum = Checksum.add(sum, row.level());
    sum = Checksum.add(sum, row.coins());
    sum = Checksum.add(sum, row.balance());
    sum = add(sum, row.item());
    return add(sum, row.location());
  }

  @Override
  public long checksum(Rows<?> rows) {
    long sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum = Checksum.add(sum, rows.getLong(row, 0));
      sum = Checksum.add(sum, rows.getLong(row, 1));
      sum = Checksum.add(sum, rows.getLong(row, 2));
      sum = Checksum.add(sum, rows.getDouble(row, 3));
      sum = add(sum, rows.get(row, 4, ItemStack.class));
      sum = add(sum, rows.get(row, 5, Location.class));
    }
    return sum;
  }

  private static long add(long sum, ItemStack item) {
    return Checksum.add(Checksum.add(sum, item.getAmount()), item.getType().name().hashCode());
  }

  private static long add(long sum, Location location) {
    sum = Checksum.add(sum, location.getX());
    sum = Checksum.add(sum, location.getY());
    sum = Checksum.add(sum, location.getZ());
    sum = Checksum.add(sum, (double) location.getYaw());
    sum = Checksum.add(sum, (double) location.getPitch());
    return Checksum.add(sum, location.getWorld().getUID().getLeastSignificantBits());
  }

  @Override
  public Kit snapshot(Kit row) {
    return new Kit(
        row.id(),
        row.level(),
        row.coins(),
        row.balance(),
        row.item().clone(),
        row.location().clone());
  }

  @Override
  public boolean mutable() {
    return true;
  }

  @Override
  public void bind(PreparedStatement statement, int first, Kit row) throws SQLException {
    statement.setLong(first, row.id());
    statement.setInt(first + 1, row.level());
    statement.setLong(first + 2, row.coins());
    statement.setDouble(first + 3, row.balance());
    statement.setBytes(first + 4, row.item().serializeAsBytes());
    statement.setBytes(first + 5, bytes(row.location()));
  }

  @Override
  public Kit read(ResultSet result) throws SQLException {
    return new Kit(
        result.getLong(1),
        result.getInt(2),
        result.getLong(3),
        result.getDouble(4),
        ItemStack.deserializeBytes(result.getBytes(5)),
        location(result.getBytes(6)));
  }

  private static byte[] bytes(Location location) {
    UUID world = location.getWorld().getUID();
    return ByteBuffer.allocate(LOCATION_BYTES)
        .putLong(world.getMostSignificantBits())
        .putLong(world.getLeastSignificantBits())
        .putDouble(location.getX())
        .putDouble(location.getY())
        .putDouble(location.getZ())
        .putFloat(location.getYaw())
        .putFloat(location.getPitch())
        .array();
  }

  private static Location location(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    World world = Bukkit.getWorld(new UUID(in.getLong(), in.getLong()));
    return new Location(
        world, in.getDouble(), in.getDouble(), in.getDouble(), in.getFloat(), in.getFloat());
  }
}
