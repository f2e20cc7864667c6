//! Takes whole rows into a page from inside SQLite's own loop: an aggregate function that gets all
//! columns of a row in one call, which spares a step of the statement for each row and three calls
//! for each value. Runs on the thread of the connection, within the statement.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use tickwell_engine::error::Result;

use crate::SqliteConfig;
use crate::error::Site;
use crate::rows::Typed;

/// The name of the function. Raw SQL may not call it.
pub(crate) const FUNCTION: &str = "tickwell_collect";

/// The most columns: `SQLITE_MAX_FUNCTION_ARG` as SQLite is built by default.
pub(crate) const MAX_COLUMNS: usize = 1_000;

/// The page that the next statement with the function fills; while it runs, the function has it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Collected(Arc<Mutex<Option<Result<Typed>>>>);

impl Collected {
    /// Gives the function a page to fill.
    pub(crate) fn begin(&self, page: Typed) {
        self.set(Ok(page));
    }

    /// The page with the rows of the statement that ended, or why it refused one; `None` when there
    /// was no page.
    pub(crate) fn end(&self) -> Option<Result<Typed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, page: Result<Typed>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(page);
    }
}

/// Gives the connection the function, which fills the page of `collected`.
pub(crate) fn register(
    connection: &rusqlite::Connection,
    config: Arc<SqliteConfig>,
    collected: Collected,
) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_aggregate_function(FUNCTION, -1, flags, Collector { config, collected })
}

struct Collector {
    config: Arc<SqliteConfig>,
    collected: Collected,
}

impl Aggregate<Typed, Option<i64>> for Collector {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Typed> {
        match self.collected.end() {
            Some(Ok(page)) => Ok(page),
            _ => Err(ended()),
        }
    }

    fn step(&self, row: &mut Context<'_>, page: &mut Typed) -> rusqlite::Result<()> {
        let site = Site { operation: "select", path: self.config.path() };
        for index in 0..row.len() {
            if let Err(error) = page.take(index, &row.get_raw(index), site) {
                // SQLite passes on text only; the reader of the page gets the error itself.
                self.collected.set(Err(error));
                return Err(ended());
            }
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, page: Option<Typed>) -> rusqlite::Result<Option<i64>> {
        // Still there when no row came, and the error when a row was refused.
        let left = self.collected.end();
        if let Some(page) = left.or(page.map(Ok)) {
            self.collected.set(page);
        }
        Ok(None)
    }
}

/// Ends the statement.
fn ended() -> rusqlite::Error {
    rusqlite::Error::UserFunctionError("no page takes the rows".into())
}
