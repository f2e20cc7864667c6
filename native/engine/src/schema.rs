//! Table definitions as they are registered: columns with types and rules, the key, indexes.
//! Plain data; checked once by [`TableDefinition::new`] and immutable afterwards.

use crate::error::{Error, ErrorKind, Result};
use crate::value::ValueType;

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
}

/// One index over columns in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexDefinition {
    /// The columns.
    pub columns: Vec<String>,
    /// Whether two rows may not have the same values.
    pub unique: bool,
}

/// A table as a plugin registers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDefinition {
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
    /// `InvalidStatement` for an empty, overlong or repeated name, no or too many columns, a
    /// nullable key column or a `string` without a length; `UnknownColumn` for a key or an index
    /// over a column that is not there.
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
        for index in &indexes {
            if index.columns.is_empty() {
                return Err(invalid("an index needs a column".to_owned()));
            }
            for column in &index.columns {
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
        Ok(Self { name, columns, key, indexes })
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
