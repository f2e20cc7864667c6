package org.bukkit.inventory;

/** Something that has an inventory. */
public interface InventoryHolder {
  Inventory getInventory();
}
