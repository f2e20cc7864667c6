//! Statements as the bytes that cross the boundary (`docs/boundary.md`, "Request bytes"). Decoding
//! is total: any bytes give a statement or an error, and nothing is allocated for a count that the
//! bytes behind it could not fill.
#![deny(clippy::indexing_slicing)]

use super::{
    Aggregate, Assignment, Change, Comparison, Filter, InsertMode, Order, Statement, StatementKind,
};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{ColumnDefinition, IndexDefinition, RegisterOptions, TableDefinition};
use crate::value::ValueType;

const VERSION: u8 = 1;
/// The request takes no part in the order.
const FLAG_UNORDERED: u16 = 1;
/// Each statement of an insert is stored or refused by itself.
const FLAG_INDEPENDENT: u16 = 2;
/// Stands for no limit.
const NO_LIMIT: u32 = u32::MAX;
/// Stands for a column without a default.
const NO_DEFAULT: u16 = u16::MAX;

const OPTION_ADD_MISSING_COLUMNS: u8 = 1;
const OPTION_SHARED: u8 = 2;
const COLUMN_NULLABLE: u8 = 1;
const COLUMN_AUTO_INCREMENT: u8 = 2;

/// How deep filters nest; it bounds the stack of everything that walks them.
const MAX_FILTER_DEPTH: usize = 64;

const MODE_PLAIN: u8 = 0;
const MODE_IF_ABSENT: u8 = 1;
const MODE_UPSERT: u8 = 2;

const AGGREGATE_COUNT: u8 = 1;
const AGGREGATE_SUM: u8 = 2;
const AGGREGATE_MIN: u8 = 3;
const AGGREGATE_MAX: u8 = 4;
const AGGREGATE_AVERAGE: u8 = 5;

const FILTER_NONE: u8 = 0;
const FILTER_AND: u8 = 1;
const FILTER_OR: u8 = 2;
const FILTER_NOT: u8 = 3;
const FILTER_COMPARE: u8 = 4;
const FILTER_BETWEEN: u8 = 5;
const FILTER_IN: u8 = 6;
const FILTER_LIKE: u8 = 7;
const FILTER_IS_NULL: u8 = 8;

/// What a request says beside its statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestHeader {
    /// Milliseconds from submit until the request must have ended; 0 = the database's default.
    pub deadline_millis: u32,
    /// Whether it takes no part in the order of its table: it waits for nothing but registrations, and
    /// nothing waits for it.
    pub unordered: bool,
    /// Whether each part of an insert is stored or refused by itself; the result is
    /// [`crate::backend::Outcome::Parts`].
    pub independent: bool,
    /// For raw SQL that writes `{name}`: each name with the physical table that it stands for.
    pub tables: Vec<(String, String)>,
}

/// Reads one request, all of its bytes.
///
/// # Errors
/// `InvalidStatement` saying what is wrong at which byte; `FilterRequired` for a delete or update
/// of all rows that does not say so; for a table to register, what [`TableDefinition::new`] refuses.
pub fn decode_request(bytes: &[u8]) -> Result<(RequestHeader, Statement)> {
    let mut reader = Reader { bytes, position: 0 };
    let version = reader.u8()?;
    if version != VERSION {
        return Err(reader.invalid(format!("version {version} is not known, only {VERSION} is")));
    }
    let code = reader.u8()?;
    let kind = StatementKind::from_code(code)
        .ok_or_else(|| reader.invalid(format!("statement kind {code} is not known")))?;
    let flags = reader.u16()?;
    if flags & !(FLAG_UNORDERED | FLAG_INDEPENDENT) != 0 {
        return Err(reader.invalid(format!("flags {flags:#06x} are not known")));
    }
    let deadline_millis = reader.u32()?;
    let statement = reader.statement(kind)?;
    let header = RequestHeader {
        deadline_millis,
        unordered: flags & FLAG_UNORDERED != 0,
        independent: flags & FLAG_INDEPENDENT != 0,
        tables: Vec::new(),
    };
    header.check(&statement)?;
    let tables = match statement {
        Statement::RawQuery { .. } | Statement::RawUpdate { .. } => {
            reader.list(4, |reader| Ok((reader.string()?, reader.string()?)))?
        }
        _ => Vec::new(),
    };
    let left = reader.left();
    if left > 0 {
        return Err(reader.invalid(format!("{left} bytes follow the statement")));
    }
    Ok((RequestHeader { tables, ..header }, statement))
}

/// Writes one request; [`decode_request`] reads it back.
///
/// # Errors
/// `InvalidStatement` for a name, list or nesting longer than the format has room for, and for table
/// names beside a statement that is not raw.
pub fn encode_request(header: &RequestHeader, statement: &Statement) -> Result<Vec<u8>> {
    let mut writer = Writer { bytes: Vec::with_capacity(64) };
    writer.u8(VERSION);
    writer.u8(statement.kind() as u8);
    header.check(statement)?;
    writer.u16(header.flags());
    writer.u32(header.deadline_millis);
    writer.statement(statement)?;
    match statement {
        Statement::RawQuery { .. } | Statement::RawUpdate { .. } => {
            writer.list(&header.tables, |writer, (name, physical)| {
                writer.string(name)?;
                writer.string(physical)
            })?;
        }
        _ if header.tables.is_empty() => {}
        _ => return Err(invalid("table names belong to raw SQL alone".to_owned())),
    }
    Ok(writer.bytes)
}

impl RequestHeader {
    /// Whether its options have a meaning for the statement.
    ///
    /// # Errors
    /// `InvalidStatement` when not.
    pub fn check(&self, statement: &Statement) -> Result<()> {
        if self.unordered && matches!(statement, Statement::Register(_)) {
            let message =
                "a registration keeps its place in the order, since everything else waits for it";
            return Err(invalid(message.to_owned()));
        }
        if self.independent && !matches!(statement, Statement::Insert { return_keys: false, .. }) {
            let message = "independent parts belong to an insert or upsert that returns no keys";
            return Err(invalid(message.to_owned()));
        }
        Ok(())
    }

    fn flags(&self) -> u16 {
        let flag = |set: bool, flag| if set { flag } else { 0 };
        flag(self.unordered, FLAG_UNORDERED) | flag(self.independent, FLAG_INDEPENDENT)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    fn statement(&mut self, kind: StatementKind) -> Result<Statement> {
        Ok(match kind {
            StatementKind::Register => Statement::Register(self.table_definition()?),
            StatementKind::Insert => Statement::Insert {
                table: self.string()?,
                columns: self.strings()?,
                mode: self.insert_mode()?,
                return_keys: self.bool()?,
            },
            StatementKind::Select => Statement::Select {
                table: self.string()?,
                columns: self.strings()?,
                filter: self.optional_filter()?,
                order: self.list(3, |reader| {
                    Ok(Order { column: reader.string()?, descending: reader.bool()? })
                })?,
                limit: self.limit()?,
                offset: self.u32()?,
            },
            StatementKind::Count => Statement::Count {
                table: self.string()?,
                filter: self.optional_filter()?,
                exists: self.bool()?,
            },
            StatementKind::Delete => {
                let table = self.string()?;
                let filter = self.chosen_rows("delete", &table)?;
                Statement::Delete { table, filter, limit: self.limit()? }
            }
            StatementKind::RawQuery => Statement::RawQuery { sql: self.text()? },
            StatementKind::RawUpdate => Statement::RawUpdate { sql: self.text()? },
            StatementKind::Update => {
                let table = self.string()?;
                let assignments = self.list(5, |reader| {
                    Ok(Assignment {
                        column: reader.string()?,
                        change: reader.change()?,
                        parameter: reader.u16()?,
                    })
                })?;
                let filter = self.chosen_rows("update", &table)?;
                Statement::Update { table, assignments, filter, limit: self.limit()? }
            }
            StatementKind::Aggregate => Statement::Aggregate {
                table: self.string()?,
                filter: self.optional_filter()?,
                aggregates: self.list(3, Reader::aggregate)?,
            },
        })
    }

    /// Whether every row is meant, and the filter that must then be absent.
    fn chosen_rows(&mut self, operation: &'static str, table: &str) -> Result<Option<Filter>> {
        let all = self.bool()?;
        let filter = self.optional_filter()?;
        match (all, &filter) {
            (false, None) => {
                let message = format!(
                    "without a filter the {operation} would be of every row; say all() when that is meant"
                );
                Err(Error::new(ErrorKind::FilterRequired, operation, message)
                    .with("table", table.escape_debug()))
            }
            (true, Some(_)) => {
                Err(self.invalid(format!("the {operation} of all rows has a filter")))
            }
            _ => Ok(filter),
        }
    }

    fn limit(&mut self) -> Result<Option<u32>> {
        Ok(Some(self.u32()?).filter(|&limit| limit != NO_LIMIT))
    }

    fn insert_mode(&mut self) -> Result<InsertMode> {
        let code = self.u8()?;
        let overwrite = self.strings()?;
        match code {
            MODE_UPSERT => Ok(InsertMode::Upsert { overwrite }),
            MODE_PLAIN | MODE_IF_ABSENT if !overwrite.is_empty() => {
                Err(self.invalid("only an upsert overwrites columns".to_owned()))
            }
            MODE_PLAIN => Ok(InsertMode::Plain),
            MODE_IF_ABSENT => Ok(InsertMode::IfAbsent),
            _ => Err(self.invalid(format!("insert mode {code} is not known"))),
        }
    }

    fn change(&mut self) -> Result<Change> {
        let code = self.u8()?;
        match code {
            1 => Ok(Change::Set),
            2 => Ok(Change::Add),
            _ => Err(self.invalid(format!("assignment {code} is not known"))),
        }
    }

    fn aggregate(&mut self) -> Result<Aggregate> {
        let code = self.u8()?;
        let column = self.string()?;
        match code {
            AGGREGATE_COUNT if column.is_empty() => Ok(Aggregate::Count),
            AGGREGATE_COUNT => Err(self.invalid("a count of rows names a column".to_owned())),
            AGGREGATE_SUM => Ok(Aggregate::Sum(column)),
            AGGREGATE_MIN => Ok(Aggregate::Min(column)),
            AGGREGATE_MAX => Ok(Aggregate::Max(column)),
            AGGREGATE_AVERAGE => Ok(Aggregate::Average(column)),
            _ => Err(self.invalid(format!("aggregate {code} is not known"))),
        }
    }

    fn table_definition(&mut self) -> Result<TableDefinition> {
        let name = self.string()?;
        let options = self.bits(OPTION_ADD_MISSING_COLUMNS | OPTION_SHARED)?;
        let options = RegisterOptions {
            owner: self.string()?,
            shared: options & OPTION_SHARED != 0,
            add_missing_columns: options & OPTION_ADD_MISSING_COLUMNS != 0,
        };
        let columns = self.list(10, |reader| {
            let name = reader.string()?;
            let code = reader.u8()?;
            let value_type = ValueType::from_code(code)
                .ok_or_else(|| reader.invalid(format!("type code {code} is not known")))?;
            let max_length = reader.u32()?;
            let flags = reader.bits(COLUMN_NULLABLE | COLUMN_AUTO_INCREMENT)?;
            let default = Some(reader.u16()?).filter(|&default| default != NO_DEFAULT);
            Ok(ColumnDefinition {
                name,
                value_type,
                max_length,
                nullable: flags & COLUMN_NULLABLE != 0,
                auto_increment: flags & COLUMN_AUTO_INCREMENT != 0,
                default,
            })
        })?;
        let key = self.list(2, |reader| Ok(usize::from(reader.u16()?)))?;
        let indexes = self.list(3, |reader| {
            let unique = reader.bool()?;
            Ok(IndexDefinition { unique, columns: reader.strings()? })
        })?;
        TableDefinition::new(name, columns, key, indexes)?.with_options(options)
    }

    fn optional_filter(&mut self) -> Result<Option<Filter>> {
        if self.bytes.get(self.position) == Some(&FILTER_NONE) {
            self.position += 1;
            return Ok(None);
        }
        self.filter(1).map(Some)
    }

    fn filter(&mut self, depth: usize) -> Result<Filter> {
        if depth > MAX_FILTER_DEPTH {
            return Err(self.invalid(too_deep()));
        }
        let tag = self.u8()?;
        Ok(match tag {
            FILTER_AND => Filter::And(self.list(1, |reader| reader.filter(depth + 1))?),
            FILTER_OR => Filter::Or(self.list(1, |reader| reader.filter(depth + 1))?),
            FILTER_NOT => Filter::Not(Box::new(self.filter(depth + 1)?)),
            FILTER_COMPARE => Filter::Compare {
                column: self.string()?,
                comparison: self.comparison()?,
                parameter: self.u16()?,
            },
            FILTER_BETWEEN => {
                Filter::Between { column: self.string()?, low: self.u16()?, high: self.u16()? }
            }
            FILTER_IN => {
                Filter::In { column: self.string()?, parameters: self.list(2, Reader::u16)? }
            }
            FILTER_LIKE => Filter::Like { column: self.string()?, parameter: self.u16()? },
            FILTER_IS_NULL => Filter::IsNull { column: self.string()? },
            FILTER_NONE => {
                return Err(self.invalid("an empty filter inside of another".to_owned()));
            }
            _ => return Err(self.invalid(format!("filter tag {tag} is not known"))),
        })
    }

    fn comparison(&mut self) -> Result<Comparison> {
        let code = self.u8()?;
        Ok(match code {
            1 => Comparison::Eq,
            2 => Comparison::Ne,
            3 => Comparison::Lt,
            4 => Comparison::Le,
            5 => Comparison::Gt,
            6 => Comparison::Ge,
            _ => return Err(self.invalid(format!("comparison {code} is not known"))),
        })
    }

    /// A u16 count and as many items, of which each takes at least `least` bytes.
    fn list<T>(
        &mut self,
        least: usize,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = usize::from(self.u16()?);
        if count * least > self.left() {
            return Err(self.invalid(format!(
                "a list tells {count} items, the {} bytes left cannot hold them",
                self.left()
            )));
        }
        // Lists nest: room for what each of them tells would multiply the request's own size.
        let mut items = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn strings(&mut self) -> Result<Vec<String>> {
        self.list(2, Reader::string)
    }

    fn string(&mut self) -> Result<String> {
        let length = usize::from(self.u16()?);
        self.utf8(length)
    }

    fn text(&mut self) -> Result<String> {
        let length = self.u32()? as usize;
        self.utf8(length)
    }

    fn utf8(&mut self, length: usize) -> Result<String> {
        let start = self.position;
        match std::str::from_utf8(self.take(length)?) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                self.position = start + error.valid_up_to();
                Err(self.invalid("text that is not UTF-8".to_owned()))
            }
        }
    }

    fn bool(&mut self) -> Result<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.invalid(format!("{other} where 0 or 1 belongs"))),
        }
    }

    /// A byte of which only these bits have a meaning.
    fn bits(&mut self, known: u8) -> Result<u8> {
        match self.u8()? {
            bits if bits & !known == 0 => Ok(bits),
            other => Err(self.invalid(format!("bits {other:#04x} are not known"))),
        }
    }

    fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.take(N)?;
        bytes.first_chunk().copied().ok_or_else(|| self.ended(N))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let taken = rest.get(..length).ok_or_else(|| self.ended(length))?;
        self.position += length;
        Ok(taken)
    }

    fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    fn ended(&self, needed: usize) -> Error {
        self.invalid(format!("{needed} bytes are needed, {} are left", self.left()))
    }

    fn invalid(&self, message: String) -> Error {
        Error::new(ErrorKind::InvalidStatement, "decode", message).with("byte", self.position)
    }
}

struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn statement(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Register(definition) => self.table_definition(definition),
            Statement::Insert { table, columns, mode, return_keys } => {
                self.string(table)?;
                self.strings(columns)?;
                let (code, overwrite) = match mode {
                    InsertMode::Plain => (MODE_PLAIN, &[][..]),
                    InsertMode::IfAbsent => (MODE_IF_ABSENT, &[][..]),
                    InsertMode::Upsert { overwrite } => (MODE_UPSERT, overwrite.as_slice()),
                };
                self.u8(code);
                self.strings(overwrite)?;
                self.u8((*return_keys).into());
                Ok(())
            }
            Statement::Select { table, columns, filter, order, limit, offset } => {
                self.string(table)?;
                self.strings(columns)?;
                self.optional_filter(filter.as_ref())?;
                self.list(order, |writer, order| {
                    writer.string(&order.column)?;
                    writer.u8(order.descending.into());
                    Ok(())
                })?;
                self.limit(*limit)?;
                self.u32(*offset);
                Ok(())
            }
            Statement::Count { table, filter, exists } => {
                self.string(table)?;
                self.optional_filter(filter.as_ref())?;
                self.u8((*exists).into());
                Ok(())
            }
            Statement::Delete { table, filter, limit } => {
                self.string(table)?;
                self.u8(filter.is_none().into());
                self.optional_filter(filter.as_ref())?;
                self.limit(*limit)
            }
            Statement::RawQuery { sql } | Statement::RawUpdate { sql } => {
                let length = u32::try_from(sql.len())
                    .map_err(|_| invalid(format!("a text of {} bytes", sql.len())))?;
                self.u32(length);
                self.bytes.extend_from_slice(sql.as_bytes());
                Ok(())
            }
            Statement::Update { table, assignments, filter, limit } => {
                self.string(table)?;
                self.list(assignments, |writer, Assignment { column, change, parameter }| {
                    writer.string(column)?;
                    writer.u8(*change as u8);
                    writer.u16(*parameter);
                    Ok(())
                })?;
                self.u8(filter.is_none().into());
                self.optional_filter(filter.as_ref())?;
                self.limit(*limit)
            }
            Statement::Aggregate { table, filter, aggregates } => {
                self.string(table)?;
                self.optional_filter(filter.as_ref())?;
                self.list(aggregates, |writer, aggregate| {
                    writer.u8(match aggregate {
                        Aggregate::Count => AGGREGATE_COUNT,
                        Aggregate::Sum(_) => AGGREGATE_SUM,
                        Aggregate::Min(_) => AGGREGATE_MIN,
                        Aggregate::Max(_) => AGGREGATE_MAX,
                        Aggregate::Average(_) => AGGREGATE_AVERAGE,
                    });
                    writer.string(aggregate.column().unwrap_or_default())
                })
            }
        }
    }

    fn limit(&mut self, limit: Option<u32>) -> Result<()> {
        if limit == Some(NO_LIMIT) {
            let message = format!("a limit is less than {NO_LIMIT}; leave it out for none");
            return Err(invalid(message));
        }
        self.u32(limit.unwrap_or(NO_LIMIT));
        Ok(())
    }

    fn table_definition(&mut self, definition: &TableDefinition) -> Result<()> {
        self.string(definition.name())?;
        let RegisterOptions { owner, shared, add_missing_columns } = definition.options();
        self.u8(
            flag(*add_missing_columns, OPTION_ADD_MISSING_COLUMNS) | flag(*shared, OPTION_SHARED)
        );
        self.string(owner)?;
        self.list(definition.columns(), |writer, column| {
            writer.string(&column.name)?;
            writer.u8(column.value_type.code());
            writer.u32(column.max_length);
            writer.u8(flag(column.nullable, COLUMN_NULLABLE)
                | flag(column.auto_increment, COLUMN_AUTO_INCREMENT));
            if column.default == Some(NO_DEFAULT) {
                return Err(invalid(format!("a default's position is less than {NO_DEFAULT}")));
            }
            writer.u16(column.default.unwrap_or(NO_DEFAULT));
            Ok(())
        })?;
        let key: Vec<usize> = definition
            .key()
            .filter_map(|key| definition.columns().iter().position(|column| column == key))
            .collect();
        self.list(&key, |writer, &position| writer.count(position))?;
        self.list(definition.indexes(), |writer, index| {
            writer.u8(index.unique.into());
            writer.strings(&index.columns)
        })
    }

    fn optional_filter(&mut self, filter: Option<&Filter>) -> Result<()> {
        match filter {
            None => {
                self.u8(FILTER_NONE);
                Ok(())
            }
            Some(filter) => self.filter(filter, 1),
        }
    }

    fn filter(&mut self, filter: &Filter, depth: usize) -> Result<()> {
        if depth > MAX_FILTER_DEPTH {
            return Err(invalid(too_deep()));
        }
        match filter {
            Filter::And(filters) => {
                self.u8(FILTER_AND);
                self.list(filters, |writer, filter| writer.filter(filter, depth + 1))
            }
            Filter::Or(filters) => {
                self.u8(FILTER_OR);
                self.list(filters, |writer, filter| writer.filter(filter, depth + 1))
            }
            Filter::Not(filter) => {
                self.u8(FILTER_NOT);
                self.filter(filter, depth + 1)
            }
            Filter::Compare { column, comparison, parameter } => {
                self.u8(FILTER_COMPARE);
                self.string(column)?;
                self.u8(*comparison as u8);
                self.u16(*parameter);
                Ok(())
            }
            Filter::Between { column, low, high } => {
                self.u8(FILTER_BETWEEN);
                self.string(column)?;
                self.u16(*low);
                self.u16(*high);
                Ok(())
            }
            Filter::In { column, parameters } => {
                self.u8(FILTER_IN);
                self.string(column)?;
                self.list(parameters, |writer, &parameter| {
                    writer.u16(parameter);
                    Ok(())
                })
            }
            Filter::Like { column, parameter } => {
                self.u8(FILTER_LIKE);
                self.string(column)?;
                self.u16(*parameter);
                Ok(())
            }
            Filter::IsNull { column } => {
                self.u8(FILTER_IS_NULL);
                self.string(column)
            }
        }
    }

    fn list<T>(
        &mut self,
        items: &[T],
        mut item: impl FnMut(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        self.count(items.len())?;
        items.iter().try_for_each(|value| item(self, value))
    }

    fn strings(&mut self, strings: &[String]) -> Result<()> {
        self.list(strings, |writer, string| writer.string(string))
    }

    fn string(&mut self, string: &str) -> Result<()> {
        self.count(string.len())?;
        self.bytes.extend_from_slice(string.as_bytes());
        Ok(())
    }

    fn count(&mut self, count: usize) -> Result<()> {
        let count = u16::try_from(count)
            .map_err(|_| invalid(format!("a name or list of {count}, the most is {}", u16::MAX)))?;
        self.u16(count);
        Ok(())
    }

    fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }
}

const fn flag(set: bool, bit: u8) -> u8 {
    if set { bit } else { 0 }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidStatement, "encode", message)
}

fn too_deep() -> String {
    format!("filters nest deeper than {MAX_FILTER_DEPTH}; make the filter flatter")
}
