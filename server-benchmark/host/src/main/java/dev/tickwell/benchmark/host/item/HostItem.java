package dev.tickwell.benchmark.host.item;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import net.minestom.server.item.ItemStack;
import org.bukkit.Material;
import org.bukkit.inventory.meta.ItemMeta;

/**
 * An item of the server: immutable components behind a mutable face. It either holds its stack
 * itself or mirrors an inventory's slot, so that a change on either side is seen on the other.
 */
public final class HostItem extends org.bukkit.inventory.ItemStack {

  /** Where the stack is kept. */
  interface Place {
    ItemStack get();

    void set(ItemStack stack);
  }

  private static final class Own implements Place {
    private volatile ItemStack stack;

    Own(ItemStack stack) {
      this.stack = stack;
    }

    @Override
    public ItemStack get() {
      return stack;
    }

    @Override
    public void set(ItemStack stack) {
      this.stack = stack;
    }
  }

  private static final VarHandle DELEGATE = delegate();

  private final Place place;

  HostItem(Place place) {
    this.place = place;
  }

  /** An item of its own. */
  HostItem(ItemStack stack) {
    this(new Own(stack));
  }

  private static VarHandle delegate() {
    Class<?> api = org.bukkit.inventory.ItemStack.class;
    try {
      return MethodHandles.privateLookupIn(api, MethodHandles.lookup())
          .findVarHandle(api, "delegate", api);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The server's stack that an item of any class stands for; air for null. */
  static ItemStack stackOf(org.bukkit.inventory.ItemStack item) {
    if (item == null) {
      return ItemStack.AIR;
    }
    // One that a plugin made with "new" is of the API's class and holds the server's inside.
    HostItem host = item instanceof HostItem same ? same : (HostItem) DELEGATE.get(item);
    return host.place.get();
  }

  static net.minestom.server.item.Material toServer(Material material) {
    return net.minestom.server.item.Material.fromKey(material.getKey());
  }

  @Override
  public Material getType() {
    String key = place.get().material().key().value();
    Material material = Material.getMaterial(key.toUpperCase(Locale.ROOT));
    if (material == null) {
      throw new IllegalStateException(
          "this host's Material has no constant for minecraft:" + key + "; add it to the stubs");
    }
    return material;
  }

  @Override
  public org.bukkit.inventory.ItemStack withType(Material type) {
    return new HostItem(place.get().withMaterial(toServer(type)));
  }

  @Override
  public int getAmount() {
    return place.get().amount();
  }

  @Override
  public void setAmount(int amount) {
    ItemStack stack = place.get();
    if (!stack.isAir()) {
      place.set(amount <= 0 ? ItemStack.AIR : stack.withAmount(amount));
    }
  }

  @Override
  public int getMaxStackSize() {
    return place.get().maxStackSize();
  }

  @Override
  public boolean isEmpty() {
    return place.get().isAir();
  }

  @Override
  public boolean isSimilar(org.bukkit.inventory.ItemStack other) {
    return other != null && place.get().isSimilar(stackOf(other));
  }

  @Override
  public boolean hasItemMeta() {
    return !place.get().componentPatch().isEmpty();
  }

  @Override
  public ItemMeta getItemMeta() {
    ItemStack stack = place.get();
    return stack.isAir() ? null : new HostItemMeta(stack);
  }

  @Override
  public boolean setItemMeta(ItemMeta itemMeta) {
    ItemStack stack = place.get();
    if (stack.isAir()) {
      return false;
    }
    if (itemMeta == null) {
      place.set(ItemStack.of(stack.material(), stack.amount()));
    } else if (itemMeta instanceof HostItemMeta meta) {
      place.set(ItemStack.of(stack.material(), stack.amount(), meta.components()));
    } else {
      throw new IllegalArgumentException("not made by this server: " + itemMeta.getClass());
    }
    return true;
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof org.bukkit.inventory.ItemStack other
        && place.get().equals(stackOf(other));
  }

  @Override
  public int hashCode() {
    return place.get().hashCode();
  }

  @Override
  public String toString() {
    ItemStack stack = place.get();
    return "ItemStack{" + stack.material().key().value() + " x " + stack.amount() + '}';
  }

  /** A copy that no longer follows the slot. */
  @Override
  public HostItem clone() {
    return new HostItem(place.get());
  }
}
