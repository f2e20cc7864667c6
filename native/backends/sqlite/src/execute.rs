//! One connection at work: transactions, savepoints and the execution of requests. Belongs to the
//! worker thread that uses it; the database's lock is held from `begin` to `commit` or `rollback`.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::types::{Value, ValueRef as Stored};
use rusqlite::{CachedStatement, Statement as Prepared, ffi};
use tickwell_engine::backend::{Connection, Control, Counters, Outcome, Request, ResultLimits};
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::{Page, PageBuilder, PageColumn};
use tickwell_engine::schema::TableDefinition;
use tickwell_engine::statement::{Filter, Order, Statement};
use tickwell_engine::value::{ValueRef, ValueType};

use crate::SqliteConfig;
use crate::connect::{RawGate, Watch};
use crate::dialect::{self, Bind, Sql};
use crate::error::{Site, has_primary_code};
use crate::map;
use crate::register::register;

/// A connection to one file.
pub(crate) struct SqliteConnection {
    connection: rusqlite::Connection,
    config: Arc<SqliteConfig>,
    watch: Arc<Watch>,
    raw_gate: RawGate,
    /// The busy timeout that SQLite has now.
    busy_timeout: Duration,
    /// Whether `begin` succeeded and neither `commit` nor `rollback` followed. SQLite itself may
    /// have ended the transaction since.
    began: bool,
}

impl SqliteConnection {
    pub(crate) fn new(
        connection: rusqlite::Connection,
        config: Arc<SqliteConfig>,
        watch: Arc<Watch>,
        raw_gate: RawGate,
    ) -> Self {
        let busy_timeout = config.busy_timeout();
        Self { connection, config, watch, raw_gate, busy_timeout, began: false }
    }

    fn site(&self, operation: &'static str) -> Site<'_> {
        Site { operation, path: self.config.path() }
    }

    /// Keeps waiting for a lock within the deadline.
    fn bound_busy_timeout(&mut self, control: &Control, operation: &'static str) -> Result<()> {
        let left = control.deadline().saturating_duration_since(Instant::now());
        let wanted = left.min(self.config.busy_timeout());
        if wanted != self.busy_timeout {
            let failed = |error| self.site(operation).error(error);
            self.connection.busy_timeout(wanted).map_err(failed)?;
            self.busy_timeout = wanted;
        }
        Ok(())
    }

    /// SQLite ends a transaction by itself when a write in it is interrupted or the disk is full.
    fn check_transaction(&self, operation: &'static str) -> Result<()> {
        if self.began && !self.connection.is_autocommit() {
            return Ok(());
        }
        let message = if self.began {
            "SQLite ended the transaction after an earlier error; roll back and begin again"
        } else {
            "this needs a transaction"
        };
        Err(self.site(operation).fail(ErrorKind::Internal, message))
    }

    /// Runs text of our own that is neither cached nor watched.
    fn run(&self, operation: &'static str, text: &str) -> Result<()> {
        self.connection.execute_batch(text).map_err(|error| self.site(operation).error(error))
    }

    fn prepare(&self, operation: &'static str, text: &str) -> Result<CachedStatement<'_>> {
        self.connection
            .prepare_cached(text)
            .map_err(|error| self.site(operation).prepare_error(error))
    }

    fn insert(
        &self,
        request: &Request,
        table: &str,
        columns: &[String],
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("insert");
        let page =
            request.page.as_ref().filter(|page| page.column_count() == columns.len()).ok_or_else(
                || {
                    site.fail(
                        ErrorKind::InvalidStatement,
                        "the page must have one column for each column that is inserted",
                    )
                    .with("table", table.escape_debug())
                    .with("columns", columns.len())
                },
            )?;
        let mut affected = 0;
        for range in request.plan.ranges() {
            // Looked at between statements only: interrupting a write would end the transaction
            // with everything that others did in it, and one statement is short.
            control.check("insert")?;
            counters.statements_sent += 1;
            counters.rows_sent += range.len() as u64;
            let text = dialect::insert(table, columns, range.len());
            let mut statement = self.prepare("insert", &text)?;
            affected += match insert_rows(&mut statement, page, range.clone(), columns, site)? {
                Ok(rows) => rows,
                Err(error) => {
                    drop(statement);
                    let row = self.failing_row(&error, page, range, table, columns, counters)?;
                    let error = site.error(error).with("table", table.escape_debug());
                    return Err(match row {
                        Some(row) => error.with("row", row),
                        None => error,
                    });
                }
            };
        }
        counters.bytes_out += page.bytes().len() as u64;
        Ok(Outcome::Affected(Some(affected)))
    }

    /// Which of the rows breaks a constraint, found by inserting them singly and undoing that.
    fn failing_row(
        &self,
        error: &rusqlite::Error,
        page: &Page,
        range: Range<usize>,
        table: &str,
        columns: &[String],
        counters: &mut Counters,
    ) -> Result<Option<usize>> {
        let is_constraint = has_primary_code(error, ffi::SQLITE_CONSTRAINT)
            || has_primary_code(error, ffi::SQLITE_MISMATCH);
        if !is_constraint || self.connection.is_autocommit() {
            return Ok(None);
        }
        if range.len() == 1 {
            return Ok(Some(range.start));
        }
        let site = self.site("insert");
        let text = dialect::insert(table, columns, 1);
        let mut statement = self.prepare("insert", &text)?;
        self.run("insert", "SAVEPOINT tickwell_row")?;
        let mut found = None;
        for row in range {
            counters.statements_sent += 1;
            if insert_rows(&mut statement, page, row..row + 1, columns, site)?.is_err() {
                found = Some(row);
                break;
            }
        }
        self.run("insert", "ROLLBACK TO tickwell_row; RELEASE tickwell_row")?;
        Ok(found)
    }

    fn select(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (columns, filter, order, limit): (&[String], Option<&Filter>, &[Order], Option<u32>),
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("select");
        let page_columns = columns
            .iter()
            .map(|name| {
                let column = dialect::find(definition, name, "select")?;
                Ok(PageColumn { name: column.name.clone(), value_type: column.value_type })
            })
            .collect::<Result<Vec<_>>>()?;
        let sql = dialect::select(definition, columns, filter, order, limit, request)?;
        let mut statement = self.prepare("select", &sql.text)?;
        bind_all(&mut statement, &sql, request.page.as_ref(), site)?;
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        let page = read_page(&mut statement, page_columns, request.result_limits, control, site)
            .map_err(|error| error.with("table", definition.name().escape_debug()))?;
        Ok(rows(page, counters))
    }

    fn count(
        &self,
        request: &Request,
        definition: &TableDefinition,
        filter: Option<&Filter>,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("count");
        let sql = dialect::count(definition, filter, request.page.as_ref())?;
        let mut statement = self.prepare("count", &sql.text)?;
        bind_all(&mut statement, &sql, request.page.as_ref(), site)?;
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        let mut found = statement.raw_query();
        let count = match found.next() {
            Ok(Some(row)) => row.get::<_, i64>(0),
            Ok(None) => Ok(0),
            Err(error) => Err(error),
        };
        let count = count.map_err(|error| stopped(error, control, site))?;
        counters.rows_received += 1;
        Ok(Outcome::Affected(u64::try_from(count).ok()))
    }

    fn delete(
        &self,
        request: &Request,
        definition: &TableDefinition,
        filter: Option<&Filter>,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("delete");
        let sql = dialect::delete(definition, filter, request.page.as_ref())?;
        let mut statement = self.prepare("delete", &sql.text)?;
        bind_all(&mut statement, &sql, request.page.as_ref(), site)?;
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        self.change(&mut statement, control, site)
            .map_err(|error| error.with("table", definition.name().escape_debug()))
    }

    fn raw_query(
        &self,
        request: &Request,
        text: &str,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("query");
        let _closed = self.raw_gate.close();
        let mut statement = self.prepare("query", text)?;
        if !statement.readonly() || statement.column_count() == 0 {
            return Err(site.fail(
                ErrorKind::InvalidStatement,
                "a query reads and returns rows; send this statement as an update",
            ));
        }
        bind_raw(&mut statement, request.page.as_ref(), site)?;
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        let declared: Vec<_> = statement
            .columns()
            .map(|column| {
                let value_type = column.decl_type().and_then(dialect::parse_declared);
                (column.name().to_owned(), value_type.map(|(value_type, _)| value_type))
            })
            .collect();
        let all_declared: Option<Vec<PageColumn>> = declared
            .iter()
            .map(|(name, value_type)| {
                value_type.map(|value_type| PageColumn { name: name.clone(), value_type })
            })
            .collect();
        if let Some(columns) = all_declared {
            match read_page(&mut statement, columns, request.result_limits, control, site) {
                // A table that was not made by us may say INT and hold text: the values decide.
                Err(error) if error.kind() == ErrorKind::InvalidValue => {
                    counters.statements_sent += 1;
                }
                result => return Ok(rows(result?, counters)),
            }
        }
        let page = read_untyped(&mut statement, declared, request.result_limits, control, site)?;
        Ok(rows(page, counters))
    }

    fn raw_update(
        &self,
        request: &Request,
        text: &str,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("update");
        let _closed = self.raw_gate.close();
        let mut statement = self.prepare("update", text)?;
        if statement.column_count() > 0 {
            return Err(site.fail(
                ErrorKind::InvalidStatement,
                "an update returns no rows; send a statement that reads as a query, and leave out \
                 RETURNING",
            ));
        }
        bind_raw(&mut statement, request.page.as_ref(), site)?;
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        self.change(&mut statement, control, site)
    }

    /// Runs a statement that changes rows and tells how many.
    fn change(
        &self,
        statement: &mut Prepared<'_>,
        control: &Control,
        site: Site<'_>,
    ) -> Result<Outcome> {
        let before = self.connection.total_changes();
        let changed = statement.raw_execute().map_err(|error| stopped(error, control, site))?;
        // What changes the schema leaves the count of the statement before it.
        let any = self.connection.total_changes() != before;
        Ok(Outcome::Affected(Some(if any { changed as u64 } else { 0 })))
    }

    fn table<'r>(
        &self,
        request: &'r Request,
        operation: &'static str,
    ) -> Result<&'r TableDefinition> {
        request.table.as_deref().ok_or_else(|| {
            self.site(operation)
                .fail(ErrorKind::UnknownTable, "the request has no table definition")
        })
    }
}

impl Connection for SqliteConnection {
    fn begin(&mut self, control: &Control) -> Result<()> {
        control.check("begin")?;
        self.bound_busy_timeout(control, "begin")?;
        match self.connection.execute_batch("BEGIN IMMEDIATE") {
            Ok(()) => {
                self.began = true;
                Ok(())
            }
            Err(error) => {
                let locked = has_primary_code(&error, ffi::SQLITE_BUSY);
                if locked {
                    control.check("begin")?;
                }
                Err(self.site("begin").error(error))
            }
        }
    }

    fn commit(&mut self) -> Result<()> {
        self.check_transaction("commit")?;
        self.connection
            .execute_batch("COMMIT")
            .map_err(|error| self.site("commit").commit_error(error))?;
        self.began = false;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.began = false;
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.run("rollback", "ROLLBACK")
    }

    fn savepoint(&mut self) -> Result<()> {
        self.check_transaction("savepoint")?;
        self.run("savepoint", "SAVEPOINT tickwell_request")
    }

    fn release_savepoint(&mut self) -> Result<()> {
        self.check_transaction("savepoint")?;
        self.run("savepoint", "RELEASE tickwell_request")
    }

    fn rollback_to_savepoint(&mut self) -> Result<()> {
        self.check_transaction("savepoint")?;
        self.run("savepoint", "ROLLBACK TO tickwell_request; RELEASE tickwell_request")
    }

    fn execute(
        &mut self,
        request: &Request,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let statement = &request.statement;
        let operation = statement.kind().name();
        control.check(operation)?;
        if statement.is_write() || self.began {
            self.check_transaction(operation)?;
        } else {
            self.bound_busy_timeout(control, operation)?;
        }
        match statement {
            Statement::Register(definition) => {
                let site = self.site(operation);
                register(&self.connection, definition, counters, site)?;
                Ok(Outcome::Affected(Some(0)))
            }
            Statement::Insert { table, columns } => {
                self.insert(request, table, columns, control, counters)
            }
            Statement::Select { columns, filter, order, limit, .. } => {
                let definition = self.table(request, operation)?;
                let parts = (columns.as_slice(), filter.as_ref(), order.as_slice(), *limit);
                self.select(request, definition, parts, control, counters)
            }
            Statement::Count { filter, .. } => {
                let definition = self.table(request, operation)?;
                self.count(request, definition, filter.as_ref(), control, counters)
            }
            Statement::Delete { filter, .. } => {
                let definition = self.table(request, operation)?;
                self.delete(request, definition, filter.as_ref(), control, counters)
            }
            Statement::RawQuery { sql } => self.raw_query(request, sql, control, counters),
            Statement::RawUpdate { sql } => self.raw_update(request, sql, control, counters),
        }
    }
}

/// Binds and inserts rows. The outer error is a value that cannot be bound, the inner one SQLite's.
fn insert_rows(
    statement: &mut Prepared<'_>,
    page: &Page,
    range: Range<usize>,
    columns: &[String],
    site: Site<'_>,
) -> Result<rusqlite::Result<u64>> {
    let mut position = 0;
    for row in range {
        for (column, name) in columns.iter().enumerate() {
            position += 1;
            let value = page.value(row, column).unwrap_or(ValueRef::Null);
            map::bind(statement, position, value, site, |error| {
                error.with("row", row).with("column", name.escape_debug())
            })?;
        }
    }
    Ok(statement.raw_execute().map(|rows| rows as u64))
}

/// Fills the `?` of a statement of ours.
fn bind_all(
    statement: &mut Prepared<'_>,
    sql: &Sql,
    page: Option<&Page>,
    site: Site<'_>,
) -> Result<()> {
    let most = statement.parameter_count();
    if most != sql.binds.len() {
        return Err(site
            .fail(ErrorKind::Internal, "the statement has another number of parameters than values")
            .with("parameters", most)
            .with("values", sql.binds.len()));
    }
    for (index, bind) in sql.binds.iter().enumerate() {
        let value = match bind {
            Bind::Parameter(parameter) => {
                page.and_then(|page| page.value(0, usize::from(*parameter))).ok_or_else(|| {
                    site.fail(ErrorKind::InvalidStatement, "the filter names an absent parameter")
                        .with("parameter", parameter)
                })?
            }
            Bind::Pattern(pattern) => ValueRef::Text(pattern),
            Bind::Number(number) => ValueRef::Integer(*number),
        };
        map::bind(statement, index + 1, value, site, |error| error.with("value", index + 1))?;
    }
    Ok(())
}

/// Fills the `?` of raw SQL with the page's columns in their order.
fn bind_raw(statement: &mut Prepared<'_>, page: Option<&Page>, site: Site<'_>) -> Result<()> {
    let wanted = statement.parameter_count();
    let given = page.map_or(0, Page::column_count);
    if wanted != given {
        let message =
            format!("the statement has {wanted} parameters and {given} values were given");
        return Err(site.fail(ErrorKind::ParameterCount, message));
    }
    for position in 0..given {
        let value = page.and_then(|page| page.value(0, position)).unwrap_or(ValueRef::Null);
        map::bind(statement, position + 1, value, site, |error| {
            error.with("parameter", position + 1)
        })?;
    }
    Ok(())
}

/// Steps through a result straight into a page.
fn read_page(
    statement: &mut Prepared<'_>,
    columns: Vec<PageColumn>,
    limits: ResultLimits,
    control: &Control,
    site: Site<'_>,
) -> Result<Page> {
    let types: Vec<_> = columns.iter().map(|column| column.value_type).collect();
    let names: Vec<_> = columns.iter().map(|column| column.name.clone()).collect();
    let mut builder = PageBuilder::new(columns, limits);
    let mut found = statement.raw_query();
    while let Some(row) = found.next().map_err(|error| stopped(error, control, site))? {
        for (index, &value_type) in types.iter().enumerate() {
            let stored = row.get_ref(index).map_err(|error| site.error(error))?;
            match map::read(value_type, stored) {
                Ok(value) => builder.push(value)?,
                Err(stored) => {
                    let name = names.get(index).map_or("", String::as_str);
                    return Err(map::mismatch(site, builder.rows(), name, value_type, &stored));
                }
            }
        }
    }
    builder.finish()
}

/// Reads a result whose columns have no declared types, and decides the types by its values.
fn read_untyped(
    statement: &mut Prepared<'_>,
    declared: Vec<(String, Option<ValueType>)>,
    limits: ResultLimits,
    control: &Control,
    site: Site<'_>,
) -> Result<Page> {
    let width = declared.len();
    let mut values: Vec<Value> = Vec::new();
    let mut bytes = 0_usize;
    let mut found = statement.raw_query();
    while let Some(row) = found.next().map_err(|error| stopped(error, control, site))? {
        let full = values.len() / width.max(1) >= limits.max_rows;
        for index in 0..width {
            let stored = row.get_ref(index).map_err(|error| site.error(error))?;
            bytes = bytes.saturating_add(match stored {
                Stored::Null => 0,
                Stored::Integer(_) | Stored::Real(_) => 8,
                Stored::Text(value) | Stored::Blob(value) => value.len(),
            });
            values.push(stored.try_into().map_err(|_| {
                let row = values.len() / width.max(1);
                let name = declared.get(index).map_or("", |(name, _)| name);
                map::mismatch(site, row, name, ValueType::Text, "text that is not UTF-8")
            })?);
        }
        // One row or byte too many: the builder says so in the words of every other result.
        if full || bytes > limits.max_bytes {
            break;
        }
    }
    drop(found);
    let mut columns = Vec::with_capacity(width);
    for (index, (name, declared)) in declared.into_iter().enumerate() {
        let column = values.iter().skip(index).step_by(width.max(1));
        let value_type = map::type_by_values(declared, column).map_err(|kinds| {
            let message = format!(
                "a result column holds {kinds}; make it one type with CAST in the statement"
            );
            site.fail(ErrorKind::InvalidValue, message).with("column", name.escape_debug())
        })?;
        columns.push(PageColumn { name, value_type });
    }
    let types: Vec<_> = columns.iter().map(|column| column.value_type).collect();
    let mut builder = PageBuilder::new(columns, limits);
    for row in values.chunks(width.max(1)) {
        for (value, &value_type) in row.iter().zip(&types) {
            let value = map::read_common(value_type, value)
                .map_err(|problem| site.fail(ErrorKind::Internal, problem))?;
            builder.push(value)?;
        }
    }
    builder.finish()
}

fn rows(page: Page, counters: &mut Counters) -> Outcome {
    counters.rows_received += page.rows() as u64;
    counters.bytes_in += page.bytes().len() as u64;
    Outcome::Rows(page)
}

/// The error of a running statement; the caller's reason when it was interrupted for one.
fn stopped(error: rusqlite::Error, control: &Control, site: Site<'_>) -> Error {
    let ours = has_primary_code(&error, ffi::SQLITE_INTERRUPT)
        || has_primary_code(&error, ffi::SQLITE_BUSY);
    match control.check(site.operation) {
        Err(reason) if ours => reason,
        _ => site.error(error),
    }
}
