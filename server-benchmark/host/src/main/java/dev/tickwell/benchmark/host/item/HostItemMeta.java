package dev.tickwell.benchmark.host.item;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.kyori.adventure.text.Component;
import net.minestom.server.component.DataComponent;
import net.minestom.server.component.DataComponentMap;
import net.minestom.server.component.DataComponents;
import net.minestom.server.item.ItemStack;
import net.minestom.server.item.component.CustomModelData;
import net.minestom.server.item.component.EnchantmentList;
import net.minestom.server.item.component.TooltipDisplay;
import net.minestom.server.registry.RegistryKey;
import net.minestom.server.utils.Unit;
import org.bukkit.NamespacedKey;
import org.bukkit.enchantments.Enchantment;
import org.bukkit.inventory.ItemRarity;
import org.bukkit.inventory.meta.Damageable;

/** A copy of an item's components that a plugin changes before it sets it on an item. */
final class HostItemMeta implements Damageable {
  private ItemStack stack;

  HostItemMeta(ItemStack stack) {
    this.stack = stack;
  }

  DataComponentMap components() {
    return stack.componentPatch();
  }

  private <T> boolean has(DataComponent<T> component) {
    return stack.componentPatch().has(component);
  }

  private <T> T get(DataComponent<T> component) {
    return has(component) ? stack.get(component) : null;
  }

  private <T> void set(DataComponent<T> component, T value) {
    // An absent value means the type's own, not "removed"; so the patch is built without it.
    DataComponentMap rest = stack.componentPatch();
    DataComponentMap.PatchBuilder patch = DataComponentMap.patchBuilder();
    for (DataComponent.Value each : rest.entrySet()) {
      if (!each.component().equals(component)) {
        copy(patch, each);
      }
    }
    if (value != null) {
      patch.set(component, value);
    }
    stack = ItemStack.of(stack.material(), stack.amount(), patch.build());
  }

  @SuppressWarnings("unchecked") // an entry's value is of its component's type
  private static <T> void copy(DataComponentMap.PatchBuilder patch, DataComponent.Value entry) {
    if (entry.value() == null) {
      patch.remove(entry.component());
    } else {
      patch.set((DataComponent<T>) entry.component(), (T) entry.value());
    }
  }

  @Override
  public boolean hasDisplayName() {
    return has(DataComponents.CUSTOM_NAME);
  }

  @Override
  public Component displayName() {
    return get(DataComponents.CUSTOM_NAME);
  }

  @Override
  public void displayName(Component displayName) {
    set(DataComponents.CUSTOM_NAME, displayName);
  }

  @Override
  public boolean hasItemName() {
    return has(DataComponents.ITEM_NAME);
  }

  @Override
  public Component itemName() {
    return stack.get(DataComponents.ITEM_NAME, Component.empty());
  }

  @Override
  public void itemName(Component name) {
    set(DataComponents.ITEM_NAME, name);
  }

  @Override
  public boolean hasLore() {
    return has(DataComponents.LORE);
  }

  @Override
  public List<Component> lore() {
    return get(DataComponents.LORE);
  }

  @Override
  public void lore(List<? extends Component> lore) {
    set(DataComponents.LORE, lore == null || lore.isEmpty() ? null : List.copyOf(lore));
  }

  @Override
  public boolean hasCustomModelData() {
    CustomModelData data = get(DataComponents.CUSTOM_MODEL_DATA);
    return data != null && !data.floats().isEmpty();
  }

  @Override
  public int getCustomModelData() {
    if (!hasCustomModelData()) {
      throw new IllegalStateException(
          "We don't have CustomModelData! Check hasCustomModelData first!");
    }
    return get(DataComponents.CUSTOM_MODEL_DATA).floats().getFirst().intValue();
  }

  @Override
  public void setCustomModelData(Integer data) {
    set(
        DataComponents.CUSTOM_MODEL_DATA,
        data == null
            ? null
            : new CustomModelData(List.of(data.floatValue()), List.of(), List.of(), List.of()));
  }

  private EnchantmentList enchantments() {
    return stack.get(DataComponents.ENCHANTMENTS, EnchantmentList.EMPTY);
  }

  private static RegistryKey<net.minestom.server.item.enchant.Enchantment> key(
      Enchantment enchantment) {
    return RegistryKey.unsafeOf(enchantment.getKey());
  }

  @Override
  public boolean hasEnchants() {
    return !enchantments().enchantments().isEmpty();
  }

  @Override
  public boolean hasEnchant(Enchantment enchantment) {
    return enchantments().has(key(enchantment));
  }

  @Override
  public int getEnchantLevel(Enchantment enchantment) {
    return hasEnchant(enchantment) ? enchantments().level(key(enchantment)) : 0;
  }

  @Override
  public Map<Enchantment, Integer> getEnchants() {
    Map<Enchantment, Integer> result = new LinkedHashMap<>();
    enchantments()
        .enchantments()
        .forEach(
            (key, level) -> {
              Enchantment known = Enchantment.getByKey(NamespacedKey.fromString(key.name()));
              if (known == null) {
                throw new IllegalStateException(
                    "this host's Enchantment has no constant for "
                        + key.name()
                        + "; add it to the stubs");
              }
              result.put(known, level);
            });
    return result;
  }

  @Override
  public boolean addEnchant(Enchantment enchantment, int level, boolean ignoreLevelRestriction) {
    int before = getEnchantLevel(enchantment);
    int highest =
        net.minestom.server.MinecraftServer.getEnchantmentRegistry()
            .get(key(enchantment))
            .maxLevel();
    if (level == before || (!ignoreLevelRestriction && (level < 1 || level > highest))) {
      return false;
    }
    set(DataComponents.ENCHANTMENTS, enchantments().with(key(enchantment), level));
    return true;
  }

  @Override
  public boolean removeEnchant(Enchantment enchantment) {
    boolean had = hasEnchant(enchantment);
    EnchantmentList rest = enchantments().remove(key(enchantment));
    set(DataComponents.ENCHANTMENTS, rest.enchantments().isEmpty() ? null : rest);
    return had;
  }

  @Override
  public boolean isUnbreakable() {
    return has(DataComponents.UNBREAKABLE);
  }

  @Override
  public void setUnbreakable(boolean unbreakable) {
    set(DataComponents.UNBREAKABLE, unbreakable ? Unit.INSTANCE : null);
  }

  @Override
  public boolean isHideTooltip() {
    return stack.get(DataComponents.TOOLTIP_DISPLAY, TooltipDisplay.EMPTY).hideTooltip();
  }

  @Override
  public void setHideTooltip(boolean hideTooltip) {
    TooltipDisplay changed =
        stack
            .get(DataComponents.TOOLTIP_DISPLAY, TooltipDisplay.EMPTY)
            .withHideTooltip(hideTooltip);
    set(DataComponents.TOOLTIP_DISPLAY, changed.equals(TooltipDisplay.EMPTY) ? null : changed);
  }

  @Override
  public boolean hasEnchantmentGlintOverride() {
    return has(DataComponents.ENCHANTMENT_GLINT_OVERRIDE);
  }

  @Override
  public Boolean getEnchantmentGlintOverride() {
    if (!hasEnchantmentGlintOverride()) {
      throw new IllegalStateException(
          "We don't have enchantment_glint_override! Check hasEnchantmentGlintOverride first!");
    }
    return get(DataComponents.ENCHANTMENT_GLINT_OVERRIDE);
  }

  @Override
  public void setEnchantmentGlintOverride(Boolean override) {
    set(DataComponents.ENCHANTMENT_GLINT_OVERRIDE, override);
  }

  @Override
  public boolean hasMaxStackSize() {
    return has(DataComponents.MAX_STACK_SIZE);
  }

  @Override
  public int getMaxStackSize() {
    if (!hasMaxStackSize()) {
      throw new IllegalStateException("We don't have max_stack_size! Check hasMaxStackSize first!");
    }
    return get(DataComponents.MAX_STACK_SIZE);
  }

  @Override
  public void setMaxStackSize(Integer max) {
    if (max != null && (max < 1 || max > 99)) {
      throw new IllegalArgumentException("max_stack_size must be 1 to 99, not " + max);
    }
    set(DataComponents.MAX_STACK_SIZE, max);
  }

  @Override
  public boolean hasRarity() {
    return has(DataComponents.RARITY);
  }

  @Override
  public ItemRarity getRarity() {
    if (!hasRarity()) {
      throw new IllegalStateException("We don't have rarity! Check hasRarity first!");
    }
    return ItemRarity.valueOf(get(DataComponents.RARITY).name());
  }

  @Override
  public void setRarity(ItemRarity rarity) {
    set(
        DataComponents.RARITY,
        rarity == null
            ? null
            : net.minestom.server.item.component.ItemRarity.valueOf(rarity.name()));
  }

  @Override
  public boolean hasDamage() {
    return getDamage() > 0;
  }

  @Override
  public int getDamage() {
    return stack.get(DataComponents.DAMAGE, 0);
  }

  @Override
  public void setDamage(int damage) {
    set(DataComponents.DAMAGE, damage == 0 ? null : damage);
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof HostItemMeta other && components().equals(other.components());
  }

  @Override
  public int hashCode() {
    return components().hashCode();
  }

  @Override
  public HostItemMeta clone() {
    return new HostItemMeta(stack);
  }
}
