//! What a session has accepted and not finished: queues in the order of submission, which request
//! waits for which, and which tables are registered. Behind the session's one lock; holds no
//! threads and runs nothing.
//!
//! Every request has an order number. One writer settles writes in this order, so one number, the
//! oldest write that is not settled, says for any earlier write whether its effect can be seen.
//! Unordered requests take no part in that: they wait for registrations alone, and nothing waits for
//! them.

use std::collections::btree_map::OccupiedEntry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

use super::link::Link;
use super::stream::Flow;
use super::transaction::{Hold, Holder};
use crate::backend::{Control, Request, Role};
use crate::error::{Error, ErrorKind, Result};
use crate::runtime::Reservation;
use crate::schema::TableDefinition;
use crate::statement::Statement;

/// The most requests of one transaction: an interrupted one makes at most this many run again.
const GROUP_REQUESTS: usize = 512;
/// The most bytes of pages of one transaction, for the same reason; one larger request goes alone.
const GROUP_BYTES: usize = 8 << 20;

/// One accepted request.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) id: u64,
    pub(super) request: Request,
    pub(super) control: Control,
    /// Whether it takes no part in the order of its table.
    pub(super) unordered: bool,
    /// Whether each part of it is stored or refused by itself.
    pub(super) independent: bool,
    /// The clock at submit, in nanoseconds.
    pub(super) submitted: u64,
    pub(super) reservation: Reservation,
    /// The registration that it was validated against, or for `Register` its own.
    pub(super) registration: Option<Arc<Registration>>,
    /// For a read whose result is streamed.
    pub(super) flow: Option<Arc<Flow>>,
}

impl Job {
    pub(super) const fn operation(&self) -> &'static str {
        self.request.statement.kind().name()
    }

    pub(super) const fn is_write(&self) -> bool {
        self.request.statement.is_write()
    }

    /// Rows that a write stores; 1 for one that has none of its own.
    pub(super) fn rows(&self) -> u64 {
        match (&self.request.statement, &self.request.page) {
            (Statement::Insert { .. }, Some(page)) => page.rows() as u64,
            _ => 1,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.request.page.as_ref().map_or(0, |page| page.bytes().len())
    }

    /// Whether it may still run.
    ///
    /// # Errors
    /// Its deadline passed, it was cancelled, or its table's registration failed.
    pub(super) fn check(&self) -> Result<()> {
        self.control.check(self.operation())?;
        match &self.registration {
            Some(registration) => registration.check(),
            None => Ok(()),
        }
    }
}

/// A table as it was registered, and how that went.
#[derive(Debug)]
pub(super) struct Registration {
    pub(super) definition: Arc<TableDefinition>,
    /// Unset while it waits or runs.
    outcome: OnceLock<Option<Error>>,
}

impl Registration {
    pub(super) fn new(definition: TableDefinition) -> Arc<Self> {
        Arc::new(Self { definition: Arc::new(definition), outcome: OnceLock::new() })
    }

    /// # Errors
    /// The registration's own error when it failed.
    pub(super) fn check(&self) -> Result<()> {
        match self.outcome.get() {
            Some(Some(error)) => Err(error.duplicate()),
            _ => Ok(()),
        }
    }
}

#[derive(Debug)]
struct Table {
    /// What requests are validated against.
    current: Arc<Registration>,
    /// The last one that the database accepted; comes back when a later one fails.
    accepted: Option<Arc<Registration>>,
}

/// Where a request is.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Write(u64),
    /// An unordered write: after the registrations before the first number.
    FreeWrite(u64, u64),
    Read(u64),
    /// Waits for the writes before the first number.
    Waiting(u64, u64),
    Running {
        control: Control,
        write: Option<String>,
        rows: u64,
    },
    /// A transaction that waits for its turn or holds the writer's connection.
    Transaction(Arc<Hold>),
}

/// What a thread runs next, and on which connection: the writes of one transaction, or one read.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) link: Link,
    pub(super) jobs: Vec<Job>,
}

/// What was not written, of one table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unwritten {
    /// Requests.
    pub writes: u64,
    /// Their rows; a delete or raw update counts as one.
    pub rows: u64,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) closing: bool,
    /// How many threads wait for something to end.
    pub(super) closers: usize,
    /// Threads end as soon as this is set.
    pub(super) stopped: bool,
    /// Threads that run in the session: its own, and others while they execute something.
    pub(super) threads: usize,
    /// Its own threads that wait for work.
    pub(super) idle_threads: usize,
    /// The connections that nobody uses.
    idle_writer: Option<Link>,
    idle_readers: Vec<Link>,
    next_order: u64,
    writes: BTreeMap<u64, Job>,
    /// Unordered writes, each after the registrations before its first number.
    free_writes: BTreeMap<(u64, u64), Job>,
    /// The first write of the group that runs.
    executing: Option<u64>,
    /// Transactions that wait for their turn among the writes.
    pub(super) transactions: BTreeMap<u64, Arc<Hold>>,
    /// The transaction that has the writer's connection.
    pub(super) holder: Option<Holder>,
    reads: BTreeMap<u64, Job>,
    /// At most how many callers are still to come for a read that was left to them.
    awaited: usize,
    /// Reads whose results are streamed, on connections of their own.
    streams: BTreeMap<u64, Job>,
    /// The streams that have not ended, by their requests.
    flows: HashMap<u64, Weak<Flow>>,
    /// How many streams are being read.
    pub(super) streaming: usize,
    waiting: BTreeMap<(u64, u64), Job>,
    last_write: u64,
    last_raw_update: u64,
    last_registration: u64,
    /// One past the last write of each table.
    last_write_of: HashMap<String, u64>,
    tables: HashMap<String, Table>,
    pub(super) requests: HashMap<u64, Place>,
    deadlines: BTreeSet<(Instant, u64)>,
    pub(super) unwritten: BTreeMap<String, Unwritten>,
    /// Transactions that were committed, and the writes that they stored.
    pub(super) committed: u64,
    pub(super) committed_writes: u64,
}

impl State {
    /// The registration of a table that requests are validated against.
    ///
    /// # Errors
    /// `UnknownTable`, or the registration's error when it failed.
    pub(super) fn registration(
        &self,
        operation: &'static str,
        table: &str,
    ) -> Result<Arc<Registration>> {
        let found = self.tables.get(table).ok_or_else(|| {
            let message = "nobody registered this table; call register() on it first";
            Error::new(ErrorKind::UnknownTable, operation, message).with("table", table)
        })?;
        found.current.check()?;
        Ok(Arc::clone(&found.current))
    }

    /// Accepts a job: puts it into its queue.
    pub(super) fn enqueue(&mut self, job: Job) {
        let order = self.next_order;
        self.next_order += 1;
        self.deadlines.insert((job.control.deadline(), job.id));
        if job.is_write() && job.unordered {
            let key = (self.last_registration, order);
            self.requests.insert(job.id, Place::FreeWrite(key.0, key.1));
            self.free_writes.insert(key, job);
            return;
        }
        if job.is_write() {
            self.last_write = order + 1;
            match job.request.statement.table() {
                Some(table) => {
                    self.last_write_of.insert(table.to_owned(), order + 1);
                }
                None => self.last_raw_update = order + 1,
            }
            if let (Statement::Register(definition), Some(registration)) =
                (&job.request.statement, &job.registration)
            {
                self.last_registration = order + 1;
                let accepted =
                    self.tables.remove(definition.name()).and_then(|table| table.accepted);
                let table = Table { current: Arc::clone(registration), accepted };
                self.tables.insert(definition.name().to_owned(), table);
            }
            self.requests.insert(job.id, Place::Write(order));
            self.writes.insert(order, job);
            return;
        }
        let after = match job.request.statement.table() {
            _ if job.unordered => self.last_registration,
            Some(table) => {
                self.last_write_of.get(table).copied().unwrap_or(0).max(self.last_raw_update)
            }
            None => self.last_write,
        };
        if let Some(flow) = &job.flow {
            self.flows.retain(|_, flow| flow.strong_count() > 0);
            self.flows.insert(job.id, Arc::downgrade(flow));
        }
        if after <= self.settled() {
            self.enqueue_read(order, job);
        } else {
            self.requests.insert(job.id, Place::Waiting(after, order));
            self.waiting.insert((after, order), job);
        }
    }

    /// Queues a read whose writes are settled.
    fn enqueue_read(&mut self, order: u64, job: Job) {
        self.requests.insert(job.id, Place::Read(order));
        let queue = if job.flow.is_some() { &mut self.streams } else { &mut self.reads };
        queue.insert(order, job);
    }

    /// Every write before this number is settled: committed, failed or removed.
    fn settled(&self) -> u64 {
        self.executing.or(self.first_queued()).unwrap_or(u64::MAX)
    }

    /// The first of the writes and transactions that wait.
    fn first_queued(&self) -> Option<u64> {
        let write = self.writes.first_key_value().map(|(&order, _)| order);
        let transaction = self.transactions.first_key_value().map(|(&order, _)| order);
        write.into_iter().chain(transaction).min()
    }

    /// The order of the next write, unless a transaction is next.
    fn next_write(&self) -> Option<u64> {
        let ordered = self.first_queued().filter(|first| self.writes.contains_key(first));
        let free = self.first_free().filter(|&free| {
            // Behind a transaction that is next: its turn comes, however many of them there are.
            ordered.is_some() || self.first_queued().is_none_or(|first| free < first)
        });
        ordered.into_iter().chain(free).min()
    }

    /// The first unordered write that may run: no registration before it waits.
    fn first_free(&self) -> Option<u64> {
        let (&(after, order), _) = self.free_writes.first_key_value()?;
        (after <= self.settled()).then_some(order)
    }

    /// Gives a transaction its place among the writes. Reads from outside do not wait for it.
    pub(super) fn enqueue_transaction(&mut self, hold: &Arc<Hold>) -> u64 {
        let order = self.next_order;
        self.next_order += 1;
        self.requests.insert(hold.id, Place::Transaction(Arc::clone(hold)));
        self.transactions.insert(order, Arc::clone(hold));
        order
    }

    /// Takes a transaction out that waits or has ended.
    pub(super) fn forget_transaction(&mut self, id: u64) {
        self.transactions.retain(|_, waiting| waiting.id != id);
        self.requests.remove(&id);
    }

    /// The writer's connection, when it is the turn of the transaction with this number.
    pub(super) fn lend(&mut self, order: u64) -> Option<Link> {
        if self.first_queued() != Some(order) {
            return None;
        }
        let link = self.idle_writer.take()?;
        self.transactions.remove(&order);
        self.executing = Some(order);
        Some(link)
    }

    /// The registration of a table that the database has accepted, for a statement of a transaction:
    /// what is registered meanwhile waits behind it.
    ///
    /// # Errors
    /// As [`State::registration`], and `UnknownTable` while the registration waits.
    pub(super) fn accepted_registration(
        &self,
        operation: &'static str,
        table: &str,
    ) -> Result<Arc<Registration>> {
        self.registration(operation, table)?;
        let accepted = self.tables.get(table).and_then(|found| found.accepted.as_ref());
        accepted.map(Arc::clone).ok_or_else(|| {
            let message = "the registration of this table waits behind the transaction; register tables before it begins";
            Error::new(ErrorKind::UnknownTable, operation, message).with("table", table)
        })
    }

    /// Moves reads whose writes are settled to the queue of reads; tells whether there were any.
    pub(super) fn promote(&mut self) -> bool {
        let settled = self.settled();
        let mut promoted = false;
        while let Some(entry) = self.waiting.first_entry() {
            let &(after, order) = entry.key();
            if after > settled {
                break;
            }
            let job = entry.remove();
            self.enqueue_read(order, job);
            promoted = true;
        }
        promoted
    }

    /// Takes a queued request out; `None` when it is not queued here.
    pub(super) fn remove_queued(&mut self, id: u64) -> Option<Job> {
        let job = match *self.requests.get(&id)? {
            Place::Write(order) => self.writes.remove(&order),
            Place::FreeWrite(after, order) => self.free_writes.remove(&(after, order)),
            Place::Read(order) => self.reads.remove(&order).or_else(|| self.streams.remove(&order)),
            Place::Waiting(after, order) => self.waiting.remove(&(after, order)),
            Place::Running { .. } | Place::Transaction(_) => None,
        }?;
        self.requests.remove(&id);
        self.deadlines.remove(&(job.control.deadline(), id));
        Some(job)
    }

    /// Takes out one queued request whose deadline has passed.
    pub(super) fn pop_expired(&mut self, now: Instant) -> Option<Job> {
        let &(deadline, id) = self.deadlines.first()?;
        if deadline > now {
            return None;
        }
        self.remove_queued(id)
    }

    /// The earliest deadline of a queued request.
    pub(super) fn first_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|&(deadline, _)| deadline)
    }

    /// What can run now: the older of the next transaction and the next read.
    pub(super) fn take_turn(&mut self) -> Option<Turn> {
        let write = self.idle_writer.as_ref().and_then(|_| self.next_write());
        let oldest_read = || self.reads.first_key_value().map(|(&order, _)| order);
        let read = self.idle_readers.last().and_then(|_| oldest_read());
        match (write, read) {
            (Some(write), Some(read)) if read < write => self.take_read(),
            (Some(_), _) => self.take_writes(),
            (None, _) => self.take_read(),
        }
    }

    /// The next transaction, when the writer's connection is free.
    pub(super) fn take_writes(&mut self) -> Option<Turn> {
        self.next_write()?;
        let link = self.idle_writer.take()?;
        let jobs = self.take_group();
        Some(Turn { link, jobs })
    }

    /// The next read, when a reader's connection is free.
    pub(super) fn take_read(&mut self) -> Option<Turn> {
        if self.reads.is_empty() {
            return None;
        }
        let link = self.idle_readers.pop()?;
        let (_, job) = self.reads.pop_first()?;
        self.start(&job);
        Some(Turn { link, jobs: vec![job] })
    }

    /// The next stream.
    pub(super) fn take_stream(&mut self) -> Option<Job> {
        let (_, job) = self.streams.pop_first()?;
        self.start(&job);
        self.streaming += 1;
        Some(job)
    }

    /// The flow of a stream that has not ended.
    pub(super) fn flow(&self, id: u64) -> Option<Arc<Flow>> {
        self.flows.get(&id)?.upgrade()
    }

    /// The flows of all streams that have not ended.
    pub(super) fn flows(&self) -> impl Iterator<Item = Arc<Flow>> {
        self.flows.values().filter_map(Weak::upgrade)
    }

    /// Takes back a connection; what the writer's ran is settled.
    pub(super) fn give_back(&mut self, link: Link) {
        match link.role() {
            Role::Writer => {
                self.executing = None;
                self.idle_writer = Some(link);
            }
            Role::Reader => self.idle_readers.push(link),
        }
    }

    /// Takes out the connections that nobody uses, the writer's last.
    pub(super) fn take_links(&mut self) -> Vec<Link> {
        let mut links = std::mem::take(&mut self.idle_readers);
        links.extend(self.idle_writer.take());
        links
    }

    /// The writes of the next transaction: as many as queued up, up to [`GROUP_REQUESTS`] and
    /// [`GROUP_BYTES`] of pages, at least one; unordered ones also from behind a transaction that waits.
    /// A registration has a transaction of its own, since some databases end an open one when a table
    /// is made.
    fn take_group(&mut self) -> Vec<Job> {
        let mut group: Vec<Job> = Vec::new();
        let mut bytes = 0_usize;
        let end = self.transactions.first_key_value().map_or(u64::MAX, |(&order, _)| order);
        // As it was before the group: what its own writes wait for is settled by then only.
        let settled = self.settled();
        loop {
            let ordered = self.writes.first_entry().filter(|entry| *entry.key() < end);
            let free = self.free_writes.first_entry().filter(|entry| entry.key().0 <= settled);
            let next = match (ordered, free) {
                (Some(ordered), Some(free)) if free.key().1 < *ordered.key() => Next::Free(free),
                (Some(ordered), _) => Next::Ordered(ordered),
                (None, Some(free)) => Next::Free(free),
                (None, None) => break,
            };
            let job = next.job();
            bytes = bytes.saturating_add(job.bytes());
            let alone = matches!(job.request.statement, Statement::Register(_));
            let full = group.len() >= GROUP_REQUESTS || bytes > GROUP_BYTES || alone;
            if !group.is_empty() && full {
                break;
            }
            let job = match next {
                Next::Ordered(entry) => {
                    let order = *entry.key();
                    let job = entry.remove();
                    self.executing.get_or_insert(order);
                    job
                }
                Next::Free(entry) => entry.remove(),
            };
            self.start(&job);
            group.push(job);
            if alone {
                break;
            }
        }
        group
    }

    fn start(&mut self, job: &Job) {
        self.deadlines.remove(&(job.control.deadline(), job.id));
        let write = job.is_write().then(|| table_name(&job.request.statement).to_owned());
        let place = Place::Running { control: job.control.clone(), write, rows: job.rows() };
        self.requests.insert(job.id, place);
    }

    /// Settles a registration.
    pub(super) fn registered(&mut self, registration: &Arc<Registration>, failed: Option<&Error>) {
        // Set once: a job ends once.
        let _ = registration.outcome.set(failed.map(Error::duplicate));
        let Some(table) = self.tables.get_mut(registration.definition.name()) else { return };
        if failed.is_none() {
            table.accepted = Some(Arc::clone(registration));
        } else if Arc::ptr_eq(&table.current, registration)
            && let Some(accepted) = &table.accepted
        {
            table.current = Arc::clone(accepted);
        }
    }

    /// Ids of everything that is queued, in the order of submission.
    pub(super) fn queued_ids(&self) -> Vec<u64> {
        let mut ids: Vec<(u64, u64)> = Vec::new();
        ids.extend(self.writes.iter().map(|(&order, job)| (order, job.id)));
        ids.extend(self.free_writes.iter().map(|(&(_, order), job)| (order, job.id)));
        ids.extend(self.reads.iter().map(|(&order, job)| (order, job.id)));
        ids.extend(self.streams.iter().map(|(&order, job)| (order, job.id)));
        ids.extend(self.waiting.iter().map(|(&(_, order), job)| (order, job.id)));
        ids.sort_unstable();
        ids.into_iter().map(|(_, id)| id).collect()
    }

    /// Counts a write that will not be stored.
    pub(super) fn count_unwritten(&mut self, table: &str, rows: u64) {
        let entry = self.unwritten.entry(table.to_owned()).or_default();
        entry.writes += 1;
        entry.rows += rows;
    }

    pub(super) fn queued_writes(&self) -> usize {
        self.writes.len() + self.free_writes.len()
    }

    pub(super) fn queued_reads(&self) -> usize {
        self.reads.len() + self.streams.len() + self.waiting.len()
    }

    pub(super) const fn is_executing(&self) -> bool {
        self.idle_writer.is_none()
    }

    /// Whether each read that could run would find a connection.
    pub(super) fn has_readers(&self) -> bool {
        self.reads.len() <= self.idle_readers.len()
    }

    /// Leaves a read to a caller, who comes for it or has others woken.
    pub(super) const fn leave_read(&mut self) {
        self.awaited += 1;
    }

    /// A caller came, perhaps for a read. Counting one too many costs others a needless wake-up.
    pub(super) const fn caller_came(&mut self) {
        self.awaited = self.awaited.saturating_sub(1);
    }

    /// Expects no callers any more.
    pub(super) const fn await_none(&mut self) {
        self.awaited = 0;
    }

    /// Whether a read can run now for which no caller is to come.
    pub(super) fn has_spare_read(&self) -> bool {
        self.can_read() && self.reads.len() > self.awaited
    }

    /// Whether a read can run now.
    pub(super) fn can_read(&self) -> bool {
        !self.reads.is_empty() && !self.idle_readers.is_empty()
    }

    /// Whether a write can run now.
    pub(super) fn can_write(&self) -> bool {
        self.idle_writer.is_some() && self.next_write().is_some()
    }
}

/// The write that a group takes next.
enum Next<'a> {
    Ordered(OccupiedEntry<'a, u64, Job>),
    Free(OccupiedEntry<'a, (u64, u64), Job>),
}

impl Next<'_> {
    fn job(&self) -> &Job {
        match self {
            Self::Ordered(entry) => entry.get(),
            Self::Free(entry) => entry.get(),
        }
    }
}

/// The table of a statement as reports name it.
pub(super) fn table_name(statement: &Statement) -> &str {
    statement.table().unwrap_or("raw SQL")
}
