package dev.tickwell.paper;

import dev.tickwell.ObjectCodec;
import dev.tickwell.ValueType;
import org.bukkit.inventory.ItemStack;

/**
 * Keeps items in {@code item} columns as the server's own versioned bytes, which newer servers
 * upgrade when they read them. Works on any thread, off the tick; an item of an inventory is a live
 * view of its slot, so it is copied on the thread that submits it.
 */
public final class ItemCodec implements ObjectCodec<ItemStack> {
  private static final byte[] EMPTY = {};

  @Override
  public Class<ItemStack> type() {
    return ItemStack.class;
  }

  @Override
  public ValueType storage() {
    return ValueType.ITEM;
  }

  @Override
  public ItemStack snapshot(ItemStack item) {
    return item.clone();
  }

  /** The server's bytes; none for an empty stack, which the server refuses to write. */
  @Override
  public byte[] encode(ItemStack item) {
    return item.isEmpty() ? EMPTY : item.serializeAsBytes();
  }

  @Override
  public ItemStack decode(byte[] bytes) {
    return bytes.length == 0 ? ItemStack.empty() : ItemStack.deserializeBytes(bytes);
  }
}
