//! One open database: accepts requests, keeps their order, and owns its connections, one to write and
//! some to read, with a thread for each. Any thread submits and cancels. Results go to the runtime's
//! completion queue, exactly one for each accepted request. A thread that submits can offer to execute
//! what it has submitted, which saves waking another one; it then gets the results itself.
//!
//! Order: writes are committed in the order of submission. A read sees every write to its table,
//! and every raw update, that was submitted before it; a raw query sees all earlier writes. Writes
//! that queued up while the writer was busy share its next transaction, each behind a savepoint.
//! Unordered requests wait for registrations alone, and nothing waits for them.

mod link;
mod state;
mod stream;
mod transaction;
mod worker;

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use link::Link;
pub use state::Unwritten;
use state::{Job, Place, Registration, State, Turn, table_name};
pub use stream::StreamOptions;
use transaction::{Holder, TRANSACTIONS};
pub use transaction::{Transaction, TransactionLimits};

use crate::backend::{
    Backend, BackupProgress, Control, Counters, Outcome, Request, ResultLimits, Role,
};
use crate::error::{Effect, Error, ErrorKind, Result};
use crate::page::{MAX_PAGE_BYTES, Page};
use crate::pairs::{Pairs, Settings};
use crate::phase::Recorder;
use crate::plan::plan;
use crate::runtime::{BytesInFlight, Completion, Completions, Timings};
use crate::schema::TableDefinition;
use crate::statement::placeholder::{Dialect, resolve_tables};
use crate::statement::{RequestHeader, Statement};
use crate::sync::thread::{self, JoinHandle};
use crate::sync::{Condvar, Mutex, MutexGuard};
use crate::tick::now_nanos;
use crate::validate::validate;

/// What a queued request takes beside its bytes: its entries in queues and maps.
const JOB_BYTES: usize = 512;

/// How long closing waits, past its limit, for workers that were asked to stop.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// The most characters of a database's name: it is part of thread and statistic names.
const MAX_NAME_CHARS: usize = 32;

/// The settings of a session.
#[derive(Debug, Clone)]
pub struct SessionConfig {
    /// The name under which the configuration knows the database.
    pub name: String,
    /// Reader threads, at least 1.
    pub readers: usize,
    /// The deadline of a request that brings none.
    pub statement_deadline: Duration,
    /// The limits of a transaction that brings none.
    pub transaction_limits: TransactionLimits,
    /// The limits of one result.
    pub result_limits: ResultLimits,
}

impl SessionConfig {
    /// Takes a session's settings; the backend's stay.
    ///
    /// # Errors
    /// `InvalidConfig` naming the setting.
    pub fn from_settings(settings: &mut Settings) -> Result<Self> {
        let name = settings.require("name")?;
        let characters = name.chars().count();
        if characters == 0 || characters > MAX_NAME_CHARS || name.chars().any(char::is_control) {
            return Err(Error::new(
                ErrorKind::InvalidConfig,
                "open",
                format!("a database's name has 1 to {MAX_NAME_CHARS} printable characters"),
            )
            .with("name", name.escape_debug()));
        }
        let mut millis = |setting, default| {
            let millis = settings.take_in(setting, default, 1..=u32::MAX)?;
            Ok(Duration::from_millis(u64::from(millis)))
        };
        let statement_deadline = millis("statement-deadline-millis", 30_000)?;
        let transaction_limits = TransactionLimits {
            total: millis("transaction-limit-millis", 30_000)?,
            idle: millis("transaction-idle-millis", 5_000)?,
        };
        Ok(Self {
            name,
            readers: settings.take_in("readers", 2, 1..=64)?,
            statement_deadline,
            transaction_limits,
            result_limits: ResultLimits {
                max_rows: settings.take_in("max-result-rows", 5_000, 1..=10_000_000)?,
                max_bytes: settings.take_in(
                    "max-result-bytes",
                    16 << 20,
                    1_024..=MAX_PAGE_BYTES,
                )?,
            },
        })
    }
}

/// What a session needs of its runtime.
#[derive(Debug, Clone)]
pub struct SessionEnvironment {
    /// Where results go.
    pub completions: Arc<Completions>,
    /// Bytes in flight of reads.
    pub read_bytes: Arc<BytesInFlight>,
    /// Bytes in flight of writes.
    pub write_bytes: Arc<BytesInFlight>,
    /// Whether phases are recorded.
    pub recording: bool,
    /// Called by each worker thread as it starts, for example to lower its priority.
    pub thread_started: Option<fn()>,
}

/// A request as its caller hands it in.
#[derive(Debug)]
pub struct Submission {
    /// The caller's id; unique among the requests in flight.
    pub request_id: u64,
    /// What it says beside its statement.
    pub header: RequestHeader,
    /// What to do.
    pub statement: Statement,
    /// About how many bytes the statement takes, such as its encoded length.
    pub statement_bytes: usize,
    /// Rows to insert, or one row of parameters.
    pub page: Option<Page>,
}

/// What closing left.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CloseReport {
    /// Writes that were accepted and not stored, by table.
    pub unwritten: Vec<(String, Unwritten)>,
    /// Worker threads that did not end in time; 0 means that the library may be unloaded.
    pub threads_left: usize,
}

/// One open database.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    config: SessionConfig,
    environment: SessionEnvironment,
    backend: Arc<dyn Backend>,
    recorder: Recorder,
    /// Held while the database is copied.
    backing_up: Mutex<()>,
    backup: BackupProgress,
    state: Mutex<State>,
    /// A write was queued, or the threads shall end.
    write_queued: Condvar,
    /// A read became ready, the earliest deadline changed, or the threads shall end.
    read_queued: Condvar,
    /// A stream became ready, or the threads shall end.
    stream_queued: Condvar,
    /// Whether a connection to write was made before; see [`Link`].
    prepared: Arc<Mutex<bool>>,
    /// Closing waits for this: a request or a thread ended.
    ended: Condvar,
    /// A transaction waits for this: its turn may have come, or it was taken out.
    turn_came: Condvar,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("config", &self.config).finish_non_exhaustive()
    }
}

/// How the registration of a table is found.
type FindTable = fn(&State, &'static str, &str) -> Result<Arc<Registration>>;

/// How a thread takes what it runs next.
type TakeTurn = fn(&mut State) -> Option<Turn>;

/// Puts physical tables in the place of the names in raw SQL.
fn resolve_names(
    mut statement: Statement,
    tables: &[(String, String)],
    dialect: &Dialect,
) -> Result<Statement> {
    let operation = statement.kind().name();
    if let Statement::RawQuery { sql } | Statement::RawUpdate { sql } = &mut statement
        && let Cow::Owned(resolved) = resolve_tables(operation, sql, tables, dialect)?
    {
        *sql = resolved;
    }
    Ok(statement)
}

/// A job that ended, with its result.
struct Ended {
    job: Job,
    result: Result<Outcome>,
    timings: Timings,
    counters: Counters,
}

impl Session {
    /// Opens a session and starts its threads. Nothing is connected until the first request.
    ///
    /// # Errors
    /// `Io` when a thread cannot be started.
    pub fn open(
        backend: Box<dyn Backend>,
        config: SessionConfig,
        environment: SessionEnvironment,
    ) -> Result<Self> {
        let readers = config.readers.max(1);
        let recorder = Recorder::new(environment.recording);
        let backend: Arc<dyn Backend> = Arc::from(backend);
        let prepared = Arc::new(Mutex::new(false));
        let mut state = State::default();
        state.give_back(Link::new(&backend, Role::Writer, &prepared));
        for _ in 0..readers {
            state.give_back(Link::new(&backend, Role::Reader, &prepared));
        }
        let shared = Arc::new(Shared {
            config,
            environment,
            backend,
            recorder,
            backing_up: Mutex::new(()),
            backup: BackupProgress::default(),
            state: Mutex::new(state),
            write_queued: Condvar::new(),
            read_queued: Condvar::new(),
            stream_queued: Condvar::new(),
            prepared,
            ended: Condvar::new(),
            turn_came: Condvar::new(),
        });
        let streams = stream::threads(readers);
        let threads = Mutex::new(Vec::with_capacity(1 + readers + streams));
        let session = Self { shared, threads };
        let mut started = session.start_thread("writer".to_owned(), worker::run_writer);
        for index in 0..readers {
            started = started
                .and_then(|()| session.start_thread(format!("reader{index}"), worker::run_reader));
        }
        for index in 0..streams {
            started = started
                .and_then(|()| session.start_thread(format!("stream{index}"), stream::run_streams));
        }
        if let Err(error) = started {
            session.close(Duration::ZERO);
            return Err(error);
        }
        Ok(session)
    }

    fn start_thread(&self, role: String, run: fn(&Shared)) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let name = format!("tickwell-{}-{role}", self.shared.config.name);
        self.shared.state().threads += 1;
        let body = move || {
            let alive = Alive(&shared);
            if let Some(started) = shared.environment.thread_started {
                started();
            }
            run(&shared);
            drop(alive);
        };
        match thread::Builder::new().name(name.clone()).spawn(body) {
            Ok(thread) => {
                self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
                Ok(())
            }
            Err(cause) => {
                self.shared.state().threads -= 1;
                let message = "a thread cannot be started; raise the limit of processes";
                Err(Error::new(ErrorKind::Io, "open", message)
                    .with("thread", name)
                    .caused_by(cause))
            }
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.config.name
    }

    /// The limits of a transaction that brings none.
    #[must_use]
    pub fn transaction_limits(&self) -> TransactionLimits {
        self.shared.config.transaction_limits
    }

    /// Its phases.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.shared.recorder
    }

    /// The definition under which a table is registered.
    ///
    /// # Errors
    /// `UnknownTable`, or the error of its failed registration.
    pub fn table(&self, operation: &'static str, name: &str) -> Result<Arc<TableDefinition>> {
        let registration = self.shared.state().registration(operation, name)?;
        Ok(Arc::clone(&registration.definition))
    }

    /// Copies the database into the new file `to` while it is in use; one copy at a time. Blocks the
    /// calling thread; [`Session::report`] tells how far it is, and closing ends it.
    ///
    /// # Errors
    /// `Busy` while another copy runs, `Closed`, and those of [`Backend::backup`].
    pub fn backup(&self, to: &Path) -> Result<()> {
        let shared = &self.shared;
        let refused =
            |kind, message| Err(Error::new(kind, "backup", message).with("database", self.name()));
        let _running = match shared.backing_up.try_lock() {
            Ok(running) => running,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return refused(ErrorKind::Busy, "another copy of the database is being made");
            }
        };
        if shared.state().closing {
            return refused(ErrorKind::Closed, "the database is closing");
        }
        let copied = shared.backend.backup(to, &shared.backup);
        shared.backup.set(0, 0);
        copied
    }

    /// Accepts a request: checks all of it, reserves its bytes, and queues it. Never blocks on the
    /// database. With `offer` true means that the request can run at once and is left to the caller:
    /// no thread was woken for it, so [`Session::execute`] or [`Session::wake`] is to be called.
    ///
    /// # Errors
    /// Nothing was accepted then: what [`validate`] and planning refuse, `Busy`, `Closed`, or the
    /// error of the table's failed registration.
    pub fn submit(&self, submission: Submission, offer: bool) -> Result<bool> {
        self.enqueue(self.shared.prepare(submission, State::registration)?, offer)
    }

    fn enqueue(&self, job: Job, offer: bool) -> Result<bool> {
        let write = job.is_write();
        let stream = job.flow.is_some();
        let deadline = job.control.deadline();
        let mut state = self.shared.state();
        self.shared.check_accepting(&state, job.operation(), job.id)?;
        state.enqueue(job);
        let busy = state.is_executing();
        // While the writer works, an idle reader watches the deadlines of what waits for it.
        // So it does while streams wait for one another.
        let watch = (busy || stream) && state.first_deadline() == Some(deadline);
        let runs = if write { state.can_write() } else { state.can_read() };
        // With writes before it threads have been woken, and one of them may take it. Of reads each has a
        // connection, and somebody who comes.
        let left = offer
            && runs
            && !stream
            && if write { state.queued_writes() == 1 } else { state.has_readers() };
        if left && !write {
            state.leave_read();
        }
        drop(state);
        if left {
            return Ok(true);
        }
        if write && runs {
            self.shared.write_queued.notify_one();
        }
        if stream {
            self.shared.stream_queued.notify_one();
        }
        if watch || (!write && runs) {
            self.shared.read_queued.notify_one();
        }
        Ok(false)
    }

    /// Executes what is next, one read or the writes of one transaction, on the calling thread, and
    /// gives its results, which do not go to the completion queue. Empty when nothing can run now.
    /// Blocks as long as the database takes.
    pub fn execute(&self) -> Vec<Completion> {
        worker::run_once(&self.shared, State::take_turn)
    }

    /// The same for the next read alone.
    pub fn execute_read(&self) -> Vec<Completion> {
        worker::run_once(&self.shared, State::take_read)
    }

    /// Has the session's own threads execute what can run: a caller to which a request was left
    /// cannot do it.
    pub fn wake(&self) {
        let mut state = self.shared.state();
        state.caller_came();
        self.shared.pass_on(&state);
    }

    /// Cancels a request. `Some(true)`: it will end as cancelled. `Some(false)`: it is a write that
    /// has started, and ends as it ends. `None`: it is not in flight here.
    pub fn cancel(&self, request_id: u64) -> Option<bool> {
        let shared = &self.shared;
        let mut state = shared.state();
        match state.requests.get(&request_id)? {
            Place::Running { write: Some(_), .. } => Some(false),
            Place::Transaction(hold) => {
                let hold = Arc::clone(hold);
                let cancelled = shared.cancel_transaction(&mut state, &hold);
                Some(cancelled)
            }
            Place::Running { control, .. } => {
                control.cancel();
                let flow = state.flow(request_id);
                drop(state);
                if let Some(flow) = flow {
                    flow.wake();
                }
                shared.environment.read_bytes.wake();
                Some(true)
            }
            _ => {
                let job = state.remove_queued(request_id)?;
                let error = Error::new(
                    ErrorKind::Cancelled,
                    job.operation(),
                    "cancelled by its caller before it ran",
                );
                shared.complete(&mut state, unstarted(job, error));
                shared.promote(&mut state);
                Some(true)
            }
        }
    }

    /// Closes it: refuses new requests, lets the accepted ones end within `limit`, cancels the rest,
    /// and ends the threads. Every request has its completion in the queue when this returns. A
    /// second call reports nothing.
    pub fn close(&self, limit: Duration) -> CloseReport {
        let shared = &self.shared;
        let mut state = shared.state();
        if std::mem::replace(&mut state.closing, true) {
            return CloseReport::default();
        }
        shared.backup.stop();
        // Whoever was left something may find the database gone already.
        state.await_none();
        shared.pass_on(&state);
        state.flows().for_each(|flow| flow.close());
        let now = Instant::now();
        let flush_end = now.checked_add(limit).unwrap_or(now + Duration::from_secs(86_400));
        state = shared.wait_until(state, flush_end, |state| state.requests.is_empty());

        for id in state.queued_ids() {
            let Some(job) = state.remove_queued(id) else { continue };
            let error = Error::new(
                ErrorKind::Cancelled,
                job.operation(),
                "the database closed before it ran",
            );
            shared.complete(&mut state, unstarted(job, error));
        }
        let held = shared.close_transactions(&mut state);
        for place in state.requests.values() {
            if let Place::Running { control, .. } = place {
                control.cancel();
            }
        }
        state.stopped = true;
        drop(state);
        if let Some((link, hold)) = held {
            shared.roll_back(link, &hold);
        }
        shared.environment.read_bytes.wake();
        shared.turn_came.notify_all();
        shared.stream_queued.notify_all();
        shared.write_queued.notify_all();
        shared.read_queued.notify_all();

        let stop_end = flush_end.max(Instant::now()) + STOP_GRACE;
        let mut state = shared.wait_until(shared.state(), stop_end, |state| state.threads == 0);
        shared.abandon_running(&mut state);
        let threads_left = state.threads;
        let unwritten = std::mem::take(&mut state.unwritten).into_iter().collect();
        let links = state.take_links();
        drop(state);
        // The writer's last: the last connection of a file tidies up after all of them.
        links.into_iter().for_each(drop);
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        if threads_left == 0 {
            for thread in threads {
                // A worker's panic was caught and reported where it happened.
                let _ = thread.join();
            }
        }
        CloseReport { unwritten, threads_left }
    }

    /// Appends counts and phases, each name after the database's.
    pub fn report(&self, pairs: &mut Pairs) {
        let shared = &self.shared;
        let name = self.name();
        let state = shared.state();
        let (copied, to_copy) = shared.backup.bytes();
        let running = state.requests.len()
            - state.queued_writes()
            - state.queued_reads()
            - state.transactions.len();
        for (what, value) in [
            ("backend", shared.backend.name().to_owned()),
            ("version", shared.backend.version()),
            ("threads", state.threads.to_string()),
            ("idle-threads", state.idle_threads.to_string()),
            ("queued-writes", state.queued_writes().to_string()),
            ("queued-reads", state.queued_reads().to_string()),
            ("running", running.to_string()),
            ("streams", state.streaming.to_string()),
            ("transactions", state.committed.to_string()),
            ("writes", state.committed_writes.to_string()),
            ("backup.copied", copied.to_string()),
            ("backup.total", to_copy.to_string()),
        ] {
            pairs.push((format!("{name}.{what}"), value));
        }
        let waiting = state.transactions.len().to_string();
        pairs.push((format!("{name}.queued-transactions"), waiting));
        if let Some(holder) = &state.holder {
            pairs.push((format!("{name}.transaction"), holder.hold.name.clone()));
            let held = u64::try_from(holder.since.elapsed().as_nanos()).unwrap_or(u64::MAX);
            pairs.push((format!("{name}.transaction-held"), held.to_string()));
        }
        drop(state);
        shared.recorder.report(name, pairs);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close(Duration::ZERO);
    }
}

/// Counts a worker thread out, also when it unwinds.
struct Alive<'a>(&'a Shared);

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.threads -= 1;
        self.0.tell_ended(&state);
    }
}

/// A job that ends without having run.
fn unstarted(job: Job, error: Error) -> Ended {
    let timings =
        Timings { queue_wait: now_nanos().saturating_sub(job.submitted), ..Timings::default() };
    Ended { job, result: Err(error), timings, counters: Counters::default() }
}

/// Counts the writes of a turn that were stored. One that shared its transaction says so.
fn count_committed(state: &mut State, ended: &[Ended]) {
    let stored = || ended.iter().filter(|ended| ended.job.is_write() && ended.result.is_ok());
    let writes = stored().count() as u64;
    let alone = stored().filter(|ended| ended.timings.grouped_with == 0).count() as u64;
    state.committed += alone + u64::from(writes > alone);
    state.committed_writes += writes;
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic runs under this lock; if it did, the queues are still whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses what comes while it closes, and an id that is in flight.
    fn check_accepting(&self, state: &State, operation: &'static str, id: u64) -> Result<()> {
        if state.closing {
            let message = "the database is closing; it accepts nothing any more";
            return Err(Error::new(ErrorKind::Closed, operation, message)
                .with("database", &self.config.name));
        }
        if state.requests.contains_key(&id) {
            let message = "a request with this id is in flight already";
            return Err(
                Error::new(ErrorKind::InvalidStatement, operation, message).with("request", id)
            );
        }
        Ok(())
    }

    /// Checks all of a request and reserves its bytes.
    ///
    /// # Errors
    /// As [`Session::submit`].
    fn prepare(&self, submission: Submission, find: FindTable) -> Result<Job> {
        let Submission { request_id, header, statement, statement_bytes, page } = submission;
        let operation = statement.kind().name();
        header.check(&statement)?;
        let limits = self.backend.limits();
        let registration = match (&statement, statement.table()) {
            (Statement::Register(definition), _) => Some(Registration::new(definition.clone())),
            (_, Some(table)) => Some(find(&self.state(), operation, table)?),
            (_, None) => None,
        };
        let table = match &statement {
            Statement::Register(_) => None,
            _ => registration.as_ref().map(|registration| Arc::clone(&registration.definition)),
        };
        validate(&statement, table.as_deref(), page.as_ref(), limits)?;
        let statement = resolve_names(statement, &header.tables, &limits.dialect)?;
        let plan = plan(&statement, table.as_deref(), page.as_ref(), limits)?;
        let page_bytes = page.as_ref().map_or(0, |page| page.bytes().len());
        let bytes = JOB_BYTES.saturating_add(statement_bytes).saturating_add(page_bytes);
        let pool = if statement.is_write() {
            &self.environment.write_bytes
        } else {
            &self.environment.read_bytes
        };
        let reservation = pool.reserve(operation, bytes)?;
        let deadline = match header.deadline_millis {
            0 => self.config.statement_deadline,
            millis => Duration::from_millis(u64::from(millis)),
        };
        Ok(Job {
            id: request_id,
            request: Request {
                statement,
                table,
                page,
                plan,
                result_limits: self.config.result_limits,
            },
            control: Control::new(Instant::now() + deadline),
            unordered: header.unordered,
            independent: header.independent,
            submitted: now_nanos(),
            reservation,
            registration,
            flow: None,
        })
    }

    /// Waits until `done` or the deadline.
    fn wait_until<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        deadline: Instant,
        done: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        state.closers += 1;
        while !done(&state) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.closers -= 1;
        state
    }

    /// Tells those who close that something ended: telling nobody costs a system call too.
    fn tell_ended(&self, state: &State) {
        if state.closers > 0 {
            self.ended.notify_all();
        }
    }

    /// The next transaction of the session's own thread; `None` when it shall end.
    fn wait_for_writes(&self) -> Option<Turn> {
        let mut state = self.state();
        loop {
            self.expire(&mut state);
            if let Some((link, hold)) = state.take_overdue() {
                drop(state);
                self.roll_back(link, &hold);
                state = self.state();
                continue;
            }
            if let Some(turn) = state.take_writes() {
                self.watch(&state);
                return Some(turn);
            }
            if state.stopped {
                return None;
            }
            state.idle_threads += 1;
            state = match state.holder.as_ref().map(Holder::next_look) {
                Some(left) => {
                    let waited = self.write_queued.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.write_queued.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
            state.idle_threads -= 1;
        }
    }

    /// The next read of one of the session's own threads; `None` when it shall end.
    fn wait_for_read(&self) -> Option<Turn> {
        let mut state = self.state();
        loop {
            self.expire(&mut state);
            if let Some(turn) = state.take_read() {
                return Some(turn);
            }
            if state.stopped {
                return None;
            }
            state.idle_threads += 1;
            state = match state.first_deadline() {
                // Queued work of a busy writer, or reads behind it: it expires in time.
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    self.read_queued
                        .wait_timeout(state, left)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
                None => self.read_queued.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
            state.idle_threads -= 1;
        }
    }

    /// What a thread from outside can run now; it counts as a thread of the session meanwhile.
    fn enter(&self, take: TakeTurn) -> Option<(Turn, Alive<'_>)> {
        let mut state = self.state();
        state.caller_came();
        self.expire(&mut state);
        let turn = take(&mut state)?;
        state.threads += 1;
        self.watch(&state);
        // It may have taken an older one than it came for, which now waits for nobody else.
        self.pass_on(&state);
        Some((turn, Alive(self)))
    }

    /// Has an idle reader watch the deadlines of writes that wait for the ones that run now.
    fn watch(&self, state: &State) {
        if state.queued_writes() > 0 {
            self.read_queued.notify_one();
        }
    }

    /// Wakes threads for what can run and has nobody who takes it.
    fn pass_on(&self, state: &State) {
        if state.can_write() {
            self.write_queued.notify_one();
        }
        if state.has_spare_read() {
            self.read_queued.notify_one();
        }
    }

    /// Ends queued requests whose deadline has passed.
    fn expire(&self, state: &mut State) {
        let Some(first) = state.first_deadline() else { return };
        let now = Instant::now();
        if first > now {
            return;
        }
        while let Some(job) = state.pop_expired(now) {
            let message = "the deadline passed before it could run; the database is overloaded or stuck, or the deadline is too short";
            let error = Error::new(ErrorKind::Timeout, job.operation(), message);
            self.complete(state, unstarted(job, error));
        }
        self.promote(state);
    }

    /// Moves reads whose writes are settled on, and wakes readers for them.
    fn promote(&self, state: &mut State) {
        if state.promote() {
            self.read_queued.notify_all();
            self.stream_queued.notify_all();
        }
    }

    /// Ends the jobs of a turn in one step: their results are delivered, `free` gives back what they
    /// ran on, and the reads that waited for them may run.
    fn finish(
        &self,
        ended: Vec<Ended>,
        free: impl FnOnce(&mut State),
        deliver: impl FnOnce(Vec<Completion>),
    ) {
        // Pages are freed after the lock.
        let mut spent = Vec::with_capacity(ended.len());
        let mut completions = Vec::with_capacity(ended.len());
        let mut state = self.state();
        free(&mut state);
        count_committed(&mut state, &ended);
        for ended in ended {
            // Gone when closing gave up waiting for it and completed it.
            if state.requests.remove(&ended.job.id).is_some() {
                let (completion, request) = self.settle(&mut state, ended);
                completions.push(completion);
                spent.push(request);
            }
        }
        // Under the lock: when closing sees no request any more, all results have been delivered.
        deliver(completions);
        self.promote(&mut state);
        self.call_transactions(&state);
        self.tell_ended(&state);
    }

    /// Ends one job that was taken out of its queue without having run.
    fn complete(&self, state: &mut State, ended: Ended) {
        let (completion, _) = self.settle(state, ended);
        self.environment.completions.push(completion);
        self.call_transactions(state);
        self.tell_ended(state);
    }

    /// Turns an ended job into its completion, and keeps the books on registrations and on what
    /// closing leaves unwritten. Gives the request back so that it can be freed outside the lock.
    fn settle(&self, state: &mut State, ended: Ended) -> (Completion, Request) {
        let Ended { job, mut result, timings, counters } = ended;
        if !job.is_write() && job.control.is_cancelled() {
            let message = "cancelled by its caller";
            result = Err(Error::new(ErrorKind::Cancelled, job.operation(), message));
        }
        if job.is_write() && state.closing {
            let ended =
                |error: &Error| matches!(error.kind(), ErrorKind::Cancelled | ErrorKind::Timeout);
            let unwritten = match &result {
                Err(error) if ended(error) => job.rows(),
                Ok(Outcome::Parts(parts)) => {
                    let lost = parts.iter().filter(|part| part.stored.as_ref().is_err_and(ended));
                    lost.map(|part| part.rows as u64).sum()
                }
                _ => 0,
            };
            if unwritten > 0 {
                state.count_unwritten(table_name(&job.request.statement), unwritten);
            }
        }
        if let (Statement::Register(_), Some(registration)) =
            (&job.request.statement, &job.registration)
        {
            state.registered(registration, result.as_ref().err());
        }
        let Job { id, request, mut reservation, .. } = job;
        if let Some(bytes) = result.as_ref().ok().and_then(Outcome::bytes) {
            reservation.resize(bytes);
        }
        (Completion { request_id: id, outcome: result, timings, counters, reservation }, request)
    }

    /// Completes requests whose threads did not stop: their effect is unknown.
    fn abandon_running(&self, state: &mut State) {
        for (id, place) in std::mem::take(&mut state.requests) {
            if let Place::Transaction(_) = place {
                state.count_unwritten(TRANSACTIONS, 1);
            }
            let Place::Running { write, rows, .. } = place else { continue };
            let (pool, effect) = match &write {
                Some(table) => {
                    state.count_unwritten(table, rows);
                    (&self.environment.write_bytes, Effect::Unknown)
                }
                None => (&self.environment.read_bytes, Effect::None),
            };
            let message = "the database closed while it ran and did not stop in time";
            let error = Error::new(ErrorKind::Closed, "close", message).effect_is(effect);
            self.environment.completions.push(Completion {
                request_id: id,
                outcome: Err(error),
                timings: Timings::default(),
                counters: Counters::default(),
                reservation: pool.empty(),
            });
        }
    }
}
