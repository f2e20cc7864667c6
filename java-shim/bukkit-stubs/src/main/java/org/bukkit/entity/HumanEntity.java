package org.bukkit.entity;

import org.bukkit.inventory.InventoryHolder;
import org.bukkit.inventory.PlayerInventory;

/** A human, player or not. */
public interface HumanEntity extends LivingEntity, InventoryHolder {
  @Override
  PlayerInventory getInventory();
}
