package org.bukkit;

import java.util.Locale;

/**
 * Kinds of items and blocks. The real enum has every one; these are the ones that the product, its
 * tests and its benchmark name.
 */
public enum Material implements Keyed {
  AIR,
  STONE,
  DIRT,
  GRASS_BLOCK,
  COBBLESTONE,
  OAK_PLANKS,
  OAK_LOG,
  GLASS,
  CHEST,
  SHULKER_BOX,
  BARRIER,
  TNT,
  TORCH,
  BEDROCK,
  OBSIDIAN,
  GOLD_BLOCK,
  IRON_BLOCK,
  DIAMOND_BLOCK,
  EMERALD_BLOCK,
  NETHERITE_BLOCK,
  STICK,
  PAPER,
  BOOK,
  ENCHANTED_BOOK,
  WRITTEN_BOOK,
  COMPASS,
  CLOCK,
  NAME_TAG,
  LEATHER,
  COAL,
  IRON_INGOT,
  GOLD_INGOT,
  DIAMOND,
  EMERALD,
  NETHERITE_INGOT,
  NETHER_STAR,
  ENDER_PEARL,
  ENDER_EYE,
  BLAZE_ROD,
  EXPERIENCE_BOTTLE,
  APPLE,
  GOLDEN_APPLE,
  ENCHANTED_GOLDEN_APPLE,
  BREAD,
  COOKED_BEEF,
  POTION,
  ARROW,
  BOW,
  CROSSBOW,
  TRIDENT,
  SHIELD,
  ELYTRA,
  FISHING_ROD,
  WOODEN_SWORD,
  STONE_SWORD,
  IRON_SWORD,
  GOLDEN_SWORD,
  DIAMOND_SWORD,
  DIAMOND_PICKAXE,
  DIAMOND_AXE,
  DIAMOND_SHOVEL,
  DIAMOND_HELMET,
  DIAMOND_CHESTPLATE,
  DIAMOND_LEGGINGS,
  DIAMOND_BOOTS,
  NETHERITE_SWORD,
  NETHERITE_PICKAXE,
  NETHERITE_AXE,
  NETHERITE_HELMET,
  NETHERITE_CHESTPLATE,
  NETHERITE_LEGGINGS,
  NETHERITE_BOOTS,
  PLAYER_HEAD;

  @SuppressWarnings("ImmutableEnumChecker") // a key never changes
  private final NamespacedKey key = NamespacedKey.minecraft(name().toLowerCase(Locale.ROOT));

  @Override
  public NamespacedKey getKey() {
    return key;
  }

  public boolean isAir() {
    return this == AIR;
  }

  public static Material getMaterial(String name) {
    for (Material material : values()) {
      if (material.name().equals(name)) {
        return material;
      }
    }
    return null;
  }

  /** Finds a material by what a person would write: any case, blanks, with or without namespace. */
  public static Material matchMaterial(String name) {
    String bare = name.startsWith("minecraft:") ? name.substring("minecraft:".length()) : name;
    return getMaterial(bare.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
