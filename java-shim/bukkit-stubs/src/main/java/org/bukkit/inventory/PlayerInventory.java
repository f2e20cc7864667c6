package org.bukkit.inventory;

import org.bukkit.entity.HumanEntity;

/** What a player carries. */
public interface PlayerInventory extends Inventory {
  ItemStack getItemInMainHand();

  void setItemInMainHand(ItemStack item);

  int getHeldItemSlot();

  @Override
  HumanEntity getHolder();
}
