package dev.tickwell.benchmark.host.item;

import java.util.HashMap;
import java.util.Iterator;
import java.util.stream.IntStream;
import net.kyori.adventure.text.Component;
import net.minestom.server.inventory.AbstractInventory;
import net.minestom.server.inventory.InventoryType;
import org.bukkit.inventory.Inventory;
import org.bukkit.inventory.InventoryHolder;
import org.bukkit.inventory.ItemStack;

/**
 * An inventory over one of Minestom's. The items that it gives follow their slots whatever is put
 * into them: stricter than the real server, where a mirror keeps the stack that was there.
 */
public sealed class HostInventory implements Inventory permits HostPlayerInventory {
  private final AbstractInventory inventory;
  private final InventoryHolder holder;
  private final int size;

  HostInventory(AbstractInventory inventory, InventoryHolder holder, int size) {
    this.inventory = inventory;
    this.holder = holder;
    this.size = size;
  }

  /**
   * A chest-like inventory.
   *
   * @param size slots: a multiple of 9, at most 54
   */
  public static HostInventory chest(InventoryHolder holder, int size, Component title) {
    if (size <= 0 || size > 54 || size % 9 != 0) {
      throw new IllegalArgumentException(
          "Size for custom inventory must be a multiple of 9 between 9 and 54 slots (got "
              + size
              + ")");
    }
    InventoryType type = InventoryType.valueOf("CHEST_" + size / 9 + "_ROW");
    return new HostInventory(
        new net.minestom.server.inventory.Inventory(type, title), holder, size);
  }

  /** The slot in Minestom's numbering. */
  int serverSlot(int index) {
    return index;
  }

  private final class Slot implements HostItem.Place {
    private final int slot;

    Slot(int slot) {
      this.slot = slot;
    }

    @Override
    public net.minestom.server.item.ItemStack get() {
      return inventory.getItemStack(slot);
    }

    @Override
    public void set(net.minestom.server.item.ItemStack stack) {
      inventory.setItemStack(slot, stack);
    }
  }

  private Slot slot(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("slot " + index + " of " + size);
    }
    return new Slot(serverSlot(index));
  }

  @Override
  public int getSize() {
    return size;
  }

  @Override
  public ItemStack getItem(int index) {
    Slot slot = slot(index);
    return slot.get().isAir() ? null : new HostItem(slot);
  }

  @Override
  public void setItem(int index, ItemStack item) {
    slot(index).set(HostItem.stackOf(item));
  }

  @Override
  @SuppressWarnings("NonApiType") // the interface's
  public HashMap<Integer, ItemStack> addItem(ItemStack... items) throws IllegalArgumentException {
    HashMap<Integer, ItemStack> rest = new HashMap<>();
    for (int i = 0; i < items.length; i++) {
      net.minestom.server.item.ItemStack left = add(HostItem.stackOf(items[i]));
      if (!left.isAir()) {
        rest.put(i, new HostItem(left));
      }
    }
    return rest;
  }

  /** Fills stacks of the same kind first, then empty slots; gives back what found no room. */
  private net.minestom.server.item.ItemStack add(net.minestom.server.item.ItemStack stack) {
    net.minestom.server.item.ItemStack left = stack;
    for (boolean empty : new boolean[] {false, true}) {
      for (int index = 0; index < storageSize() && !left.isAir(); index++) {
        Slot slot = slot(index);
        net.minestom.server.item.ItemStack there = slot.get();
        if (empty ? !there.isAir() : there.isAir() || !there.isSimilar(left)) {
          continue;
        }
        int amount = there.isAir() ? 0 : there.amount();
        int moved = Math.min(left.amount(), left.maxStackSize() - amount);
        if (moved > 0) {
          slot.set(left.withAmount(amount + moved));
          left = left.withAmount(left.amount() - moved);
        }
      }
    }
    return left;
  }

  /** How many slots take what is added. */
  int storageSize() {
    return size;
  }

  @Override
  public ItemStack[] getContents() {
    return IntStream.range(0, size).mapToObj(this::getItem).toArray(ItemStack[]::new);
  }

  @Override
  public void setContents(ItemStack[] items) throws IllegalArgumentException {
    if (items.length > size) {
      throw new IllegalArgumentException(
          "Invalid inventory size (" + items.length + "); expected " + size + " or less");
    }
    for (int index = 0; index < size; index++) {
      setItem(index, index < items.length ? items[index] : null);
    }
  }

  @Override
  public boolean isEmpty() {
    return IntStream.range(0, size).allMatch(index -> slot(index).get().isAir());
  }

  @Override
  public void clear(int index) {
    setItem(index, null);
  }

  @Override
  public void clear() {
    for (int index = 0; index < size; index++) {
      clear(index);
    }
  }

  @Override
  public InventoryHolder getHolder() {
    return holder;
  }

  @Override
  public Iterator<ItemStack> iterator() {
    return IntStream.range(0, size).mapToObj(this::getItem).iterator();
  }
}
