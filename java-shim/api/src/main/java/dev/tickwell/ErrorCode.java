package dev.tickwell;

/** What went wrong. The number is stable and the same as in the native library. */
public enum ErrorCode {
  /** A page that is not as the format says. */
  INVALID_PAGE(1),
  /** A statement without meaning. */
  INVALID_STATEMENT(2),
  /** A closed, stale or foreign handle. */
  INVALID_HANDLE(3),
  /** A setting that is missing, unknown or out of range. */
  INVALID_CONFIG(4),
  /** An argument that is missing or has no meaning; callers of the C interface alone see it. */
  INVALID_ARGUMENT(5),
  /** A value that its column cannot keep. */
  INVALID_VALUE(10),
  /** A table that nobody registered. */
  UNKNOWN_TABLE(11),
  /** A column that the table does not have. */
  UNKNOWN_COLUMN(12),
  /** The number of {@code ?} differs from the number of parameters. */
  PARAMETER_COUNT(13),
  /** The live table differs from its registration. */
  TABLE_MISMATCH(14),
  /** A delete or update without a filter, or with an and or an or of nothing in it. */
  FILTER_REQUIRED(15),
  /** This database cannot do that. */
  UNSUPPORTED(16),
  /** The table belongs to another plugin. */
  TABLE_OWNED(17),
  /** More rows or bytes than a result may have; nothing was kept. */
  RESULT_TOO_LARGE(20),
  /** Too many bytes in flight; not accepted. */
  BUSY(21),
  /** The deadline passed. */
  TIMEOUT(22),
  /** Cancelled by its caller. */
  CANCELLED(23),
  /** The database or the engine is closed or closing. */
  CLOSED(24),
  /** A unique or primary key has that value already. */
  UNIQUE_VIOLATION(30),
  /** A null where none may be. */
  NOT_NULL_VIOLATION(31),
  /** A check or foreign key refused the row. */
  CONSTRAINT_VIOLATION(32),
  /** The database could not understand the statement. */
  SYNTAX(33),
  /** The database could not be reached or opened. */
  CONNECT_FAILED(40),
  /** The file, folder or account may not be written or read. */
  PERMISSION_DENIED(41),
  /** The database file is damaged or not a database. */
  CORRUPT(42),
  /** No space is left. */
  DISK_FULL(43),
  /** Another process or connection holds the lock. */
  LOCKED(44),
  /** Reading or writing failed. */
  IO(45),
  /** Another error that the database reported. */
  DATABASE(46),
  /** The native library cannot be loaded. */
  UNAVAILABLE(50),
  /** A blocking call on a thread that must not block. */
  WRONG_THREAD(51),
  /** The plugin, player or region that the result was meant for is gone. */
  GONE(52),
  /** A defect of Tickwell. */
  INTERNAL(60);

  private final int number;

  ErrorCode(int number) {
    this.number = number;
  }

  /** The stable number. */
  public int number() {
    return number;
  }

  /** The code with this number; {@link #INTERNAL} for one that this version does not know. */
  public static ErrorCode of(int number) {
    for (ErrorCode code : values()) {
      if (code.number == number) {
        return code;
      }
    }
    return INTERNAL;
  }
}
