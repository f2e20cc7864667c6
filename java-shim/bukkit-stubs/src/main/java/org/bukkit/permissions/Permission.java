package org.bukkit.permissions;

/** A permission that a plugin declares. */
public class Permission {
  private final String name;
  private final String description;
  private final PermissionDefault defaultValue;

  public Permission(String name, String description, PermissionDefault defaultValue) {
    this.name = name;
    this.description = description == null ? "" : description;
    this.defaultValue = defaultValue == null ? PermissionDefault.OP : defaultValue;
  }

  public String getName() {
    return name;
  }

  public String getDescription() {
    return description;
  }

  public PermissionDefault getDefault() {
    return defaultValue;
  }
}
