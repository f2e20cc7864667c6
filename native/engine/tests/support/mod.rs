//! A runtime with one SQLite database behind a probe: a backend that counts what the session asks of
//! it, can hold writes and commits back, and can be told to fail or to panic.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tickwell_engine::backend::{
    Backend, Connection, Control, Counters, Limits, Outcome, PageSink, Request, ResultLimits, Role,
};
use tickwell_engine::error::{Effect, Error, ErrorKind, Result};
use tickwell_engine::page::{Page, PageBuilder, PageColumn};
use tickwell_engine::runtime::{Completion, Event, Runtime, RuntimeConfig};
use tickwell_engine::schema::{ColumnDefinition, TableDefinition};
use tickwell_engine::session::{
    Session, SessionConfig, StreamOptions, Submission, TransactionLimits,
};
use tickwell_engine::statement::{Comparison, Filter, InsertMode, RequestHeader, Statement};
use tickwell_engine::value::{ValueRef, ValueType};
use tickwell_sqlite::{SqliteBackend, SqliteConfig};

/// How long a test waits for what must come; only a failing test waits that long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A gate that holds threads back while it is shut, and tells that one arrived.
#[derive(Debug, Default)]
pub struct Gate {
    state: Mutex<(bool, usize)>,
    changed: Condvar,
}

impl Gate {
    pub fn shut(&self) {
        self.state.lock().unwrap().0 = true;
    }

    pub fn open(&self) {
        self.state.lock().unwrap().0 = false;
        self.changed.notify_all();
    }

    /// Waits until a thread stands before it.
    pub fn wait_for_arrival(&self) {
        let state = self.state.lock().unwrap();
        let waited = self.changed.wait_timeout_while(state, PATIENCE, |state| state.1 == 0);
        assert!(!waited.unwrap().1.timed_out(), "nobody came to the gate");
    }

    fn pass(&self, control: Option<&Control>) -> Result<()> {
        let mut state = self.state.lock().unwrap();
        state.1 += 1;
        self.changed.notify_all();
        let mut result = Ok(());
        while state.0 && result.is_ok() {
            state = self.changed.wait_timeout(state, Duration::from_millis(5)).unwrap().0;
            result = control.map_or(Ok(()), |control| control.check("gate"));
        }
        state.1 -= 1;
        result
    }
}

/// What the probe does at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Panic,
    /// A panic that panics again when what it throws is dropped, which no guard around the call sees.
    PanicTwice,
    Fail(ErrorKind, Effect),
}

#[derive(Debug, Default)]
pub struct Script {
    /// Before each execution on the writer.
    pub writes: Gate,
    /// After each execution on a reader.
    pub reads: Gate,
    /// Before each commit.
    pub commits: Gate,
    pub begun: AtomicU64,
    pub committed: AtomicU64,
    pub connects: AtomicUsize,
    /// Connections that are open.
    pub connected: AtomicUsize,
    /// Fault by call (`connect`, `execute`, `commit`, `drop`): at which call from now, which.
    faults: Mutex<HashMap<&'static str, (usize, Fault)>>,
}

impl Script {
    /// Makes the `nth` next call (from 0) of this name fail, once.
    pub fn fault(&self, call: &'static str, nth: usize, fault: Fault) {
        self.faults.lock().unwrap().insert(call, (nth, fault));
    }

    fn meet(&self, call: &'static str) -> Result<()> {
        let fault = {
            let mut faults = self.faults.lock().unwrap();
            match faults.get_mut(call) {
                Some((0, fault)) => {
                    let fault = *fault;
                    faults.remove(call);
                    fault
                }
                Some((left, _)) => {
                    *left -= 1;
                    return Ok(());
                }
                None => return Ok(()),
            }
        };
        match fault {
            Fault::Panic => panic!("the probe panics in {call}"),
            Fault::PanicTwice => std::panic::panic_any(PanicsInDrop),
            Fault::Fail(kind, effect) => {
                Err(Error::new(kind, "probe", format!("the probe fails {call}")).effect_is(effect))
            }
        }
    }
}

struct PanicsInDrop;

impl Drop for PanicsInDrop {
    fn drop(&mut self) {
        panic!("the probe's panic panics");
    }
}

struct Probe {
    inner: SqliteBackend,
    script: Arc<Script>,
}

impl Backend for Probe {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn version(&self) -> String {
        self.inner.version()
    }

    fn limits(&self) -> &Limits {
        self.inner.limits()
    }

    fn connect(&self, role: Role) -> Result<Box<dyn Connection>> {
        self.script.connects.fetch_add(1, Ordering::SeqCst);
        self.script.meet("connect")?;
        let inner = self.inner.connect(role)?;
        self.script.connected.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(ProbeConnection { inner, role, script: Arc::clone(&self.script) }))
    }
}

struct ProbeConnection {
    inner: Box<dyn Connection>,
    role: Role,
    script: Arc<Script>,
}

impl Connection for ProbeConnection {
    fn begin(&mut self, control: &Control) -> Result<()> {
        self.script.begun.fetch_add(1, Ordering::SeqCst);
        self.inner.begin(control)
    }

    fn commit(&mut self) -> Result<()> {
        self.script.commits.pass(None)?;
        self.script.meet("commit")?;
        self.inner.commit()?;
        self.script.committed.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.inner.rollback()
    }

    fn savepoint(&mut self) -> Result<()> {
        self.inner.savepoint()
    }

    fn release_savepoint(&mut self) -> Result<()> {
        self.inner.release_savepoint()
    }

    fn rollback_to_savepoint(&mut self) -> Result<()> {
        self.inner.rollback_to_savepoint()
    }

    fn execute(
        &mut self,
        request: &Request,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        if self.role == Role::Writer {
            self.script.writes.pass(Some(control))?;
        }
        self.script.meet("execute")?;
        let result = self.inner.execute(request, control, counters);
        if self.role == Role::Reader {
            self.script.reads.pass(None)?;
        }
        result
    }

    fn stream(
        &mut self,
        request: &Request,
        pages: &mut dyn PageSink,
        counters: &mut Counters,
    ) -> Result<u64> {
        self.script.meet("stream")?;
        self.inner.stream(request, pages, counters)
    }
}

impl Drop for ProbeConnection {
    fn drop(&mut self) {
        self.script.connected.fetch_sub(1, Ordering::SeqCst);
        if !std::thread::panicking() {
            self.script.meet("drop").unwrap();
        }
    }
}

/// The runtime, its database, and the results that came.
pub struct Fixture {
    pub runtime: Runtime,
    pub session: Arc<Session>,
    pub script: Arc<Script>,
    pub folder: Arc<TempDir>,
    next_id: AtomicU64,
    came: Mutex<HashMap<u64, Completion>>,
    pages: Mutex<HashMap<u64, VecDeque<Completion>>>,
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(RuntimeConfig::default(), None)
    }

    /// With a runtime's settings and, to open a database again, its folder.
    pub fn with(config: RuntimeConfig, folder: Option<Arc<TempDir>>) -> Self {
        let folder = folder.unwrap_or_else(|| Arc::new(tempfile::tempdir().unwrap()));
        let path = folder.path().join("test.db");
        Self::at(config, folder, &path)
    }

    pub fn at(config: RuntimeConfig, folder: Arc<TempDir>, path: &Path) -> Self {
        Self::with_readers(2, config, folder, path)
    }

    pub fn with_readers(
        readers: usize,
        config: RuntimeConfig,
        folder: Arc<TempDir>,
        path: &Path,
    ) -> Self {
        let sqlite =
            SqliteConfig::from_settings([("path", path.to_str().unwrap()), ("synchronous", "off")]);
        let script = Arc::new(Script::default());
        let inner = SqliteBackend::new(sqlite.unwrap());
        let probe = Probe { inner, script: Arc::clone(&script) };
        let runtime = Runtime::new(&config);
        let session = runtime
            .open_database(
                Box::new(probe),
                SessionConfig {
                    name: "main".to_owned(),
                    readers,
                    statement_deadline: PATIENCE,
                    transaction_limits: TransactionLimits { total: PATIENCE, idle: PATIENCE },
                    result_limits: ResultLimits { max_rows: 5_000, max_bytes: 16 << 20 },
                },
            )
            .unwrap();
        let next_id = AtomicU64::new(1);
        Self {
            runtime,
            session,
            script,
            folder,
            next_id,
            came: Mutex::default(),
            pages: Mutex::default(),
        }
    }

    /// With the table `t` registered.
    pub fn with_table() -> Self {
        let fixture = Self::new();
        fixture.register("t");
        fixture.wait_for_idle_threads();
        fixture
    }

    /// Waits until no thread of the session would take a request that is left to another.
    pub fn wait_for_idle_threads(&self) {
        let end = Instant::now() + PATIENCE;
        while self.statistic("main.idle-threads") != self.statistic("main.threads") {
            assert!(Instant::now() < end, "the session's threads do not come to rest");
            std::thread::yield_now();
        }
    }

    pub fn register(&self, table: &str) {
        let id = self.send(Statement::Register(definition(table)), None);
        self.take(id).outcome.unwrap();
    }

    pub fn try_send(
        &self,
        statement: Statement,
        page: Option<Page>,
        deadline_millis: u32,
    ) -> Result<u64> {
        self.submit(statement, page, deadline_millis, false).map(|(id, _)| id)
    }

    /// Offers to execute it; gives its id, and whether it was left to this thread.
    pub fn offer(&self, statement: Statement, page: Option<Page>) -> (u64, bool) {
        self.submit(statement, page, 0, true).unwrap()
    }

    fn submit(
        &self,
        statement: Statement,
        page: Option<Page>,
        deadline_millis: u32,
        offer: bool,
    ) -> Result<(u64, bool)> {
        let header = RequestHeader { deadline_millis, ..RequestHeader::default() };
        self.submit_as(header, statement, page, offer)
    }

    fn submit_as(
        &self,
        header: RequestHeader,
        statement: Statement,
        page: Option<Page>,
        offer: bool,
    ) -> Result<(u64, bool)> {
        let request_id = self.next_id.fetch_add(1, Ordering::SeqCst);
        let statement_bytes = 100;
        let submission = Submission { request_id, header, statement, statement_bytes, page };
        Ok((request_id, self.session.submit(submission, offer)?))
    }

    pub fn send(&self, statement: Statement, page: Option<Page>) -> u64 {
        self.try_send(statement, page, 0).unwrap()
    }

    /// With options beside the statement.
    #[allow(dead_code, reason = "not every test binary sends options")]
    pub fn send_as(&self, header: RequestHeader, statement: Statement, page: Option<Page>) -> u64 {
        self.submit_as(header, statement, page, false).unwrap().0
    }

    pub fn stream(&self, statement: Statement, options: StreamOptions) -> Result<u64> {
        self.stream_within(statement, options, 0)
    }

    pub fn stream_within(
        &self,
        statement: Statement,
        options: StreamOptions,
        deadline_millis: u32,
    ) -> Result<u64> {
        let request_id = self.next_id.fetch_add(1, Ordering::SeqCst);
        let header = RequestHeader { deadline_millis, ..RequestHeader::default() };
        let submission =
            Submission { request_id, header, statement, statement_bytes: 100, page: None };
        self.session.stream(submission, options).map(|()| request_id)
    }

    /// Waits for the next page of a stream.
    pub fn page(&self, id: u64) -> Completion {
        loop {
            let page = self.pages.lock().unwrap().get_mut(&id).and_then(VecDeque::pop_front);
            if let Some(page) = page {
                return page;
            }
            assert!(self.pump(PATIENCE), "no page for {id}");
            let ended = self.came.lock().unwrap().get(&id).map(|end| format!("{:?}", end.outcome));
            let none = self.pages.lock().unwrap().get(&id).is_none_or(VecDeque::is_empty);
            assert!(!none || ended.is_none(), "the stream ended: {ended:?}");
        }
    }

    /// Pages that came and were not asked for.
    pub fn pages_left(&self, id: u64) -> usize {
        self.pages.lock().unwrap().get(&id).map_or(0, VecDeque::len)
    }

    pub fn insert(&self, table: &str, id: i64) -> u64 {
        self.send(insert(table), Some(row(id, 7)))
    }

    pub fn select(&self, table: &str, id: i64) -> u64 {
        self.send(select(table), Some(key(id)))
    }

    pub fn raw_update(&self, sql: &str) -> u64 {
        self.send(Statement::RawUpdate { sql: sql.to_owned() }, None)
    }

    pub fn raw_query(&self, sql: &str) -> u64 {
        self.send(Statement::RawQuery { sql: sql.to_owned() }, None)
    }

    /// Rows of a table now.
    pub fn count(&self, table: &str) -> u64 {
        let id = self
            .send(Statement::Count { table: table.to_owned(), filter: None, exists: false }, None);
        affected(&self.take(id))
    }

    /// Waits for a request's completion.
    pub fn take(&self, id: u64) -> Completion {
        loop {
            if let Some(completion) = self.came.lock().unwrap().remove(&id) {
                return completion;
            }
            assert!(self.pump(PATIENCE), "no completion for {id}");
        }
    }

    /// Takes what is in the queue, waiting for the first; false when nothing came.
    pub fn pump(&self, timeout: Duration) -> bool {
        let events = self.runtime.take_completions(1_000, timeout).expect("the queue is open");
        let any = !events.is_empty();
        self.keep(events);
        any
    }

    /// Takes everything up to the queue's end, which needs a closed runtime; how many came in all.
    pub fn drain(&self) -> HashMap<u64, Completion> {
        while let Some(events) = self.runtime.take_completions(1_000, PATIENCE) {
            assert!(!events.is_empty(), "the queue is not closed");
            self.keep(events);
        }
        std::mem::take(&mut self.came.lock().unwrap())
    }

    fn keep(&self, events: Vec<Event>) {
        let mut came = self.came.lock().unwrap();
        for event in events {
            let completion = match event {
                Event::Result(completion) => completion,
                Event::Page(page) => {
                    let id = page.request_id;
                    assert!(!came.contains_key(&id), "a page of {id} after its end");
                    self.pages.lock().unwrap().entry(id).or_default().push_back(*page);
                    continue;
                }
                Event::Tick(_) => panic!("no lane is open"),
            };
            let id = completion.request_id;
            assert!(came.insert(id, *completion).is_none(), "two completions for {id}");
        }
    }

    /// A statistic as a number.
    pub fn statistic(&self, name: &str) -> u64 {
        let pairs = self.runtime.statistics();
        let found = pairs.iter().find(|(candidate, _)| candidate == name);
        found.unwrap_or_else(|| panic!("no statistic {name}")).1.parse().unwrap()
    }
}

pub fn definition(table: &str) -> TableDefinition {
    let column = |name: &str, value_type, nullable| ColumnDefinition {
        name: name.to_owned(),
        value_type,
        max_length: 0,
        nullable,
        auto_increment: false,
        default: None,
    };
    let columns = vec![column("id", ValueType::BigInt, false), column("v", ValueType::Int, true)];
    TableDefinition::new(table.to_owned(), columns, vec![0], Vec::new()).unwrap()
}

pub fn insert(table: &str) -> Statement {
    Statement::Insert {
        table: table.to_owned(),
        columns: vec!["id".to_owned(), "v".to_owned()],
        mode: InsertMode::Plain,
        return_keys: false,
    }
}

pub fn select(table: &str) -> Statement {
    Statement::Select {
        table: table.to_owned(),
        columns: vec!["id".to_owned(), "v".to_owned()],
        filter: Some(Filter::Compare {
            column: "id".to_owned(),
            comparison: Comparison::Eq,
            parameter: 0,
        }),
        order: Vec::new(),
        limit: None,
        offset: 0,
    }
}

pub fn rows(ids: impl IntoIterator<Item = i64>, v: i64) -> Page {
    let columns = vec![
        PageColumn { name: "id".to_owned(), value_type: ValueType::BigInt },
        PageColumn { name: "v".to_owned(), value_type: ValueType::Int },
    ];
    let limits = ResultLimits { max_rows: usize::MAX, max_bytes: usize::MAX };
    let mut builder = PageBuilder::new(columns, limits);
    for id in ids {
        builder.push(ValueRef::Integer(id)).unwrap();
        builder.push(ValueRef::Integer(v)).unwrap();
    }
    builder.finish().unwrap()
}

pub fn row(id: i64, v: i64) -> Page {
    rows([id], v)
}

pub fn key(id: i64) -> Page {
    let columns = vec![PageColumn { name: "id".to_owned(), value_type: ValueType::BigInt }];
    let mut builder = PageBuilder::new(columns, ResultLimits { max_rows: 1, max_bytes: 1 << 20 });
    builder.push(ValueRef::Integer(id)).unwrap();
    builder.finish().unwrap()
}

pub fn affected(completion: &Completion) -> u64 {
    match &completion.outcome {
        Ok(Outcome::Affected(Some(count))) => *count,
        other => panic!("no count but {other:?}"),
    }
}

pub fn row_count(completion: &Completion) -> usize {
    match &completion.outcome {
        Ok(Outcome::Rows(page)) => page.rows(),
        other => panic!("no rows but {other:?}"),
    }
}

pub fn kind(completion: &Completion) -> Option<ErrorKind> {
    completion.outcome.as_ref().err().map(Error::kind)
}
