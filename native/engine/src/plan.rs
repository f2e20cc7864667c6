//! Splitting: turns the rows of a write and a database's limits into the statements to send. Pure
//! arithmetic, on the thread of the session that calls it.

use std::ops::Range;

use crate::backend::Limits;
use crate::error::{Error, ErrorKind, Result};
use crate::page::Page;

/// The most bytes that a value takes on the wire beside its own: the length prefix of MySQL's
/// protocol, the longest of the supported databases.
const VALUE_OVERHEAD_BYTES: usize = 9;

/// The statements that a request becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The row after the last one of each statement, in order; `None` for one statement that has
    /// no rows.
    ends: Option<Vec<usize>>,
}

impl Plan {
    /// One statement that has no rows, such as a select.
    #[must_use]
    pub const fn single() -> Self {
        Self { ends: None }
    }

    /// How many statements will be sent; 0 for a write of no rows.
    #[must_use]
    pub fn statement_count(&self) -> usize {
        self.ends.as_ref().map_or(1, Vec::len)
    }

    /// The rows of each statement in their order: together every row of the page once. Empty for
    /// [`Plan::single`].
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.ends.iter().flatten().scan(0, |start, &end| {
            let range = *start..end;
            *start = end;
            Some(range)
        })
    }
}

/// Splits `rows` rows of `columns` values by the number of rows and values alone.
///
/// # Errors
/// `InvalidStatement` without a column, or when one row has more values than a statement may bind.
pub fn plan_rows(rows: usize, columns: usize, limits: &Limits) -> Result<Plan> {
    let chunk = chunk_rows(columns, limits)?;
    let ends = (0..rows).step_by(chunk).map(|start| start.saturating_add(chunk).min(rows));
    Ok(Plan { ends: Some(ends.collect()) })
}

/// Splits the rows of a page by the number of rows and values and by the bytes of a statement.
///
/// # Errors
/// As [`plan_rows`]; `InvalidValue` naming a row that alone is longer than a statement may be.
pub fn plan_page(page: &Page, limits: &Limits) -> Result<Plan> {
    let columns = page.column_count();
    let overhead = columns.saturating_mul(VALUE_OVERHEAD_BYTES);
    let chunk = chunk_rows(columns, limits)?;
    let most = page.bytes().len().saturating_add(overhead.saturating_mul(page.rows().min(chunk)));
    if most <= limits.max_packet_bytes {
        return plan_rows(page.rows(), columns, limits);
    }

    let mut ends = Vec::new();
    let (mut start, mut bytes) = (0, 0_usize);
    for row in 0..page.rows() {
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
            ends.push(row);
            (start, bytes) = (row, 0);
        }
        bytes += row_bytes;
    }
    if page.rows() > start {
        ends.push(page.rows());
    }
    Ok(Plan { ends: Some(ends) })
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
