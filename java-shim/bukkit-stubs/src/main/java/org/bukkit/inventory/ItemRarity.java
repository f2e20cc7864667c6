package org.bukkit.inventory;

/** How rare an item is said to be. */
public enum ItemRarity {
  COMMON,
  UNCOMMON,
  RARE,
  EPIC
}
