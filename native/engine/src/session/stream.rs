//! Reads whose results come page by page, as their consumer asks for them. A stream is read by a
//! thread of its own kind on a connection of its own, which it has from its first page to its end:
//! so it never keeps a reader from small reads, and a consumer that stops asking loses it after a
//! time, since the moment that it sees holds back the tidying of the database.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::link::Link;
use super::state::{Job, State};
use super::worker::{Attempt, survive};
use super::{Session, Shared, Submission};
use crate::backend::{Control, Counters, Outcome, PageLimits, PageSink, ResultLimits, Role};
use crate::error::{Error, ErrorKind, Result};
use crate::page::{MAX_PAGE_BYTES, Page};
use crate::runtime::{Completion, Timings};
use crate::statement::Statement;
use crate::tick::now_nanos;

/// A page is full with this many bytes, however few rows it has: what a stream keeps in memory is
/// counted in pages.
const FULL_PAGE_BYTES: usize = 1 << 20;

/// How a result is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamOptions {
    /// The most rows of a page, at least 1.
    pub page_rows: usize,
    /// How many pages may be read before the first [`Session::credit`].
    pub credit: u32,
    /// How long a stream may wait for credit.
    pub idle: Duration,
}

impl StreamOptions {
    /// The limit of waiting for credit of a stream that has no own.
    pub const IDLE: Duration = Duration::from_secs(30);
}

/// How many streams are read at once beside this many readers.
pub(super) const fn threads(readers: usize) -> usize {
    if readers > 2 { readers - 1 } else { 1 }
}

/// What a stream, its consumer and the session's state share.
#[derive(Debug)]
pub(super) struct Flow {
    options: StreamOptions,
    /// The time that reading one page may take.
    page_time: Duration,
    demand: Mutex<Demand>,
    changed: Condvar,
}

#[derive(Debug)]
struct Demand {
    pages: u64,
    closed: bool,
}

impl Flow {
    fn demand(&self) -> MutexGuard<'_, Demand> {
        self.demand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, pages: u32) {
        let mut demand = self.demand();
        demand.pages = demand.pages.saturating_add(pages.into());
        self.changed.notify_all();
    }

    /// Ends the stream before its next page.
    pub(super) fn close(&self) {
        self.demand().closed = true;
        self.changed.notify_all();
    }

    /// Makes a stream that waits look at its control again.
    pub(super) fn wake(&self) {
        // Under the lock: one that has just looked is asleep by then.
        let _demand = self.demand();
        self.changed.notify_all();
    }

    /// Takes the credit for one page.
    fn take(&self, control: &Control, operation: &'static str) -> Result<()> {
        let end = Instant::now() + self.options.idle;
        let mut demand = self.demand();
        loop {
            if control.is_cancelled() {
                return control.check(operation);
            }
            if demand.closed {
                let message = "the database closed before the stream ended";
                return Err(Error::new(ErrorKind::Closed, operation, message));
            }
            if let Some(left) = demand.pages.checked_sub(1) {
                demand.pages = left;
                return Ok(());
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let message = format!(
                    "no further page was asked for within {} ms and the stream was closed; do less with a page, or raise the stream's idle limit",
                    self.options.idle.as_millis()
                );
                return Err(Error::new(ErrorKind::Timeout, operation, message));
            }
            let waited = self.changed.wait_timeout(demand, left);
            demand = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Session {
    /// Accepts a select whose result comes in pages, [`Event::Page`](crate::runtime::Event::Page)s
    /// in the completion queue, and ends with the number of all rows. It is queued and ordered as
    /// every read; its deadline is that of the waiting for its turn and then of each page.
    /// [`Session::cancel`] ends it at any time.
    ///
    /// # Errors
    /// As [`Session::submit`]; `InvalidStatement` for what is no select, or for pages of no rows.
    pub fn stream(&self, submission: Submission, options: StreamOptions) -> Result<()> {
        let operation = submission.statement.kind().name();
        let refused = |message| Err(Error::new(ErrorKind::InvalidStatement, operation, message));
        if !matches!(submission.statement, Statement::Select { .. }) {
            return refused("only a select can be streamed");
        }
        if options.page_rows == 0 {
            return refused("a page of a stream has at least one row");
        }
        let mut job = self.shared.prepare(submission, State::registration)?;
        job.request.result_limits =
            ResultLimits { max_rows: usize::MAX, ..job.request.result_limits };
        job.flow = Some(Arc::new(Flow {
            options,
            page_time: job.control.deadline().saturating_duration_since(Instant::now()),
            demand: Mutex::new(Demand { pages: options.credit.into(), closed: false }),
            changed: Condvar::new(),
        }));
        self.enqueue(job, false).map(|_| ())
    }

    /// Tells a stream that its consumer takes this many more pages; nothing when it has ended.
    pub fn credit(&self, request_id: u64, pages: u32) {
        let flow = self.shared.state().flow(request_id);
        if let Some(flow) = flow {
            flow.add(pages);
        }
    }
}

/// The loop of a thread for streams.
pub(super) fn run_streams(shared: &Shared) {
    while let Some(job) = shared.wait_for_stream() {
        run(shared, job);
    }
}

/// Reads one stream to its end, whatever happens in it.
fn run(shared: &Shared, job: Job) {
    let mut attempt = Attempt::new(job);
    let panic = survive(|| {
        // Of its own and new: a reader that lies idle between streams would keep its memory.
        let mut link = Link::new(&shared.backend, Role::Reader, &shared.prepared);
        read(shared, &mut link, &mut attempt);
    });
    let ended = attempt.end(panic.as_deref());
    let queue = &shared.environment.completions;
    shared.finish(
        vec![ended],
        |state| state.streaming -= 1,
        |completions| queue.push_all(completions),
    );
}

fn read(shared: &Shared, link: &mut Link, attempt: &mut Attempt) {
    let connecting = now_nanos();
    let ready = attempt.job.check().and_then(|()| link.connect());
    let started = attempt.start(now_nanos().saturating_sub(connecting));
    let Some(flow) = attempt.job.flow.clone() else { return };
    let mut pages =
        Pages { shared, job: &attempt.job, flow: &flow, waited: 0, page_began: started };
    let counters = &mut attempt.counters;
    let result = ready.and_then(|()| {
        let request = &pages.job.request;
        link.call(pages.job.operation(), |c| c.stream(request, &mut pages, counters))
    });
    let waited = pages.waited;
    attempt.timings.execution = now_nanos().saturating_sub(started).saturating_sub(waited);
    attempt.result = Some(result.map(|rows| Outcome::Affected(Some(rows))));
}

/// The way of a stream's pages to its consumer.
struct Pages<'a> {
    shared: &'a Shared,
    job: &'a Job,
    flow: &'a Flow,
    /// Nanoseconds in which nothing was read, since nobody wanted a page or there was no room.
    waited: u64,
    page_began: u64,
}

impl PageSink for Pages<'_> {
    fn page_limits(&self) -> PageLimits {
        let most = self.job.request.result_limits.max_bytes.min(MAX_PAGE_BYTES);
        PageLimits { rows: self.flow.options.page_rows, bytes: FULL_PAGE_BYTES.min(most / 2) }
    }

    fn wait(&mut self) -> Result<Control> {
        let began = now_nanos();
        self.flow.take(&self.job.control, self.job.operation())?;
        let control = self.job.control.with_deadline(Instant::now() + self.flow.page_time);
        self.job.reservation.pool().wait_for_room(&control)?;
        self.page_began = now_nanos();
        self.waited += self.page_began.saturating_sub(began);
        Ok(control)
    }

    fn put(&mut self, page: Page) {
        let environment = &self.shared.environment;
        let mut reservation = environment.read_bytes.empty();
        reservation.resize(page.bytes().len());
        let timings = Timings {
            execution: now_nanos().saturating_sub(self.page_began),
            ..Timings::default()
        };
        let counters = Counters {
            rows_received: page.rows() as u64,
            bytes_in: page.bytes().len() as u64,
            ..Counters::default()
        };
        environment.completions.push_page(Completion {
            request_id: self.job.id,
            outcome: Ok(Outcome::Rows(page)),
            timings,
            counters,
            reservation,
        });
    }
}

impl Shared {
    /// The next stream of one of the threads for them; `None` when it shall end.
    fn wait_for_stream(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            self.expire(&mut state);
            if let Some(job) = state.take_stream() {
                return Some(job);
            }
            if state.stopped {
                return None;
            }
            state.idle_threads += 1;
            state = self.stream_queued.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle_threads -= 1;
        }
    }
}
