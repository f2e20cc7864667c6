package org.bukkit.inventory;

import java.util.HashMap;

/** Slots of items. The items that it gives are live mirrors of their slots. */
public interface Inventory extends Iterable<ItemStack> {
  int getSize();

  /** The item in the slot, or null when it is empty. */
  ItemStack getItem(int index);

  /** Puts a copy of the item into the slot. */
  void setItem(int index, ItemStack item);

  /** Adds items where they fit; what did not fit, by its position in the arguments. */
  @SuppressWarnings("NonApiType") // the real signature
  HashMap<Integer, ItemStack> addItem(ItemStack... items) throws IllegalArgumentException;

  ItemStack[] getContents();

  void setContents(ItemStack[] items) throws IllegalArgumentException;

  boolean isEmpty();

  void clear(int index);

  void clear();

  InventoryHolder getHolder();
}
