package org.bukkit.command;

import java.util.List;
import org.bukkit.permissions.Permissible;

/** A command. */
public abstract class Command {
  private final String name;
  protected String description = "";
  protected String usageMessage;
  private List<String> aliases = List.of();
  private String permission;

  protected Command(String name) {
    this.name = name;
    this.usageMessage = "/" + name;
  }

  public abstract boolean execute(CommandSender sender, String commandLabel, String[] args);

  public List<String> tabComplete(CommandSender sender, String alias, String[] args) {
    return List.of();
  }

  public String getName() {
    return name;
  }

  public String getLabel() {
    return name;
  }

  public String getPermission() {
    return permission;
  }

  public void setPermission(String permission) {
    this.permission = permission;
  }

  /** Whether the target may use this; tells the target when not. */
  public boolean testPermission(CommandSender target) {
    if (testPermissionSilent(target)) {
      return true;
    }
    target.sendMessage("You do not have permission to perform this command.");
    return false;
  }

  public boolean testPermissionSilent(CommandSender target) {
    return permission == null || permission.isEmpty() || hasAny(target);
  }

  private boolean hasAny(Permissible target) {
    for (String each : permission.split(";", -1)) {
      if (target.hasPermission(each)) {
        return true;
      }
    }
    return false;
  }

  public List<String> getAliases() {
    return aliases;
  }

  public Command setAliases(List<String> aliases) {
    this.aliases = List.copyOf(aliases);
    return this;
  }

  public String getDescription() {
    return description;
  }

  public Command setDescription(String description) {
    this.description = description == null ? "" : description;
    return this;
  }

  public String getUsage() {
    return usageMessage;
  }

  public Command setUsage(String usage) {
    this.usageMessage = usage == null ? "" : usage;
    return this;
  }
}
