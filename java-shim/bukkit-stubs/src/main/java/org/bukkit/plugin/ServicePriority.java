package org.bukkit.plugin;

/** Which of several providers of a service is asked first. */
public enum ServicePriority {
  Lowest,
  Low,
  Normal,
  High,
  Highest
}
