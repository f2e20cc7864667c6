//! Checks a whole request against its table and its database's limits before anything is sent, so
//! that a bad row stores nothing. Pure functions, on the thread that submits.
//!
//! Rows and positions in errors count from 0, parameters from 1, as the `?` of a statement are
//! counted. Errors never hold a value.
#![deny(clippy::indexing_slicing)]

use crate::backend::Limits;
use crate::error::{Error, ErrorKind, Result};
use crate::page::Page;
use crate::schema::{ColumnDefinition, MAX_COLUMNS, TableDefinition};
use crate::statement::placeholder::scan;
use crate::statement::{
    Aggregate, Assignment, Change, Filter, InsertMode, Order, Parameter, Statement,
};
use crate::value::{ValueRef, ValueType, is_decimal};

/// The bytes of a location before the world's name.
const LOCATION_BYTES: usize = 48;

/// Checks one request. `table` is the registered definition of the statement's table, for every
/// statement but raw ones and `Register`; `page` holds rows to insert, one row of parameters or the defaults of a registration.
///
/// # Errors
/// - `UnknownTable`, `UnknownColumn`: a name that is not registered.
/// - `InvalidStatement`: a page that is missing, too much or of the wrong shape; a statement that
///   binds more values than one may; an upsert or returned keys of a table without a key; an update
///   that changes nothing, or a column twice.
/// - `FilterRequired`: a delete or update with an and or an or of nothing.
/// - `NotNullViolation`: a null, or no column at all, for a column that must have a value.
/// - `InvalidValue`, with row, column and type: a value of another type than its column's or that
///   the column or the database cannot keep; a sum over what is no number.
/// - `Unsupported`: the least or the greatest of values that have no order.
/// - `ParameterCount`: a raw statement with another number of `?` than of values.
/// - `Syntax`: a raw statement whose literals or comments do not end.
pub fn validate(
    statement: &Statement,
    table: Option<&TableDefinition>,
    page: Option<&Page>,
    limits: &Limits,
) -> Result<()> {
    let operation = statement.kind().name();
    let check = |name: &str| {
        let table = table.ok_or_else(|| {
            let message = "nobody registered this table; register it before its first request";
            Error::new(ErrorKind::UnknownTable, operation, message)
                .with("table", name.escape_debug())
        })?;
        Ok(Check { operation, table, limits })
    };
    match statement {
        Statement::Register(definition) => {
            Check { operation, table: definition, limits }.register(page)
        }
        Statement::Insert { table, columns, mode, return_keys } => {
            let check = check(table)?;
            check.insert(columns, page)?;
            check.insert_mode(columns, mode, *return_keys, page)
        }
        Statement::Select { table, columns, filter, order, limit: _, offset: _ } => {
            check(table)?.select(columns, filter.as_ref(), order, page)
        }
        Statement::Count { table, filter, exists: _ } => {
            check(table)?.filter(filter.as_ref(), page)
        }
        Statement::Delete { table, filter, limit: _ } => {
            let check = check(table)?;
            check.chosen_rows(filter.as_ref())?;
            check.filter(filter.as_ref(), page)
        }
        Statement::Update { table, assignments, filter, limit: _ } => {
            check(table)?.update(assignments, filter.as_ref(), page)
        }
        Statement::Aggregate { table, filter, aggregates } => {
            let check = check(table)?;
            check.aggregates(aggregates)?;
            check.filter(filter.as_ref(), page)
        }
        Statement::RawQuery { sql } | Statement::RawUpdate { sql } => {
            raw(operation, sql, page, limits)
        }
    }
}

fn raw(operation: &'static str, sql: &str, page: Option<&Page>, limits: &Limits) -> Result<()> {
    one_row(operation, page)?;
    // Databases end the statement there, and run what comes before: a delete without its condition.
    if sql.contains('\0') {
        let message = "the text of a statement holds U+0000; give text with it as a parameter";
        return Err(Error::new(ErrorKind::InvalidStatement, operation, message));
    }
    let expected = scan(sql, &limits.dialect)?.parameter_count();
    let given = page.map_or(0, Page::column_count);
    if expected != given {
        let hint =
            if limits.dialect.question_operators { "; an operator's ? is written ??" } else { "" };
        let message = format!(
            "the statement has {expected} parameters (? outside of text and comments), {given} values were given{hint}"
        );
        return Err(Error::new(ErrorKind::ParameterCount, operation, message)
            .with("parameters", expected)
            .with("values", given));
    }
    let Some(page) = page else { return Ok(()) };
    for column in 0..given {
        values(page, column, 0, limits)
            .map_err(|bad| bad.error(operation, |error| error.with("parameter", column + 1)))?;
    }
    Ok(())
}

/// Parameters are one row.
fn one_row(operation: &'static str, page: Option<&Page>) -> Result<()> {
    match page {
        Some(page) if page.rows() != 1 && page.column_count() > 0 => {
            let message = format!("parameters are one row, the page has {}", page.rows());
            Err(Error::new(ErrorKind::InvalidStatement, operation, message))
        }
        _ => Ok(()),
    }
}

/// The checks of statements about a registered table.
struct Check<'a> {
    operation: &'static str,
    table: &'a TableDefinition,
    limits: &'a Limits,
}

impl<'a> Check<'a> {
    /// The page holds the defaults, and nothing else.
    fn register(&self, page: Option<&Page>) -> Result<()> {
        one_row(self.operation, page)?;
        let defaults = || self.table.columns().iter().filter_map(|column| column.default);
        let given = page.map_or(0, Page::column_count);
        let unused = (0..given).any(|at| !defaults().any(|default| usize::from(default) == at));
        if unused || (page.is_some() && given == 0) {
            let message =
                "the values of a registration are its defaults; a page with others came with it";
            return Err(self.invalid(message.to_owned()));
        }
        for column in self.table.columns() {
            if let Some(default) = column.default {
                self.default_value(column, usize::from(default), page)?;
            }
        }
        Ok(())
    }

    fn default_value(
        &self,
        column: &ColumnDefinition,
        default: usize,
        page: Option<&Page>,
    ) -> Result<()> {
        let bad = |message: String| {
            Err(self
                .error(ErrorKind::InvalidValue, message, &column.name)
                .with("type", column.value_type.name()))
        };
        let Some((page, given)) =
            page.and_then(|page| page.column_type(default).map(|given| (page, given)))
        else {
            let message = "the value of the default is not there";
            return Err(self.error(ErrorKind::InvalidStatement, message.to_owned(), &column.name));
        };
        if given != column.value_type {
            return bad(format!(
                "the column is of type {}, its default of type {}",
                column.value_type.name(),
                given.name()
            ));
        }
        match page.value(0, default) {
            None | Some(ValueRef::Null) => {
                return bad("a default of null says nothing; leave the default out".to_owned());
            }
            // The text of a statement ends there.
            Some(ValueRef::Text(text)) if text.contains('\0') => {
                return bad("a default cannot hold U+0000; give each row the value".to_owned());
            }
            Some(_) => {}
        }
        values(page, default, column.max_length as usize, self.limits).map_err(|bad| {
            bad.error(self.operation, |error| error.with("column", column.name.escape_debug()))
                .with("table", self.table.name())
        })
    }

    fn insert(&self, columns: &[String], page: Option<&Page>) -> Result<()> {
        let page = page.ok_or_else(|| self.invalid("an insert without rows".to_owned()))?;
        if columns.is_empty() || columns.len() != page.column_count() {
            return Err(self.invalid(format!(
                "the insert names {} columns, its page has {}",
                columns.len(),
                page.column_count()
            )));
        }
        for (index, name) in columns.iter().enumerate() {
            if columns.iter().take(index).any(|other| other == name) {
                return Err(self.invalid(format!("column {} is named twice", name.escape_debug())));
            }
            self.insert_column(self.column(name)?, page, index)?;
        }
        let absent =
            |column: &&ColumnDefinition| !column.may_be_absent() && !columns.contains(&column.name);
        match self.table.columns().iter().find(absent) {
            Some(column) => {
                let message = "the rows lack a column that must have a value";
                Err(self.error(ErrorKind::NotNullViolation, message.to_owned(), &column.name))
            }
            None => Ok(()),
        }
    }

    fn insert_column(&self, column: &ColumnDefinition, page: &Page, index: usize) -> Result<()> {
        let given = page.column_type(index);
        if given != Some(column.value_type) {
            let message = format!(
                "the column is of type {}, the rows have type {}",
                column.value_type.name(),
                given.map_or("none", ValueType::name)
            );
            return Err(self
                .error(ErrorKind::InvalidValue, message, &column.name)
                .with("type", column.value_type.name()));
        }
        if !column.takes_null() && page.has_nulls(index) {
            let is_null = |row: &usize| page.value(*row, index) == Some(ValueRef::Null);
            let row = (0..page.rows()).find(is_null).unwrap_or_default();
            let message = "null in a column that must have a value";
            return Err(self
                .error(ErrorKind::NotNullViolation, message.to_owned(), &column.name)
                .with("row", row)
                .with("type", column.value_type.name()));
        }
        values(page, index, column.max_length as usize, self.limits).map_err(|bad| {
            bad.error(self.operation, |error| {
                error.with("row", bad.row).with("column", column.name.escape_debug())
            })
            .with("table", self.table.name())
        })
    }

    fn select(
        &self,
        columns: &[String],
        filter: Option<&Filter>,
        order: &[Order],
        page: Option<&Page>,
    ) -> Result<()> {
        if columns.is_empty() {
            return Err(self.invalid("a select without columns".to_owned()));
        }
        for name in columns.iter().chain(order.iter().map(|order| &order.column)) {
            self.column(name)?;
        }
        self.filter(filter, page)
    }

    /// An upsert finds rows by their key, and keys are returned only where there are some.
    fn insert_mode(
        &self,
        columns: &[String],
        mode: &InsertMode,
        return_keys: bool,
        page: Option<&Page>,
    ) -> Result<()> {
        let upsert = matches!(mode, InsertMode::Upsert { .. });
        if (upsert || return_keys) && self.table.key().next().is_none() {
            let what = if upsert { "an upsert finds rows by" } else { "returned keys need" };
            return Err(self.invalid(format!("{what} a primary key, and the table has none")));
        }
        let InsertMode::Upsert { overwrite } = mode else { return Ok(()) };
        for key in self.table.key() {
            let position = columns.iter().position(|name| *name == key.name);
            let message = match position {
                None => "an upsert finds rows by their key, and the rows lack a column of it",
                Some(position) if page.is_some_and(|page| page.has_nulls(position)) => {
                    "an upsert finds rows by their key, and a row has none"
                }
                Some(_) => continue,
            };
            return Err(self.error(ErrorKind::NotNullViolation, message.to_owned(), &key.name));
        }
        for (index, name) in overwrite.iter().enumerate() {
            self.column(name)?;
            let problem = if self.table.key().any(|key| key.name == *name) {
                "is part of the key and cannot be overwritten"
            } else if !columns.contains(name) {
                "is to be overwritten, and the rows do not have it"
            } else if overwrite.iter().take(index).any(|other| other == name) {
                "is to be overwritten twice"
            } else {
                continue;
            };
            return Err(self.invalid(format!("column {} {problem}", name.escape_debug())));
        }
        Ok(())
    }

    fn update(
        &self,
        assignments: &[Assignment],
        filter: Option<&Filter>,
        page: Option<&Page>,
    ) -> Result<()> {
        self.chosen_rows(filter)?;
        one_row(self.operation, page)?;
        if assignments.is_empty() {
            return Err(self.invalid("an update that changes no column".to_owned()));
        }
        for (index, assignment) in assignments.iter().enumerate() {
            let column = self.column(&assignment.column)?;
            if assignments.iter().take(index).any(|other| other.column == column.name) {
                let name = column.name.escape_debug();
                return Err(self.invalid(format!("column {name} is changed twice")));
            }
            self.assignment(column, assignment, page)?;
        }
        let filtered = filter.map_or(Ok(0), |filter| self.condition(filter, page))?;
        self.bound_values(assignments.len() + filtered)
    }

    fn assignment(
        &self,
        column: &ColumnDefinition,
        assignment: &Assignment,
        page: Option<&Page>,
    ) -> Result<()> {
        let parameter = usize::from(assignment.parameter);
        let (page, given) = self.given(column, "update", parameter, page)?;
        let refused = |kind, message: String| {
            Err(self
                .error(kind, message, &column.name)
                .with("parameter", parameter + 1)
                .with("type", column.value_type.name()))
        };
        let adds = assignment.change == Change::Add;
        if adds && !column.value_type.is_number() {
            let message = format!(
                "only numbers can be added to, the column is of type {}",
                column.value_type.name()
            );
            return refused(ErrorKind::InvalidValue, message);
        }
        if page.has_nulls(parameter) {
            return if adds {
                refused(ErrorKind::InvalidValue, "null cannot be added".to_owned())
            } else if column.nullable {
                Ok(())
            } else {
                let message = "null in a column that must have a value";
                refused(ErrorKind::NotNullViolation, message.to_owned())
            };
        }
        if !comparable(column.value_type, given) {
            let message = format!(
                "the column is of type {}, the value has type {}",
                column.value_type.name(),
                given.name()
            );
            return refused(ErrorKind::InvalidValue, message);
        }
        if !adds
            && let Some((least, greatest)) = column.value_type.integer_range()
            && let Some(ValueRef::Integer(value)) = page.value(0, parameter)
            && !(least..=greatest).contains(&value)
        {
            let message = format!("a number outside of the column's range, {least} to {greatest}");
            return refused(ErrorKind::InvalidValue, message);
        }
        values(page, parameter, column.max_length as usize, self.limits)
            .or_else(|bad| refused(ErrorKind::InvalidValue, bad.problem))
    }

    fn aggregates(&self, aggregates: &[Aggregate]) -> Result<()> {
        if aggregates.is_empty() || aggregates.len() > MAX_COLUMNS {
            return Err(self.invalid(format!(
                "an aggregate computes 1 to {MAX_COLUMNS} values, this one {}",
                aggregates.len()
            )));
        }
        for aggregate in aggregates {
            let Some(name) = aggregate.column() else { continue };
            let column = self.column(name)?;
            let value_type = column.value_type;
            let (possible, kind, problem) = match aggregate {
                Aggregate::Min(_) | Aggregate::Max(_) => (
                    value_type.is_ordered(),
                    ErrorKind::Unsupported,
                    "values of this type have no order, so none is the least or the greatest",
                ),
                _ => (
                    value_type.is_number(),
                    ErrorKind::InvalidValue,
                    "sums and averages are of numbers, the column holds something else",
                ),
            };
            if !possible {
                return Err(self
                    .error(kind, problem.to_owned(), name)
                    .with("type", value_type.name()));
            }
        }
        Ok(())
    }

    /// Every row is asked for in so many words, never by a group that turned out empty.
    fn chosen_rows(&self, filter: Option<&Filter>) -> Result<()> {
        if filter.is_some_and(has_empty_group) {
            let message = format!(
                "a {} has an and() or an or() of nothing, which could choose every row; leave it out, or say all() when every row is meant",
                self.operation
            );
            return Err(Error::new(ErrorKind::FilterRequired, self.operation, message)
                .with("table", self.table.name()));
        }
        Ok(())
    }

    fn filter(&self, filter: Option<&Filter>, page: Option<&Page>) -> Result<()> {
        one_row(self.operation, page)?;
        let Some(filter) = filter else { return Ok(()) };
        let bound = self.condition(filter, page)?;
        self.bound_values(bound)
    }

    fn bound_values(&self, bound: usize) -> Result<()> {
        if bound > self.limits.max_bound_values {
            return Err(self.invalid(format!(
                "the request has {bound} values, one statement may bind {}; ask in several requests or raise max-bound-values",
                self.limits.max_bound_values
            )));
        }
        Ok(())
    }

    /// Checks a filter and counts the values that it binds.
    fn condition(&self, filter: &Filter, page: Option<&Page>) -> Result<usize> {
        match filter {
            Filter::And(filters) | Filter::Or(filters) => filters
                .iter()
                .try_fold(0, |bound, filter| Ok(bound + self.condition(filter, page)?)),
            Filter::Not(filter) => self.condition(filter, page),
            Filter::Compare { column, comparison: _, parameter } => {
                self.parameters(column, &[*parameter], page)
            }
            Filter::Between { column, low, high } => self.parameters(column, &[*low, *high], page),
            Filter::In { column, parameters } => self.parameters(column, parameters, page),
            Filter::Like { column, parameter } => {
                let definition = self.column(column)?;
                if !is_plain_text(definition.value_type) {
                    let message = format!(
                        "like is for string and text, the column is of type {}",
                        definition.value_type.name()
                    );
                    return Err(self
                        .error(ErrorKind::InvalidValue, message, column)
                        .with("type", definition.value_type.name()));
                }
                self.parameters(column, &[*parameter], page)
            }
            Filter::IsNull { column } => self.column(column).map(|_| 0),
        }
    }

    fn parameters(
        &self,
        column: &str,
        parameters: &[Parameter],
        page: Option<&Page>,
    ) -> Result<usize> {
        let definition = self.column(column)?;
        for &parameter in parameters {
            self.parameter(definition, usize::from(parameter), page)?;
        }
        Ok(parameters.len())
    }

    fn parameter(
        &self,
        column: &ColumnDefinition,
        parameter: usize,
        page: Option<&Page>,
    ) -> Result<()> {
        let (page, given) = self.given(column, "filter", parameter, page)?;
        let problem = if page.has_nulls(parameter) {
            Some("a filter compares with null, which no value equals; ask for is null".to_owned())
        } else if !comparable(column.value_type, given) {
            Some(format!(
                "a filter compares a column of type {} with a value of type {}",
                column.value_type.name(),
                given.name()
            ))
        } else {
            None
        };
        if let Some(message) = problem {
            return Err(self
                .error(ErrorKind::InvalidValue, message, &column.name)
                .with("parameter", parameter + 1)
                .with("type", column.value_type.name()));
        }
        values(page, parameter, 0, self.limits).map_err(|bad| {
            bad.error(self.operation, |error| {
                error.with("column", column.name.escape_debug()).with("parameter", parameter + 1)
            })
            .with("table", self.table.name())
        })
    }

    /// The page of a parameter, and its type.
    fn given<'p>(
        &self,
        column: &ColumnDefinition,
        what: &str,
        parameter: usize,
        page: Option<&'p Page>,
    ) -> Result<(&'p Page, ValueType)> {
        page.and_then(|page| Some((page, page.column_type(parameter)?))).ok_or_else(|| {
            let message = format!(
                "the {what} names parameter {}, there are {}",
                parameter + 1,
                page.map_or(0, Page::column_count)
            );
            self.error(ErrorKind::InvalidStatement, message, &column.name)
        })
    }

    fn column(&self, name: &str) -> Result<&'a ColumnDefinition> {
        self.table.column(name).ok_or_else(|| {
            let message = "the table has no such column; look at its registration";
            self.error(ErrorKind::UnknownColumn, message.to_owned(), name)
        })
    }

    fn error(&self, kind: ErrorKind, message: String, column: &str) -> Error {
        Error::new(kind, self.operation, message)
            .with("table", self.table.name())
            .with("column", column.escape_debug())
    }

    fn invalid(&self, message: String) -> Error {
        Error::new(ErrorKind::InvalidStatement, self.operation, message)
            .with("table", self.table.name())
    }
}

/// Whether there is an and or an or of nothing anywhere in it.
fn has_empty_group(filter: &Filter) -> bool {
    match filter {
        Filter::And(filters) | Filter::Or(filters) => {
            filters.is_empty() || filters.iter().any(has_empty_group)
        }
        Filter::Not(filter) => has_empty_group(filter),
        _ => false,
    }
}

/// Whether a value of type `given` may be compared with or given to a column of type `column`: the
/// same type, any width of integer, a float for a double, and the two kinds of plain text.
fn comparable(column: ValueType, given: ValueType) -> bool {
    column == given
        || (column.is_integer() && given.is_integer())
        || (column == ValueType::Double && given == ValueType::Float)
        || (is_plain_text(column) && is_plain_text(given))
}

const fn is_plain_text(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::String | ValueType::Text)
}

/// A value that cannot be kept.
struct BadValue {
    row: usize,
    value_type: ValueType,
    problem: String,
}

impl BadValue {
    /// The error; `place` adds where the caller knows the value to stand.
    #[cold]
    fn error(&self, operation: &'static str, place: impl FnOnce(Error) -> Error) -> Error {
        place(Error::new(ErrorKind::InvalidValue, operation, self.problem.clone()))
            .with("type", self.value_type.name())
    }
}

/// Checks every value of a page's column. `max_length` is in code points, 0 = any.
fn values(page: &Page, column: usize, max_length: usize, limits: &Limits) -> Result<(), BadValue> {
    let Some(value_type) = page.column_type(column) else { return Ok(()) };
    let reads_values = match value_type {
        ValueType::Float | ValueType::Double => !limits.keeps_nan,
        ValueType::String | ValueType::Text | ValueType::Json => {
            !limits.keeps_nul_in_text || max_length > 0
        }
        ValueType::Decimal | ValueType::Location => true,
        _ => false,
    };
    if !reads_values {
        return Ok(());
    }
    for row in 0..page.rows() {
        // A code point has at least one byte, so most texts need not be looked at.
        if value_type == ValueType::String
            && limits.keeps_nul_in_text
            && page.value_bytes(row, column) <= max_length
        {
            continue;
        }
        let problem = page
            .value(row, column)
            .and_then(|value| value_problem(value_type, value, max_length, limits));
        if let Some(problem) = problem {
            return Err(BadValue { row, value_type, problem });
        }
    }
    Ok(())
}

fn value_problem(
    value_type: ValueType,
    value: ValueRef<'_>,
    max_length: usize,
    limits: &Limits,
) -> Option<String> {
    match value {
        ValueRef::Float(value) if value.is_nan() && !limits.keeps_nan => Some(nan_problem()),
        ValueRef::Double(value) if value.is_nan() && !limits.keeps_nan => Some(nan_problem()),
        ValueRef::Text(text) if value_type == ValueType::Decimal => {
            (!is_decimal(text)).then(|| {
                "a decimal that is not written as digits with at most one point between them"
                    .to_owned()
            })
        }
        ValueRef::Text(text) => text_problem(text, max_length, limits),
        ValueRef::Bytes(bytes) if value_type == ValueType::Location => {
            let name = bytes.get(LOCATION_BYTES..).map(std::str::from_utf8);
            (!matches!(name, Some(Ok(_)))).then(|| {
                format!("a location is {LOCATION_BYTES} bytes and a world's name in UTF-8")
            })
        }
        _ => None,
    }
}

fn nan_problem() -> String {
    "NaN cannot be stored by this database; store null or a number".to_owned()
}

fn text_problem(text: &str, max_length: usize, limits: &Limits) -> Option<String> {
    if !limits.keeps_nul_in_text
        && let Some(position) = text.chars().position(|c| c == '\0')
    {
        return Some(format!(
            "U+0000 at position {position} cannot be stored by this database; remove it or use bytes"
        ));
    }
    if max_length > 0 && text.len() > max_length {
        let length = text.chars().count();
        if length > max_length {
            return Some(format!(
                "a text of {length} code points in a column of at most {max_length}"
            ));
        }
    }
    None
}
