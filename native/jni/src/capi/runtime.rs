//! What the handles of the C interface stand for: runtimes, each with one thread that takes its
//! results, databases, transactions in them, and tickets, one for each request, that hold a result until
//! they are closed.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tickwell_engine::backend::Outcome;
use tickwell_engine::error::{Effect, Error, ErrorKind, Result};
use tickwell_engine::page::Page;
use tickwell_engine::pairs::Pairs;
use tickwell_engine::runtime::{Completion, Completions, Event, Runtime, RuntimeConfig};
use tickwell_engine::session::{Session, Submission, Transaction, TransactionLimits};
use tickwell_engine::statement::{RequestHeader, Statement};

use super::types::{TickwellCallback, TickwellRequest};
use crate::handles::invalid;
use crate::slots::Slots;
use crate::threads::lower_priority;

/// What a handle of the C interface stands for.
#[derive(Debug)]
pub(super) enum Object {
    Runtime(Arc<OpenRuntime>),
    Database(Arc<OpenDatabase>),
    Request(Arc<Ticket>),
}

/// The registry of the C interface, apart from Java's: neither closes what is the other's.
pub(super) static OBJECTS: Slots<Object> = Slots::new();

/// The most results that are taken at once.
const MAX_RESULTS: usize = 256;

/// How long closing waits, past its limit, for a callback to return.
const CALLBACK_GRACE: Duration = Duration::from_secs(2);

thread_local! {
    /// Whether this is a runtime's thread for results, which runs callbacks.
    static TAKES_RESULTS: Cell<bool> = const { Cell::new(false) };
}

/// An open runtime.
#[derive(Debug)]
pub(super) struct OpenRuntime {
    engine: Runtime,
    last_id: AtomicU64,
    tickets: Arc<Tickets>,
    /// The thread for results, until it is closed.
    results: Mutex<Option<ResultThread>>,
}

/// A thread, and what hangs up when it ends.
#[derive(Debug)]
struct ResultThread {
    thread: JoinHandle<()>,
    ended: Receiver<()>,
}

/// Requests in flight.
type Tickets = Mutex<HashMap<u64, Arc<Ticket>>>;

/// A database, or a transaction in one, and the runtime that it belongs to.
#[derive(Debug)]
pub(super) struct OpenDatabase {
    pub(super) runtime: i64,
    pub(super) engine: Arc<OpenRuntime>,
    pub(super) session: Arc<Session>,
    /// For a transaction: what its statements run in.
    pub(super) transaction: Option<Transaction>,
}

/// A request, and its result once it has ended.
#[derive(Debug)]
pub(super) struct Ticket {
    id: u64,
    /// Whose request it is, to cancel it.
    engine: Arc<OpenRuntime>,
    completion: OnceLock<Completion>,
    waiting: Mutex<Waiting>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    ended: bool,
    listener: Option<Listener>,
}

/// Whom to call when a request has ended.
#[derive(Debug)]
pub(super) struct Listener {
    pub(super) callback: extern "C" fn(*mut c_void, TickwellRequest),
    pub(super) context: *mut c_void,
    pub(super) request: TickwellRequest,
}

// SAFETY: the pointer is never followed here, only given back to its owner's callback, which the
// header says runs on another thread.
unsafe impl Send for Listener {}

impl Listener {
    /// A callback with what it is called with.
    pub(super) fn new(
        callback: TickwellCallback,
        context: *mut c_void,
        request: TickwellRequest,
    ) -> Option<Self> {
        callback.map(|callback| Self { callback, context, request })
    }

    fn call(self) {
        (self.callback)(self.context, self.request);
    }
}

impl OpenRuntime {
    /// A runtime and its thread for results.
    pub(super) fn open(mut config: RuntimeConfig) -> Result<Self> {
        config.thread_started = Some(lower_priority);
        let engine = Runtime::new(&config);
        let tickets = Arc::new(Tickets::default());
        let (alive, ended) = channel();
        let (queue, in_flight) = (engine.completions(), Arc::clone(&tickets));
        let thread = std::thread::Builder::new()
            .name("tickwell-results".to_owned())
            .spawn(move || take_results(&queue, &in_flight, &alive))
            .map_err(|cause| {
                let message = "a thread cannot be started; raise the limit of processes";
                Error::new(ErrorKind::Io, "open", message).caused_by(cause)
            })?;
        let results = Mutex::new(Some(ResultThread { thread, ended }));
        Ok(Self { engine, last_id: AtomicU64::new(0), tickets, results })
    }

    /// A number for a request.
    fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The engine behind it.
    pub(super) const fn engine(&self) -> &Runtime {
        &self.engine
    }

    /// Closes it: accepted requests end within the limit, or as cancelled, and so do their callbacks.
    ///
    /// # Errors
    /// It is closed all the same: `Timeout` naming what was not written, by table, and what still runs.
    pub(super) fn close(&self, limit: Duration) -> Result<()> {
        let started = Instant::now();
        let mut left = self.engine.close(limit);
        let results = lock(&self.results).take();
        if let Some(ResultThread { thread, ended }) = results {
            // It ends after the last result; it sends nothing, it only hangs up.
            let rest = limit.saturating_sub(started.elapsed()).saturating_add(CALLBACK_GRACE);
            if ended.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
                left.push(("callbacks".to_owned(), "one has not returned".to_owned()));
            } else {
                // No more of our code runs on it afterwards, not even its end. It does not panic.
                let _ = thread.join();
            }
        }
        nothing_left(&left)
    }
}

/// Hands results to their tickets until the runtime is closed and the last was taken.
fn take_results(queue: &Completions, in_flight: &Tickets, _alive: &Sender<()>) {
    TAKES_RESULTS.set(true);
    lower_priority();
    while let Some(events) = queue.take(MAX_RESULTS, Duration::MAX) {
        for event in events {
            let Event::Result(completion) = event else { continue };
            if let Some(ticket) = lock(in_flight).remove(&completion.request_id) {
                ticket.end(*completion);
            }
        }
    }
}

/// Refuses to block the thread for results, which everything would wait for.
pub(super) fn may_block(operation: &'static str) -> Result<()> {
    if TAKES_RESULTS.get() {
        let message =
            "a callback must not wait: every other result waits for it; use another thread";
        return Err(Error::new(ErrorKind::WrongThread, operation, message));
    }
    Ok(())
}

/// What closing tells of what it left.
pub(super) fn nothing_left(left: &Pairs) -> Result<()> {
    if left.is_empty() {
        return Ok(());
    }
    let left: Vec<String> = left.iter().map(|(what, how)| format!("{what}: {how}")).collect();
    let message = format!("closed, and not everything ended in time: {}", left.join("; "));
    Err(Error::new(ErrorKind::Timeout, "close", message).effect_is(Effect::Unknown))
}

impl OpenDatabase {
    /// Submits a request; its ticket ends with it. In a transaction it runs here and now.
    ///
    /// # Errors
    /// Nothing was accepted then; see [`Session::submit`]. In a transaction the request's own.
    pub(super) fn submit(
        &self,
        deadline_millis: u32,
        statement: Statement,
        page: Option<Page>,
    ) -> Result<Arc<Ticket>> {
        let engine = &self.engine;
        let ticket = Arc::new(Ticket {
            id: engine.next_id(),
            engine: Arc::clone(engine),
            completion: OnceLock::new(),
            waiting: Mutex::default(),
            ended: Condvar::new(),
        });
        let submission = Submission {
            request_id: ticket.id,
            header: RequestHeader { deadline_millis, ..RequestHeader::default() },
            statement_bytes: statement_bytes(&statement),
            statement,
            page,
        };
        if let Some(transaction) = &self.transaction {
            may_block(submission.statement.kind().name())?;
            ticket.end(transaction.execute(submission));
            ticket.outcome()?;
            return Ok(ticket);
        }
        lock(&engine.tickets).insert(ticket.id, Arc::clone(&ticket));
        if let Err(error) = self.session.submit(submission, false) {
            lock(&engine.tickets).remove(&ticket.id);
            return Err(error);
        }
        Ok(ticket)
    }

    /// Begins a transaction; blocks until its turn has come.
    ///
    /// # Errors
    /// See [`Session::begin`]; `InvalidArgument` in a transaction.
    pub(super) fn begin(
        &self,
        name: String,
        wait: Option<Duration>,
        limits: TransactionLimits,
    ) -> Result<Self> {
        self.not_in_transaction("begin", "a transaction cannot be begun in another one")?;
        let transaction = self.session.begin(self.engine.next_id(), name, wait, limits)?;
        Ok(Self {
            runtime: self.runtime,
            engine: Arc::clone(&self.engine),
            session: Arc::clone(&self.session),
            transaction: Some(transaction),
        })
    }

    /// Refuses what is for the database itself.
    ///
    /// # Errors
    /// `InvalidArgument` in a transaction.
    pub(super) fn not_in_transaction(
        &self,
        operation: &'static str,
        message: &'static str,
    ) -> Result<()> {
        match self.transaction {
            None => Ok(()),
            Some(_) => Err(Error::new(ErrorKind::InvalidArgument, operation, message)),
        }
    }
}

/// About how much memory a statement takes.
fn statement_bytes(statement: &Statement) -> usize {
    let of_names = |names: &[String]| -> usize {
        names.iter().map(|name| name.len() + size_of::<String>()).sum()
    };
    match statement {
        Statement::RawQuery { sql } | Statement::RawUpdate { sql } => sql.len(),
        Statement::Insert { columns, .. } | Statement::Select { columns, .. } => of_names(columns),
        Statement::Register(definition) => definition.columns().len() * 128,
        _ => 0,
    }
}

impl Ticket {
    /// Waits until it has ended, `limit` at most; gives whether it has.
    pub(super) fn wait(&self, limit: Duration) -> bool {
        let waiting = lock(&self.waiting);
        let left = self.ended.wait_timeout_while(waiting, limit, |waiting| !waiting.ended);
        left.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.completion.get().is_some()
    }

    /// Its result; `None` until it has ended.
    ///
    /// # Errors
    /// The request's own.
    pub(super) fn outcome(&self) -> Result<Option<&Outcome>> {
        match self.completion.get().map(|completion| &completion.outcome) {
            None => Ok(None),
            Some(Ok(outcome)) => Ok(Some(outcome)),
            Some(Err(error)) => Err(error.duplicate()),
        }
    }

    /// Has the listener called when it has ended: by the runtime's thread, or here and now when it has
    /// already. Gives false when there is one.
    pub(super) fn listen(&self, listener: Listener) -> bool {
        let mut waiting = lock(&self.waiting);
        if waiting.listener.is_some() {
            return false;
        }
        if waiting.ended {
            drop(waiting);
            listener.call();
        } else {
            waiting.listener = Some(listener);
        }
        true
    }

    /// Cancels it; gives whether it will end as cancelled.
    pub(super) fn cancel(&self) -> bool {
        self.engine.engine.cancel(self.id)
    }

    fn end(&self, completion: Completion) {
        // Set once: a ticket leaves the requests in flight with it.
        let _first = self.completion.set(completion);
        let listener = {
            let mut waiting = lock(&self.waiting);
            waiting.ended = true;
            waiting.listener.take()
        };
        self.ended.notify_all();
        if let Some(listener) = listener {
            listener.call();
        }
    }
}

/// The runtime with this handle.
pub(super) fn runtime(handle: i64) -> Result<Arc<OpenRuntime>> {
    let look = |object: &Object| match object {
        Object::Runtime(runtime) => Some(Arc::clone(runtime)),
        _ => None,
    };
    OBJECTS.with(handle, look).flatten().ok_or_else(|| invalid("runtime", handle))
}

/// The database with this handle.
pub(super) fn database(handle: i64) -> Result<Arc<OpenDatabase>> {
    let look = |object: &Object| match object {
        Object::Database(database) => Some(Arc::clone(database)),
        _ => None,
    };
    OBJECTS.with(handle, look).flatten().ok_or_else(|| invalid("database", handle))
}

/// The ticket with this handle.
pub(super) fn ticket(handle: i64) -> Result<Arc<Ticket>> {
    with_ticket(handle, |ticket| Ok(Arc::clone(ticket)))
}

/// Looks at the ticket with this handle without counting a reference: for what is asked for each value.
pub(super) fn with_ticket<R>(
    handle: i64,
    look: impl FnOnce(&Arc<Ticket>) -> Result<R>,
) -> Result<R> {
    let look = |object: &Object| match object {
        Object::Request(ticket) => Some(look(ticket)),
        _ => None,
    };
    OBJECTS.with(handle, look).flatten().unwrap_or_else(|| Err(invalid("request", handle)))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic runs under these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
