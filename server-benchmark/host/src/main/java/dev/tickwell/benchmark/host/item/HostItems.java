package dev.tickwell.benchmark.host.item;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import net.kyori.adventure.nbt.BinaryTagIO;
import net.kyori.adventure.nbt.CompoundBinaryTag;
import net.minestom.server.item.ItemStack;
import net.minestom.server.item.Material;
import org.bukkit.NamespacedKey;
import org.bukkit.UnsafeValues;
import org.bukkit.inventory.ItemFactory;

/**
 * Makes items and turns them into bytes and back, on any thread. The bytes are: {@code 1} (the
 * version), then the item as uncompressed nameless NBT in the game's own form of version 1.21.11.
 */
public final class HostItems implements UnsafeValues, ItemFactory {
  private static final int VERSION = 1;

  @Override
  public byte[] serializeItem(org.bukkit.inventory.ItemStack item) {
    if (item == null || item.isEmpty()) {
      throw new IllegalArgumentException("an empty item cannot be serialized");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      BinaryTagIO.writer()
          .writeNameless(HostItem.stackOf(item).toItemNBT(), (java.io.DataOutput) out);
    } catch (IOException e) {
      throw new IllegalStateException("cannot serialize " + item, e);
    }
    return bytes.toByteArray();
  }

  @Override
  public org.bukkit.inventory.ItemStack deserializeItem(byte[] data) {
    if (data == null || data.length == 0) {
      throw new IllegalArgumentException("there are no bytes to make an item of");
    }
    if (data[0] != VERSION) {
      throw new IllegalArgumentException(
          "item bytes of version " + data[0] + "; this server reads version " + VERSION);
    }
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(data, 1, data.length - 1))) {
      CompoundBinaryTag tag = BinaryTagIO.unlimitedReader().readNameless((java.io.DataInput) in);
      return new HostItem(ItemStack.fromItemNBT(tag));
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("the bytes do not hold an item: " + e.getMessage(), e);
    }
  }

  @Override
  public org.bukkit.inventory.ItemStack createEmptyStack() {
    return new HostItem(ItemStack.AIR);
  }

  @Override
  public org.bukkit.inventory.ItemStack createItemStack(String input)
      throws IllegalArgumentException {
    NamespacedKey key = NamespacedKey.fromString(input);
    Material material = key == null ? null : Material.fromKey(key);
    if (material == null) {
      throw new IllegalArgumentException("there is no item '" + input + "'");
    }
    return new HostItem(ItemStack.of(material));
  }
}
