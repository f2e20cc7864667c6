package dev.tickwell.benchmark.host.item;

import net.minestom.server.entity.Player;
import org.bukkit.entity.HumanEntity;
import org.bukkit.inventory.ItemStack;
import org.bukkit.inventory.PlayerInventory;

/** What a player carries: 36 slots, four of armour from the boots up, the other hand. */
public final class HostPlayerInventory extends HostInventory implements PlayerInventory {
  private static final int STORAGE = 36;
  private static final int OTHER_HAND = 40;
  private static final int SIZE = 41;
  private static final int SERVER_HELMET = 41;
  private static final int SERVER_OTHER_HAND = 45;

  private final Player player;
  private final HumanEntity owner;

  /**
   * @param owner the API's object for the player
   */
  public HostPlayerInventory(Player player, HumanEntity owner) {
    super(player.getInventory(), owner, SIZE);
    this.player = player;
    this.owner = owner;
  }

  @Override
  int serverSlot(int index) {
    if (index < STORAGE) {
      return index;
    }
    // Minestom counts armour from the helmet down.
    return index == OTHER_HAND ? SERVER_OTHER_HAND : SERVER_HELMET + (OTHER_HAND - 1 - index);
  }

  @Override
  int storageSize() {
    return STORAGE;
  }

  @Override
  public ItemStack getItemInMainHand() {
    ItemStack item = getItem(getHeldItemSlot());
    return item == null ? ItemStack.empty() : item;
  }

  @Override
  public void setItemInMainHand(ItemStack item) {
    setItem(getHeldItemSlot(), item);
  }

  @Override
  public int getHeldItemSlot() {
    return player.getHeldSlot();
  }

  @Override
  public HumanEntity getHolder() {
    return owner;
  }
}
