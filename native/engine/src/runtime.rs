//! Everything that is open: databases, tick lanes, owners (plugins), the completion queue and the
//! caps on bytes in flight; and the order in which it closes. One for each load of the library; any
//! thread. It starts no threads itself: sessions have theirs.

mod bytes;
mod completion;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use bytes::{BytesInFlight, Reservation};
pub use completion::{Completion, Completions, Event, Timings};

use crate::backend::Backend;
use crate::error::{Error, ErrorKind, Result};
use crate::page::Page;
use crate::pairs::{Pairs, Settings};
use crate::session::{
    CloseReport, Session, SessionConfig, SessionEnvironment, StreamOptions, Submission,
    Transaction, TransactionLimits,
};
use crate::statement::decode_request;
use crate::tick::{Lane, MonotonicClock, REQUEST_ID_LIMIT, StepKind, TickEnd};

/// The default cap on bytes in flight, for reads and for writes each.
const DEFAULT_BYTES_IN_FLIGHT: usize = 64 << 20;

/// One tick thread's lane on the machine's clock.
pub type ServerLane = Lane<MonotonicClock>;

/// The settings of a runtime.
#[derive(Debug, Clone)]
pub struct RuntimeConfig {
    /// The cap on bytes in flight of reads.
    pub read_bytes: usize,
    /// The cap on bytes in flight of writes.
    pub write_bytes: usize,
    /// Whether phases are recorded.
    pub recording: bool,
    /// Called by each worker thread as it starts, for example to lower its priority.
    pub thread_started: Option<fn()>,
}

impl RuntimeConfig {
    /// Reads settings.
    ///
    /// # Errors
    /// `InvalidConfig` naming the setting.
    pub fn from_settings(mut settings: Settings) -> Result<Self> {
        let range = 1 << 20..=usize::MAX / 4;
        let config = Self {
            read_bytes: settings.take_in(
                "read-bytes-in-flight",
                DEFAULT_BYTES_IN_FLIGHT,
                range.clone(),
            )?,
            write_bytes: settings.take_in(
                "write-bytes-in-flight",
                DEFAULT_BYTES_IN_FLIGHT,
                range,
            )?,
            recording: settings.take_in("recording", true, false..=true)?,
            thread_started: None,
        };
        settings.finish()?;
        Ok(config)
    }
}

impl Default for RuntimeConfig {
    fn default() -> Self {
        Self {
            read_bytes: DEFAULT_BYTES_IN_FLIGHT,
            write_bytes: DEFAULT_BYTES_IN_FLIGHT,
            recording: true,
            thread_started: None,
        }
    }
}

/// Everything that is open.
#[derive(Debug)]
pub struct Runtime {
    environment: SessionEnvironment,
    closed: AtomicBool,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    sessions: Vec<Arc<Session>>,
    lanes: Vec<Arc<ServerLane>>,
    owners: HashMap<i32, String>,
    last_owner: i32,
}

impl Runtime {
    /// A runtime with nothing open in it.
    #[must_use]
    pub fn new(config: &RuntimeConfig) -> Self {
        let environment = SessionEnvironment {
            completions: Arc::new(Completions::default()),
            read_bytes: BytesInFlight::new("read", config.read_bytes),
            write_bytes: BytesInFlight::new("write", config.write_bytes),
            recording: config.recording,
            thread_started: config.thread_started,
        };
        Self { environment, closed: AtomicBool::new(false), open: Mutex::new(Open::default()) }
    }

    /// Opens a database. Its backend connects with the first request.
    ///
    /// # Errors
    /// `InvalidConfig` when one of this name is open, `Closed`, or what [`Session::open`] says.
    pub fn open_database(
        &self,
        backend: Box<dyn Backend>,
        config: SessionConfig,
    ) -> Result<Arc<Session>> {
        let mut open = self.open("open")?;
        if open.sessions.iter().any(|session| session.name() == config.name) {
            let message = "a database of this name is open; close it first or use another name";
            return Err(
                Error::new(ErrorKind::InvalidConfig, "open", message).with("database", config.name)
            );
        }
        let session = Arc::new(Session::open(backend, config, self.environment.clone())?);
        open.sessions.push(Arc::clone(&session));
        Ok(session)
    }

    /// Closes a database: its accepted requests end within `limit`. Gives what was not written, as
    /// [`Runtime::close`] does.
    pub fn close_database(&self, session: &Arc<Session>, limit: Duration) -> Pairs {
        let report = session.close(limit);
        self.entries().sessions.retain(|other| !Arc::ptr_eq(other, session));
        let mut pairs = Pairs::new();
        tell(session.name(), report, &mut pairs);
        pairs
    }

    /// Gives a plugin its number, at least 1 and never given twice.
    ///
    /// # Errors
    /// `Closed`.
    pub fn open_owner(&self, name: String) -> Result<i32> {
        let mut open = self.open("open owner")?;
        let number = open.last_owner.checked_add(1).ok_or_else(|| {
            Error::new(ErrorKind::Internal, "open owner", "the owner numbers are used up")
        })?;
        open.last_owner = number;
        open.owners.insert(number, name);
        Ok(number)
    }

    /// Forgets a plugin and drops its queued tick work; its requests go on.
    pub fn close_owner(&self, owner: i32) {
        let mut open = self.entries();
        open.owners.remove(&owner);
        for lane in &open.lanes {
            lane.close_owner(owner);
        }
    }

    /// Accepts a request in the bytes of the boundary; see [`Session::submit`].
    ///
    /// # Errors
    /// Nothing was accepted then.
    pub fn submit(
        &self,
        session: &Session,
        request_id: u64,
        owner: i32,
        request: &[u8],
        page: Option<Vec<u8>>,
        offer: bool,
    ) -> Result<bool> {
        check_id("submit", request_id)?;
        if !self.entries().owners.contains_key(&owner) {
            return Err(unknown_owner("submit", owner));
        }
        session.submit(read_submission(request_id, request, page)?, offer)
    }

    /// Accepts a stream in the bytes of the boundary; see [`Session::stream`].
    ///
    /// # Errors
    /// Nothing was accepted then.
    pub fn stream(
        &self,
        session: &Session,
        request_id: u64,
        owner: i32,
        request: &[u8],
        page: Option<Vec<u8>>,
        options: StreamOptions,
    ) -> Result<()> {
        check_id("stream", request_id)?;
        if !self.entries().owners.contains_key(&owner) {
            return Err(unknown_owner("stream", owner));
        }
        session.stream(read_submission(request_id, request, page)?, options)
    }

    /// Tells a stream of any database that its consumer takes this many more pages; nothing when it
    /// has ended.
    pub fn credit(&self, request_id: u64, pages: u32) {
        let sessions = self.entries().sessions.clone();
        for session in sessions {
            session.credit(request_id, pages);
        }
    }

    /// Begins a transaction of an owner, whose name statistics show; see [`Session::begin`].
    ///
    /// # Errors
    /// As there; `InvalidHandle` for an owner that is not open.
    pub fn begin(
        &self,
        session: &Session,
        request_id: u64,
        owner: i32,
        wait: Option<Duration>,
        limits: TransactionLimits,
    ) -> Result<Transaction> {
        check_id("begin", request_id)?;
        let name = self.entries().owners.get(&owner).cloned();
        let name = name.ok_or_else(|| unknown_owner("begin", owner))?;
        session.begin(request_id, name, wait, limits)
    }

    /// Cancels a request of any database; true when it will end as cancelled.
    #[must_use]
    pub fn cancel(&self, request_id: u64) -> bool {
        let sessions = self.entries().sessions.clone();
        sessions.iter().find_map(|session| session.cancel(request_id)).unwrap_or(false)
    }

    /// Takes completions; see [`Completions::take`].
    #[must_use]
    pub fn take_completions(&self, max: usize, timeout: Duration) -> Option<Vec<Event>> {
        self.environment.completions.take(max, timeout)
    }

    /// Opens a lane for a tick thread.
    ///
    /// # Errors
    /// `Closed`.
    pub fn open_lane(&self) -> Result<Arc<ServerLane>> {
        let mut open = self.open("open lane")?;
        let lane = Arc::new(Lane::new(MonotonicClock));
        open.lanes.push(Arc::clone(&lane));
        Ok(lane)
    }

    /// Closes a lane and drops what is queued in it.
    pub fn close_lane(&self, lane: &Arc<ServerLane>) {
        lane.close();
        self.entries().lanes.retain(|other| !Arc::ptr_eq(other, lane));
    }

    /// Where the tick records of a lane go; see [`Lane::tick_end`].
    #[must_use]
    pub fn completions(&self) -> Arc<Completions> {
        Arc::clone(&self.environment.completions)
    }

    /// Counts, queue lengths, bytes in flight and phases, as names and values.
    #[must_use]
    pub fn statistics(&self) -> Pairs {
        let mut pairs = Pairs::new();
        let open = self.entries();
        let environment = &self.environment;
        let mut put = |name: String, value: u64| pairs.push((name, value.to_string()));
        put("completions".to_owned(), environment.completions.len() as u64);
        put("bytes.reads".to_owned(), environment.read_bytes.used() as u64);
        put("bytes.writes".to_owned(), environment.write_bytes.used() as u64);
        put("databases".to_owned(), open.sessions.len() as u64);
        put("owners".to_owned(), open.owners.len() as u64);
        put("lanes".to_owned(), open.lanes.len() as u64);
        for (index, lane) in open.lanes.iter().enumerate() {
            let statistics = lane.statistics();
            put(format!("lane.{index}.queued"), statistics.queued as u64);
            put(format!("lane.{index}.ticks"), statistics.ticks);
            put(format!("lane.{index}.steps"), statistics.steps);
            put(format!("lane.{index}.busy"), statistics.busy);
            put(format!("lane.{index}.largest-tick"), statistics.largest_tick);
            for (kind, largest) in StepKind::ALL.iter().zip(statistics.largest_step) {
                put(format!("lane.{index}.largest-{}", kind.name()), largest);
            }
        }
        let sessions = open.sessions.clone();
        drop(open);
        for session in sessions {
            session.report(&mut pairs);
        }
        pairs
    }

    /// Closes everything, databases side by side, each within `limit`: afterwards the completion
    /// queue holds every result that is still to be taken, and then says that it is closed. Gives
    /// what was not written as `<database>/<table>` with `<n> writes, <n> rows`, and threads that
    /// did not end as `<database>/threads`. A second call gives nothing.
    #[must_use]
    pub fn close(&self, limit: Duration) -> Pairs {
        if self.closed.swap(true, Ordering::AcqRel) {
            return Pairs::new();
        }
        let (sessions, lanes) = {
            let mut open = self.entries();
            open.owners.clear();
            (std::mem::take(&mut open.sessions), std::mem::take(&mut open.lanes))
        };
        for lane in lanes {
            lane.close();
        }
        let reports = Mutex::new(Vec::new());
        let close = |session: &Session| {
            let report = session.close(limit);
            let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
            reports.push((session.name().to_owned(), report));
        };
        std::thread::scope(|scope| {
            let close = &close;
            for session in &sessions {
                let spawned = std::thread::Builder::new()
                    .name("tickwell-close".to_owned())
                    .spawn_scoped(scope, move || close(session));
                if spawned.is_err() {
                    close(session);
                }
            }
        });
        self.environment.completions.close();

        let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
        reports.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut pairs = Pairs::new();
        for (name, report) in reports {
            tell(&name, report, &mut pairs);
        }
        pairs
    }

    /// The books, unless it is closed.
    fn open(&self, operation: &'static str) -> Result<MutexGuard<'_, Open>> {
        let open = self.entries();
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::new(ErrorKind::Closed, operation, "the engine is closed"));
        }
        Ok(open)
    }

    fn entries(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in the bytes of the boundary.
///
/// # Errors
/// `InvalidStatement` or `InvalidPage`.
pub fn read_submission(
    request_id: u64,
    request: &[u8],
    page: Option<Vec<u8>>,
) -> Result<Submission> {
    let (header, statement) = decode_request(request)?;
    let page = page.map(Page::parse).transpose()?;
    Ok(Submission { request_id, header, statement, statement_bytes: request.len(), page })
}

fn check_id(operation: &'static str, request_id: u64) -> Result<()> {
    if (1..REQUEST_ID_LIMIT).contains(&request_id) {
        return Ok(());
    }
    let message = "a request id is from 1 to 2^48 - 1";
    Err(Error::new(ErrorKind::InvalidStatement, operation, message).with("request", request_id))
}

fn unknown_owner(operation: &'static str, owner: i32) -> Error {
    let message = "this owner is not open; the plugin was disabled or never opened one";
    Error::new(ErrorKind::InvalidHandle, operation, message).with("owner", owner)
}

/// Appends what a database did not write, by its table, and the threads that it left.
fn tell(database: &str, report: CloseReport, pairs: &mut Pairs) {
    for (table, unwritten) in report.unwritten {
        let text = format!("{} writes, {} rows", unwritten.writes, unwritten.rows);
        pairs.push((format!("{database}/{table}"), text));
    }
    if report.threads_left > 0 {
        pairs.push((format!("{database}/threads"), report.threads_left.to_string()));
    }
}

/// Ends a lane's tick and hands the records to the completion queue; gives the step that the slack
/// allows.
pub fn end_tick(
    lane: &ServerLane,
    completions: &Completions,
    slack: u64,
) -> Option<crate::tick::Step> {
    let TickEnd { step, records } = lane.tick_end(slack);
    completions.push_records(records);
    step
}
