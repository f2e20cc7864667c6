package org.bukkit.inventory;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import net.kyori.adventure.text.Component;
import org.bukkit.Bukkit;
import org.bukkit.Material;
import org.bukkit.inventory.meta.ItemMeta;

/**
 * A mutable stack of items. Each is backed by one of the server's own; one that came from an
 * inventory is a live mirror of its slot.
 */
public class ItemStack implements Cloneable {
  private static final int ARRAY_VERSION = 1;

  private ItemStack delegate;

  /** For the server's own kind of item, which overrides every method that would need a delegate. */
  protected ItemStack() {}

  public ItemStack(Material type) {
    this(type, 1);
  }

  public ItemStack(Material type, int amount) {
    delegate = of(type, amount);
  }

  public ItemStack(ItemStack stack) throws IllegalArgumentException {
    if (stack == null) {
      throw new IllegalArgumentException("Cannot copy null stack");
    }
    delegate = stack.clone();
    if (delegate.getClass() == ItemStack.class) {
      delegate = delegate.delegate;
    }
  }

  public static ItemStack of(Material type) {
    return of(type, 1);
  }

  public static ItemStack of(Material type, int amount) {
    if (type == null) {
      throw new IllegalArgumentException("Material cannot be null");
    }
    ItemStack item =
        type.isAir() ? empty() : Bukkit.getItemFactory().createItemStack(type.getKey().toString());
    item.setAmount(amount);
    return item;
  }

  public static ItemStack empty() {
    return Bukkit.getUnsafe().createEmptyStack();
  }

  public Material getType() {
    return delegate.getType();
  }

  public ItemStack withType(Material type) {
    return delegate.withType(type);
  }

  public int getAmount() {
    return delegate.getAmount();
  }

  public void setAmount(int amount) {
    delegate.setAmount(amount);
  }

  public int getMaxStackSize() {
    return delegate.getMaxStackSize();
  }

  public boolean isEmpty() {
    return delegate.isEmpty();
  }

  public boolean isSimilar(ItemStack stack) {
    return delegate.isSimilar(stack);
  }

  public boolean hasItemMeta() {
    return delegate.hasItemMeta();
  }

  public ItemMeta getItemMeta() {
    return delegate.getItemMeta();
  }

  public boolean setItemMeta(ItemMeta itemMeta) {
    return delegate.setItemMeta(itemMeta);
  }

  public boolean editMeta(Consumer<? super ItemMeta> consumer) {
    return editMeta(ItemMeta.class, consumer);
  }

  /** Changes the properties if they are of this kind; false when they are not. */
  public <M extends ItemMeta> boolean editMeta(Class<M> metaClass, Consumer<? super M> consumer) {
    ItemMeta meta = getItemMeta();
    if (!metaClass.isInstance(meta)) {
      return false;
    }
    consumer.accept(metaClass.cast(meta));
    setItemMeta(meta);
    return true;
  }

  public List<Component> lore() {
    ItemMeta meta = getItemMeta();
    return meta == null ? null : meta.lore();
  }

  public void lore(List<? extends Component> lore) {
    editMeta(meta -> meta.lore(lore));
  }

  public byte[] serializeAsBytes() {
    return Bukkit.getUnsafe().serializeItem(this);
  }

  public static ItemStack deserializeBytes(byte[] bytes) {
    return Bukkit.getUnsafe().deserializeItem(bytes);
  }

  /** Serializes items in order; null and empty ones are kept as such. */
  public static byte[] serializeItemsAsBytes(Collection<ItemStack> items) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(ARRAY_VERSION);
      out.writeInt(items.size());
      for (ItemStack item : items) {
        byte[] one = item == null || item.isEmpty() ? new byte[0] : item.serializeAsBytes();
        out.writeInt(one.length);
        out.write(one);
      }
    } catch (IOException e) {
      throw new IllegalStateException("Unable to serialize item stacks", e);
    }
    return bytes.toByteArray();
  }

  public static byte[] serializeItemsAsBytes(ItemStack[] items) {
    return serializeItemsAsBytes(Arrays.asList(items));
  }

  public static ItemStack[] deserializeItemsFromBytes(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readByte();
      if (version != ARRAY_VERSION) {
        throw new IllegalArgumentException("Unsupported version of item array: " + version);
      }
      int count = in.readInt();
      if (count < 0 || count > in.available() / Integer.BYTES) {
        throw new IllegalArgumentException("Not an item array: it claims " + count + " items");
      }
      ItemStack[] items = new ItemStack[count];
      for (int i = 0; i < count; i++) {
        byte[] one = new byte[Math.clamp(in.readInt(), 0, bytes.length)];
        in.readFully(one);
        items[i] = one.length == 0 ? empty() : deserializeBytes(one);
      }
      return items;
    } catch (IOException e) {
      throw new IllegalArgumentException("Not an item array: it is cut off", e);
    }
  }

  /** Whether both hold the same; an item that a plugin made equals the server's own. */
  @Override
  public boolean equals(Object object) {
    return object == this || delegate.equals(object);
  }

  @Override
  public int hashCode() {
    return delegate.hashCode();
  }

  @Override
  public String toString() {
    return delegate.toString();
  }

  @Override
  public ItemStack clone() {
    try {
      ItemStack copy = (ItemStack) super.clone();
      if (delegate != null) {
        copy.delegate = delegate.clone();
      }
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
