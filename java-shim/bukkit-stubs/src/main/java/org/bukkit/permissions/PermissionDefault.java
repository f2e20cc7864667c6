package org.bukkit.permissions;

import java.util.Locale;

/** Who has a permission that nobody set. */
public enum PermissionDefault {
  TRUE,
  FALSE,
  OP,
  NOT_OP;

  /** The default that a plugin.yml's text means, or null. */
  public static PermissionDefault getByName(String name) {
    return switch (name.toLowerCase(Locale.ROOT).replaceAll("[^a-z!]", "")) {
      case "true" -> TRUE;
      case "false" -> FALSE;
      case "op", "isop", "operator", "isoperator", "admin", "isadmin" -> OP;
      case "!op", "notop", "!operator", "notoperator", "!admin", "notadmin" -> NOT_OP;
      default -> null;
    };
  }

  public boolean getValue(boolean op) {
    return switch (this) {
      case TRUE -> true;
      case FALSE -> false;
      case OP -> op;
      case NOT_OP -> !op;
    };
  }
}
