//! A database in memory, which does no more than sessions need: rows with a key, transactions with
//! savepoints, one writer, and a connection that breaks.

use std::sync::Arc;

use shuttle::sync::Mutex;
use shuttle::thread;
use tickwell_engine::backend::{
    Backend, Connection, Control, Counters, Limits, Outcome, Request, Role,
};
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::statement::Statement;
use tickwell_engine::statement::placeholder::Dialect;
use tickwell_engine::value::ValueRef;

/// The row whose insert breaks the connection.
pub const BREAKS: i64 = -1;

#[derive(Debug, Default)]
pub struct Rows {
    pub stored: Vec<i64>,
    writing: bool,
}

#[derive(Debug)]
pub struct Store {
    rows: Arc<Mutex<Rows>>,
    limits: Limits,
}

impl Store {
    pub fn new(rows: Arc<Mutex<Rows>>) -> Self {
        let limits = Limits {
            max_bound_values: 100,
            fast_chunk_rows: 100,
            max_packet_bytes: 1 << 20,
            keeps_nan: true,
            keeps_nul_in_text: true,
            dialect: Dialect::SQLITE,
        };
        Self { rows, limits }
    }
}

impl Backend for Store {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn version(&self) -> String {
        "1".to_owned()
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn connect(&self, _role: Role) -> Result<Box<dyn Connection>> {
        let rows = Arc::clone(&self.rows);
        Ok(Box::new(StoreConnection { rows, inserted: None, savepoint: 0 }))
    }
}

struct StoreConnection {
    rows: Arc<Mutex<Rows>>,
    /// The rows of the open transaction.
    inserted: Option<Vec<i64>>,
    savepoint: usize,
}

impl StoreConnection {
    fn end(&mut self) -> Vec<i64> {
        let inserted = self.inserted.take();
        if inserted.is_some() {
            self.rows.lock().unwrap().writing = false;
        }
        inserted.unwrap_or_default()
    }
}

impl Connection for StoreConnection {
    fn begin(&mut self, control: &Control) -> Result<()> {
        control.check("begin")?;
        let mut rows = self.rows.lock().unwrap();
        assert!(!std::mem::replace(&mut rows.writing, true), "two writers at a time");
        self.inserted = Some(Vec::new());
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let rows = self.end();
        self.rows.lock().unwrap().stored.extend(rows);
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.end();
        Ok(())
    }

    fn savepoint(&mut self) -> Result<()> {
        self.savepoint = self.inserted.as_ref().map_or(0, Vec::len);
        Ok(())
    }

    fn release_savepoint(&mut self) -> Result<()> {
        Ok(())
    }

    fn rollback_to_savepoint(&mut self) -> Result<()> {
        if let Some(inserted) = &mut self.inserted {
            inserted.truncate(self.savepoint);
        }
        Ok(())
    }

    fn execute(
        &mut self,
        request: &Request,
        control: &Control,
        _counters: &mut Counters,
    ) -> Result<Outcome> {
        // Others get on while the database works.
        thread::yield_now();
        control.check("execute")?;
        if let Statement::Register(_) = request.statement {
            return Ok(Outcome::Affected(Some(0)));
        }
        let row = match request.page.as_ref().and_then(|page| page.value(0, 0)) {
            Some(ValueRef::Integer(row)) => row,
            other => panic!("no row but {other:?}"),
        };
        let stored = self.rows.lock().unwrap().stored.contains(&row);
        let fail = |kind| Err(Error::new(kind, "execute", "the store fails"));
        match (&request.statement, &mut self.inserted) {
            (Statement::Count { .. }, None) => Ok(Outcome::Affected(Some(u64::from(stored)))),
            (Statement::Insert { .. }, Some(_)) if row == BREAKS => fail(ErrorKind::Io),
            (Statement::Insert { .. }, Some(inserted)) if stored || inserted.contains(&row) => {
                fail(ErrorKind::UniqueViolation)
            }
            (Statement::Insert { .. }, Some(inserted)) => {
                inserted.push(row);
                Ok(Outcome::Affected(Some(1)))
            }
            (statement, _) => panic!("not asked of this store: {statement:?}"),
        }
    }
}

impl Drop for StoreConnection {
    fn drop(&mut self) {
        self.end();
    }
}
