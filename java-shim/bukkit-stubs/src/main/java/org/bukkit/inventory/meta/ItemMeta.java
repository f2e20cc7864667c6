package org.bukkit.inventory.meta;

import java.util.List;
import java.util.Map;
import net.kyori.adventure.text.Component;
import org.bukkit.enchantments.Enchantment;
import org.bukkit.inventory.ItemRarity;

/** A copy of an item's properties; setting it on the item applies the changes. */
public interface ItemMeta extends Cloneable {
  boolean hasDisplayName();

  Component displayName();

  void displayName(Component displayName);

  boolean hasItemName();

  Component itemName();

  void itemName(Component name);

  boolean hasLore();

  List<Component> lore();

  void lore(List<? extends Component> lore);

  boolean hasCustomModelData();

  int getCustomModelData();

  void setCustomModelData(Integer data);

  boolean hasEnchants();

  boolean hasEnchant(Enchantment enchantment);

  int getEnchantLevel(Enchantment enchantment);

  Map<Enchantment, Integer> getEnchants();

  boolean addEnchant(Enchantment enchantment, int level, boolean ignoreLevelRestriction);

  boolean removeEnchant(Enchantment enchantment);

  boolean isUnbreakable();

  void setUnbreakable(boolean unbreakable);

  boolean isHideTooltip();

  void setHideTooltip(boolean hideTooltip);

  boolean hasEnchantmentGlintOverride();

  Boolean getEnchantmentGlintOverride();

  void setEnchantmentGlintOverride(Boolean override);

  boolean hasMaxStackSize();

  int getMaxStackSize();

  void setMaxStackSize(Integer max);

  boolean hasRarity();

  ItemRarity getRarity();

  void setRarity(ItemRarity rarity);

  ItemMeta clone();
}
