package org.bukkit.entity;

/** An entity with health. */
public interface LivingEntity extends Entity {}
