package dev.tickwell;

import java.util.Objects;

/**
 * A column to sort by.
 *
 * @param column the column's name
 * @param descending greatest first
 */
public record Order(String column, boolean descending) {
  /** Refuses null. */
  public Order {
    Objects.requireNonNull(column, "column");
  }
}
