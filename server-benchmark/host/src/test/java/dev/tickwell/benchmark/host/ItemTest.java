package dev.tickwell.benchmark.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.format.NamedTextColor;
import net.kyori.adventure.text.format.TextDecoration;
import org.bukkit.Material;
import org.bukkit.enchantments.Enchantment;
import org.bukkit.inventory.Inventory;
import org.bukkit.inventory.ItemRarity;
import org.bukkit.inventory.ItemStack;
import org.bukkit.inventory.meta.Damageable;
import org.bukkit.inventory.meta.ItemMeta;
import org.junit.jupiter.api.Test;

class ItemTest extends HostTestCase {
  private static ItemStack sword() {
    ItemStack sword = new ItemStack(Material.DIAMOND_SWORD);
    sword.editMeta(
        Damageable.class,
        meta -> {
          meta.displayName(
              Component.text("Dämmerklinge 🗡", NamedTextColor.GOLD)
                  .decoration(TextDecoration.ITALIC, false));
          meta.lore(
              List.of(
                  Component.text("first line", NamedTextColor.GRAY),
                  Component.empty(),
                  Component.text("a ").append(Component.text("b", NamedTextColor.RED))));
          meta.setCustomModelData(1234);
          meta.addEnchant(Enchantment.SHARPNESS, 7, true);
          meta.addEnchant(Enchantment.UNBREAKING, 3, false);
          meta.setUnbreakable(true);
          meta.setEnchantmentGlintOverride(false);
          meta.setRarity(ItemRarity.EPIC);
          meta.setHideTooltip(true);
          meta.setDamage(17);
        });
    return sword;
  }

  @Test
  void everyComponentComesBackFromTheBytes() {
    ItemStack sword = sword();
    byte[] bytes = sword.serializeAsBytes();
    ItemStack back = ItemStack.deserializeBytes(bytes);
    assertEquals(sword, back);
    assertEquals(sword.hashCode(), back.hashCode());
    assertArrayEquals(bytes, back.serializeAsBytes());
    ItemMeta meta = back.getItemMeta();
    assertEquals(sword.getItemMeta(), meta);
    assertEquals(Material.DIAMOND_SWORD, back.getType());
    assertEquals(
        "Dämmerklinge 🗡", ((net.kyori.adventure.text.TextComponent) meta.displayName()).content());
    assertEquals(3, meta.lore().size());
    assertEquals(1234, meta.getCustomModelData());
    assertEquals(Map.of(Enchantment.SHARPNESS, 7, Enchantment.UNBREAKING, 3), meta.getEnchants());
    assertTrue(meta.isUnbreakable());
    assertEquals(false, meta.getEnchantmentGlintOverride());
    assertEquals(ItemRarity.EPIC, meta.getRarity());
    assertTrue(meta.isHideTooltip());
    assertEquals(17, ((Damageable) meta).getDamage());
  }

  @Test
  void componentsCanBeTakenBack() {
    ItemStack sword = sword();
    sword.editMeta(
        Damageable.class,
        meta -> {
          meta.displayName(null);
          meta.lore(null);
          meta.setCustomModelData(null);
          assertTrue(meta.removeEnchant(Enchantment.SHARPNESS));
          assertTrue(meta.removeEnchant(Enchantment.UNBREAKING));
          assertFalse(meta.removeEnchant(Enchantment.MENDING));
          meta.setUnbreakable(false);
          meta.setEnchantmentGlintOverride(null);
          meta.setRarity(null);
          meta.setHideTooltip(false);
          meta.setDamage(0);
        });
    assertFalse(sword.hasItemMeta());
    assertEquals(new ItemStack(Material.DIAMOND_SWORD), sword);
  }

  @Test
  void aMetaIsACopyUntilItIsSet() {
    ItemStack item = ItemStack.of(Material.PAPER, 3);
    ItemMeta meta = item.getItemMeta();
    meta.itemName(Component.text("note"));
    assertFalse(item.hasItemMeta());
    ItemMeta copy = meta.clone();
    copy.itemName(Component.text("other"));
    assertTrue(item.setItemMeta(meta));
    assertEquals(Component.text("note"), item.getItemMeta().itemName());
    assertEquals(3, item.getAmount());
    assertFalse(meta.addEnchant(Enchantment.SHARPNESS, 99, false));
    assertThrows(IllegalStateException.class, meta::getCustomModelData);
    assertThrows(IllegalArgumentException.class, () -> meta.setMaxStackSize(100));
  }

  @Test
  void anItemOfAPluginEqualsTheServersOwnAndItsCloneGoesItsOwnWay() {
    ItemStack made = new ItemStack(Material.STONE, 5);
    ItemStack own = ItemStack.of(Material.STONE, 5);
    assertEquals(made, own);
    assertEquals(own, made);
    ItemStack clone = made.clone();
    assertEquals(made, clone);
    clone.setAmount(6);
    assertNotEquals(made, clone);
    assertTrue(made.isSimilar(clone));
    assertEquals(5, new ItemStack(made).getAmount());
    assertFalse(made.isSimilar(ItemStack.of(Material.DIRT)));
    assertEquals(Material.DIRT, made.withType(Material.DIRT).getType());
  }

  @Test
  void itemsOfAnInventoryFollowTheirSlots() {
    Inventory inventory = server().createInventory(null, 9);
    ItemStack put = new ItemStack(Material.STONE, 5);
    inventory.setItem(4, put);
    put.setAmount(60);
    ItemStack mirror = inventory.getItem(4);
    assertEquals(5, mirror.getAmount());
    ItemStack copy = mirror.clone();
    mirror.setAmount(7);
    assertEquals(7, inventory.getItem(4).getAmount());
    mirror.editMeta(meta -> meta.displayName(Component.text("named")));
    assertTrue(inventory.getItem(4).getItemMeta().hasDisplayName());
    inventory.setItem(4, ItemStack.of(Material.DIRT));
    assertEquals(Material.DIRT, mirror.getType());
    inventory.clear(4);
    assertTrue(mirror.isEmpty());
    assertNull(inventory.getItem(4));
    assertEquals(ItemStack.of(Material.STONE, 5), copy);
  }

  @Test
  void addedItemsFillStacksThenSlotsAndTheRestIsGivenBack() {
    Inventory inventory = server().createInventory(null, 9);
    inventory.setItem(8, ItemStack.of(Material.STONE, 60));
    assertTrue(inventory.addItem(ItemStack.of(Material.STONE, 10)).isEmpty());
    assertEquals(64, inventory.getItem(8).getAmount());
    assertEquals(6, inventory.getItem(0).getAmount());
    for (int slot = 0; slot < 8; slot++) {
      inventory.setItem(slot, ItemStack.of(Material.DIAMOND_SWORD));
    }
    Map<Integer, ItemStack> rest =
        inventory.addItem(ItemStack.of(Material.DIRT, 3), ItemStack.of(Material.STONE, 1));
    assertEquals(
        Map.of(0, ItemStack.of(Material.DIRT, 3), 1, ItemStack.of(Material.STONE, 1)), rest);
    assertEquals(9, Arrays.stream(inventory.getContents()).filter(each -> each != null).count());
    inventory.clear();
    assertTrue(inventory.isEmpty());
    assertThrows(IndexOutOfBoundsException.class, () -> inventory.getItem(9));
    assertThrows(IllegalArgumentException.class, () -> server().createInventory(null, 10));
  }

  @Test
  void arraysOfItemsKeepTheirGaps() {
    ItemStack[] items = {sword(), null, ItemStack.empty(), ItemStack.of(Material.BREAD, 2)};
    ItemStack[] back = ItemStack.deserializeItemsFromBytes(ItemStack.serializeItemsAsBytes(items));
    assertEquals(4, back.length);
    assertEquals(items[0], back[0]);
    assertTrue(back[1].isEmpty() && back[2].isEmpty());
    assertEquals(items[3], back[3]);
  }

  @Test
  void wrongBytesAreRefused() {
    byte[] bytes = sword().serializeAsBytes();
    for (byte[] wrong :
        new byte[][] {{}, {2, 0}, {1}, {1, 9, 9, 9}, Arrays.copyOf(bytes, bytes.length - 9)}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> ItemStack.deserializeBytes(wrong),
          Arrays.toString(wrong));
    }
    assertThrows(IllegalArgumentException.class, () -> ItemStack.empty().serializeAsBytes());
    byte[] many = {1, 127, 127, 127, 127, 0};
    assertThrows(IllegalArgumentException.class, () -> ItemStack.deserializeItemsFromBytes(many));
  }

  @Test
  void everyMaterialOfTheApiIsOneOfTheServer() {
    for (Material material : Material.values()) {
      ItemStack item = ItemStack.of(material);
      assertEquals(material, item.getType());
      assertEquals(material.isAir(), item.isEmpty());
    }
  }
}
