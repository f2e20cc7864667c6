package org.bukkit.inventory;

/** Makes items. */
public interface ItemFactory {
  /** Makes one item of the type that the text names, such as {@code minecraft:stone}. */
  ItemStack createItemStack(String input) throws IllegalArgumentException;
}
