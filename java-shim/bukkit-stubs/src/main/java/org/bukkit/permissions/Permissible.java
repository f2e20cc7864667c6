package org.bukkit.permissions;

/** Someone who has permissions. */
public interface Permissible extends ServerOperator {
  boolean isPermissionSet(String name);

  boolean hasPermission(String name);
}
