//! Selects, their streams, counts, aggregates and raw queries: rows into pages.

use rusqlite::Statement as Prepared;
use tickwell_engine::backend::{Control, Counters, Outcome, PageSink, Request, ResultLimits};
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::{Page, PageColumn, Scratch};
use tickwell_engine::schema::TableDefinition;
use tickwell_engine::statement::{Aggregate, Filter};

use super::{SelectParts, SqliteConnection, bind_all, bind_raw, outcome, stopped, take_row};
use crate::dialect::{self, RowOrder};
use crate::error::Site;
use crate::rows::{self, Typed, Untyped};

impl SqliteConnection {
    pub(super) fn select(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (columns, filter, order, range): SelectParts<'_>,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("select");
        let page_columns = page_columns(definition, columns)?;
        let _armed = self.watch.arm(control);
        let in_table = |error: Error| error.with("table", definition.name().escape_debug());
        if let Some(expected) = RowOrder::of(definition, columns, filter, order, range) {
            let parts = (page_columns.as_slice(), filter, expected);
            let page = self.collect(request, definition, parts, control, counters);
            if let Some(page) = page.map_err(in_table)? {
                return Ok(outcome(page, counters));
            }
        }
        let sql = dialect::select(definition, columns, filter, order, range, request)?;
        let mut statement = self.prepare("select", &sql.text)?;
        bind_all(&mut statement, &sql, request.page.as_ref(), site)?;
        counters.statements_sent += 1;
        let mut scratch = self.scratch.borrow_mut();
        let limits = request.result_limits;
        let page = read_page(&mut statement, page_columns, limits, control, site, &mut scratch)
            .map_err(in_table)?;
        Ok(outcome(page, counters))
    }

    /// Steps through a select and rests between pages: the statement that is not at its end keeps
    /// the moment that it reads.
    pub(super) fn stream_select(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (columns, filter, order, range): SelectParts<'_>,
        pages: &mut dyn PageSink,
        counters: &mut Counters,
    ) -> Result<u64> {
        let site = self.site("select");
        let in_table = |error: Error| error.with("table", definition.name().escape_debug());
        let columns_of_page = page_columns(definition, columns)?;
        let sql = dialect::select(definition, columns, filter, order, range, request)?;
        let mut statement = self.prepare("select", &sql.text)?;
        bind_all(&mut statement, &sql, request.page.as_ref(), site)?;
        counters.statements_sent += 1;
        let (page_limits, limits) = (pages.page_limits(), request.result_limits);
        let mut scratch = self.scratch.borrow_mut();
        let mut rows = 0;
        let mut found = statement.raw_query();
        let mut control = pages.wait()?;
        let mut armed = self.watch.arm(&control);
        let failed = |error, control: &Control| in_table(stopped(error, control, site));
        let mut next = found.next().map_err(|error| failed(error, &control))?;
        let mut page = None;
        while let Some(row) = next {
            let filled = page
                .get_or_insert_with(|| Typed::new(columns_of_page.clone(), limits, &mut scratch));
            take_row(filled, row, site).map_err(in_table)?;
            let full = filled.is_full(page_limits);
            // One row ahead, so that the last page is known to be the last.
            next = found.next().map_err(|error| failed(error, &control))?;
            if (full || next.is_none())
                && let Some(full) = page.take()
            {
                let full = full.finish(&mut scratch).map_err(in_table)?;
                rows += full.rows() as u64;
                counters.rows_received += full.rows() as u64;
                counters.bytes_in += full.bytes().len() as u64;
                drop(armed);
                pages.put(full);
                if next.is_some() {
                    control = pages.wait()?;
                }
                armed = self.watch.arm(&control);
            }
        }
        Ok(rows)
    }

    /// Reads by the function of [`crate::collect`]; `None` when the rows did not come in their order.
    fn collect(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (columns, filter, order): (&[PageColumn], Option<&Filter>, RowOrder),
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Option<Page>> {
        let site = self.site("select");
        let sql = dialect::collect(definition, columns, filter, order, request.page.as_ref())?;
        let mut statement = self.prepare("select", &sql.text)?;
        bind_all(&mut statement, &sql, request.page.as_ref(), site)?;
        counters.statements_sent += 1;
        let mut scratch = self.scratch.borrow_mut();
        self.collected.begin(Typed::new(columns.to_vec(), request.result_limits, &mut scratch));
        let ran = statement.raw_query().next().map(|_| ());
        drop(statement);
        match (self.collected.end(), ran) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(stopped(error, control, site)),
            (Some(Ok(page)), Ok(())) => {
                let page = page.finish(&mut scratch)?;
                Ok(order.is_kept(&page).then_some(page))
            }
            (None, Ok(())) => Err(site.fail(ErrorKind::Internal, "the rows of a select are lost")),
        }
    }

    pub(super) fn count(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (filter, exists): (Option<&Filter>, bool),
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("count");
        let sql = dialect::count(definition, filter, exists, request.page.as_ref())?;
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

    pub(super) fn aggregate(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (filter, aggregates): (Option<&Filter>, &[Aggregate]),
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("aggregate");
        let page = request.page.as_ref();
        let (sql, types) = dialect::aggregate(definition, filter, aggregates, page)?;
        let mut statement = self.prepare("aggregate", &sql.text)?;
        bind_all(&mut statement, &sql, page, site)?;
        let columns = types
            .into_iter()
            .enumerate()
            .map(|(index, value_type)| PageColumn { name: format!("a{index}"), value_type })
            .collect();
        self.failures.take();
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        let mut scratch = self.scratch.borrow_mut();
        let limits = request.result_limits;
        let page = read_page(&mut statement, columns, limits, control, site, &mut scratch)
            .map_err(|error| {
                let column = |place: usize| aggregates.get(place).and_then(Aggregate::column);
                self.refused_sum(error, site, definition, column)
            })?;
        Ok(outcome(page, counters))
    }

    pub(super) fn raw_query(
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
        let mut scratch = self.scratch.borrow_mut();
        let limits = request.result_limits;
        let page = match read_declared(&mut statement, limits, control, site, &mut scratch) {
            // A table that was not made by us may say INT and hold text, or a column has no type:
            // the values decide.
            Ok(None) => None,
            Err(error) if error.kind() == ErrorKind::InvalidValue => None,
            result => result?,
        };
        let page = match page {
            Some(page) => page,
            None => {
                counters.statements_sent += 1;
                read_untyped(&mut statement, limits, control, site)?
            }
        };
        Ok(outcome(page, counters))
    }
}

fn page_columns(definition: &TableDefinition, columns: &[String]) -> Result<Vec<PageColumn>> {
    columns
        .iter()
        .map(|name| {
            let column = dialect::find(definition, name, "select")?;
            Ok(PageColumn { name: column.name.clone(), value_type: column.value_type })
        })
        .collect()
}

/// Steps through a result straight into a page.
fn read_page(
    statement: &mut Prepared<'_>,
    columns: Vec<PageColumn>,
    limits: ResultLimits,
    control: &Control,
    site: Site<'_>,
    scratch: &mut Scratch,
) -> Result<Page> {
    let mut page = Typed::new(columns, limits, scratch);
    let mut found = statement.raw_query();
    while let Some(row) = found.next().map_err(|error| stopped(error, control, site))? {
        take_row(&mut page, row, site)?;
    }
    page.finish(scratch)
}

/// The same for raw SQL; `None` when not every column has a declared type.
fn read_declared(
    statement: &mut Prepared<'_>,
    limits: ResultLimits,
    control: &Control,
    site: Site<'_>,
    scratch: &mut Scratch,
) -> Result<Option<Page>> {
    let mut page = None;
    let mut found = statement.raw_query();
    while let Some(row) = found.next().map_err(|error| stopped(error, control, site))? {
        let page = match &mut page {
            Some(page) => page,
            None => match rows::all_declared(&rows::raw_columns(row.as_ref())) {
                Some(columns) => page.insert(Typed::new(columns, limits, scratch)),
                None => return Ok(None),
            },
        };
        take_row(page, row, site)?;
    }
    page.map(|page| page.finish(scratch)).transpose()
}

/// Reads a result and decides the types of its columns by its values.
fn read_untyped(
    statement: &mut Prepared<'_>,
    limits: ResultLimits,
    control: &Control,
    site: Site<'_>,
) -> Result<Page> {
    let mut page = None;
    let mut found = statement.raw_query();
    while let Some(row) = found.next().map_err(|error| stopped(error, control, site))? {
        let page =
            page.get_or_insert_with(|| Untyped::new(rows::raw_columns(row.as_ref()), limits));
        if !page.take(row, site)? {
            break;
        }
    }
    drop(found);
    page.unwrap_or_else(|| Untyped::new(rows::raw_columns(statement), limits)).finish(site)
}
