/*
 * The C interface of Tickwell. docs/c-api.md is its manual: linking, the way of a request, ownership,
 * threads. This file is generated; `TICKWELL_WRITE_GOLDEN=1 cargo test --release -p tickwell-jni`
 * writes it anew.
 *
 * - Any thread may call any function, at the same time. Functions that wait say so.
 * - A function that can fail returns a TickwellStatus and fills in its TickwellError, which may be NULL.
 * - Handles are numbers that are checked: a closed, foreign or made up one is refused.
 * - A pointer that is given is read until the function returns and not kept; only the context of a
 *   callback is kept, and never followed. It is NULL, where that is refused or has a meaning, or
 *   points to what its type says, as many of them as its count says; a text without a length ends in a
 *   NUL. Text is UTF-8. Structures are to be zeroed before they are filled in.
 * - A pointer into a result that a function gives stays until the request is closed.
 */

#ifndef TICKWELL_H
#define TICKWELL_H

#include <stddef.h>
#include <stdint.h>

// The version of this header; tickwell_abi_version() gives the library's.
#define TICKWELL_ABI_VERSION 1

// The size of an error's message, its NUL included.
#define TICKWELL_MESSAGE_BYTES 2036

// Column flag: part of the primary key, which has its columns in the table's order.
#define TICKWELL_COLUMN_KEY 1

// Column flag: null is a value.
#define TICKWELL_COLUMN_NULLABLE 2

// Column flag: the database numbers rows that leave it out or give null for it. For an int or a
// bigint that is the whole key.
#define TICKWELL_COLUMN_AUTO_INCREMENT 4

// Index flag: two rows may not have the same values.
#define TICKWELL_INDEX_UNIQUE 1

// Table flag: columns that the live table lacks are added, where they may be null or have a default.
#define TICKWELL_TABLE_ADD_MISSING_COLUMNS 1

// Table flag: other owners may register it too, when they say the same.
#define TICKWELL_TABLE_SHARED 2

// Insert flag: the result is the rows' keys, in their order, instead of their number.
#define TICKWELL_INSERT_RETURN_KEYS 1

// What went wrong. The number is stable and shared with Java's `ErrorCode`.
enum TickwellCode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint16_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A page whose header, lengths, offsets or text are not as the format says.
    TICKWELL_CODE_INVALID_PAGE = 1,
    // A statement that cannot be decoded or has no meaning.
    TICKWELL_CODE_INVALID_STATEMENT = 2,
    // A closed, stale or foreign handle.
    TICKWELL_CODE_INVALID_HANDLE = 3,
    // A setting that is missing, unknown or out of range.
    TICKWELL_CODE_INVALID_CONFIG = 4,
    // An argument that is missing or has no meaning; raised by the C interface alone.
    TICKWELL_CODE_INVALID_ARGUMENT = 5,
    // A value that its column cannot keep; names row, column and type.
    TICKWELL_CODE_INVALID_VALUE = 10,
    // A table that nobody registered.
    TICKWELL_CODE_UNKNOWN_TABLE = 11,
    // A column that the table does not have.
    TICKWELL_CODE_UNKNOWN_COLUMN = 12,
    // The number of `?` differs from the number of parameters.
    TICKWELL_CODE_PARAMETER_COUNT = 13,
    // The live table differs from its registration.
    TICKWELL_CODE_TABLE_MISMATCH = 14,
    // A delete or update without a filter, or with an and or an or of nothing in it, that was not
    // asked for with `all()`.
    TICKWELL_CODE_FILTER_REQUIRED = 15,
    // This database, or this version of it, cannot do that.
    TICKWELL_CODE_UNSUPPORTED = 16,
    // The table belongs to another plugin.
    TICKWELL_CODE_TABLE_OWNED = 17,
    // More rows or bytes than a result may have; nothing of it was kept.
    TICKWELL_CODE_RESULT_TOO_LARGE = 20,
    // Too many bytes in flight; the request was not accepted.
    TICKWELL_CODE_BUSY = 21,
    // The deadline passed.
    TICKWELL_CODE_TIMEOUT = 22,
    // Cancelled by its caller.
    TICKWELL_CODE_CANCELLED = 23,
    // The database or the engine is closed or closing.
    TICKWELL_CODE_CLOSED = 24,
    // A unique or primary key has that value already.
    TICKWELL_CODE_UNIQUE_VIOLATION = 30,
    // A null where none may be.
    TICKWELL_CODE_NOT_NULL_VIOLATION = 31,
    // A check or foreign key refused the row.
    TICKWELL_CODE_CONSTRAINT_VIOLATION = 32,
    // The database could not understand the statement.
    TICKWELL_CODE_SYNTAX = 33,
    // The database could not be reached or opened.
    TICKWELL_CODE_CONNECT_FAILED = 40,
    // The file, folder or account may not be written or read.
    TICKWELL_CODE_PERMISSION_DENIED = 41,
    // The database file is damaged or not a database.
    TICKWELL_CODE_CORRUPT = 42,
    // No space is left.
    TICKWELL_CODE_DISK_FULL = 43,
    // Another process or connection holds the lock.
    TICKWELL_CODE_LOCKED = 44,
    // Reading or writing failed.
    TICKWELL_CODE_IO = 45,
    // Another error that the database reported.
    TICKWELL_CODE_DATABASE = 46,
    // The library cannot be loaded; raised by Java alone.
    TICKWELL_CODE_UNAVAILABLE = 50,
    // A blocking call on a thread that must not block; raised by Java and the C interface.
    TICKWELL_CODE_WRONG_THREAD = 51,
    // The plugin, player or region that a result was meant for is gone; raised by Java alone.
    TICKWELL_CODE_GONE = 52,
    // A defect of this library.
    TICKWELL_CODE_INTERNAL = 60,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TickwellCode TickwellCode;
#else
typedef uint16_t TickwellCode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is known of a failed request's effect on the database.
enum TickwellEffect
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Nothing was stored.
    TICKWELL_EFFECT_NONE = 0,
    // It was stored although the request failed afterwards.
    TICKWELL_EFFECT_APPLIED = 1,
    // The reply was lost: it may or may not have been stored.
    TICKWELL_EFFECT_UNKNOWN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TickwellEffect TickwellEffect;
#else
typedef uint8_t TickwellEffect;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The type of a column. The number is the type code of the page format.
enum TickwellType
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // One byte, 0 or 1.
    TICKWELL_TYPE_BOOLEAN = 1,
    // Signed 8 bits.
    TICKWELL_TYPE_TINY_INT = 2,
    // Signed 16 bits.
    TICKWELL_TYPE_SMALL_INT = 3,
    // Signed 32 bits.
    TICKWELL_TYPE_INT = 4,
    // Signed 64 bits.
    TICKWELL_TYPE_BIG_INT = 5,
    // IEEE 754, 32 bits.
    TICKWELL_TYPE_FLOAT = 6,
    // IEEE 754, 64 bits.
    TICKWELL_TYPE_DOUBLE = 7,
    // An exact decimal with its scale, as plain text: `-?digits[.digits]`, no exponent.
    TICKWELL_TYPE_DECIMAL = 8,
    // Text of at most `n` code points.
    TICKWELL_TYPE_STRING = 9,
    // Text of any length.
    TICKWELL_TYPE_TEXT = 10,
    // Bytes of any length.
    TICKWELL_TYPE_BYTES = 11,
    // 128 bits, in the order of RFC 9562 (most significant byte first).
    TICKWELL_TYPE_UUID = 12,
    // Days since 1970-01-01, signed 32 bits.
    TICKWELL_TYPE_DATE = 13,
    // Microseconds since midnight, 0 up to 86,399,999,999.
    TICKWELL_TYPE_TIME_OF_DAY = 14,
    // Microseconds since 1970-01-01T00:00:00Z, signed 64 bits.
    TICKWELL_TYPE_TIMESTAMP = 15,
    // Nanoseconds, signed 64 bits (about 292 years either way).
    TICKWELL_TYPE_TIMESPAN = 16,
    // A JSON document as text.
    TICKWELL_TYPE_JSON = 17,
    // An item in the server's own versioned bytes.
    TICKWELL_TYPE_ITEM = 18,
    // A location: world id, world name and position (see `docs/page-format.md`).
    TICKWELL_TYPE_LOCATION = 19,
    // Binary NBT.
    TICKWELL_TYPE_NBT = 20,
    // Bytes of a type that a plugin's codec reads and writes.
    TICKWELL_TYPE_OBJECT = 21,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TickwellType TickwellType;
#else
typedef uint8_t TickwellType;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What becomes of a row to insert whose key, or whose values of a unique index, are taken.
enum TickwellInsertMode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The whole insert is refused.
    TICKWELL_INSERT_MODE_PLAIN = 0,
    // The row is left out; every other error remains one.
    TICKWELL_INSERT_MODE_IF_ABSENT = 1,
    // A row whose primary key is taken overwrites the one that is there. Of rows of one request with
    // the same key the last one counts.
    TICKWELL_INSERT_MODE_UPSERT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TickwellInsertMode TickwellInsertMode;
#else
typedef uint32_t TickwellInsertMode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a filter asks for.
enum TickwellFilterKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The column equals the one value.
    TICKWELL_FILTER_KIND_EQ = 1,
    // The column differs from the one value.
    TICKWELL_FILTER_KIND_NE = 2,
    // The column is less than the one value.
    TICKWELL_FILTER_KIND_LT = 3,
    // The column is less than or equal to the one value.
    TICKWELL_FILTER_KIND_LE = 4,
    // The column is greater than the one value.
    TICKWELL_FILTER_KIND_GT = 5,
    // The column is greater than or equal to the one value.
    TICKWELL_FILTER_KIND_GE = 6,
    // The column is from the first of two values to the second, both included.
    TICKWELL_FILTER_KIND_BETWEEN = 7,
    // The column has one of these values; no row when there are none.
    TICKWELL_FILTER_KIND_IN = 8,
    // The column matches the one value, a pattern of % and _ with \ as the escape.
    TICKWELL_FILTER_KIND_LIKE = 9,
    // The column is null; no values.
    TICKWELL_FILTER_KIND_IS_NULL = 10,
    // All of the filters hold.
    TICKWELL_FILTER_KIND_AND = 11,
    // At least one of the filters holds.
    TICKWELL_FILTER_KIND_OR = 12,
    // The one filter does not hold.
    TICKWELL_FILTER_KIND_NOT = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TickwellFilterKind TickwellFilterKind;
#else
typedef uint32_t TickwellFilterKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a value changes a column.
enum TickwellChange
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Becomes the value.
    TICKWELL_CHANGE_SET = 1,
    // Grows by the value; null stays null. For columns of numbers.
    TICKWELL_CHANGE_ADD = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TickwellChange TickwellChange;
#else
typedef uint32_t TickwellChange;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How a call ended: TICKWELL_OK, TICKWELL_PENDING, TICKWELL_NULL, or a TickwellCode.
typedef int32_t TickwellStatus;

// A setting. docs/boundary.md lists the names, in "Pairs".
typedef struct TickwellSetting {
    // Its name.
    const char *name;
    // Its value as text.
    const char *value;
} TickwellSetting;

// A runtime: what is open, and the thread that hands out results. 0 is never one.
typedef struct TickwellRuntime {
    // Its number; a closed one is refused, whatever was opened since.
    int64_t handle;
} TickwellRuntime;

// Why a call failed. It belongs to the caller, wherever that keeps it, and holds no pointer; every
// call that is given one writes it.
typedef struct TickwellError {
    // What the call returned.
    TickwellStatus code;
    // What is known of the effect on the database; a TickwellEffect.
    uint8_t effect;
    // 1 when trying again can help.
    uint8_t retryable;
    // 0.
    uint8_t reserved[2];
    // What happened, where, and what to do: UTF-8, ends in a NUL, cut when it is too long. Empty
    // when nothing failed. Never holds a value that was given.
    char message[TICKWELL_MESSAGE_BYTES];
} TickwellError;

// An open database, or a transaction in one. 0 is never one.
typedef struct TickwellDatabase {
    // Its number; a closed one is refused, whatever was opened since.
    int64_t handle;
} TickwellDatabase;

// How a transaction is to be; zeros mean the defaults.
typedef struct TickwellTransaction {
    // Who holds it, for statistics; NULL for nobody in particular.
    const char *name;
    // How many milliseconds to wait for its turn among the writes; 0 = the database's deadline.
    uint64_t wait_millis;
    // After how many milliseconds in all it is rolled back; 0 = 30 s.
    uint64_t limit_millis;
    // After how many milliseconds between two statements it is rolled back; 0 = 5 s.
    uint64_t idle_millis;
} TickwellTransaction;

// A value of any type. `value_type` says which of the other fields hold it; those that do not are not
// read. tickwell_integer() and its like fill one in.
typedef struct TickwellValue {
    // A TickwellType, or 0 for null. A value that is given for a column may be of any type that has
    // the same field: the column's type decides, and refuses what it cannot hold.
    uint32_t value_type;
    // boolean (0 or not), tinyint, smallint, int, bigint, date, time_of_day, timestamp, timespan.
    int64_t integer;
    // float, double.
    double real;
    // decimal, string, text, json: UTF-8, without a NUL at its end. bytes, item, location, nbt,
    // object: bytes. uuid: 16 bytes, most significant first.
    const void *data;
    // The number of bytes at `data`.
    size_t length;
} TickwellValue;

// A column of a table to register.
typedef struct TickwellColumn {
    // Its name, exactly as the database has it.
    const char *name;
    // A TickwellType.
    uint32_t value_type;
    // The most code points of a string; 0 for every other type.
    uint32_t max_length;
    // TICKWELL_COLUMN_… flags.
    uint32_t flags;
    // What rows that leave it out get; NULL for none.
    const struct TickwellValue *default_value;
} TickwellColumn;

// An index of a table to register.
typedef struct TickwellIndex {
    // The names of its columns in their order.
    const char *const *columns;
    // How many.
    size_t column_count;
    // TICKWELL_INDEX_… flags.
    uint32_t flags;
} TickwellIndex;

// A table to register: created when it is absent, else compared.
typedef struct TickwellTable {
    // Its name in the database.
    const char *name;
    // Its columns.
    const struct TickwellColumn *columns;
    // How many.
    size_t column_count;
    // Its indexes beside the primary key.
    const struct TickwellIndex *indexes;
    // How many.
    size_t index_count;
    // Whose it is: another owner is refused. NULL or empty: nobody is noted or refused.
    const char *owner;
    // TICKWELL_TABLE_… flags.
    uint32_t flags;
    // Milliseconds until the request must have ended; 0 = the database's default.
    uint32_t deadline_millis;
} TickwellTable;

// A request and, once it has ended, its result. 0 is never one.
typedef struct TickwellRequest {
    // Its number; a closed one is refused, whatever was submitted since.
    int64_t handle;
} TickwellRequest;

// Rows to insert, all or none of them.
typedef struct TickwellInsert {
    // The table, which was registered.
    const char *table;
    // The names of the columns that the rows have.
    const char *const *columns;
    // How many.
    size_t column_count;
    // `row_count` times `column_count` values, row after row.
    const struct TickwellValue *values;
    // How many rows.
    size_t row_count;
    // A TickwellInsertMode.
    uint32_t mode;
    // TICKWELL_INSERT_… flags.
    uint32_t flags;
    // The columns that an upsert overwrites; none means every one outside of the key.
    const char *const *overwrite;
    // How many.
    size_t overwrite_count;
    // Milliseconds until the request must have ended; 0 = the database's default.
    uint32_t deadline_millis;
} TickwellInsert;

// Which rows. Filters nest at most 64 deep.
typedef struct TickwellFilter {
    // A TickwellFilterKind.
    uint32_t kind;
    // The column; NULL for and, or, not.
    const char *column;
    // What it is compared with, as the kind says.
    const struct TickwellValue *values;
    // How many.
    size_t value_count;
    // The filters of and, or, not; NULL for the others.
    const struct TickwellFilter *filters;
    // How many.
    size_t filter_count;
} TickwellFilter;

// A column to sort by.
typedef struct TickwellOrder {
    // The column.
    const char *column;
    // Not 0: greatest first.
    uint32_t descending;
} TickwellOrder;

// Rows to read.
typedef struct TickwellSelect {
    // The table, which was registered.
    const char *table;
    // The names of the columns to read; none means all of the table, in its order.
    const char *const *columns;
    // How many.
    size_t column_count;
    // Which rows; NULL means all.
    const struct TickwellFilter *filter;
    // The order of the rows; none means that they come in any.
    const struct TickwellOrder *orders;
    // How many.
    size_t order_count;
    // The most rows; 0 = no limit, and then more than the database's max-result-rows are refused.
    uint32_t limit;
    // How many of the first rows to leave out.
    uint32_t offset;
    // Milliseconds until the request must have ended; 0 = the database's default.
    uint32_t deadline_millis;
} TickwellSelect;

// Rows to count. The result's affected rows are their number.
typedef struct TickwellCount {
    // The table, which was registered.
    const char *table;
    // Which rows; NULL means all.
    const struct TickwellFilter *filter;
    // Not 0: only whether there is one, 1 or 0; it ends at the first row.
    uint32_t exists;
    // Milliseconds until the request must have ended; 0 = the database's default.
    uint32_t deadline_millis;
} TickwellCount;

// One column's change in an update.
typedef struct TickwellAssignment {
    // The column.
    const char *column;
    // A TickwellChange.
    uint32_t change;
    // The value.
    struct TickwellValue value;
} TickwellAssignment;

// Values of rows to change. All assignments see the row as it was before.
typedef struct TickwellUpdate {
    // The table, which was registered.
    const char *table;
    // What changes.
    const struct TickwellAssignment *assignments;
    // How many.
    size_t assignment_count;
    // Which rows; NULL needs `all`.
    const struct TickwellFilter *filter;
    // Not 0: every row is meant. Not together with a filter.
    uint32_t all;
    // The most rows to change, the first in the order of the key; 0 = no limit.
    uint32_t limit;
    // Milliseconds until the request must have ended; 0 = the database's default.
    uint32_t deadline_millis;
} TickwellUpdate;

// Rows to delete.
typedef struct TickwellDelete {
    // The table, which was registered.
    const char *table;
    // Which rows; NULL needs `all`.
    const struct TickwellFilter *filter;
    // Not 0: every row is meant. Not together with a filter.
    uint32_t all;
    // The most rows to delete, the first in the order of the key; 0 = no limit.
    uint32_t limit;
    // Milliseconds until the request must have ended; 0 = the database's default.
    uint32_t deadline_millis;
} TickwellDelete;

// A statement in SQL.
typedef struct TickwellSql {
    // One statement, with ? for each value.
    const char *text;
    // The values in the order of the ?.
    const struct TickwellValue *values;
    // How many.
    size_t value_count;
    // Milliseconds until the request must have ended; 0 = the database's default.
    uint32_t deadline_millis;
} TickwellSql;

// Called once when a request has ended, with the pointer that came with it. It must return soon, as
// later results wait for it, and must not throw or jump out.
typedef void (*TickwellCallback)(void *context, struct TickwellRequest request);

// The call did what it was asked for.
#define TICKWELL_OK 0

// The request has not ended yet. Not an error: it goes on.
#define TICKWELL_PENDING -1

// The value is null. Not an error: nothing was written to the place for the value.
#define TICKWELL_NULL -2

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The library's version of the C interface. Compare it with TICKWELL_ABI_VERSION before anything else:
// another one has other structures.
uint32_t tickwell_abi_version(void);

// The library's version as text that ends in a NUL. It stays.
const char *tickwell_version(void);

// Opens a runtime, to be closed with tickwell_runtime_close. `settings` may be NULL with a count of 0.
TickwellStatus tickwell_runtime_open(const struct TickwellSetting *settings,
                                     size_t setting_count,
                                     struct TickwellRuntime *runtime,
                                     struct TickwellError *error);

// Closes a runtime with its databases. Refuses new requests, lets accepted ones end within the
// timeout, cancels the rest, and returns when every thread of it has ended and the last callback has
// returned. Results that are held can still be read, and are to be closed. TICKWELL_CODE_TIMEOUT says
// what was not written, by table; the runtime is closed then too. Blocks; not for callbacks.
TickwellStatus tickwell_runtime_close(struct TickwellRuntime runtime,
                                      uint64_t timeout_millis,
                                      struct TickwellError *error);

// Opens a database. The settings `name`, `type` (sqlite) and `path` are needed. It is connected with
// its first request. Closed with tickwell_database_close, or with its runtime.
TickwellStatus tickwell_database_open(struct TickwellRuntime runtime,
                                      const struct TickwellSetting *settings,
                                      size_t setting_count,
                                      struct TickwellDatabase *database,
                                      struct TickwellError *error);

// Closes a database as tickwell_runtime_close does all of them. Blocks; not for callbacks.
TickwellStatus tickwell_database_close(struct TickwellDatabase database,
                                       uint64_t timeout_millis,
                                       struct TickwellError *error);

// Copies a database into the new file `path`, which is absolute, while it is in use, and checks the
// copy. One copy at a time. Blocks; not for callbacks.
TickwellStatus tickwell_database_backup(struct TickwellDatabase database,
                                        const char *path,
                                        struct TickwellError *error);

// Begins a transaction behind every write that was submitted before, and waits for its turn; writes
// submitted later wait for its end. What it gives is used as the database is, by one thread at a time:
// statements run at once, in the calling thread, and have ended when the call returns, which fails with
// their error. After an error it is rolled back. `options` may be NULL. To be ended with
// tickwell_transaction_end. Blocks; not for callbacks.
TickwellStatus tickwell_transaction_begin(struct TickwellDatabase database,
                                          const struct TickwellTransaction *options,
                                          struct TickwellDatabase *transaction,
                                          struct TickwellError *error);

// Ends a transaction: commits it when `commit` is not 0, else rolls it back. Its handle is gone,
// whatever comes of it. Committing one that was rolled back gives the first error. Blocks; not for
// callbacks.
TickwellStatus tickwell_transaction_end(struct TickwellDatabase transaction,
                                        uint32_t commit,
                                        struct TickwellError *error);

// Registers a table: creates it when it is absent, else compares it. Requests about a table need it
// registered first, and wait for that. The result is rows of one text, what was changed of a table that
// was there.
//
// This and the following calls submit a request and return without waiting for the database; what they
// are given is copied before. On success the request is to be closed with tickwell_request_close.
TickwellStatus tickwell_register(struct TickwellDatabase database,
                                 const struct TickwellTable *table,
                                 struct TickwellRequest *request,
                                 struct TickwellError *error);

// Inserts rows, all or none. The result is how many, or with TICKWELL_INSERT_RETURN_KEYS their keys.
TickwellStatus tickwell_insert(struct TickwellDatabase database,
                               const struct TickwellInsert *insert,
                               struct TickwellRequest *request,
                               struct TickwellError *error);

// Reads rows of a table. A read sees every write to its table that was submitted before it.
TickwellStatus tickwell_select(struct TickwellDatabase database,
                               const struct TickwellSelect *select,
                               struct TickwellRequest *request,
                               struct TickwellError *error);

// Counts rows of a table.
TickwellStatus tickwell_count(struct TickwellDatabase database,
                              const struct TickwellCount *count,
                              struct TickwellRequest *request,
                              struct TickwellError *error);

// Changes values of rows. The result is how many rows.
TickwellStatus tickwell_update(struct TickwellDatabase database,
                               const struct TickwellUpdate *update,
                               struct TickwellRequest *request,
                               struct TickwellError *error);

// Deletes rows. The result is how many.
TickwellStatus tickwell_delete(struct TickwellDatabase database,
                               const struct TickwellDelete *deletion,
                               struct TickwellRequest *request,
                               struct TickwellError *error);

// Runs SQL that reads.
TickwellStatus tickwell_query(struct TickwellDatabase database,
                              const struct TickwellSql *sql,
                              struct TickwellRequest *request,
                              struct TickwellError *error);

// Runs SQL that writes. The result is how many rows it changed, where the database tells.
TickwellStatus tickwell_execute(struct TickwellDatabase database,
                                const struct TickwellSql *sql,
                                struct TickwellRequest *request,
                                struct TickwellError *error);

// Waits until a request has ended, at most so long, and gives how: TICKWELL_OK, its error, or
// TICKWELL_PENDING when it has not. With a timeout of 0 it only asks. Several threads may wait for one
// request. Blocks; not for callbacks, which may ask.
TickwellStatus tickwell_request_wait(struct TickwellRequest request,
                                     uint64_t timeout_millis,
                                     struct TickwellError *error);

// Has `callback` called with `context` and the request, once, when the request has ended: by a thread
// of the library, one callback at a time, or before this returns, on the calling thread, when it has
// ended already. It is called even if the request is closed before. Once for each request.
TickwellStatus tickwell_request_notify(struct TickwellRequest request,
                                       TickwellCallback callback,
                                       void *context,
                                       struct TickwellError *error);

// Cancels a request. `cancelled` becomes 1 when it will end as cancelled, and 0 when it has ended or is
// a write that has begun. Either way it ends, and is to be closed.
TickwellStatus tickwell_request_cancel(struct TickwellRequest request,
                                       uint32_t *cancelled,
                                       struct TickwellError *error);

// Gives a request and its result back. Pointers into the result end with it. A request that has not
// ended goes on.
TickwellStatus tickwell_request_close(struct TickwellRequest request, struct TickwellError *error);

// How many rows a request affected or counted; -1 when the database does not tell, and for a result
// that is rows.
//
// This and the following calls read the result of a request that has ended: else they return
// TICKWELL_PENDING, and for a failed one its error.
TickwellStatus tickwell_result_affected(struct TickwellRequest request,
                                        int64_t *affected,
                                        struct TickwellError *error);

// How many rows and columns a result has; none when it is not rows.
TickwellStatus tickwell_result_size(struct TickwellRequest request,
                                    size_t *rows,
                                    size_t *columns,
                                    struct TickwellError *error);

// The type (a TickwellType) and the name of a column of a result. The name is UTF-8 of that length,
// without a NUL, and stays until the request is closed.
TickwellStatus tickwell_result_column(struct TickwellRequest request,
                                      size_t column,
                                      uint32_t *value_type,
                                      const char **name,
                                      size_t *name_length,
                                      struct TickwellError *error);

// A value of a result, rows and columns counted from 0. What its `data` points to stays until the
// request is closed.
TickwellStatus tickwell_result_value(struct TickwellRequest request,
                                     size_t row,
                                     size_t column,
                                     struct TickwellValue *value,
                                     struct TickwellError *error);

// The first `column_count` values of a row, at once: the short way to read many. As
// tickwell_result_value gives them.
TickwellStatus tickwell_result_row(struct TickwellRequest request,
                                   size_t row,
                                   struct TickwellValue *values,
                                   size_t column_count,
                                   struct TickwellError *error);

// The integer of a boolean (0 or 1), tinyint, smallint, int, bigint, date (days since 1970-01-01),
// time_of_day (microseconds since midnight), timestamp (microseconds since 1970-01-01T00:00:00Z) or
// timespan (nanoseconds); TICKWELL_NULL when it is null.
TickwellStatus tickwell_result_integer(struct TickwellRequest request,
                                       size_t row,
                                       size_t column,
                                       int64_t *value,
                                       struct TickwellError *error);

// The number of a float or double; TICKWELL_NULL when it is null.
TickwellStatus tickwell_result_real(struct TickwellRequest request,
                                    size_t row,
                                    size_t column,
                                    double *value,
                                    struct TickwellError *error);

// The text of a decimal, string, text or json: UTF-8 of that length, without a NUL at its end but
// perhaps with some inside; TICKWELL_NULL when it is null. It stays until the request is closed.
TickwellStatus tickwell_result_text(struct TickwellRequest request,
                                    size_t row,
                                    size_t column,
                                    const char **text,
                                    size_t *length,
                                    struct TickwellError *error);

// The bytes of a bytes, item, location, nbt or object, or the 16 of a uuid; TICKWELL_NULL when it is
// null. They stay until the request is closed.
TickwellStatus tickwell_result_bytes(struct TickwellRequest request,
                                     size_t row,
                                     size_t column,
                                     const void **bytes,
                                     size_t *length,
                                     struct TickwellError *error);

// A value that is null.
struct TickwellValue tickwell_null(void);

// A boolean: not 0 is true.
struct TickwellValue tickwell_boolean(int32_t value);

// A bigint, for columns of every type whose values are integers.
struct TickwellValue tickwell_integer(int64_t value);

// A double, for columns of floats too, where it becomes the nearest one.
struct TickwellValue tickwell_real(double value);

// A text of so many bytes of UTF-8, which must stay until the call that the value is given to returns.
struct TickwellValue tickwell_text(const char *text,
                                   size_t length);

// Bytes, which must stay until the call that the value is given to returns.
struct TickwellValue tickwell_bytes(const void *bytes, size_t length);

// A uuid of 16 bytes, most significant first, which must stay until the call that the value is given to
// returns.
struct TickwellValue tickwell_uuid(const void *bytes);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TICKWELL_H */
