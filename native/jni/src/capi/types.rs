//! What crosses between C and Rust: structures that C fills in and reads, laid out as C does. Numbers
//! from C are never taken as Rust enumerations or booleans, since C may write anything there. The
//! comments are those of the header.

use std::ffi::{c_char, c_void};

/// How a call ended: TICKWELL_OK, TICKWELL_PENDING, TICKWELL_NULL, or a TickwellCode.
pub type TickwellStatus = i32;

/// The call did what it was asked for.
pub const TICKWELL_OK: TickwellStatus = 0;

/// The request has not ended yet. Not an error: it goes on.
pub const TICKWELL_PENDING: TickwellStatus = -1;

/// The value is null. Not an error: nothing was written to the place for the value.
pub const TICKWELL_NULL: TickwellStatus = -2;

/// The version of this header; tickwell_abi_version() gives the library's.
pub const TICKWELL_ABI_VERSION: u32 = 1;

/// The size of an error's message, its NUL included.
pub const TICKWELL_MESSAGE_BYTES: usize = 2036;

/// Column flag: part of the primary key, which has its columns in the table's order.
pub const TICKWELL_COLUMN_KEY: u32 = 1;
/// Column flag: null is a value.
pub const TICKWELL_COLUMN_NULLABLE: u32 = 2;
/// Column flag: the database numbers rows that leave it out or give null for it. For an int or a
/// bigint that is the whole key.
pub const TICKWELL_COLUMN_AUTO_INCREMENT: u32 = 4;

/// Index flag: two rows may not have the same values.
pub const TICKWELL_INDEX_UNIQUE: u32 = 1;

/// Table flag: columns that the live table lacks are added, where they may be null or have a default.
pub const TICKWELL_TABLE_ADD_MISSING_COLUMNS: u32 = 1;
/// Table flag: other owners may register it too, when they say the same.
pub const TICKWELL_TABLE_SHARED: u32 = 2;

/// Insert flag: the result is the rows' keys, in their order, instead of their number.
pub const TICKWELL_INSERT_RETURN_KEYS: u32 = 1;

/// A runtime: what is open, and the thread that hands out results. 0 is never one.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct TickwellRuntime {
    /// Its number; a closed one is refused, whatever was opened since.
    pub handle: i64,
}

/// An open database, or a transaction in one. 0 is never one.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct TickwellDatabase {
    /// Its number; a closed one is refused, whatever was opened since.
    pub handle: i64,
}

/// A request and, once it has ended, its result. 0 is never one.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct TickwellRequest {
    /// Its number; a closed one is refused, whatever was submitted since.
    pub handle: i64,
}

/// Why a call failed. It belongs to the caller, wherever that keeps it, and holds no pointer; every
/// call that is given one writes it.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellError {
    /// What the call returned.
    pub code: TickwellStatus,
    /// What is known of the effect on the database; a TickwellEffect.
    pub effect: u8,
    /// 1 when trying again can help.
    pub retryable: u8,
    /// 0.
    pub reserved: [u8; 2],
    /// What happened, where, and what to do: UTF-8, ends in a NUL, cut when it is too long. Empty
    /// when nothing failed. Never holds a value that was given.
    pub message: [c_char; TICKWELL_MESSAGE_BYTES],
}

/// A setting. docs/boundary.md lists the names, in "Pairs".
#[derive(Debug)]
#[repr(C)]
pub struct TickwellSetting {
    /// Its name.
    pub name: *const c_char,
    /// Its value as text.
    pub value: *const c_char,
}

/// A value of any type. `value_type` says which of the other fields hold it; those that do not are not
/// read. tickwell_integer() and its like fill one in.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct TickwellValue {
    /// A TickwellType, or 0 for null. A value that is given for a column may be of any type that has
    /// the same field: the column's type decides, and refuses what it cannot hold.
    pub value_type: u32,
    /// boolean (0 or not), tinyint, smallint, int, bigint, date, time_of_day, timestamp, timespan.
    pub integer: i64,
    /// float, double.
    pub real: f64,
    /// decimal, string, text, json: UTF-8, without a NUL at its end. bytes, item, location, nbt,
    /// object: bytes. uuid: 16 bytes, most significant first.
    pub data: *const c_void,
    /// The number of bytes at `data`.
    pub length: usize,
}

/// A column of a table to register.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellColumn {
    /// Its name, exactly as the database has it.
    pub name: *const c_char,
    /// A TickwellType.
    pub value_type: u32,
    /// The most code points of a string; 0 for every other type.
    pub max_length: u32,
    /// TICKWELL_COLUMN_… flags.
    pub flags: u32,
    /// What rows that leave it out get; NULL for none.
    pub default_value: *const TickwellValue,
}

/// An index of a table to register.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellIndex {
    /// The names of its columns in their order.
    pub columns: *const *const c_char,
    /// How many.
    pub column_count: usize,
    /// TICKWELL_INDEX_… flags.
    pub flags: u32,
}

/// A table to register: created when it is absent, else compared.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellTable {
    /// Its name in the database.
    pub name: *const c_char,
    /// Its columns.
    pub columns: *const TickwellColumn,
    /// How many.
    pub column_count: usize,
    /// Its indexes beside the primary key.
    pub indexes: *const TickwellIndex,
    /// How many.
    pub index_count: usize,
    /// Whose it is: another owner is refused. NULL or empty: nobody is noted or refused.
    pub owner: *const c_char,
    /// TICKWELL_TABLE_… flags.
    pub flags: u32,
    /// Milliseconds until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
}

/// What becomes of a row to insert whose key, or whose values of a unique index, are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum TickwellInsertMode {
    /// The whole insert is refused.
    Plain = 0,
    /// The row is left out; every other error remains one.
    IfAbsent = 1,
    /// A row whose primary key is taken overwrites the one that is there. Of rows of one request with
    /// the same key the last one counts.
    Upsert = 2,
}

/// Rows to insert, all or none of them.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellInsert {
    /// The table, which was registered.
    pub table: *const c_char,
    /// The names of the columns that the rows have.
    pub columns: *const *const c_char,
    /// How many.
    pub column_count: usize,
    /// `row_count` times `column_count` values, row after row.
    pub values: *const TickwellValue,
    /// How many rows.
    pub row_count: usize,
    /// A TickwellInsertMode.
    pub mode: u32,
    /// TICKWELL_INSERT_… flags.
    pub flags: u32,
    /// The columns that an upsert overwrites; none means every one outside of the key.
    pub overwrite: *const *const c_char,
    /// How many.
    pub overwrite_count: usize,
    /// Milliseconds until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
}

/// What a filter asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum TickwellFilterKind {
    /// The column equals the one value.
    Eq = 1,
    /// The column differs from the one value.
    Ne = 2,
    /// The column is less than the one value.
    Lt = 3,
    /// The column is less than or equal to the one value.
    Le = 4,
    /// The column is greater than the one value.
    Gt = 5,
    /// The column is greater than or equal to the one value.
    Ge = 6,
    /// The column is from the first of two values to the second, both included.
    Between = 7,
    /// The column has one of these values; no row when there are none.
    In = 8,
    /// The column matches the one value, a pattern of % and _ with \ as the escape.
    Like = 9,
    /// The column is null; no values.
    IsNull = 10,
    /// All of the filters hold.
    And = 11,
    /// At least one of the filters holds.
    Or = 12,
    /// The one filter does not hold.
    Not = 13,
}

/// Which rows. Filters nest at most 64 deep.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellFilter {
    /// A TickwellFilterKind.
    pub kind: u32,
    /// The column; NULL for and, or, not.
    pub column: *const c_char,
    /// What it is compared with, as the kind says.
    pub values: *const TickwellValue,
    /// How many.
    pub value_count: usize,
    /// The filters of and, or, not; NULL for the others.
    pub filters: *const TickwellFilter,
    /// How many.
    pub filter_count: usize,
}

/// A column to sort by.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellOrder {
    /// The column.
    pub column: *const c_char,
    /// Not 0: greatest first.
    pub descending: u32,
}

/// Rows to read.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellSelect {
    /// The table, which was registered.
    pub table: *const c_char,
    /// The names of the columns to read; none means all of the table, in its order.
    pub columns: *const *const c_char,
    /// How many.
    pub column_count: usize,
    /// Which rows; NULL means all.
    pub filter: *const TickwellFilter,
    /// The order of the rows; none means that they come in any.
    pub orders: *const TickwellOrder,
    /// How many.
    pub order_count: usize,
    /// The most rows; 0 = no limit, and then more than the database's max-result-rows are refused.
    pub limit: u32,
    /// How many of the first rows to leave out.
    pub offset: u32,
    /// Milliseconds until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
}

/// Rows to count. The result's affected rows are their number.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellCount {
    /// The table, which was registered.
    pub table: *const c_char,
    /// Which rows; NULL means all.
    pub filter: *const TickwellFilter,
    /// Not 0: only whether there is one, 1 or 0; it ends at the first row.
    pub exists: u32,
    /// Milliseconds until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
}

/// How a value changes a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum TickwellChange {
    /// Becomes the value.
    Set = 1,
    /// Grows by the value; null stays null. For columns of numbers.
    Add = 2,
}

/// One column's change in an update.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellAssignment {
    /// The column.
    pub column: *const c_char,
    /// A TickwellChange.
    pub change: u32,
    /// The value.
    pub value: TickwellValue,
}

/// Values of rows to change. All assignments see the row as it was before.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellUpdate {
    /// The table, which was registered.
    pub table: *const c_char,
    /// What changes.
    pub assignments: *const TickwellAssignment,
    /// How many.
    pub assignment_count: usize,
    /// Which rows; NULL needs `all`.
    pub filter: *const TickwellFilter,
    /// Not 0: every row is meant. Not together with a filter.
    pub all: u32,
    /// The most rows to change, the first in the order of the key; 0 = no limit.
    pub limit: u32,
    /// Milliseconds until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
}

/// Rows to delete.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellDelete {
    /// The table, which was registered.
    pub table: *const c_char,
    /// Which rows; NULL needs `all`.
    pub filter: *const TickwellFilter,
    /// Not 0: every row is meant. Not together with a filter.
    pub all: u32,
    /// The most rows to delete, the first in the order of the key; 0 = no limit.
    pub limit: u32,
    /// Milliseconds until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
}

/// A statement in SQL.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellSql {
    /// One statement, with ? for each value.
    pub text: *const c_char,
    /// The values in the order of the ?.
    pub values: *const TickwellValue,
    /// How many.
    pub value_count: usize,
    /// Milliseconds until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
}

/// How a transaction is to be; zeros mean the defaults.
#[derive(Debug)]
#[repr(C)]
pub struct TickwellTransaction {
    /// Who holds it, for statistics; NULL for nobody in particular.
    pub name: *const c_char,
    /// How many milliseconds to wait for its turn among the writes; 0 = the database's deadline.
    pub wait_millis: u64,
    /// After how many milliseconds in all it is rolled back; 0 = 30 s.
    pub limit_millis: u64,
    /// After how many milliseconds between two statements it is rolled back; 0 = 5 s.
    pub idle_millis: u64,
}

/// Called once when a request has ended, with the pointer that came with it. It must return soon, as
/// later results wait for it, and must not throw or jump out.
pub type TickwellCallback = Option<extern "C" fn(context: *mut c_void, request: TickwellRequest)>;
