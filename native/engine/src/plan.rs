//! Splitting: turns the rows of a write and a database's limits into the statements to send. Pure
//! arithmetic, on the thread of the session that calls it.

use std::collections::HashSet;
use std::ops::Range;

use crate::backend::Limits;
use crate::error::{Error, ErrorKind, Result};
use crate::page::Page;
use crate::schema::TableDefinition;
use crate::statement::{InsertMode, Statement};
use crate::value::{ValueRef, ValueType};

/// The most bytes that a value takes on the wire beside its own: the length prefix of MySQL's
/// protocol, the longest of the supported databases.
const VALUE_OVERHEAD_BYTES: usize = 9;

/// The statements that a request becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The rows of each statement, in order; `None` for one statement that has no rows.
    ranges: Option<Vec<Range<usize>>>,
}

impl Plan {
    /// One statement that has no rows, such as a select.
    #[must_use]
    pub const fn single() -> Self {
        Self { ranges: None }
    }

    /// How many statements will be sent; 0 for a write of no rows.
    #[must_use]
    pub fn statement_count(&self) -> usize {
        self.ranges.as_ref().map_or(1, Vec::len)
    }

    /// Each statement as a plan of its own, with its rows.
    pub fn parts(&self) -> impl Iterator<Item = (Range<usize>, Self)> + '_ {
        self.ranges().map(|range| (range.clone(), Self { ranges: Some(vec![range]) }))
    }

    /// The rows of each statement in their order: every row of the page at most once. An upsert
    /// leaves out rows that a later one with the same key overwrites. Empty for [`Plan::single`].
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.ranges.iter().flatten().cloned()
    }
}

/// The plan of a checked request.
///
/// # Errors
/// As [`plan_page`].
pub fn plan(
    statement: &Statement,
    table: Option<&TableDefinition>,
    page: Option<&Page>,
    limits: &Limits,
) -> Result<Plan> {
    match (statement, table, page) {
        (
            Statement::Insert { columns, mode: InsertMode::Upsert { .. }, .. },
            Some(table),
            Some(page),
        ) => plan_runs(page, last_of_each_key(table, columns, page), limits),
        (Statement::Insert { .. }, _, Some(page)) => plan_page(page, limits),
        _ => Ok(Plan::single()),
    }
}

/// Splits `rows` rows of `columns` values by the number of rows and values alone.
///
/// # Errors
/// `InvalidStatement` without a column, or when one row has more values than a statement may bind.
pub fn plan_rows(rows: usize, columns: usize, limits: &Limits) -> Result<Plan> {
    let chunk = chunk_rows(columns, limits)?;
    let mut ranges = Vec::new();
    split_by_count(0..rows, chunk, &mut ranges);
    Ok(Plan { ranges: Some(ranges) })
}

/// Splits the rows of a page by the number of rows and values and by the bytes of a statement.
///
/// # Errors
/// As [`plan_rows`]; `InvalidValue` naming a row that alone is longer than a statement may be.
pub fn plan_page(page: &Page, limits: &Limits) -> Result<Plan> {
    plan_runs(page, std::iter::once(0..page.rows()), limits)
}

/// Splits runs of a page's rows.
fn plan_runs(
    page: &Page,
    runs: impl IntoIterator<Item = Range<usize>>,
    limits: &Limits,
) -> Result<Plan> {
    let columns = page.column_count();
    let overhead = columns.saturating_mul(VALUE_OVERHEAD_BYTES);
    let chunk = chunk_rows(columns, limits)?;
    let most = page.bytes().len().saturating_add(overhead.saturating_mul(page.rows().min(chunk)));
    let mut ranges = Vec::new();
    for run in runs {
        if most <= limits.max_packet_bytes {
            split_by_count(run, chunk, &mut ranges);
        } else {
            split_by_bytes(page, run, chunk, limits, &mut ranges)?;
        }
    }
    Ok(Plan { ranges: Some(ranges) })
}

fn split_by_count(run: Range<usize>, chunk: usize, ranges: &mut Vec<Range<usize>>) {
    let end = run.end;
    ranges.extend(run.step_by(chunk).map(|start| start..start.saturating_add(chunk).min(end)));
}

fn split_by_bytes(
    page: &Page,
    run: Range<usize>,
    chunk: usize,
    limits: &Limits,
    ranges: &mut Vec<Range<usize>>,
) -> Result<()> {
    let columns = page.column_count();
    let overhead = columns.saturating_mul(VALUE_OVERHEAD_BYTES);
    let (mut start, mut bytes) = (run.start, 0_usize);
    for row in run.clone() {
        let values: usize = (0..columns).map(|column| page.value_bytes(row, column)).sum();
        let row_bytes = values.saturating_add(overhead);
        if row_bytes > limits.max_packet_bytes {
            let message = format!(
                "row {row} takes {row_bytes} bytes, one statement may have {}; store less in one row or raise the server's packet size",
                limits.max_packet_bytes
            );
            return Err(Error::new(ErrorKind::InvalidValue, "plan", message).with("row", row));
        }
        if row > start && (row - start == chunk || bytes + row_bytes > limits.max_packet_bytes) {
            ranges.push(start..row);
            (start, bytes) = (row, 0);
        }
        bytes += row_bytes;
    }
    if run.end > start {
        ranges.push(start..run.end);
    }
    Ok(())
}

/// The rows to which no later one has the same key, as runs of neighbours. A database that is given
/// one key twice in a statement would refuse it, or keep parts of both rows.
fn last_of_each_key(table: &TableDefinition, columns: &[String], page: &Page) -> Vec<Range<usize>> {
    let key: Vec<usize> = table
        .key()
        .filter_map(|key| columns.iter().position(|column| *column == key.name))
        .collect();
    let mut seen = HashSet::with_capacity(page.rows());
    let mut runs: Vec<Range<usize>> = Vec::new();
    for row in (0..page.rows()).rev() {
        let mut bytes = Vec::with_capacity(key.len() * 16);
        for &column in &key {
            push_key(page, row, column, &mut bytes);
        }
        if !seen.insert(bytes) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.start == row + 1 => run.start = row,
            _ => runs.push(row..row + 1),
        }
    }
    runs.reverse();
    runs
}

/// Appends a key's value in a form that is the same for what a database takes for equal.
fn push_key(page: &Page, row: usize, column: usize, bytes: &mut Vec<u8>) {
    let decimal = page.column_type(column) == Some(ValueType::Decimal);
    let sized = |bytes: &mut Vec<u8>, value: &[u8]| {
        bytes.extend_from_slice(&value.len().to_le_bytes());
        bytes.extend_from_slice(value);
    };
    match page.value(row, column).unwrap_or(ValueRef::Null) {
        ValueRef::Null => {}
        ValueRef::Boolean(value) => bytes.push(value.into()),
        ValueRef::Integer(value) => bytes.extend_from_slice(&value.to_le_bytes()),
        // Adding 0 makes -0.0 the 0.0 that it is equal to.
        ValueRef::Float(value) => bytes.extend_from_slice(&(value + 0.0).to_le_bytes()),
        ValueRef::Double(value) => bytes.extend_from_slice(&(value + 0.0).to_le_bytes()),
        ValueRef::Uuid(value) => bytes.extend_from_slice(&value),
        ValueRef::Text(text) if decimal => sized(bytes, canonical_decimal(text).as_bytes()),
        ValueRef::Text(text) => sized(bytes, text.as_bytes()),
        ValueRef::Bytes(value) => sized(bytes, value),
    }
}

/// A decimal without the zeros and the sign that do not change its value.
fn canonical_decimal(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let sign = if whole.is_empty() && fraction.is_empty() { "" } else { sign };
    format!("{sign}{whole}.{fraction}")
}

/// The most rows of one statement by the number of rows and values.
fn chunk_rows(columns: usize, limits: &Limits) -> Result<usize> {
    if columns == 0 {
        let message = "rows without a column; name at least one";
        return Err(Error::new(ErrorKind::InvalidStatement, "plan", message));
    }
    if columns > limits.max_bound_values {
        let message = format!(
            "one row has {columns} values, one statement may bind {}; write fewer columns or raise max-bound-values",
            limits.max_bound_values
        );
        return Err(Error::new(ErrorKind::InvalidStatement, "plan", message)
            .with("columns", columns)
            .with("max_bound_values", limits.max_bound_values));
    }
    Ok((limits.max_bound_values / columns).min(limits.fast_chunk_rows.max(1)))
}
