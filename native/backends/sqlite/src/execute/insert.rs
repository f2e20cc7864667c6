//! Inserts in their three modes, with returned keys and the name of the row that is refused.

use std::ops::Range;

use rusqlite::{Statement as Prepared, ffi};
use tickwell_engine::backend::{Control, Counters, Outcome, Request};
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::{Page, PageBuilder, PageColumn, Visit};
use tickwell_engine::schema::TableDefinition;
use tickwell_engine::statement::InsertMode;
use tickwell_engine::value::ValueRef;

use super::{Reusable, SqliteConnection, outcome, take_row};
use crate::dialect;
use crate::error::{Site, has_primary_code};
use crate::map::{self, Unbound};
use crate::rows::Typed;

impl SqliteConnection {
    pub(super) fn insert(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (columns, mode, return_keys): (&[String], &InsertMode, bool),
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("insert");
        let table = definition.name();
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
        if return_keys {
            let most = request.result_limits.max_rows;
            if page.rows() > most {
                let message = format!(
                    "the keys of {} rows are asked for, a result has at most {most}; insert fewer \
                     rows at once, or raise max-result-rows",
                    page.rows()
                );
                return Err(site
                    .fail(ErrorKind::ResultTooLarge, message)
                    .with("table", table.escape_debug()));
            }
            if !keys_are_given(definition, columns, mode, page) {
                let tail = dialect::returning_key(definition, columns, mode);
                return self.insert_singly(request, page, columns, &tail, control, counters);
            }
        }
        let tail = dialect::conflict(definition, columns, mode);
        let mut affected = 0;
        // All statements but the last have the same number of rows, and so the same text.
        let mut prepared: Option<(usize, Reusable<'_>)> = None;
        for range in request.plan.ranges() {
            // Looked at between statements only: interrupting a write would end the transaction
            // with everything that others did in it, and one statement is short.
            control.check("insert")?;
            counters.statements_sent += 1;
            counters.rows_sent += range.len() as u64;
            let statement = match &mut prepared {
                Some((rows, statement)) if *rows == range.len() => statement,
                other => {
                    let text = dialect::insert(table, columns, range.len(), &tail);
                    &mut other.insert((range.len(), self.prepare("insert", &text)?)).1
                }
            };
            affected += match insert_rows(statement, page, range.clone(), columns, site)? {
                Ok(rows) => rows,
                Err(error) => {
                    drop(prepared);
                    let single = dialect::insert(table, columns, 1, &tail);
                    let row = self.failing_row(&error, page, range, &single, columns, counters)?;
                    let error = site.error(error).with("table", table.escape_debug());
                    return Err(match row {
                        Some(row) => error.with("row", row),
                        None => error,
                    });
                }
            };
        }
        counters.bytes_out += page.bytes().len() as u64;
        if return_keys {
            let keys = self.given_keys(request, definition, columns, page)?;
            return Ok(outcome(keys, counters));
        }
        Ok(Outcome::Affected(Some(affected)))
    }

    /// The keys of rows that came with them.
    fn given_keys(
        &self,
        request: &Request,
        definition: &TableDefinition,
        columns: &[String],
        page: &Page,
    ) -> Result<Page> {
        let mut scratch = self.scratch.borrow_mut();
        let limits = request.result_limits;
        let mut keys = PageBuilder::reusing(key_columns(definition), limits, &mut scratch);
        let places: Vec<usize> = definition
            .key()
            .filter_map(|key| columns.iter().position(|name| *name == key.name))
            .collect();
        for row in 0..page.rows() {
            for &column in &places {
                keys.push(page.value(row, column).unwrap_or(ValueRef::Null))?;
            }
        }
        keys.finish_reusing(&mut scratch)
    }

    /// Inserts row by row, since SQLite returns those of one statement in any order.
    fn insert_singly(
        &self,
        request: &Request,
        page: &Page,
        columns: &[String],
        tail: &str,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("insert");
        let definition = self.table(request, "insert")?;
        let text = dialect::insert(definition.name(), columns, 1, tail);
        let mut statement = self.prepare("insert", &text)?;
        let mut scratch = self.scratch.borrow_mut();
        let mut keys = Typed::new(key_columns(definition), request.result_limits, &mut scratch);
        for row in 0..page.rows() {
            control.check("insert")?;
            counters.statements_sent += 1;
            counters.rows_sent += 1;
            bind_rows(&mut statement, page, row..row + 1, columns, site)?;
            let in_row = |error: Error| {
                error.with("table", definition.name().escape_debug()).with("row", row)
            };
            let failed = |error| in_row(site.error(error));
            let mut returned = statement.raw_query();
            match returned.next().map_err(failed)? {
                Some(key) => take_row(&mut keys, key, site)?,
                // A trigger can do that.
                None => {
                    let message = "the database kept no row; look at the table's triggers";
                    return Err(in_row(site.fail(ErrorKind::ConstraintViolation, message)));
                }
            }
            // The row is stored when the statement ends.
            if returned.next().map_err(failed)?.is_some() {
                let message = "one row returned two keys";
                return Err(in_row(site.fail(ErrorKind::Internal, message)));
            }
        }
        counters.bytes_out += page.bytes().len() as u64;
        let keys = keys.finish(&mut scratch)?;
        Ok(outcome(keys, counters))
    }

    /// Which of the rows breaks a constraint, found by inserting them one by one with the statement
    /// `single` and undoing that.
    fn failing_row(
        &self,
        error: &rusqlite::Error,
        page: &Page,
        range: Range<usize>,
        single: &str,
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
        let mut statement = self.prepare("insert", single)?;
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
}

/// Binds and inserts rows. The outer error is a value that cannot be bound, the inner one SQLite's.
fn insert_rows(
    statement: &mut Prepared<'_>,
    page: &Page,
    range: Range<usize>,
    columns: &[String],
    site: Site<'_>,
) -> Result<rusqlite::Result<u64>> {
    bind_rows(statement, page, range, columns, site)?;
    Ok(statement.raw_execute().map(|rows| rows as u64))
}

fn bind_rows(
    statement: &mut Prepared<'_>,
    page: &Page,
    range: Range<usize>,
    columns: &[String],
    site: Site<'_>,
) -> Result<()> {
    for (column, name) in columns.iter().enumerate() {
        let column_binds =
            ColumnBinds { statement: &mut *statement, next: column + 1, width: columns.len() };
        page.walk(column, range.clone(), column_binds).map_err(|(row, unbound)| {
            unbound.error(site).with("row", row).with("column", name.escape_debug())
        })?;
    }
    Ok(())
}

/// Whether the rows that will be there have the keys that the request gives them.
fn keys_are_given(
    definition: &TableDefinition,
    columns: &[String],
    mode: &InsertMode,
    page: &Page,
) -> bool {
    // A row that is left out for another unique index has a key of its own, and that may be one that
    // is not registered.
    !matches!(mode, InsertMode::IfAbsent)
        && definition.key().all(|key| {
            let place = columns.iter().position(|name| *name == key.name);
            place.is_some_and(|place| !page.has_nulls(place))
        })
}

fn key_columns(definition: &TableDefinition) -> Vec<PageColumn> {
    definition
        .key()
        .map(|key| PageColumn { name: key.name.clone(), value_type: key.value_type })
        .collect()
}

/// Fills the `?` of one column in a statement of several rows.
struct ColumnBinds<'a, 'c> {
    statement: &'a mut Prepared<'c>,
    /// The place of the next row's `?`.
    next: usize,
    width: usize,
}

impl<'p> Visit<'p> for ColumnBinds<'_, '_> {
    /// The row, and why its value was not bound.
    type Error = (usize, Unbound);

    #[inline(always)]
    fn visit(&mut self, row: usize, value: ValueRef<'p>) -> Result<(), Self::Error> {
        let position = self.next;
        self.next += self.width;
        map::bind(self.statement, position, value).map_err(|unbound| (row, unbound))
    }
}
