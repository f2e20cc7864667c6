package org.bukkit.permissions;

/** Someone who may be an operator. */
public interface ServerOperator {
  boolean isOp();

  void setOp(boolean value);
}
