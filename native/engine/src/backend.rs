//! What the engine asks of a database: connections that execute prepared requests. A connection is
//! blocking and belongs to one worker thread at a time; the session owns the threads, the order and
//! the transactions, so a backend holds no queue and no policy.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::error::{Error, ErrorKind, Result};
use crate::page::Page;
use crate::plan::Plan;
use crate::schema::TableDefinition;
use crate::statement::Statement;
use crate::statement::placeholder::Dialect;
use crate::sync::atomic::AtomicBool;

/// What a database can take; `plan` splits by these and `session` validates by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The most values that one statement may bind.
    pub max_bound_values: usize,
    /// The rows per statement that were measured to be fastest; `usize::MAX` switches this off.
    pub fast_chunk_rows: usize,
    /// The most bytes of one statement with its values.
    pub max_packet_bytes: usize,
    /// Whether `float` and `double` columns keep NaN.
    pub keeps_nan: bool,
    /// Whether text may hold U+0000.
    pub keeps_nul_in_text: bool,
    /// How its SQL is quoted, to tell parameters from text in raw statements.
    pub dialect: Dialect,
}

/// Limits of one result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultLimits {
    /// The most rows.
    pub max_rows: usize,
    /// The most bytes of its page.
    pub max_bytes: usize,
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Everything; the session sends all writes through such connections.
    Writer,
    /// Reads only.
    Reader,
}

/// A request that was decoded, validated and planned.
#[derive(Debug)]
pub struct Request {
    /// What to do.
    pub statement: Statement,
    /// The table that it is about, for every statement but raw ones and `Register`.
    pub table: Option<Arc<TableDefinition>>,
    /// Rows to insert, or one row of parameters; `None` where there are none.
    pub page: Option<Page>,
    /// How to split it.
    pub plan: Plan,
    /// The limits of its result.
    pub result_limits: ResultLimits,
}

/// The outside's hold on a running request: its deadline, and whether its caller still wants it.
#[derive(Debug, Clone)]
pub struct Control {
    deadline: Instant,
    cancelled: Arc<AtomicBool>,
}

impl Control {
    /// A control with this deadline, not cancelled.
    #[must_use]
    pub fn new(deadline: Instant) -> Self {
        Self { deadline, cancelled: Arc::new(AtomicBool::new(false)) }
    }

    /// When the request must have ended.
    #[must_use]
    pub const fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The same hold with another deadline: who cancels one cancels both.
    #[must_use]
    pub fn with_deadline(&self, deadline: Instant) -> Self {
        Self { deadline, cancelled: Arc::clone(&self.cancelled) }
    }

    /// Asks the request to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the request was asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether to stop, and why. Backends ask between rows or from a progress callback.
    ///
    /// # Errors
    /// `Cancelled` or `Timeout`.
    pub fn check(&self, operation: &'static str) -> Result<()> {
        if self.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, operation, "cancelled by its caller"));
        }
        if Instant::now() >= self.deadline {
            return Err(Error::new(
                ErrorKind::Timeout,
                operation,
                "the deadline passed; raise the statement deadline or make the statement smaller",
            ));
        }
        Ok(())
    }
}

/// What a connection counted while it executed one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Statements that the database received.
    pub statements_sent: u64,
    /// Times that the connection waited for the database; 0 for an embedded one.
    pub round_trips: u64,
    /// Rows sent.
    pub rows_sent: u64,
    /// Rows received.
    pub rows_received: u64,
    /// Bytes sent, where the protocol tells; else the bytes of the values.
    pub bytes_out: u64,
    /// Bytes received, where the protocol tells; else the bytes of the values.
    pub bytes_in: u64,
}

/// What a request gave.
#[derive(Debug)]
pub enum Outcome {
    /// Rows.
    Rows(Page),
    /// The rows that it changed or counted; `None` where the database does not tell exactly.
    Affected(Option<u64>),
    /// What became of each part of an insert whose parts are independent, in the order of their rows.
    /// Made by the session; no connection gives it.
    Parts(Vec<Part>),
}

/// What became of the rows of one statement of an insert whose parts are independent.
#[derive(Debug)]
pub struct Part {
    /// The first row, from 0.
    pub first_row: usize,
    /// How many rows.
    pub rows: usize,
    /// How many were stored, as [`Outcome::Affected`]; with an error none of them was.
    pub stored: Result<Option<u64>>,
}

/// About what the account of one part takes, and what its error takes beside it.
const PART_BYTES: usize = 32;
const PART_ERROR_BYTES: usize = 512;

impl Outcome {
    /// About how many bytes it takes, for one that may be large.
    #[must_use]
    pub fn bytes(&self) -> Option<usize> {
        match self {
            Self::Rows(page) => Some(page.bytes().len()),
            Self::Affected(_) => None,
            Self::Parts(parts) => {
                let failed = parts.iter().filter(|part| part.stored.is_err()).count();
                Some(parts.len() * PART_BYTES + failed * PART_ERROR_BYTES)
            }
        }
    }
}

/// Where the pages of a stream go. Belongs to the thread that reads the stream.
pub trait PageSink {
    /// When a page is full.
    fn page_limits(&self) -> PageLimits;

    /// Waits until a page is wanted; gives the hold on reading it.
    ///
    /// # Errors
    /// Nothing more is to be read: `Cancelled`, `Timeout` when nobody wants a page, `Closed`.
    fn wait(&mut self) -> Result<Control>;

    /// Hands over a page with at least one row. One `wait` goes before each.
    fn put(&mut self, page: Page);
}

/// When a page of a stream is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    /// With this many rows, at least 1.
    pub rows: usize,
    /// With the first row that brings its values to this many bytes.
    pub bytes: usize,
}

/// A database.
pub trait Backend: Send + Sync + 'static {
    /// Its name, such as `sqlite`.
    fn name(&self) -> &'static str;

    /// The version of the database or of its library, for reports.
    fn version(&self) -> String;

    /// What it can take.
    fn limits(&self) -> &Limits;

    /// A new connection, within the time that the backend's configuration allows.
    ///
    /// # Errors
    /// The true cause, typed: `ConnectFailed`, `PermissionDenied`, `Corrupt`, `Locked`, …
    fn connect(&self, role: Role) -> Result<Box<dyn Connection>>;

    /// Copies the database, as it is at one moment and while it is in use, into the new file `to`,
    /// and checks the copy. Blocks the calling thread until it has ended or `progress` is stopped.
    ///
    /// # Errors
    /// Nothing is left of the copy then: `Unsupported` where a database has no such copy,
    /// `InvalidConfig` for a path that will not do, `Cancelled`, or what the database reported.
    fn backup(&self, to: &Path, _progress: &BackupProgress) -> Result<()> {
        let message = "this type of database is copied with its own tools";
        Err(Error::new(ErrorKind::Unsupported, "backup", message)
            .with("type", self.name())
            .with("path", to.display()))
    }
}

/// How far a copy has come, and whether it is to stop. Any thread.
#[derive(Debug, Default)]
pub struct BackupProgress {
    copied_bytes: AtomicU64,
    total_bytes: AtomicU64,
    stopped: AtomicBool,
}

impl BackupProgress {
    /// Tells how many bytes of how many are copied.
    pub fn set(&self, copied_bytes: u64, total_bytes: u64) {
        self.copied_bytes.store(copied_bytes, Ordering::Relaxed);
        self.total_bytes.store(total_bytes, Ordering::Relaxed);
    }

    /// The bytes copied, and how many there are; both 0 before the first.
    #[must_use]
    pub fn bytes(&self) -> (u64, u64) {
        (self.copied_bytes.load(Ordering::Relaxed), self.total_bytes.load(Ordering::Relaxed))
    }

    /// Asks the copy, and every later one, to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// One connection, used by one thread at a time.
pub trait Connection: Send {
    /// Begins a write transaction.
    ///
    /// # Errors
    /// What the database reported; no transaction is open then.
    fn begin(&mut self, control: &Control) -> Result<()>;

    /// Commits. On an error the caller rolls back.
    ///
    /// # Errors
    /// What the database reported, with the effect as far as it is known.
    fn commit(&mut self) -> Result<()>;

    /// Rolls back; the connection is usable afterwards or reports that it is not.
    ///
    /// # Errors
    /// The connection must be dropped.
    fn rollback(&mut self) -> Result<()>;

    /// Opens a savepoint inside the transaction. One is open at a time.
    ///
    /// # Errors
    /// What the database reported.
    fn savepoint(&mut self) -> Result<()>;

    /// Keeps what was done since the savepoint.
    ///
    /// # Errors
    /// What the database reported.
    fn release_savepoint(&mut self) -> Result<()>;

    /// Undoes what was done since the savepoint and closes it.
    ///
    /// # Errors
    /// What the database reported; the caller rolls the transaction back.
    fn rollback_to_savepoint(&mut self) -> Result<()>;

    /// Executes one request inside the open transaction, or alone for a read.
    /// Stops within a short time of `control` saying so.
    ///
    /// # Errors
    /// Typed, with table, row and column where they are known.
    fn execute(
        &mut self,
        request: &Request,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome>;

    /// Reads the rows of a select page by page, all as they were at the one moment at which the first
    /// was read, and gives their number. Writers go on meanwhile. The limit of the rows of a result
    /// does not count here.
    ///
    /// # Errors
    /// As [`Connection::execute`], and those of [`PageSink::wait`]; what was handed over stays.
    fn stream(
        &mut self,
        request: &Request,
        _pages: &mut dyn PageSink,
        _counters: &mut Counters,
    ) -> Result<u64> {
        let operation = request.statement.kind().name();
        let message =
            "results cannot be streamed from this type of database yet; read them in parts";
        Err(Error::new(ErrorKind::Unsupported, operation, message))
    }
}
