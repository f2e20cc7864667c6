//! Statements as C describes them, turned into the engine's, with their values as a page. The types of
//! values come from the table's registration; what a value cannot be is refused here, naming where it
//! stands, and everything else by the engine. Runs on the thread that calls.

use tickwell_engine::backend::ResultLimits;
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::{MAX_PAGE_BYTES, Page, PageBuilder, PageColumn};
use tickwell_engine::schema::{
    ColumnDefinition, IndexDefinition, RegisterOptions, TableDefinition,
};
use tickwell_engine::session::Session;
use tickwell_engine::statement::{
    Assignment, Change, Comparison, Filter, InsertMode, Order, Parameter, Statement,
};
use tickwell_engine::value::{ValueRef, ValueType};

use super::arguments::Caller;
use super::types::*;

/// How deep filters nest, as in requests of Java.
const MAX_FILTER_DEPTH: usize = 64;

/// A page has the format's limit alone.
const LIMITS: ResultLimits = ResultLimits { max_rows: usize::MAX, max_bytes: MAX_PAGE_BYTES };

/// A statement with its values.
pub(super) type Described = (Statement, Option<Page>);

/// A table to register.
pub(super) fn register(caller: Caller<'_>, table: &TickwellTable) -> Result<Described> {
    flags(caller, "table->flags", table.flags, 3)?;
    let mut defaults = Parameters::new("register");
    let mut columns = Vec::new();
    let mut key = Vec::new();
    for (position, column) in
        caller.list("table->columns", table.columns, table.column_count)?.iter().enumerate()
    {
        let name = caller.text("a column's name", column.name)?;
        let value_type = value_type(caller, column.value_type)?;
        let known = TICKWELL_COLUMN_KEY | TICKWELL_COLUMN_NULLABLE | TICKWELL_COLUMN_AUTO_INCREMENT;
        flags(caller, "a column's flags", column.flags, known)?;
        if column.flags & TICKWELL_COLUMN_KEY != 0 {
            key.push(position);
        }
        let default = match caller.optional("a column's default_value", column.default_value)? {
            None => None,
            Some(value) => {
                let value = value_of(caller, value, value_type)?;
                Some(defaults.push(name, value_type, value)?)
            }
        };
        columns.push(ColumnDefinition {
            name: name.to_owned(),
            value_type,
            max_length: column.max_length,
            nullable: column.flags & TICKWELL_COLUMN_NULLABLE != 0,
            auto_increment: column.flags & TICKWELL_COLUMN_AUTO_INCREMENT != 0,
            default,
        });
    }
    let indexes = caller
        .list("table->indexes", table.indexes, table.index_count)?
        .iter()
        .map(|index| {
            flags(caller, "an index's flags", index.flags, TICKWELL_INDEX_UNIQUE)?;
            let columns = caller.texts("an index's columns", index.columns, index.column_count)?;
            Ok(IndexDefinition { columns, unique: index.flags & TICKWELL_INDEX_UNIQUE != 0 })
        })
        .collect::<Result<Vec<_>>>()?;
    let owner = match table.owner.is_null() {
        true => String::new(),
        false => caller.text("table->owner", table.owner)?.to_owned(),
    };
    let name = caller.text("table->name", table.name)?.to_owned();
    let definition =
        TableDefinition::new(name, columns, key, indexes)?.with_options(RegisterOptions {
            owner,
            shared: table.flags & TICKWELL_TABLE_SHARED != 0,
            add_missing_columns: table.flags & TICKWELL_TABLE_ADD_MISSING_COLUMNS != 0,
        })?;
    Ok((Statement::Register(definition), defaults.finish()?))
}

/// Rows to insert.
pub(super) fn insert(
    caller: Caller<'_>,
    session: &Session,
    insert: &TickwellInsert,
) -> Result<Described> {
    flags(caller, "insert->flags", insert.flags, TICKWELL_INSERT_RETURN_KEYS)?;
    let table = caller.text("insert->table", insert.table)?;
    let definition = session.table("insert", table)?;
    let columns = caller.texts("insert->columns", insert.columns, insert.column_count)?;
    let overwrite = caller.texts("insert->overwrite", insert.overwrite, insert.overwrite_count)?;
    let mode = match insert.mode {
        mode if mode == TickwellInsertMode::Upsert as u32 => InsertMode::Upsert { overwrite },
        _ if !overwrite.is_empty() => {
            return Err(caller.invalid("insert->overwrite", "is for upserts alone"));
        }
        mode if mode == TickwellInsertMode::Plain as u32 => InsertMode::Plain,
        mode if mode == TickwellInsertMode::IfAbsent as u32 => InsertMode::IfAbsent,
        _ => return Err(caller.invalid("insert->mode", "is no TickwellInsertMode")),
    };
    let types = columns
        .iter()
        .map(|name| Ok(column(&definition, "insert", name)?.value_type))
        .collect::<Result<Vec<_>>>()?;
    if types.is_empty() {
        return Err(caller.invalid("insert->column_count", "is 0; an insert needs columns"));
    }
    let count = insert.row_count.saturating_mul(types.len());
    let values = caller.list("insert->values", insert.values, count)?;
    let page_columns = columns
        .iter()
        .zip(&types)
        .map(|(name, &value_type)| PageColumn { name: name.clone(), value_type })
        .collect();
    let mut page = PageBuilder::new(page_columns, LIMITS);
    for (row, values) in values.chunks_exact(types.len()).enumerate() {
        for ((value, &value_type), name) in values.iter().zip(&types).zip(&columns) {
            let value = value_of(caller, value, value_type)
                .map_err(|error| error.with("row", row).with("column", name.escape_debug()))?;
            page.push(value)?;
        }
    }
    let statement = Statement::Insert {
        table: table.to_owned(),
        columns,
        mode,
        return_keys: insert.flags & TICKWELL_INSERT_RETURN_KEYS != 0,
    };
    Ok((statement, Some(page.finish()?)))
}

/// Rows to read.
pub(super) fn select(
    caller: Caller<'_>,
    session: &Session,
    select: &TickwellSelect,
) -> Result<Described> {
    let table = caller.text("select->table", select.table)?;
    let definition = session.table("select", table)?;
    let mut columns = caller.texts("select->columns", select.columns, select.column_count)?;
    if columns.is_empty() {
        columns = definition.columns().iter().map(|column| column.name.clone()).collect();
    }
    let mut conditions = Conditions::new(caller, &definition, "select");
    let filter = conditions.optional(select.filter)?;
    let order = caller
        .list("select->orders", select.orders, select.order_count)?
        .iter()
        .map(|order| {
            let column = caller.text("an order's column", order.column)?.to_owned();
            Ok(Order { column, descending: order.descending != 0 })
        })
        .collect::<Result<Vec<_>>>()?;
    let statement = Statement::Select {
        table: table.to_owned(),
        columns,
        filter,
        order,
        limit: limit(select.limit),
        offset: select.offset,
    };
    Ok((statement, conditions.parameters.finish()?))
}

/// Rows to count.
pub(super) fn count(
    caller: Caller<'_>,
    session: &Session,
    count: &TickwellCount,
) -> Result<Described> {
    let table = caller.text("count->table", count.table)?;
    let definition = session.table("count", table)?;
    let mut conditions = Conditions::new(caller, &definition, "count");
    let filter = conditions.optional(count.filter)?;
    let statement = Statement::Count { table: table.to_owned(), filter, exists: count.exists != 0 };
    Ok((statement, conditions.parameters.finish()?))
}

/// Rows to change.
pub(super) fn update(
    caller: Caller<'_>,
    session: &Session,
    update: &TickwellUpdate,
) -> Result<Described> {
    let table = caller.text("update->table", update.table)?;
    let definition = session.table("update", table)?;
    let mut conditions = Conditions::new(caller, &definition, "update");
    let mut assignments = Vec::new();
    for given in caller.list("update->assignments", update.assignments, update.assignment_count)? {
        let change = match given.change {
            change if change == TickwellChange::Set as u32 => Change::Set,
            change if change == TickwellChange::Add as u32 => Change::Add,
            _ => return Err(caller.invalid("an assignment's change", "is no TickwellChange")),
        };
        let column = caller.text("an assignment's column", given.column)?.to_owned();
        let parameter = conditions.parameter(&column, &given.value)?;
        assignments.push(Assignment { column, change, parameter });
    }
    let filter = conditions.chosen(update.filter, update.all)?;
    let statement = Statement::Update {
        table: table.to_owned(),
        assignments,
        filter,
        limit: limit(update.limit),
    };
    Ok((statement, conditions.parameters.finish()?))
}

/// Rows to delete.
pub(super) fn delete(
    caller: Caller<'_>,
    session: &Session,
    delete: &TickwellDelete,
) -> Result<Described> {
    let table = caller.text("delete->table", delete.table)?;
    let definition = session.table("delete", table)?;
    let mut conditions = Conditions::new(caller, &definition, "delete");
    let filter = conditions.chosen(delete.filter, delete.all)?;
    let statement =
        Statement::Delete { table: table.to_owned(), filter, limit: limit(delete.limit) };
    Ok((statement, conditions.parameters.finish()?))
}

/// SQL that reads (`query`) or writes.
pub(super) fn sql(caller: Caller<'_>, sql: &TickwellSql, query: bool) -> Result<Described> {
    let text = caller.text("sql->text", sql.text)?.to_owned();
    let mut parameters = Parameters::new(if query { "query" } else { "raw-update" });
    for value in caller.list("sql->values", sql.values, sql.value_count)? {
        // Any type will do for a null.
        let value_type = match value.value_type {
            0 => ValueType::Text,
            given => value_type(caller, given)?,
        };
        let value = value_of(caller, value, value_type)?;
        parameters.push("", value_type, value)?;
    }
    let statement = match query {
        true => Statement::RawQuery { sql: text },
        false => Statement::RawUpdate { sql: text },
    };
    Ok((statement, parameters.finish()?))
}

/// The values of a statement, which become the one row of its page.
struct Parameters<'c> {
    operation: &'static str,
    columns: Vec<PageColumn>,
    values: Vec<ValueRef<'c>>,
}

impl<'c> Parameters<'c> {
    const fn new(operation: &'static str) -> Self {
        Self { operation, columns: Vec::new(), values: Vec::new() }
    }

    fn push(
        &mut self,
        name: &str,
        value_type: ValueType,
        value: ValueRef<'c>,
    ) -> Result<Parameter> {
        let parameter = Parameter::try_from(self.values.len()).map_err(|_| {
            let message = format!("more than {} values", Parameter::MAX);
            Error::new(ErrorKind::InvalidStatement, self.operation, message)
        })?;
        self.columns.push(PageColumn { name: name.to_owned(), value_type });
        self.values.push(value);
        Ok(parameter)
    }

    fn finish(self) -> Result<Option<Page>> {
        if self.values.is_empty() {
            return Ok(None);
        }
        let mut page = PageBuilder::new(self.columns, LIMITS);
        for value in self.values {
            page.push(value)?;
        }
        Ok(Some(page.finish()?))
    }
}

/// Filters and assignments of one table, and their values.
struct Conditions<'c, 't> {
    caller: Caller<'c>,
    table: &'t TableDefinition,
    parameters: Parameters<'c>,
}

impl<'c, 't> Conditions<'c, 't> {
    const fn new(caller: Caller<'c>, table: &'t TableDefinition, operation: &'static str) -> Self {
        Self { caller, table, parameters: Parameters::new(operation) }
    }

    fn optional(&mut self, filter: *const TickwellFilter) -> Result<Option<Filter>> {
        match self.caller.optional("filter", filter)? {
            None => Ok(None),
            Some(filter) => Ok(Some(self.filter(filter, 1)?)),
        }
    }

    /// The filter of a statement that changes rows: all of them only when that is said.
    fn chosen(&mut self, filter: *const TickwellFilter, all: u32) -> Result<Option<Filter>> {
        let filter = self.optional(filter)?;
        match (&filter, all != 0) {
            (Some(_), true) => Err(self
                .caller
                .invalid("all", "is set and there is a filter; leave one of them out")),
            (None, false) => {
                let message = "no filter was given; to mean every row, set all";
                Err(Error::new(ErrorKind::FilterRequired, self.parameters.operation, message)
                    .with("table", self.table.name()))
            }
            _ => Ok(filter),
        }
    }

    fn filter(&mut self, given: &TickwellFilter, depth: usize) -> Result<Filter> {
        let caller = self.caller;
        if depth > MAX_FILTER_DEPTH {
            let problem = format!("nests deeper than {MAX_FILTER_DEPTH}");
            return Err(caller.invalid("filter", &problem));
        }
        let kind = FILTER_KINDS.iter().find(|kind| **kind as u32 == given.kind);
        let kind =
            *kind.ok_or_else(|| caller.invalid("a filter's kind", "is no TickwellFilterKind"))?;
        let inner = caller.list("a filter's filters", given.filters, given.filter_count)?;
        let values = caller.list("a filter's values", given.values, given.value_count)?;
        let (fewest_filters, most_filters, fewest_values, most_values) = match kind {
            TickwellFilterKind::And | TickwellFilterKind::Or => (0, usize::MAX, 0, 0),
            TickwellFilterKind::Not => (1, 1, 0, 0),
            TickwellFilterKind::Between => (0, 0, 2, 2),
            TickwellFilterKind::In => (0, 0, 0, usize::MAX),
            TickwellFilterKind::IsNull => (0, 0, 0, 0),
            _ => (0, 0, 1, 1),
        };
        if !(fewest_filters..=most_filters).contains(&inner.len()) {
            return Err(caller.invalid("a filter's filter_count", "is not what its kind takes"));
        }
        if !(fewest_values..=most_values).contains(&values.len()) {
            return Err(caller.invalid("a filter's value_count", "is not what its kind takes"));
        }
        match kind {
            TickwellFilterKind::And => return Ok(Filter::And(self.filters(inner, depth)?)),
            TickwellFilterKind::Or => return Ok(Filter::Or(self.filters(inner, depth)?)),
            TickwellFilterKind::Not => {
                let [inner] = inner else {
                    return Err(caller.invalid("a filter's filter_count", "is not 1"));
                };
                return Ok(Filter::Not(Box::new(self.filter(inner, depth + 1)?)));
            }
            _ => {}
        }
        let column = caller.text("a filter's column", given.column)?.to_owned();
        let parameters = values
            .iter()
            .map(|value| self.parameter(&column, value))
            .collect::<Result<Vec<_>>>()?;
        let comparison = match kind {
            TickwellFilterKind::Eq => Comparison::Eq,
            TickwellFilterKind::Ne => Comparison::Ne,
            TickwellFilterKind::Lt => Comparison::Lt,
            TickwellFilterKind::Le => Comparison::Le,
            TickwellFilterKind::Gt => Comparison::Gt,
            TickwellFilterKind::Ge => Comparison::Ge,
            TickwellFilterKind::IsNull => return Ok(Filter::IsNull { column }),
            TickwellFilterKind::In => return Ok(Filter::In { column, parameters }),
            _ => match parameters[..] {
                [low, high] => return Ok(Filter::Between { column, low, high }),
                [parameter] => return Ok(Filter::Like { column, parameter }),
                _ => return Err(caller.invalid("a filter's value_count", "is wrong")),
            },
        };
        match parameters[..] {
            [parameter] => Ok(Filter::Compare { column, comparison, parameter }),
            _ => Err(caller.invalid("a filter's value_count", "is not 1")),
        }
    }

    fn filters(&mut self, given: &[TickwellFilter], depth: usize) -> Result<Vec<Filter>> {
        given.iter().map(|filter| self.filter(filter, depth + 1)).collect()
    }

    /// A value that a column is compared with, or changes by.
    fn parameter(&mut self, name: &str, value: &TickwellValue) -> Result<Parameter> {
        let operation = self.parameters.operation;
        let definition = column(self.table, operation, name)?;
        // A number past the column's range can be compared all the same.
        let value_type = match definition.value_type {
            integer if integer.is_integer() => ValueType::BigInt,
            other => other,
        };
        let value = value_of(self.caller, value, value_type)
            .map_err(|error| error.with("column", name.escape_debug()))?;
        self.parameters.push(name, value_type, value)
    }
}

const FILTER_KINDS: [TickwellFilterKind; 13] = [
    TickwellFilterKind::Eq,
    TickwellFilterKind::Ne,
    TickwellFilterKind::Lt,
    TickwellFilterKind::Le,
    TickwellFilterKind::Gt,
    TickwellFilterKind::Ge,
    TickwellFilterKind::Between,
    TickwellFilterKind::In,
    TickwellFilterKind::Like,
    TickwellFilterKind::IsNull,
    TickwellFilterKind::And,
    TickwellFilterKind::Or,
    TickwellFilterKind::Not,
];

/// The value that C gave for a column of this type. Whether the type can hold it is the page's to say,
/// but for floats, which C widens.
fn value_of<'c>(
    caller: Caller<'c>,
    value: &TickwellValue,
    target: ValueType,
) -> Result<ValueRef<'c>> {
    if value.value_type == 0 {
        return Ok(ValueRef::Null);
    }
    let bytes = || caller.bytes("a value's data", value.data, value.length);
    Ok(match value_type(caller, value.value_type)? {
        ValueType::Boolean => ValueRef::Boolean(value.integer != 0),
        ValueType::TinyInt
        | ValueType::SmallInt
        | ValueType::Int
        | ValueType::BigInt
        | ValueType::Date
        | ValueType::TimeOfDay
        | ValueType::Timestamp
        | ValueType::Timespan => ValueRef::Integer(value.integer),
        ValueType::Float | ValueType::Double if target == ValueType::Float => {
            ValueRef::Float(narrowed(value.real)?)
        }
        ValueType::Float | ValueType::Double => ValueRef::Double(value.real),
        ValueType::Uuid => match <[u8; 16]>::try_from(bytes()?) {
            Ok(uuid) => ValueRef::Uuid(uuid),
            Err(_) => return Err(bad_value("a uuid has 16 bytes", value.length)),
        },
        ValueType::Decimal | ValueType::String | ValueType::Text | ValueType::Json => {
            match std::str::from_utf8(bytes()?) {
                Ok(text) => ValueRef::Text(text),
                Err(error) => return Err(bad_value("text that is not UTF-8", error.valid_up_to())),
            }
        }
        ValueType::Bytes
        | ValueType::Item
        | ValueType::Location
        | ValueType::Nbt
        | ValueType::Object => ValueRef::Bytes(bytes()?),
    })
}

/// The nearest float, as C's own conversion gives it; one that would become infinite is refused.
#[allow(clippy::cast_possible_truncation, reason = "rounding to the nearest float is meant")]
fn narrowed(real: f64) -> Result<f32> {
    let float = real as f32;
    if real.is_finite() && float.is_infinite() {
        let message = "a column of type float cannot hold a number outside of its range";
        return Err(Error::new(ErrorKind::InvalidValue, "value", message));
    }
    Ok(float)
}

fn bad_value(problem: &str, at: usize) -> Error {
    Error::new(ErrorKind::InvalidValue, "value", problem).with("byte", at)
}

fn value_type(caller: Caller<'_>, code: u32) -> Result<ValueType> {
    let known = u8::try_from(code).ok().and_then(ValueType::from_code);
    known.ok_or_else(|| caller.invalid("value_type", &format!("is {code}, no TickwellType")))
}

fn column<'t>(
    table: &'t TableDefinition,
    operation: &'static str,
    name: &str,
) -> Result<&'t ColumnDefinition> {
    table.column(name).ok_or_else(|| {
        let message = "the table has no such column; look at its registration";
        Error::new(ErrorKind::UnknownColumn, operation, message)
            .with("table", table.name())
            .with("column", name.escape_debug())
    })
}

fn flags(caller: Caller<'_>, argument: &str, given: u32, known: u32) -> Result<()> {
    let unknown = given & !known;
    if unknown == 0 {
        return Ok(());
    }
    Err(caller.invalid(argument, &format!("has bits that are not known: {unknown:#x}")))
}

const fn limit(limit: u32) -> Option<u32> {
    if limit == 0 { None } else { Some(limit) }
}
