//! Pages as tests write and compare them: columns by name and type, rows of values.

use tickwell_engine::backend::ResultLimits;
use tickwell_engine::page::{MAX_PAGE_BYTES, Page, PageBuilder, PageColumn};
use tickwell_engine::value::{ValueRef, ValueType};

/// A page with these columns and rows.
///
/// # Panics
/// When a row does not fit the columns.
#[must_use]
pub fn page_of<'a, R: AsRef<[ValueRef<'a>]>>(columns: &[(&str, ValueType)], rows: &[R]) -> Page {
    let named = columns
        .iter()
        .map(|&(name, value_type)| PageColumn { name: name.to_owned(), value_type })
        .collect();
    let limits = ResultLimits { max_rows: usize::MAX, max_bytes: MAX_PAGE_BYTES };
    let mut builder = PageBuilder::new(named, limits);
    for row in rows {
        assert_eq!(row.as_ref().len(), columns.len(), "a row has one value for each column");
        for &value in row.as_ref() {
            builder.push(value).expect("the value fits its column");
        }
    }
    builder.finish().expect("the page is complete")
}

/// The rows of a page.
///
/// # Panics
/// Never, for a page of the engine.
#[must_use]
pub fn rows_of(page: &Page) -> Vec<Vec<ValueRef<'_>>> {
    (0..page.rows())
        .map(|row| {
            (0..page.column_count()).map(|column| page.value(row, column).unwrap()).collect()
        })
        .collect()
}
