//! Results on their way into pages: of columns whose types are known, straight and row by row; of
//! raw SQL whose columns have no declared type, through a copy whose values decide the types.

use rusqlite::types::{Value, ValueRef as Stored};
use rusqlite::{Row, Statement as Prepared};
use tickwell_engine::backend::{PageLimits, ResultLimits};
use tickwell_engine::error::{ErrorKind, Result};
use tickwell_engine::page::{Page, PageBuilder, PageColumn, Scratch};
use tickwell_engine::value::{ValueRef, ValueType};

use crate::dialect;
use crate::error::Site;
use crate::map;

/// A page being read, whose columns are known.
#[derive(Debug)]
pub(crate) struct Typed {
    columns: Vec<PageColumn>,
    builder: PageBuilder,
}

impl Typed {
    pub(crate) fn new(
        columns: Vec<PageColumn>,
        limits: ResultLimits,
        scratch: &mut Scratch,
    ) -> Self {
        Self { builder: PageBuilder::reusing(columns.clone(), limits, scratch), columns }
    }

    /// Takes a value of the current row. By reference: it lies where SQLite's binding wrote it in
    /// parts, and a copy would have to wait for them.
    ///
    /// # Errors
    /// `InvalidValue` for a stored value that is not of its column's type; `ResultTooLarge`.
    #[inline]
    pub(crate) fn take(&mut self, index: usize, stored: &Stored<'_>, site: Site<'_>) -> Result<()> {
        let Some(PageColumn { name, value_type }) = self.columns.get(index) else {
            return Err(site.fail(ErrorKind::Internal, "a row has more values than columns"));
        };
        match (value_type, stored) {
            // Most values are numbers of these types: the short way, with nothing to refuse.
            (ValueType::BigInt, &Stored::Integer(value)) => self.builder.push_integer(value),
            (ValueType::Int, &Stored::Integer(value)) if i32::try_from(value).is_ok() => {
                self.builder.push_integer(value)
            }
            (ValueType::Double, &Stored::Real(value)) => self.builder.push_double(value),
            _ => {
                let value = map::read(*value_type, *stored).map_err(|stored| {
                    map::mismatch(site, self.builder.rows(), name, *value_type, &stored)
                })?;
                self.builder.push(value)
            }
        }
    }

    /// How many values a row has.
    pub(crate) const fn width(&self) -> usize {
        self.columns.len()
    }

    /// Whether it holds a whole page of a stream.
    pub(crate) const fn is_full(&self, limits: PageLimits) -> bool {
        self.builder.rows() >= limits.rows || self.builder.content() >= limits.bytes
    }

    pub(crate) fn finish(self, scratch: &mut Scratch) -> Result<Page> {
        self.builder.finish_reusing(scratch)
    }
}

/// A column of raw SQL: its name, and its declared type when that is one of ours.
pub(crate) struct RawColumn {
    name: String,
    declared: Option<ValueType>,
}

/// The columns of a raw statement. Only after its first step do they belong to the schema that its
/// rows have: SQLite prepares it anew in that step when another connection changed the schema.
pub(crate) fn raw_columns(statement: &Prepared<'_>) -> Vec<RawColumn> {
    let columns = statement.columns();
    columns
        .map(|column| RawColumn {
            name: column.name().to_owned(),
            declared: column
                .decl_type()
                .and_then(dialect::parse_declared)
                .map(|(value_type, _)| value_type),
        })
        .collect()
}

/// The columns when each has a declared type of ours.
pub(crate) fn all_declared(columns: &[RawColumn]) -> Option<Vec<PageColumn>> {
    columns
        .iter()
        .map(|RawColumn { name, declared }| {
            declared.map(|value_type| PageColumn { name: name.clone(), value_type })
        })
        .collect()
}

/// A result whose values decide the types of its columns.
pub(crate) struct Untyped {
    columns: Vec<RawColumn>,
    limits: ResultLimits,
    /// Row by row.
    values: Vec<Value>,
    bytes: usize,
}

impl Untyped {
    pub(crate) const fn new(columns: Vec<RawColumn>, limits: ResultLimits) -> Self {
        Self { columns, limits, values: Vec::new(), bytes: 0 }
    }

    /// Takes the current row. False when it was one row or byte too many; [`Untyped::finish`] then
    /// says so in the words of every other result.
    ///
    /// # Errors
    /// `InvalidValue` for text that is not UTF-8; `ResultTooLarge` for a value that alone is too much.
    pub(crate) fn take(&mut self, row: &Row<'_>, site: Site<'_>) -> Result<bool> {
        let number = self.values.len() / self.columns.len().max(1);
        for (index, column) in self.columns.iter().enumerate() {
            let stored = row.get_ref(index).map_err(|error| site.error(error))?;
            if let Stored::Text(value) | Stored::Blob(value) = stored
                && value.len() > self.limits.max_bytes
            {
                // Refused by a page before it is copied, in the words of every other result.
                let column = PageColumn { name: column.name.clone(), value_type: ValueType::Bytes };
                PageBuilder::new(vec![column], self.limits).push(ValueRef::Bytes(value))?;
            }
            let (bytes, value) = match stored {
                Stored::Null => (0, Value::Null),
                Stored::Integer(value) => (8, Value::Integer(value)),
                Stored::Real(value) => (8, Value::Real(value)),
                Stored::Blob(value) => (value.len(), Value::Blob(value.to_vec())),
                Stored::Text(value) => match std::str::from_utf8(value) {
                    Ok(text) => (value.len(), Value::Text(text.to_owned())),
                    Err(_) => {
                        let stored = "text that is not UTF-8";
                        return Err(map::mismatch(
                            site,
                            number,
                            &column.name,
                            ValueType::Text,
                            stored,
                        ));
                    }
                },
            };
            self.bytes = self.bytes.saturating_add(bytes);
            self.values.push(value);
        }
        Ok(number < self.limits.max_rows && self.bytes <= self.limits.max_bytes)
    }

    /// The page.
    ///
    /// # Errors
    /// `InvalidValue` for a column whose values have no type in common; `ResultTooLarge`.
    pub(crate) fn finish(self, site: Site<'_>) -> Result<Page> {
        let width = self.columns.len().max(1);
        let mut columns = Vec::with_capacity(width);
        for (index, RawColumn { name, declared }) in self.columns.into_iter().enumerate() {
            let values = self.values.iter().skip(index).step_by(width);
            let value_type = map::type_by_values(declared, values).map_err(|kinds| {
                let message = format!(
                    "a result column holds {kinds}; make it one type with CAST in the statement"
                );
                site.fail(ErrorKind::InvalidValue, message).with("column", name.escape_debug())
            })?;
            columns.push(PageColumn { name, value_type });
        }
        let types: Vec<_> = columns.iter().map(|column| column.value_type).collect();
        let mut builder = PageBuilder::new(columns, self.limits);
        for row in self.values.chunks(width) {
            for (value, &value_type) in row.iter().zip(&types) {
                let value = map::read_common(value_type, value)
                    .map_err(|problem| site.fail(ErrorKind::Internal, problem))?;
                builder.push(value)?;
            }
        }
        builder.finish()
    }
}
