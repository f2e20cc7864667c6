package dev.tickwell;

/** A table being declared. Not thread-safe; {@link #register()} ends it. */
public interface TableBuilder<T> {

  /** Adds a nullable column. Only for tables of {@link Row}s. */
  TableBuilder<T> column(String name, ValueType type);

  /** Adds a nullable {@code string} column of at most {@code maxLength} code points. */
  TableBuilder<T> column(String name, ValueType type, int maxLength);

  /** Says that these columns may not be null. */
  TableBuilder<T> notNull(String... columns);

  /** The primary key's columns in their order; replaces what {@link Key} said. */
  TableBuilder<T> key(String... columns);

  /** Adds an index over these columns. */
  TableBuilder<T> index(String... columns);

  /** Adds an index under which no two rows may be alike. */
  TableBuilder<T> unique(String... columns);

  /** Uses the name as it is, without the plugin's prefix, so that plugins can share the table. */
  TableBuilder<T> shared();

  /**
   * Registers the table: created if absent, compared if there. Returns at once; requests made
   * through the table wait for it and fail with its error if it fails.
   */
  Table<T> register();
}
