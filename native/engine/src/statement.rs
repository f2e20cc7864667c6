//! What a request asks of a database, without its values: values travel beside it in a page, and a
//! statement names them by their column in that page. So one validation serves rows and
//! parameters alike. Plain data.

use crate::schema::TableDefinition;

mod codec;
pub mod placeholder;

pub use codec::{RequestHeader, decode_request, encode_request};

/// A position in the parameter page: the column whose first row holds the value.
pub type Parameter = u16;

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Create the table if it is absent, else compare it.
    Register(TableDefinition),
    /// Insert every row of the page; the page's columns are `columns` in this order.
    Insert {
        /// Physical table name.
        table: String,
        /// Columns that the page fills.
        columns: Vec<String>,
        /// What becomes of a row whose key is taken.
        mode: InsertMode,
        /// Whether the result is the rows' keys, in their order, instead of their number.
        return_keys: bool,
    },
    /// Read rows.
    Select {
        /// Physical table name.
        table: String,
        /// Columns of the result in this order.
        columns: Vec<String>,
        /// Which rows; `None` means all.
        filter: Option<Filter>,
        /// The order of the rows.
        order: Vec<Order>,
        /// The most rows to read. Without one, a result larger than the session's limit is refused.
        limit: Option<u32>,
        /// How many of the first rows to leave out.
        offset: u32,
    },
    /// Count rows.
    Count {
        /// Physical table name.
        table: String,
        /// Which rows; `None` means all.
        filter: Option<Filter>,
        /// Only whether there is one: the count is 1 or 0, and ends at the first row.
        exists: bool,
    },
    /// Delete rows.
    Delete {
        /// Physical table name.
        table: String,
        /// Which rows; `None` means all, asked for by `all()`.
        filter: Option<Filter>,
        /// The most rows to delete, the first in the order of the key.
        limit: Option<u32>,
    },
    /// SQL that returns rows, with `?` for the page's columns in their order.
    RawQuery {
        /// The text.
        sql: String,
    },
    /// SQL that changes rows, with `?` for the page's columns in their order.
    RawUpdate {
        /// The text.
        sql: String,
    },
    /// Change values of rows.
    Update {
        /// Physical table name.
        table: String,
        /// What changes. All of them see the row as it was before.
        assignments: Vec<Assignment>,
        /// Which rows; `None` means all, asked for by `all()`.
        filter: Option<Filter>,
        /// The most rows to change, the first in the order of the key.
        limit: Option<u32>,
    },
    /// Compute values over rows; the result is one row.
    Aggregate {
        /// Physical table name.
        table: String,
        /// Which rows; `None` means all.
        filter: Option<Filter>,
        /// What to compute, each a column of the result.
        aggregates: Vec<Aggregate>,
    },
}

/// What becomes of a row to insert whose key, or whose values of a unique index, are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InsertMode {
    /// The whole insert is refused.
    Plain,
    /// The row is left out; every other error remains one.
    IfAbsent,
    /// A row whose primary key is taken overwrites the one that is there. Of rows of one request
    /// with the same key the last one counts.
    Upsert {
        /// The columns that are overwritten; none means every inserted one outside of the key.
        overwrite: Vec<String>,
    },
}

/// One column's change in an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The column.
    pub column: String,
    /// How the value changes it.
    pub change: Change,
    /// The value.
    pub parameter: Parameter,
}

/// How a value changes a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Change {
    /// Becomes the value.
    Set = 1,
    /// Grows by the value; null stays null. For columns of numbers.
    Add = 2,
}

/// One value over many rows. All but `Count` leave nulls out, and are null over no values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aggregate {
    /// How many rows, a bigint.
    Count,
    /// The sum of a column: a bigint for integers, a double for floats and doubles.
    Sum(String),
    /// The least value of a column, of the column's type.
    Min(String),
    /// The greatest value of a column, of the column's type.
    Max(String),
    /// The mean of a column of numbers, a double.
    Average(String),
}

impl Aggregate {
    /// The column that it reads; a count reads none.
    #[must_use]
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Count => None,
            Self::Sum(column) | Self::Min(column) | Self::Max(column) | Self::Average(column) => {
                Some(column)
            }
        }
    }
}

/// A column to sort by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The column.
    pub column: String,
    /// Greatest first.
    pub descending: bool,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Comparison {
    /// Equal.
    Eq = 1,
    /// Not equal.
    Ne = 2,
    /// Less.
    Lt = 3,
    /// Less or equal.
    Le = 4,
    /// Greater.
    Gt = 5,
    /// Greater or equal.
    Ge = 6,
}

/// Which rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// All of these; true when empty.
    And(Vec<Filter>),
    /// At least one of these; false when empty.
    Or(Vec<Filter>),
    /// Not this.
    Not(Box<Filter>),
    /// `column <comparison> parameter`.
    Compare {
        /// The column.
        column: String,
        /// The comparison.
        comparison: Comparison,
        /// The value.
        parameter: Parameter,
    },
    /// `low <= column <= high`.
    Between {
        /// The column.
        column: String,
        /// The least value.
        low: Parameter,
        /// The greatest value.
        high: Parameter,
    },
    /// The column has one of these values; no row when empty.
    In {
        /// The column.
        column: String,
        /// The values.
        parameters: Vec<Parameter>,
    },
    /// The column matches a pattern of `%` and `_`, with `\` as the escape.
    Like {
        /// The column.
        column: String,
        /// The pattern.
        parameter: Parameter,
    },
    /// The column has no value.
    IsNull {
        /// The column.
        column: String,
    },
}

/// The kind of a statement, as statistics and phases name it. The number is part of the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StatementKind {
    /// [`Statement::Register`].
    Register = 1,
    /// [`Statement::Insert`].
    Insert = 2,
    /// [`Statement::Select`].
    Select = 3,
    /// [`Statement::Count`].
    Count = 4,
    /// [`Statement::Delete`].
    Delete = 5,
    /// [`Statement::RawQuery`].
    RawQuery = 6,
    /// [`Statement::RawUpdate`].
    RawUpdate = 7,
    /// [`Statement::Update`].
    Update = 8,
    /// [`Statement::Aggregate`].
    Aggregate = 9,
}

impl StatementKind {
    /// Every kind, in the order of the numbers.
    pub const ALL: &'static [StatementKind] = &[
        Self::Register,
        Self::Insert,
        Self::Select,
        Self::Count,
        Self::Delete,
        Self::RawQuery,
        Self::RawUpdate,
        Self::Update,
        Self::Aggregate,
    ];

    /// The kind with this number, if there is one.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The name used in statistics and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Insert => "insert",
            Self::Select => "select",
            Self::Count => "count",
            Self::Delete => "delete",
            Self::RawQuery => "query",
            Self::RawUpdate => "raw-update",
            Self::Update => "update",
            Self::Aggregate => "aggregate",
        }
    }
}

impl Statement {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> StatementKind {
        match self {
            Self::Register(_) => StatementKind::Register,
            Self::Insert { .. } => StatementKind::Insert,
            Self::Select { .. } => StatementKind::Select,
            Self::Count { .. } => StatementKind::Count,
            Self::Delete { .. } => StatementKind::Delete,
            Self::RawQuery { .. } => StatementKind::RawQuery,
            Self::RawUpdate { .. } => StatementKind::RawUpdate,
            Self::Update { .. } => StatementKind::Update,
            Self::Aggregate { .. } => StatementKind::Aggregate,
        }
    }

    /// Whether it changes anything and so goes through the writer.
    #[must_use]
    pub const fn is_write(&self) -> bool {
        matches!(
            self,
            Self::Register(_)
                | Self::Insert { .. }
                | Self::Delete { .. }
                | Self::RawUpdate { .. }
                | Self::Update { .. }
        )
    }

    /// The physical name of the table that it is about; `None` for raw statements, which may be
    /// about any.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        match self {
            Self::Register(definition) => Some(definition.name()),
            Self::Insert { table, .. }
            | Self::Select { table, .. }
            | Self::Count { table, .. }
            | Self::Delete { table, .. }
            | Self::Update { table, .. }
            | Self::Aggregate { table, .. } => Some(table),
            Self::RawQuery { .. } | Self::RawUpdate { .. } => None,
        }
    }
}
