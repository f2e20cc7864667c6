//! Statements as SQLite's text. Only names from a checked definition enter the text, always quoted;
//! every value is a `?` that [`Binds`] tells how to fill. Pure, for any thread.

use std::fmt::Write as _;

use tickwell_engine::backend::Request;
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::{Page, PageColumn};
use tickwell_engine::schema::{ColumnDefinition, IndexDefinition, TableDefinition};
use tickwell_engine::statement::{
    Aggregate, Assignment, Change, Comparison, Filter, InsertMode, Order, Parameter,
};
use tickwell_engine::value::{ValueRef, ValueType};

use crate::arithmetic::{ADD, AVERAGE, SUM};
use crate::collect::{FUNCTION, MAX_COLUMNS};

/// The collation that orders decimals by their value; every connection has it.
pub(crate) const DECIMAL_COLLATION: &str = "tickwell_decimal";

/// The longest pattern that `GLOB` takes, in bytes: `SQLITE_MAX_LIKE_PATTERN_LENGTH`.
const MAX_PATTERN_BYTES: usize = 50_000;

/// How one `?` is filled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Bind {
    /// With this column of the parameter page.
    Parameter(Parameter),
    /// With this pattern, translated for `GLOB`.
    Pattern(String),
    /// With a number of our own.
    Number(i64),
}

/// A statement and what its `?` stand for, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sql {
    pub(crate) text: String,
    pub(crate) binds: Vec<Bind>,
}

/// Adds an identifier in double quotes.
fn push_quoted(text: &mut String, name: &str) {
    text.push('"');
    for (index, part) in name.split('"').enumerate() {
        if index > 0 {
            text.push_str("\"\"");
        }
        text.push_str(part);
    }
    text.push('"');
}

fn push_names<'a>(text: &mut String, names: impl Iterator<Item = &'a str>) {
    for (index, name) in names.enumerate() {
        if index > 0 {
            text.push(',');
        }
        push_quoted(text, name);
    }
}

/// `INSERT` of `rows` rows, all values bound row by row. `tail` is what follows the values.
pub(crate) fn insert(table: &str, columns: &[String], rows: usize, tail: &str) -> String {
    let values = columns.len() * 2 + 2;
    let mut text = String::with_capacity(64 + columns.len() * 16 + rows * values);
    text.push_str("INSERT INTO ");
    push_quoted(&mut text, table);
    text.push('(');
    push_names(&mut text, columns.iter().map(String::as_str));
    text.push_str(")VALUES");
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ",(" });
        for column in 0..columns.len() {
            text.push_str(if column == 0 { "?" } else { ",?" });
        }
        text.push(')');
    }
    text.push_str(tail);
    text
}

/// What an insert does with a row whose key is taken. Never `OR IGNORE`, which would hide nulls and
/// failed checks too.
pub(crate) fn conflict(
    definition: &TableDefinition,
    columns: &[String],
    mode: &InsertMode,
) -> String {
    let overwrite = match mode {
        InsertMode::Plain => return String::new(),
        InsertMode::IfAbsent => return " ON CONFLICT DO NOTHING".to_owned(),
        InsertMode::Upsert { overwrite } => overwrite,
    };
    let mut text = " ON CONFLICT(".to_owned();
    push_key(&mut text, definition);
    text.push_str(")DO UPDATE SET ");
    let is_key = |name: &str| definition.key().any(|key| key.name == name);
    let mut names: Vec<&str> = if overwrite.is_empty() {
        columns.iter().map(String::as_str).filter(|name| !is_key(name)).collect()
    } else {
        overwrite.iter().map(String::as_str).collect()
    };
    // Rows of nothing but a key overwrite nothing, and are counted all the same.
    if names.is_empty() {
        names.extend(definition.key().next().map(|key| key.name.as_str()));
    }
    for (index, name) in names.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        push_quoted(&mut text, name);
        text.push_str("=excluded.");
        push_quoted(&mut text, name);
    }
    text
}

/// What makes an insert of one row return the key of the row that is there afterwards.
pub(crate) fn returning_key(
    definition: &TableDefinition,
    columns: &[String],
    mode: &InsertMode,
) -> String {
    let mut text = match (mode, definition.key().next()) {
        // Overwrites nothing, and so returns the row that was there, whatever index it meets.
        (InsertMode::IfAbsent, Some(key)) => {
            let mut text = " ON CONFLICT DO UPDATE SET ".to_owned();
            push_quoted(&mut text, &key.name);
            text.push('=');
            push_quoted(&mut text, &key.name);
            text
        }
        _ => conflict(definition, columns, mode),
    };
    text.push_str(" RETURNING ");
    push_key(&mut text, definition);
    text
}

fn push_key(text: &mut String, definition: &TableDefinition) {
    push_names(text, definition.key().map(|key| key.name.as_str()));
}

/// `SELECT`, reading at most one row more than a result may have.
pub(crate) fn select(
    definition: &TableDefinition,
    columns: &[String],
    filter: Option<&Filter>,
    order: &[Order],
    (limit, offset): (Option<u32>, u32),
    request: &Request,
) -> Result<Sql> {
    let mut sql = Sql { text: "SELECT ".to_owned(), binds: Vec::new() };
    push_names(&mut sql.text, columns.iter().map(String::as_str));
    sql.text.push_str(" FROM ");
    push_quoted(&mut sql.text, definition.name());
    sql.push_where("select", definition, filter, request.page.as_ref())?;
    for (index, Order { column, descending }) in order.iter().enumerate() {
        let found = find(definition, column, "select")?;
        if !found.value_type.is_ordered() {
            return Err(unordered("select", found));
        }
        sql.text.push_str(if index == 0 { " ORDER BY " } else { "," });
        sql.push_column(found);
        // SQLite takes null as the smallest value, as the meaning of order says.
        sql.text.push_str(if *descending { " DESC" } else { " ASC" });
    }
    let most = request.result_limits.max_rows.saturating_add(1);
    let most = limit.map_or(most, |limit| most.min(limit as usize));
    sql.push_limit(most);
    if offset > 0 {
        sql.text.push_str(" OFFSET ?+0");
        sql.binds.push(Bind::Number(offset.into()));
    }
    Ok(sql)
}

/// The order in which rows are asked for that SQLite gives them by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowOrder {
    /// Any.
    Any,
    /// Ascending by the key that is the row's number, which is at this place of the columns read.
    RowNumber(usize),
}

impl RowOrder {
    /// The order of a select whose rows can be taken as they come; `None` when they must be sorted
    /// or counted.
    pub(crate) fn of(
        definition: &TableDefinition,
        columns: &[String],
        filter: Option<&Filter>,
        order: &[Order],
        (limit, offset): (Option<u32>, u32),
    ) -> Option<Self> {
        if limit.is_some() || offset > 0 || columns.len() > MAX_COLUMNS {
            return None;
        }
        let [Order { column, descending: false }] = order else {
            return order.is_empty().then_some(Self::Any);
        };
        let ascends = row_number(definition) == Some(column)
            && filter.is_none_or(|filter| concerns_only(filter, column));
        let place = columns.iter().position(|name| name == column);
        place.filter(|_| ascends).map(Self::RowNumber)
    }

    /// Whether the rows of this page came in the order.
    pub(crate) fn is_kept(self, page: &Page) -> bool {
        let Self::RowNumber(column) = self else { return true };
        let mut last = None;
        let ascending = page.walk(column, 0..page.rows(), |_, value| match value {
            ValueRef::Integer(number) if last.is_none_or(|last| last < number) => {
                last = Some(number);
                Ok(())
            }
            _ => Err(()),
        });
        ascending.is_ok()
    }
}

/// Whether a filter looks at no other column, and at all of a row's conditions in one pass.
fn concerns_only(filter: &Filter, only: &str) -> bool {
    match filter {
        Filter::And(filters) => filters.iter().all(|filter| concerns_only(filter, only)),
        // SQLite may read the rows of each part for itself.
        Filter::Or(_) => false,
        Filter::Not(filter) => concerns_only(filter, only),
        Filter::Compare { column, .. }
        | Filter::Between { column, .. }
        | Filter::In { column, .. }
        | Filter::Like { column, .. }
        | Filter::IsNull { column } => column == only,
    }
}

/// `SELECT` by the function that takes the rows.
pub(crate) fn collect(
    definition: &TableDefinition,
    columns: &[PageColumn],
    filter: Option<&Filter>,
    order: RowOrder,
    page: Option<&Page>,
) -> Result<Sql> {
    let mut sql = Sql { text: format!("SELECT {FUNCTION}("), binds: Vec::new() };
    push_names(&mut sql.text, columns.iter().map(|column| column.name.as_str()));
    sql.text.push_str(")FROM ");
    push_quoted(&mut sql.text, definition.name());
    if order != RowOrder::Any {
        // An index that has all columns may be read in the place of the table, in its own order.
        sql.text.push_str(" NOT INDEXED");
    }
    sql.push_where("select", definition, filter, page)?;
    Ok(sql)
}

/// `SELECT COUNT(*)`, or whether there is a row.
pub(crate) fn count(
    definition: &TableDefinition,
    filter: Option<&Filter>,
    exists: bool,
    page: Option<&Page>,
) -> Result<Sql> {
    let start = if exists { "SELECT EXISTS(SELECT 1 FROM " } else { "SELECT COUNT(*) FROM " };
    let mut sql = Sql { text: start.to_owned(), binds: Vec::new() };
    push_quoted(&mut sql.text, definition.name());
    sql.push_where("count", definition, filter, page)?;
    if exists {
        sql.text.push(')');
    }
    Ok(sql)
}

/// `SELECT` of one row of aggregates, with the types of its columns.
pub(crate) fn aggregate(
    definition: &TableDefinition,
    filter: Option<&Filter>,
    aggregates: &[Aggregate],
    page: Option<&Page>,
) -> Result<(Sql, Vec<ValueType>)> {
    let mut sql = Sql { text: "SELECT ".to_owned(), binds: Vec::new() };
    let mut types = Vec::with_capacity(aggregates.len());
    for (place, aggregate) in aggregates.iter().enumerate() {
        if place > 0 {
            sql.text.push(',');
        }
        let Some(name) = aggregate.column() else {
            sql.text.push_str("COUNT(*)");
            types.push(ValueType::BigInt);
            continue;
        };
        let column = find(definition, name, "aggregate")?;
        let extreme = match aggregate {
            Aggregate::Min(_) => Some("MIN("),
            Aggregate::Max(_) => Some("MAX("),
            _ => None,
        };
        if let Some(function) = extreme {
            sql.text.push_str(function);
            sql.push_column(column);
            sql.text.push(')');
            types.push(column.value_type);
            continue;
        }
        refuse_decimal("aggregate", definition, column)?;
        let average = matches!(aggregate, Aggregate::Average(_));
        sql.text.push_str(if average { AVERAGE } else { SUM });
        sql.text.push('(');
        push_quoted(&mut sql.text, name);
        // Writing to a string cannot fail.
        let _ = write!(sql.text, ",{},{place})", column.value_type.code());
        let integers = column.value_type.is_integer() && !average;
        types.push(if integers { ValueType::BigInt } else { ValueType::Double });
    }
    sql.text.push_str(" FROM ");
    push_quoted(&mut sql.text, definition.name());
    sql.push_where("aggregate", definition, filter, page)?;
    Ok((sql, types))
}

/// `UPDATE`.
pub(crate) fn update(
    definition: &TableDefinition,
    assignments: &[Assignment],
    filter: Option<&Filter>,
    limit: Option<u32>,
    page: Option<&Page>,
) -> Result<Sql> {
    let mut sql = Sql { text: "UPDATE ".to_owned(), binds: Vec::new() };
    push_quoted(&mut sql.text, definition.name());
    for (place, Assignment { column, change, parameter }) in assignments.iter().enumerate() {
        let column = find(definition, column, "update")?;
        sql.text.push_str(if place == 0 { " SET " } else { "," });
        push_quoted(&mut sql.text, &column.name);
        sql.text.push('=');
        match change {
            Change::Set => sql.text.push('?'),
            Change::Add => {
                refuse_decimal("update", definition, column)?;
                sql.text.push_str(ADD);
                sql.text.push('(');
                push_quoted(&mut sql.text, &column.name);
                // Writing to a string cannot fail.
                let _ = write!(sql.text, ",?,{},{place})", column.value_type.code());
            }
        }
        sql.binds.push(Bind::Parameter(*parameter));
    }
    sql.push_chosen("update", definition, filter, limit, page)?;
    Ok(sql)
}

/// `DELETE`.
pub(crate) fn delete(
    definition: &TableDefinition,
    filter: Option<&Filter>,
    limit: Option<u32>,
    page: Option<&Page>,
) -> Result<Sql> {
    let mut sql = Sql { text: "DELETE FROM ".to_owned(), binds: Vec::new() };
    push_quoted(&mut sql.text, definition.name());
    sql.push_chosen("delete", definition, filter, limit, page)?;
    Ok(sql)
}

fn refuse_decimal(
    operation: &'static str,
    definition: &TableDefinition,
    column: &ColumnDefinition,
) -> Result<()> {
    if column.value_type != ValueType::Decimal {
        return Ok(());
    }
    let message = "SQLite keeps decimals as text and would add them as inexact real numbers; use a bigint of the smallest unit";
    Err(Error::new(ErrorKind::Unsupported, operation, message)
        .with("table", definition.name().escape_debug())
        .with("column", column.name.escape_debug())
        .with("type", column.value_type.name()))
}

/// The declared type of a column. Each contains the letters that give it the affinity of its
/// values by SQLite's rules (INT; CHAR or TEXT; BLOB; FLOA or DOUB; in this order), and names its
/// type, so that a live table tells how it was registered.
pub(crate) fn declared_type(value_type: ValueType, max_length: u32) -> String {
    match value_type {
        ValueType::String => format!("VARCHAR({max_length})"),
        other => fixed_declaration(other).to_owned(),
    }
}

const fn fixed_declaration(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Boolean => "BOOLEAN_INT",
        ValueType::TinyInt => "TINYINT",
        ValueType::SmallInt => "SMALLINT",
        ValueType::Int => "INT",
        ValueType::BigInt => "BIGINT",
        ValueType::Float => "FLOAT",
        ValueType::Double => "DOUBLE",
        ValueType::Decimal => "DECIMAL_TEXT",
        ValueType::String => "VARCHAR",
        ValueType::Text => "TEXT",
        ValueType::Bytes => "BLOB",
        ValueType::Uuid => "UUID_BLOB",
        ValueType::Date => "DATE_INT",
        ValueType::TimeOfDay => "TIME_INT",
        ValueType::Timestamp => "TIMESTAMP_INT",
        ValueType::Timespan => "TIMESPAN_INT",
        ValueType::Json => "JSON_TEXT",
        ValueType::Item => "ITEM_BLOB",
        ValueType::Location => "LOCATION_BLOB",
        ValueType::Nbt => "NBT_BLOB",
        ValueType::Object => "OBJECT_BLOB",
    }
}

/// The type and length that a declared type names, in small or capital letters; `None` when it is
/// none of ours.
pub(crate) fn parse_declared(declared: &str) -> Option<(ValueType, u32)> {
    let declared = declared.to_ascii_uppercase();
    if let Some(length) = declared.strip_prefix("VARCHAR(").and_then(|rest| rest.strip_suffix(')'))
    {
        return length.parse().ok().filter(|&length| length > 0).map(|n| (ValueType::String, n));
    }
    // The one spelling that makes an integer key the row's own number.
    if declared == "INTEGER" {
        return Some((ValueType::BigInt, 0));
    }
    ValueType::ALL
        .iter()
        .filter(|&&value_type| value_type != ValueType::String)
        .find(|&&value_type| fixed_declaration(value_type) == declared)
        .map(|&value_type| (value_type, 0))
}

/// A name of the row's own number that no column has taken.
fn row_number_name(operation: &'static str, definition: &TableDefinition) -> Result<&'static str> {
    let taken = |name: &str| {
        definition.columns().iter().any(|column| column.name.eq_ignore_ascii_case(name))
    };
    ["rowid", "_rowid_", "oid"].into_iter().find(|name| !taken(name)).ok_or_else(|| {
        let message = "a limit needs a key, and columns have taken all names that SQLite has for a row's number; give the table a key";
        Error::new(ErrorKind::Unsupported, operation, message)
            .with("table", definition.name().escape_debug())
    })
}

/// The key that is the row's own number.
fn row_number(definition: &TableDefinition) -> Option<&str> {
    let mut key = definition.key();
    match (key.next(), key.next()) {
        (Some(only), None) if only.value_type == ValueType::BigInt || only.auto_increment => {
            Some(&only.name)
        }
        _ => None,
    }
}

/// `CREATE TABLE` with its key. `page` holds the defaults.
pub(crate) fn create_table(definition: &TableDefinition, page: Option<&Page>) -> String {
    let key: Vec<&ColumnDefinition> = definition.key().collect();
    let row_number = row_number(definition);
    let mut text = "CREATE TABLE ".to_owned();
    push_quoted(&mut text, definition.name());
    for (index, column) in definition.columns().iter().enumerate() {
        text.push_str(if index == 0 { "(" } else { "," });
        if row_number == Some(column.name.as_str()) {
            push_quoted(&mut text, &column.name);
            text.push_str(" INTEGER NOT NULL PRIMARY KEY");
            if column.auto_increment {
                // Without it, SQLite gives the number of a deleted row again.
                text.push_str(" AUTOINCREMENT");
            }
        } else {
            push_declaration(&mut text, column, page);
        }
    }
    if row_number.is_none() && !key.is_empty() {
        text.push_str(",PRIMARY KEY(");
        push_names(&mut text, key.iter().map(|column| column.name.as_str()));
        text.push(')');
    }
    text.push(')');
    text
}

/// `ALTER TABLE` that adds a column, which may be null or has a default.
pub(crate) fn add_column(table: &str, column: &ColumnDefinition, page: Option<&Page>) -> String {
    let mut text = "ALTER TABLE ".to_owned();
    push_quoted(&mut text, table);
    text.push_str(" ADD COLUMN ");
    push_declaration(&mut text, column, page);
    text
}

fn push_declaration(text: &mut String, column: &ColumnDefinition, page: Option<&Page>) {
    push_quoted(text, &column.name);
    text.push(' ');
    text.push_str(&declared_type(column.value_type, column.max_length));
    if !column.nullable {
        text.push_str(" NOT NULL");
    }
    push_default(text, column, page);
}

fn push_default(text: &mut String, column: &ColumnDefinition, page: Option<&Page>) {
    if let Some(value) = column.default_value(page) {
        text.push_str(" DEFAULT ");
        text.push_str(&literal(value));
    }
}

/// A default as it stands in the schema, where nothing can be bound, and as SQLite gives it back.
pub(crate) fn literal(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Boolean(value) => i32::from(value).to_string(),
        ValueRef::Integer(value) => value.to_string(),
        ValueRef::Float(value) => real(value.into()),
        ValueRef::Double(value) => real(value),
        ValueRef::Uuid(value) => blob(&value),
        ValueRef::Text(value) => format!("'{}'", value.replace('\'', "''")),
        ValueRef::Bytes(value) => blob(value),
    }
}

/// The shortest digits that are this number; an exponent or a point makes them a real.
fn real(value: f64) -> String {
    if value.is_infinite() {
        // Too large for a double.
        return if value > 0.0 { "9e999".to_owned() } else { "-9e999".to_owned() };
    }
    // SQLite keeps no sign of zero.
    if value == 0.0 { "0.0".to_owned() } else { format!("{value:?}") }
}

fn blob(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2 + 3);
    text.push_str("X'");
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02X}");
    }
    text.push('\'');
    text
}

/// Whether the text of a `CREATE TABLE` has the keyword `AUTOINCREMENT`, outside of names, text and
/// comments. It is reserved, so it means only one thing, and no pragma tells it.
pub(crate) fn is_auto_increment(create: &str) -> bool {
    let mut rest = create;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '\'' | '"' | '`' => after(rest, first.len_utf8(), &first.to_string()),
            '[' => after(rest, 1, "]"),
            '-' if rest.starts_with("--") => after(rest, 2, "\n"),
            '/' if rest.starts_with("/*") => after(rest, 2, "*/"),
            _ if is_word(first) => {
                let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                if rest.get(..end).is_some_and(|w| w.eq_ignore_ascii_case("AUTOINCREMENT")) {
                    return true;
                }
                end
            }
            _ => first.len_utf8(),
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    false
}

/// Where the next `end` has ended, looked for from `from`. A quote that is written twice ends one
/// text and begins another, which comes to the same.
fn after(text: &str, from: usize, end: &str) -> usize {
    let found = text.get(from..).and_then(|rest| rest.find(end));
    found.map_or(text.len(), |at| from + at + end.len())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

/// `CREATE INDEX`.
pub(crate) fn create_index(table: &str, index: &IndexDefinition) -> String {
    let mut text = format!("CREATE {}INDEX ", if index.unique { "UNIQUE " } else { "" });
    push_quoted(&mut text, &index.name(table));
    text.push_str(" ON ");
    push_quoted(&mut text, table);
    text.push('(');
    push_names(&mut text, index.columns.iter().map(String::as_str));
    text.push(')');
    text
}

impl Sql {
    fn push_where(
        &mut self,
        operation: &'static str,
        definition: &TableDefinition,
        filter: Option<&Filter>,
        page: Option<&Page>,
    ) -> Result<()> {
        let Some(filter) = filter else { return Ok(()) };
        self.text.push_str(" WHERE ");
        Where { sql: self, operation, definition, page }.push(filter)
    }

    /// The rows of an update or delete: those of the filter, or the first of them by their key.
    fn push_chosen(
        &mut self,
        operation: &'static str,
        definition: &TableDefinition,
        filter: Option<&Filter>,
        limit: Option<u32>,
        page: Option<&Page>,
    ) -> Result<()> {
        let Some(limit) = limit else {
            return self.push_where(operation, definition, filter, page);
        };
        let mut key = String::new();
        match definition.key().count() {
            0 => key.push_str(row_number_name(operation, definition)?),
            _ => push_key(&mut key, definition),
        }
        // Not a limit of the statement itself, which SQLite only knows when built for it.
        let _ = write!(self.text, " WHERE({key})IN(SELECT {key} FROM ");
        push_quoted(&mut self.text, definition.name());
        self.push_where(operation, definition, filter, page)?;
        let _ = write!(self.text, " ORDER BY {key}");
        self.push_limit(limit as usize);
        self.text.push(')');
        Ok(())
    }

    /// Not `?` alone: SQLite plans by the value of such a limit, and so prepares the statement anew
    /// whenever one is bound.
    fn push_limit(&mut self, most: usize) {
        self.text.push_str(" LIMIT ?+0");
        self.binds.push(Bind::Number(i64::try_from(most).unwrap_or(i64::MAX)));
    }

    /// A column where it is compared or sorted.
    fn push_column(&mut self, column: &ColumnDefinition) {
        push_quoted(&mut self.text, &column.name);
        if column.value_type == ValueType::Decimal {
            // Writing to a string cannot fail.
            let _ = write!(self.text, " COLLATE {DECIMAL_COLLATION}");
        }
    }
}

/// Writes the condition of a statement that `validate` has checked: types fit, parameters are there.
struct Where<'a> {
    sql: &'a mut Sql,
    operation: &'static str,
    definition: &'a TableDefinition,
    page: Option<&'a Page>,
}

impl Where<'_> {
    fn push(&mut self, filter: &Filter) -> Result<()> {
        match filter {
            Filter::And(filters) => self.push_all(filters, " AND ", "1"),
            Filter::Or(filters) => self.push_all(filters, " OR ", "0"),
            Filter::Not(filter) => {
                self.sql.text.push_str("NOT(");
                self.push(filter)?;
                self.sql.text.push(')');
                Ok(())
            }
            Filter::Compare { column, comparison, parameter } => {
                let column = find(self.definition, column, self.operation)?;
                self.check_comparable(
                    column,
                    matches!(comparison, Comparison::Eq | Comparison::Ne),
                )?;
                self.sql.push_column(column);
                self.sql.text.push_str(match comparison {
                    Comparison::Eq => "=",
                    Comparison::Ne => "<>",
                    Comparison::Lt => "<",
                    Comparison::Le => "<=",
                    Comparison::Gt => ">",
                    Comparison::Ge => ">=",
                });
                self.push_parameter(*parameter);
                Ok(())
            }
            Filter::Between { column, low, high } => {
                let column = find(self.definition, column, self.operation)?;
                self.check_comparable(column, false)?;
                self.sql.push_column(column);
                self.sql.text.push_str(" BETWEEN ");
                self.push_parameter(*low);
                self.sql.text.push_str(" AND ");
                self.push_parameter(*high);
                Ok(())
            }
            Filter::In { column, parameters } => {
                let column = find(self.definition, column, self.operation)?;
                self.check_comparable(column, true)?;
                if parameters.is_empty() {
                    self.sql.text.push('0');
                    return Ok(());
                }
                self.sql.push_column(column);
                self.sql.text.push_str(" IN(");
                for (index, &parameter) in parameters.iter().enumerate() {
                    if index > 0 {
                        self.sql.text.push(',');
                    }
                    self.push_parameter(parameter);
                }
                self.sql.text.push(')');
                Ok(())
            }
            Filter::Like { column, parameter } => self.push_like(column, *parameter),
            Filter::IsNull { column } => {
                let column = find(self.definition, column, self.operation)?;
                push_quoted(&mut self.sql.text, &column.name);
                self.sql.text.push_str(" IS NULL");
                Ok(())
            }
        }
    }

    /// Joins as a balanced tree: SQLite refuses expressions that are more than 1,000 deep, and a
    /// chain of `AND` is as deep as it is long.
    fn push_all(&mut self, filters: &[Filter], with: &str, none: &str) -> Result<()> {
        match filters {
            [] => {
                self.sql.text.push_str(none);
                Ok(())
            }
            [only] => {
                self.sql.text.push('(');
                self.push(only)?;
                self.sql.text.push(')');
                Ok(())
            }
            several => {
                let (left, right) = several.split_at(several.len() / 2);
                self.sql.text.push('(');
                self.push_all(left, with, none)?;
                self.sql.text.push_str(with);
                self.push_all(right, with, none)?;
                self.sql.text.push(')');
                Ok(())
            }
        }
    }

    fn push_parameter(&mut self, parameter: Parameter) {
        self.sql.text.push('?');
        self.sql.binds.push(Bind::Parameter(parameter));
    }

    /// `GLOB`, because `LIKE` of SQLite takes small and capital letters of ASCII for the same.
    fn push_like(&mut self, column: &str, parameter: Parameter) -> Result<()> {
        let column = find(self.definition, column, self.operation)?;
        let pattern = match self.page.and_then(|page| page.value(0, usize::from(parameter))) {
            Some(ValueRef::Text(pattern)) => translate_pattern(pattern),
            _ => Err("the pattern of like must be text".to_owned()),
        };
        let pattern = pattern.map_err(|problem| {
            Error::new(ErrorKind::InvalidValue, self.operation, problem)
                .with("table", self.definition.name().escape_debug())
                .with("column", column.name.escape_debug())
                .with("parameter", usize::from(parameter) + 1)
        })?;
        push_quoted(&mut self.sql.text, &column.name);
        self.sql.text.push_str(" GLOB ?");
        self.sql.binds.push(Bind::Pattern(pattern));
        Ok(())
    }

    fn check_comparable(&self, column: &ColumnDefinition, equality: bool) -> Result<()> {
        let possible = if equality {
            column.value_type != ValueType::Json
        } else {
            column.value_type.is_ordered()
        };
        if possible { Ok(()) } else { Err(unordered(self.operation, column)) }
    }
}

/// The column of a checked statement.
pub(crate) fn find<'a>(
    definition: &'a TableDefinition,
    column: &str,
    operation: &'static str,
) -> Result<&'a ColumnDefinition> {
    definition.column(column).ok_or_else(|| {
        Error::new(ErrorKind::UnknownColumn, operation, "the table has no column of this name")
            .with("table", definition.name().escape_debug())
            .with("column", column.escape_debug())
    })
}

fn unordered(operation: &'static str, column: &ColumnDefinition) -> Error {
    let message = format!(
        "values of type {} have no order and cannot be compared that way; compare another column",
        column.value_type.name()
    );
    Error::new(ErrorKind::Unsupported, operation, message)
        .with("column", column.name.escape_debug())
        .with("type", column.value_type.name())
}

/// A pattern of `%`, `_` and `\` as one of `GLOB`: `*`, `?`, and sets for what is special there.
fn translate_pattern(pattern: &str) -> Result<String, String> {
    let mut glob = String::with_capacity(pattern.len() + 8);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let literal = match character {
            '%' => {
                glob.push('*');
                continue;
            }
            '_' => {
                glob.push('?');
                continue;
            }
            '\\' => characters.next().ok_or("the pattern of like ends in its escape character")?,
            other => other,
        };
        match literal {
            '\0' => return Err("the pattern of like holds U+0000".to_owned()),
            '*' | '?' | '[' => {
                glob.push('[');
                glob.push(literal);
                glob.push(']');
            }
            other => glob.push(other),
        }
    }
    if glob.len() > MAX_PATTERN_BYTES {
        return Err(format!("the pattern of like is longer than {MAX_PATTERN_BYTES} bytes"));
    }
    Ok(glob)
}

/// Orders two decimals by value. Text that is no decimal comes first, in the order of its bytes, so
/// that the order stays total whatever a column holds.
pub(crate) fn compare_decimals(left: &str, right: &str) -> std::cmp::Ordering {
    use std::cmp::Ordering;
    match (Decimal::parse(left), Decimal::parse(right)) {
        (None, None) => left.cmp(right),
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(left), Some(right)) => match (left.negative, right.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => left.compare_size(right),
            (true, true) => right.compare_size(left),
        },
    }
}

/// A decimal without what does not change its value.
#[derive(Clone, Copy)]
struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        if !tickwell_engine::value::is_decimal(text) {
            return None;
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let zero = whole.is_empty() && fraction.is_empty();
        Some(Self { negative: digits.len() < text.len() && !zero, whole, fraction })
    }

    fn compare_size(self, other: Self) -> std::cmp::Ordering {
        // A fraction that is the beginning of the other is the smaller, as text order has it too.
        (self.whole.len(), self.whole, self.fraction).cmp(&(
            other.whole.len(),
            other.whole,
            other.fraction,
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    #[test]
    fn names_are_quoted() {
        assert_eq!(
            insert("t\"x", &["a".to_owned(), "order".to_owned()], 2, ""),
            "INSERT INTO \"t\"\"x\"(\"a\",\"order\")VALUES(?,?),(?,?)"
        );
    }

    #[test]
    fn declared_types_name_their_type_and_have_its_affinity() {
        // https://sqlite.org/datatype3.html, 3.1
        let affinity = |declared: &str| {
            let has = |part| declared.contains(part);
            match () {
                () if has("INT") => "INTEGER",
                () if has("CHAR") || has("CLOB") || has("TEXT") => "TEXT",
                () if has("BLOB") => "BLOB",
                () if has("REAL") || has("FLOA") || has("DOUB") => "REAL",
                () => "NUMERIC",
            }
        };
        for &value_type in ValueType::ALL {
            let length = if value_type == ValueType::String { 40 } else { 0 };
            let declared = declared_type(value_type, length);
            assert_eq!(parse_declared(&declared), Some((value_type, length)), "{declared}");
            let wanted = match value_type {
                ValueType::Float | ValueType::Double => "REAL",
                text if text.is_text() => "TEXT",
                ValueType::Uuid => "BLOB",
                heap if heap.fixed_width().is_none() => "BLOB",
                _ => "INTEGER",
            };
            assert_eq!(affinity(&declared), wanted, "{declared}");
        }
        assert_eq!(parse_declared("varchar(7)"), Some((ValueType::String, 7)));
        assert_eq!(parse_declared("Integer"), Some((ValueType::BigInt, 0)));
        assert_eq!(parse_declared("VARCHAR"), None);
        assert_eq!(parse_declared("VARCHAR(x)"), None);
        assert_eq!(parse_declared("NUMERIC"), None);
    }

    #[test]
    fn patterns_become_globs() {
        assert_eq!(translate_pattern("a%_"), Ok("a*?".to_owned()));
        assert_eq!(translate_pattern("*?["), Ok("[*][?][[]".to_owned()));
        assert_eq!(translate_pattern(r"50\%\_\\]"), Ok(r"50%_\]".to_owned()));
        assert!(translate_pattern("a\\").is_err());
        assert!(translate_pattern("a\0").is_err());
        assert!(translate_pattern(&"*".repeat(MAX_PATTERN_BYTES)).is_err());
    }

    #[test]
    fn decimals_are_ordered_by_value() {
        let ascending =
            ["junk", "-100", "-10.5", "-2", "-0.1", "0", "0.09", "0.1", "2", "10", "10.01"];
        for (i, left) in ascending.iter().enumerate() {
            for (j, right) in ascending.iter().enumerate() {
                assert_eq!(compare_decimals(left, right), i.cmp(&j), "{left} {right}");
            }
        }
        for (left, right) in [("1.0", "1"), ("-0", "0.00"), ("007", "7"), ("0.50", "00.5")] {
            assert_eq!(compare_decimals(left, right), Ordering::Equal, "{left} {right}");
        }
    }
}
