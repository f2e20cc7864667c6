//! The database of one round, what was answered so far, and what its shared tables must show.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use tempfile::TempDir;
use tickwell_engine::backend::{Outcome, ResultLimits};
use tickwell_engine::error::{Error, ErrorKind};
use tickwell_engine::page::{Page, PageBuilder, PageColumn};
use tickwell_engine::runtime::{Completion, Event, Runtime, RuntimeConfig};
use tickwell_engine::session::{Session, SessionConfig, Submission, TransactionLimits};
use tickwell_engine::statement::{
    Assignment, Change, Comparison, Filter, InsertMode, RequestHeader, Statement,
};
use tickwell_engine::value::{ValueRef, ValueType};
use tickwell_sqlite::{SqliteBackend, SqliteConfig};

use crate::caller::Rows;
use crate::support::{PATIENCE, definition};

/// Where callers have rows of their own.
pub const TABLES: [&str; 2] = ["own_a", "own_b"];
pub const BANK_ROWS: i64 = 4;
/// What transactions move about and never change.
pub const BANK_SUM: i64 = BANK_ROWS * 100;
pub const HOT_ROWS: i64 = 3;
/// Rows that are always written together, in several statements.
pub const BATCH_ROWS: i64 = 7;

pub struct Database {
    pub runtime: Runtime,
    pub session: Arc<Session>,
    next_id: AtomicU64,
    answers: Mutex<HashMap<u64, Completion>>,
    changed: Condvar,
    /// Requests that were handed in.
    submitted: Mutex<u64>,
    /// Sums that were added to the hot rows: handed in, and known to be stored.
    pub adding: AtomicI64,
    pub added: AtomicI64,
    /// Values of whole batches that readers saw.
    batches_seen: Mutex<HashSet<i64>>,
    /// Transactions that have begun and may be cancelled, and those of which it was promised.
    transactions: Mutex<(Vec<u64>, HashSet<u64>)>,
}

impl Database {
    pub fn open(folder: &TempDir, fresh: bool) -> Self {
        let path = folder.path().join("model.db");
        let config = SqliteConfig::from_settings([
            ("path", path.to_str().unwrap()),
            ("synchronous", "off"),
            // Every write of more than two rows is split.
            ("fast-chunk-rows", "2"),
        ]);
        let runtime = Runtime::new(&RuntimeConfig::default());
        let session = runtime
            .open_database(
                Box::new(SqliteBackend::new(config.unwrap())),
                SessionConfig {
                    name: "main".to_owned(),
                    readers: 2,
                    statement_deadline: PATIENCE,
                    transaction_limits: TransactionLimits { total: PATIENCE, idle: PATIENCE },
                    result_limits: ResultLimits { max_rows: 5_000, max_bytes: 16 << 20 },
                },
            )
            .unwrap();
        let database = Self {
            runtime,
            session,
            next_id: AtomicU64::new(1),
            answers: Mutex::default(),
            changed: Condvar::new(),
            submitted: Mutex::default(),
            adding: AtomicI64::new(0),
            added: AtomicI64::new(0),
            batches_seen: Mutex::default(),
            transactions: Mutex::default(),
        };
        for table in TABLES.into_iter().chain(["bank", "hot", "batch"]) {
            database.ask(Statement::Register(definition(table)), None).outcome.unwrap();
        }
        if fresh {
            for (table, rows, v) in [("bank", BANK_ROWS, 100), ("hot", HOT_ROWS, 0)] {
                let page = pairs((0..rows).map(|id| (id, v)));
                database.ask(insert(table, InsertMode::Plain), Some(page)).outcome.unwrap();
            }
        }
        database
    }

    pub fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::SeqCst)
    }

    /// Hands a request in; true when it is left to this thread.
    pub fn submit(
        &self,
        request_id: u64,
        statement: Statement,
        page: Option<Page>,
        deadline_millis: u32,
        offer: bool,
    ) -> Result<bool, Error> {
        *self.submitted.lock().unwrap() += 1;
        self.changed.notify_all();
        let header = RequestHeader { deadline_millis, ..RequestHeader::default() };
        let submission = Submission { request_id, header, statement, statement_bytes: 100, page };
        self.session.submit(submission, offer)
    }

    /// Waits until so many requests were handed in, or all callers have come to their end.
    pub fn wait_for_submissions(&self, count: u64) {
        let submitted = self.submitted.lock().unwrap();
        let waited =
            self.changed.wait_timeout_while(submitted, PATIENCE, |submitted| *submitted < count);
        assert!(!waited.unwrap().1.timed_out(), "the callers stand still");
    }

    /// Takes results until the runtime has closed.
    pub fn collect(&self) {
        while let Some(events) = self.runtime.take_completions(1_000, PATIENCE) {
            let results = events.into_iter().map(|event| match event {
                Event::Result(completion) => *completion,
                Event::Tick(_) | Event::Page(_) => panic!("no lane or stream is open"),
            });
            self.keep(results);
        }
    }

    /// Keeps answers, of which there is one for each request.
    pub fn keep(&self, results: impl IntoIterator<Item = Completion>) {
        let mut answers = self.answers();
        for completion in results {
            let id = completion.request_id;
            assert!(answers.insert(id, completion).is_none(), "two answers for {id}");
        }
        self.changed.notify_all();
    }

    /// Waits for the answer of a request.
    pub fn answer(&self, id: u64) -> Completion {
        let mut answers = self.answers();
        loop {
            if let Some(completion) = answers.remove(&id) {
                return completion;
            }
            let waited = self.changed.wait_timeout(answers, PATIENCE).unwrap();
            assert!(!waited.1.timed_out(), "no answer for {id}");
            answers = waited.0;
        }
    }

    pub fn answers_left(&self) -> usize {
        self.answers().len()
    }

    /// Asks while nobody collects.
    fn ask(&self, statement: Statement, page: Option<Page>) -> Completion {
        self.submit(self.next_id(), statement, page, 0, false).unwrap();
        loop {
            let events = self.runtime.take_completions(1, PATIENCE).expect("it is open");
            if let Some(Event::Result(completion)) = events.into_iter().next() {
                return *completion;
            }
        }
    }

    /// All rows of a table, while nobody collects.
    pub fn all(&self, table: &str) -> Rows {
        let answer = self.ask(select(table, None), None);
        rows(&answer.outcome.unwrap())
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<u64, Completion>> {
        self.answers.lock().unwrap()
    }

    /// A batch is there as a whole, as one write left it, or not at all.
    pub fn check_batch(&self, rows: &Rows) {
        if let Some(&token) = rows.values().next() {
            assert_eq!(rows.len() as i64, BATCH_ROWS, "{rows:?}");
            assert!(rows.values().all(|&value| value == token), "half of a write: {rows:?}");
            self.batches_seen.lock().unwrap().insert(token);
        }
    }

    /// Nobody saw a batch that was not stored.
    pub fn check_batches(&self, stored: &HashSet<i64>) {
        let seen = self.batches_seen.lock().unwrap();
        assert!(seen.is_subset(stored), "{:?} was seen", seen.difference(stored));
    }

    pub fn begun(&self, id: u64) {
        self.transactions.lock().unwrap().0.push(id);
    }

    /// Cancels one of the transactions that there are.
    pub fn cancel_transaction(&self, choice: usize) {
        let mut transactions = self.transactions.lock().unwrap();
        if transactions.0.is_empty() {
            return;
        }
        let id = transactions.0[choice % transactions.0.len()];
        if self.session.cancel(id) == Some(true) {
            transactions.1.insert(id);
        }
    }

    pub fn ended(&self, id: u64) {
        self.transactions.lock().unwrap().0.retain(|&other| other != id);
    }

    pub fn cancelled_transactions(&self) -> HashSet<u64> {
        self.transactions.lock().unwrap().1.clone()
    }
}

fn parameter_page(values: &[(&str, i64)]) -> Page {
    let columns = values
        .iter()
        .map(|(name, _)| PageColumn { name: (*name).to_owned(), value_type: ValueType::BigInt });
    let limits = ResultLimits { max_rows: 1, max_bytes: 1 << 20 };
    let mut builder = PageBuilder::new(columns.collect(), limits);
    for &(_, value) in values {
        builder.push(ValueRef::Integer(value)).unwrap();
    }
    builder.finish().unwrap()
}

/// Rows of `id` and `v`.
pub fn pairs(rows: impl IntoIterator<Item = (i64, i64)>) -> Page {
    let columns = vec![
        PageColumn { name: "id".to_owned(), value_type: ValueType::BigInt },
        PageColumn { name: "v".to_owned(), value_type: ValueType::Int },
    ];
    let limits = ResultLimits { max_rows: usize::MAX, max_bytes: usize::MAX };
    let mut builder = PageBuilder::new(columns, limits);
    for (id, v) in rows {
        builder.push(ValueRef::Integer(id)).unwrap();
        builder.push(ValueRef::Integer(v)).unwrap();
    }
    builder.finish().unwrap()
}

pub fn insert(table: &str, mode: InsertMode) -> Statement {
    let columns = vec!["id".to_owned(), "v".to_owned()];
    Statement::Insert { table: table.to_owned(), columns, mode, return_keys: false }
}

/// Sets `v` of a key, or adds to it.
pub fn update(table: &str, change: Change, id: i64, v: i64) -> (Statement, Option<Page>) {
    let statement = Statement::Update {
        table: table.to_owned(),
        assignments: vec![Assignment { column: "v".to_owned(), change, parameter: 0 }],
        filter: Some(by_key(1)),
        limit: None,
    };
    (statement, Some(parameter_page(&[("v", v), ("id", id)])))
}

pub fn delete(table: &str, id: i64) -> (Statement, Option<Page>) {
    let filter = Some(by_key(0));
    let statement = Statement::Delete { table: table.to_owned(), filter, limit: None };
    (statement, Some(parameter_page(&[("id", id)])))
}

fn by_key(parameter: u16) -> Filter {
    Filter::Compare { column: "id".to_owned(), comparison: Comparison::Eq, parameter }
}

pub fn select(table: &str, filter: Option<Filter>) -> Statement {
    Statement::Select {
        table: table.to_owned(),
        columns: vec!["id".to_owned(), "v".to_owned()],
        filter,
        order: Vec::new(),
        limit: None,
        offset: 0,
    }
}

/// The rows with keys from `low` to `high`.
pub fn select_between(table: &str, low: i64, high: i64) -> (Statement, Option<Page>) {
    let filter = Filter::Between { column: "id".to_owned(), low: 0, high: 1 };
    (select(table, Some(filter)), Some(parameter_page(&[("low", low), ("high", high)])))
}

/// What a result of `id` and `v` holds.
pub fn rows(outcome: &Outcome) -> Rows {
    let Outcome::Rows(page) = outcome else { panic!("no rows but {outcome:?}") };
    let integer = |row, column| match page.value(row, column) {
        Some(ValueRef::Integer(value)) => value,
        other => panic!("no number but {other:?}"),
    };
    let found: BTreeMap<i64, i64> =
        (0..page.rows()).map(|row| (integer(row, 0), integer(row, 1))).collect();
    assert_eq!(found.len(), page.rows(), "a key came twice");
    found
}

/// What a write gave: how many rows, or why none.
pub fn affected(outcome: &Result<Outcome, Error>) -> Result<u64, ErrorKind> {
    match outcome {
        Ok(Outcome::Affected(Some(count))) => Ok(*count),
        Ok(other) => panic!("no count but {other:?}"),
        Err(error) => Err(error.kind()),
    }
}
