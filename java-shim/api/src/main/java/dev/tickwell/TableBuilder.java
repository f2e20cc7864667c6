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

  /**
   * Has the database number the rows: one that brings no value for this column, or null, gets the
   * next number, which no other row gets. For an {@code int} or {@code bigint} that is the whole
   * key; in a record for an {@link Integer} or {@link Long}, as {@link AutoIncrement}.
   *
   * @throws TickwellException {@code UNKNOWN_COLUMN}; {@code INVALID_STATEMENT} for a primitive
   */
  TableBuilder<T> autoIncrement(String column);

  /**
   * Gives a column a value for the rows that bring none: a {@link Row} that lacks the column, a
   * record whose component is null where the column may not be null, raw SQL that leaves it out.
   * The value is a part of the table: registering it with another one is a difference. Items,
   * locations, nbt and objects have no defaults, and text in a default has no U+0000.
   *
   * @throws TickwellException {@code UNKNOWN_COLUMN}; {@code INVALID_VALUE} for null or a value
   *     that the column's type does not have
   */
  TableBuilder<T> defaultValue(String column, Object value);

  /** Adds an index over these columns. */
  TableBuilder<T> index(String... columns);

  /** Adds an index under which no two rows may be alike. */
  TableBuilder<T> unique(String... columns);

  /**
   * Adds columns that the live table lacks instead of refusing it, where they may be null or have a
   * default; each is logged. A table that differs in more stays as it is and is refused.
   */
  TableBuilder<T> addMissingColumns();

  /**
   * Uses the name as it is, without the plugin's prefix, so that plugins can share the table. The
   * first plugin that registers a table owns it; another may use it when both call this.
   */
  TableBuilder<T> shared();

  /**
   * Registers the table: created if absent, compared if there. Returns at once; requests made
   * through the table wait for it and fail with its error if it fails: {@code TABLE_MISMATCH} with
   * every difference, {@code TABLE_OWNED} with the plugin whose table it is.
   */
  Table<T> register();
}
