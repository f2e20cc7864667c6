package org.bukkit.inventory.meta;

/** The properties of an item that wears out. */
public interface Damageable extends ItemMeta {
  boolean hasDamage();

  int getDamage();

  void setDamage(int damage);

  @Override
  Damageable clone();
}
