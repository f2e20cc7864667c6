package org.bukkit.enchantments;

import java.util.Objects;
import org.bukkit.Keyed;
import org.bukkit.NamespacedKey;

/** A kind of enchantment; the real class has every one. */
public abstract class Enchantment implements Keyed {
  public static final Enchantment PROTECTION = named("protection");
  public static final Enchantment SHARPNESS = named("sharpness");
  public static final Enchantment EFFICIENCY = named("efficiency");
  public static final Enchantment UNBREAKING = named("unbreaking");
  public static final Enchantment FORTUNE = named("fortune");
  public static final Enchantment LOOTING = named("looting");
  public static final Enchantment MENDING = named("mending");
  public static final Enchantment POWER = named("power");

  private static Enchantment named(String key) {
    return new Named(NamespacedKey.minecraft(key));
  }

  /** The enchantment of this key, or null. */
  public static Enchantment getByKey(NamespacedKey key) {
    for (Enchantment each :
        new Enchantment[] {
          PROTECTION, SHARPNESS, EFFICIENCY, UNBREAKING, FORTUNE, LOOTING, MENDING, POWER
        }) {
      if (Objects.equals(each.getKey(), key)) {
        return each;
      }
    }
    return null;
  }

  private static final class Named extends Enchantment {
    private final NamespacedKey key;

    Named(NamespacedKey key) {
      this.key = key;
    }

    @Override
    public NamespacedKey getKey() {
      return key;
    }

    @Override
    public String toString() {
      return "Enchantment[" + key + ']';
    }
  }
}
