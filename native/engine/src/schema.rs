//! Table definitions as they are registered: columns with types and rules, the key, indexes.
//! Plain data; checked once by [`TableDefinition::new`] and immutable afterwards.

use crate::error::{Error, ErrorKind, Result};
use crate::page::Page;
use crate::statement::Parameter;
use crate::value::{ValueRef, ValueType};

/// The longest identifier, in bytes: the least of the supported databases (PostgreSQL, 63).
pub const MAX_IDENTIFIER_BYTES: usize = 63;

/// The most columns that a table may have: SQLite's default `SQLITE_LIMIT_COLUMN`.
pub const MAX_COLUMNS: usize = 2_000;

/// One column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnDefinition {
    /// The name, exactly as the database has it.
    pub name: String,
    /// The type of its values.
    pub value_type: ValueType,
    /// The most code points of a `string`; 0 for every other type.
    pub max_length: u32,
    /// Whether null is a value.
    pub nullable: bool,
    /// Whether the database numbers the rows that leave it out or give null for it.
    pub auto_increment: bool,
    /// Where the page beside the registration has the value of rows that leave it out.
    pub default: Option<Parameter>,
}

impl ColumnDefinition {
    /// Whether a row may leave the column out.
    #[must_use]
    pub const fn may_be_absent(&self) -> bool {
        self.nullable || self.auto_increment || self.default.is_some()
    }

    /// Whether a row may give null for the column.
    #[must_use]
    pub const fn takes_null(&self) -> bool {
        self.nullable || self.auto_increment
    }

    /// The default's value in the page beside the registration, of which [`validate`] has made sure.
    ///
    /// [`validate`]: crate::validate::validate
    #[must_use]
    pub fn default_value<'a>(&self, page: Option<&'a Page>) -> Option<ValueRef<'a>> {
        page?.value(0, usize::from(self.default?))
    }
}

/// One index over columns in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexDefinition {
    /// The columns.
    pub columns: Vec<String>,
    /// Whether two rows may not have the same values.
    pub unique: bool,
}

/// The longest name of a plugin, in bytes; it is kept beside each of its tables.
pub const MAX_OWNER_BYTES: usize = 255;

/// What the names of our own tables begin with, in small or capital letters.
const RESERVED_PREFIX: &str = "tickwell_";

impl IndexDefinition {
    /// Its name in the database, which table, columns and kind determine. One that would be longer
    /// than [`MAX_IDENTIFIER_BYTES`] is cut and ends in a hash of the whole.
    #[must_use]
    pub fn name(&self, table: &str) -> String {
        let kind = if self.unique { "unique" } else { "index" };
        let full = format!("{table}({}) {kind}", self.columns.join(","));
        if full.len() <= MAX_IDENTIFIER_BYTES {
            return full;
        }
        let hash = format!("~{:016x}", fnv1a(full.as_bytes()));
        let mut end = MAX_IDENTIFIER_BYTES - hash.len();
        while !full.is_char_boundary(end) {
            end -= 1;
        }
        let start = full.get(..end).unwrap_or_default();
        format!("{start}{hash}")
    }
}

/// FNV-1a, 64 bits: the same in every version, as names in databases must be.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// How a table is registered, beside what it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RegisterOptions {
    /// The plugin that registers it; empty when it is none, and then nobody is noted or refused.
    pub owner: String,
    /// Whether other plugins may register it too, when they say the same.
    pub shared: bool,
    /// Whether columns that the live table lacks are added, where they may be null or have a
    /// default.
    pub add_missing_columns: bool,
}

/// A table as a plugin registers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDefinition {
    options: RegisterOptions,
    name: String,
    columns: Vec<ColumnDefinition>,
    key: Vec<usize>,
    indexes: Vec<IndexDefinition>,
}

impl TableDefinition {
    /// A checked definition. `key` holds the primary key's columns in their order, as positions
    /// in `columns`; an empty key means a table without one.
    ///
    /// # Errors
    /// `InvalidStatement` for an empty, overlong, repeated or reserved name, no or too many columns,
    /// a nullable key column, a `string` without a length, an auto increment or a default where none
    /// can be, or an index that is empty, is there twice or names a column twice; `UnknownColumn`
    /// for a key or an index over a column that is not there.
    pub fn new(
        name: String,
        columns: Vec<ColumnDefinition>,
        key: Vec<usize>,
        indexes: Vec<IndexDefinition>,
    ) -> Result<Self> {
        let invalid = |message: String| {
            Error::new(ErrorKind::InvalidStatement, "register", message).with("table", &name)
        };
        check_identifier("register", "table", &name)?;
        let start = name.get(..RESERVED_PREFIX.len()).unwrap_or_default();
        if start.eq_ignore_ascii_case(RESERVED_PREFIX) {
            return Err(invalid(format!(
                "names that begin with {RESERVED_PREFIX} are of Tickwell's own tables; choose another"
            )));
        }
        if columns.is_empty() || columns.len() > MAX_COLUMNS {
            return Err(invalid(format!(
                "a table has 1 to {MAX_COLUMNS} columns, this one has {}",
                columns.len()
            )));
        }
        for (index, column) in columns.iter().enumerate() {
            check_identifier("register", "column", &column.name)?;
            if columns.iter().take(index).any(|other| other.name.eq_ignore_ascii_case(&column.name))
            {
                return Err(invalid(format!("two columns are called {}", column.name)));
            }
            if (column.value_type == ValueType::String) != (column.max_length > 0) {
                return Err(invalid(format!(
                    "column {}: a length belongs to type string, and only to it",
                    column.name
                )));
            }
        }
        for (index, &position) in key.iter().enumerate() {
            let column = columns.get(position).ok_or_else(|| {
                Error::new(ErrorKind::UnknownColumn, "register", "the key names no column")
                    .with("table", &name)
                    .with("position", position)
            })?;
            if column.nullable {
                return Err(invalid(format!("key column {} may not be nullable", column.name)));
            }
            if key.iter().take(index).any(|&other| other == position) {
                return Err(invalid(format!("key column {} is named twice", column.name)));
            }
        }
        for (position, column) in columns.iter().enumerate() {
            if let Some(problem) = rule_problem(column, key == [position]) {
                return Err(invalid(format!("column {}: {problem}", column.name)));
            }
        }
        for (position, index) in indexes.iter().enumerate() {
            if indexes.iter().take(position).any(|other| other == index) {
                let columns = index.columns.join(", ");
                return Err(invalid(format!("the index over {columns} is declared twice")));
            }
            if index.columns.is_empty() {
                return Err(invalid("an index needs a column".to_owned()));
            }
            for (position, column) in index.columns.iter().enumerate() {
                if index.columns.iter().take(position).any(|other| other == column) {
                    return Err(invalid(format!("an index names column {column} twice")));
                }
                if !columns.iter().any(|candidate| candidate.name == *column) {
                    return Err(Error::new(
                        ErrorKind::UnknownColumn,
                        "register",
                        "the index names a column that the table does not have",
                    )
                    .with("table", &name)
                    .with("column", column));
                }
            }
        }
        Ok(Self { options: RegisterOptions::default(), name, columns, key, indexes })
    }

    /// The same, registered in this way.
    ///
    /// # Errors
    /// `InvalidStatement` for a plugin's name that is longer than [`MAX_OWNER_BYTES`] or holds
    /// U+0000.
    pub fn with_options(self, options: RegisterOptions) -> Result<Self> {
        if options.owner.len() > MAX_OWNER_BYTES || options.owner.contains('\0') {
            let message = format!(
                "a plugin's name has at most {MAX_OWNER_BYTES} bytes and does not hold U+0000"
            );
            return Err(Error::new(ErrorKind::InvalidStatement, "register", message)
                .with("table", self.name.escape_debug()));
        }
        Ok(Self { options, ..self })
    }

    /// How it is registered.
    #[must_use]
    pub const fn options(&self) -> &RegisterOptions {
        &self.options
    }

    /// The physical name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The columns in their order.
    #[must_use]
    pub fn columns(&self) -> &[ColumnDefinition] {
        &self.columns
    }

    /// The column with this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&ColumnDefinition> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The primary key's columns in their order.
    pub fn key(&self) -> impl Iterator<Item = &ColumnDefinition> {
        self.key.iter().filter_map(|&position| self.columns.get(position))
    }

    /// The indexes beside the primary key.
    #[must_use]
    pub fn indexes(&self) -> &[IndexDefinition] {
        &self.indexes
    }
}

/// Why a column cannot number rows or have a default, as far as it says that it does.
fn rule_problem(column: &ColumnDefinition, is_whole_key: bool) -> Option<&'static str> {
    let defaultable = !matches!(
        column.value_type,
        ValueType::Item | ValueType::Location | ValueType::Nbt | ValueType::Object
    );
    if column.auto_increment && !matches!(column.value_type, ValueType::Int | ValueType::BigInt) {
        Some("auto increment is for int and bigint")
    } else if column.auto_increment && !is_whole_key {
        Some("auto increment is for a column that is the whole key")
    } else if column.auto_increment && column.default.is_some() {
        Some("it is numbered by the database and has a default; leave one of them out")
    } else if column.default.is_some() && is_whole_key {
        Some("it is the whole key and has a default, which only one row could have")
    } else if column.default.is_some() && !defaultable {
        Some("items, locations, nbt and objects have no defaults; give each row a value")
    } else {
        None
    }
}

/// Refuses an identifier that some database could not keep: empty, longer than
/// [`MAX_IDENTIFIER_BYTES`], or with U+0000.
///
/// # Errors
/// `InvalidStatement`, naming what it was for.
pub fn check_identifier(operation: &'static str, what: &'static str, name: &str) -> Result<()> {
    let message = if name.is_empty() {
        format!("the name of a {what} is empty")
    } else if name.len() > MAX_IDENTIFIER_BYTES {
        format!("the name of a {what} has {} bytes, the most is {MAX_IDENTIFIER_BYTES}", name.len())
    } else if name.contains('\0') {
        format!("the name of a {what} holds U+0000")
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidStatement, operation, message).with(what, name.escape_debug()))
}
