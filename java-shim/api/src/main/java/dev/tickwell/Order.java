package dev.tickwell;

/**
 * A column to sort by.
 *
 * @param column the column's name
 * @param descending greatest first
 */
public record Order(String column, boolean descending) {}
