package org.bukkit;

import org.bukkit.inventory.ItemStack;

/** The server's own forms of values. */
public interface UnsafeValues {
  byte[] serializeItem(ItemStack item);

  ItemStack deserializeItem(byte[] data);

  ItemStack createEmptyStack();
}
