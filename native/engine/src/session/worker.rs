//! The work itself: a turn is one read, or the writes of one transaction, on a connection that is
//! lent for it. The session's own threads, one for writes and some for reads, take turns in loops; any
//! other thread may take a single one. A thread holds the session's lock only to take a turn and to
//! end it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::link::{Link, panic_text};
use super::state::{Job, Turn};
use super::{Ended, Shared, TakeTurn};
use crate::backend::{Counters, Outcome, Part, Role};
use crate::error::{Effect, Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::runtime::{Completion, Timings};
use crate::tick::now_nanos;

/// The loop of the thread for writes.
pub(super) fn run_writer(shared: &Shared) {
    while let Some(turn) = shared.wait_for_writes() {
        run(shared, turn, |completions| shared.environment.completions.push_all(completions));
    }
}

/// The loop of a thread for reads.
pub(super) fn run_reader(shared: &Shared) {
    while let Some(turn) = shared.wait_for_read() {
        run(shared, turn, |completions| shared.environment.completions.push_all(completions));
    }
}

/// Takes one turn on the calling thread and gives its results; none when nothing can run.
pub(super) fn run_once(shared: &Shared, take: TakeTurn) -> Vec<Completion> {
    let mut results = Vec::new();
    if let Some((turn, _inside)) = shared.enter(take) {
        run(shared, turn, |completions| results = completions);
        shared.pass_on(&shared.state());
    }
    results
}

/// Runs a turn and ends it, whatever happens in it; `deliver` takes the results under the session's
/// lock.
fn run(shared: &Shared, turn: Turn, deliver: impl FnOnce(Vec<Completion>)) {
    let Turn { mut link, jobs } = turn;
    let mut attempts: Vec<Attempt> = jobs.into_iter().map(Attempt::new).collect();
    let panic = survive(|| match (link.role(), attempts.as_mut_slice()) {
        (Role::Reader, [attempt]) => run_read(&mut link, attempt),
        (_, group) => run_group(&mut link, group),
    });
    if panic.is_some() {
        // In doubt as after any panic, with a transaction open perhaps.
        survive(|| link.disconnect());
    }
    let ended = attempts.into_iter().map(|attempt| attempt.end(panic.as_deref())).collect();
    shared.finish(ended, |state| state.give_back(link), deliver);
}

/// Runs something and gives the text of a panic in it. The link guards its calls itself; this is for
/// defects of ours and for what escapes that guard, so that neither costs a thread or leaves a
/// request without an end.
pub(super) fn survive(run: impl FnOnce()) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(run)).err()?;
    let text = panic_text(payload.as_ref()).to_owned();
    // Its drop could panic again.
    std::mem::forget(payload);
    Some(text)
}

/// A job that runs, with what is known of it so far.
pub(super) struct Attempt {
    pub(super) job: Job,
    pub(super) timings: Timings,
    pub(super) counters: Counters,
    pub(super) result: Option<Result<Outcome>>,
}

impl Attempt {
    pub(super) fn new(job: Job) -> Self {
        Self { job, timings: Timings::default(), counters: Counters::default(), result: None }
    }

    /// Starts (again): what an attempt that was rolled back had counted is forgotten.
    pub(super) fn start(&mut self, pool_wait: u64) -> u64 {
        let now = now_nanos();
        self.timings = Timings {
            execution: 0,
            queue_wait: now.saturating_sub(self.job.submitted).saturating_sub(pool_wait),
            pool_wait,
            grouped_with: 0,
        };
        self.counters = Counters::default();
        now
    }

    /// Executes the request on the connection.
    fn execute(&mut self, link: &mut Link) -> Result<Outcome> {
        let Self { job, counters, .. } = self;
        link.call(job.operation(), |c| c.execute(&job.request, &job.control, counters))
    }

    /// Executes the write in a transaction that may hold others. An error of the inner result leaves
    /// what came before it.
    fn execute_among_others(&mut self, link: &mut Link) -> Result<Result<Outcome>, Lost> {
        if self.job.independent {
            return self.execute_parts(link).map(Ok);
        }
        behind_savepoint(link, |link| self.execute(link))
    }

    /// Executes the write in a transaction of its own.
    fn execute_alone(&mut self, link: &mut Link) -> Result<Outcome> {
        if self.job.independent {
            return self.execute_parts(link).map_err(|lost| lost.error);
        }
        self.execute(link)
    }

    /// Executes each statement of the plan behind a savepoint of its own.
    fn execute_parts(&mut self, link: &mut Link) -> Result<Outcome, Lost> {
        let whole = std::mem::replace(&mut self.job.request.plan, Plan::single());
        let parts: Result<Vec<Part>, Lost> = whole
            .parts()
            .map(|(range, plan)| {
                self.job.request.plan = plan;
                let stored = match self.job.check() {
                    Ok(()) => behind_savepoint(link, |link| self.execute(link))?,
                    Err(error) => Err(error),
                };
                let stored = stored.map(|outcome| match outcome {
                    Outcome::Affected(affected) => affected,
                    Outcome::Rows(_) | Outcome::Parts(_) => None,
                });
                Ok(Part { first_row: range.start, rows: range.len(), stored })
            })
            .collect();
        self.job.request.plan = whole;
        parts.map(Outcome::Parts)
    }

    /// The end, of which nobody knows what was stored when a panic came before the result.
    pub(super) fn end(self, panic: Option<&str>) -> Ended {
        let result = self.result.unwrap_or_else(|| {
            let message = "the request ended without a result; please report this";
            let effect = if self.job.is_write() { Effect::Unknown } else { Effect::None };
            Err(Error::new(ErrorKind::Internal, self.job.operation(), message)
                .effect_is(effect)
                .with("panic", panic.unwrap_or("none")))
        });
        Ended { job: self.job, result, timings: self.timings, counters: self.counters }
    }
}

/// A transaction is gone, with everything in it.
struct Lost {
    error: Error,
    /// Whether the write whose turn it was has failed by itself.
    failed: bool,
}

/// Runs something so that only what it did itself is undone when it fails.
fn behind_savepoint(
    link: &mut Link,
    run: impl FnOnce(&mut Link) -> Result<Outcome>,
) -> Result<Result<Outcome>, Lost> {
    let began = link.call("savepoint", |c| c.savepoint());
    match began.map(|()| run(link)) {
        // It did not begin: nothing to undo.
        Err(error) | Ok(Err(error)) if !link.is_connected() => Err(Lost { error, failed: true }),
        Err(error) => Ok(Err(error)),
        Ok(Ok(outcome)) => match link.call("savepoint", |c| c.release_savepoint()) {
            Ok(()) => Ok(Ok(outcome)),
            Err(error) => Err(Lost { error, failed: false }),
        },
        Ok(Err(error)) => match link.call("savepoint", |c| c.rollback_to_savepoint()) {
            Ok(()) => Ok(Err(error)),
            Err(_) => Err(Lost { error, failed: true }),
        },
    }
}

fn run_read(link: &mut Link, attempt: &mut Attempt) {
    let connecting = now_nanos();
    let ready = attempt
        .job
        .check()
        .and_then(|()| attempt.job.reservation.pool().wait_for_room(&attempt.job.control))
        .and_then(|()| link.connect());
    let started = attempt.start(now_nanos().saturating_sub(connecting));
    attempt.result = Some(ready.and_then(|()| attempt.execute(link)));
    attempt.timings.execution = now_nanos().saturating_sub(started);
}

/// Runs the writes of one transaction; every one gets a result.
fn run_group(link: &mut Link, attempts: &mut [Attempt]) {
    for attempt in attempts.iter_mut() {
        if let Err(error) = attempt.job.check() {
            attempt.start(0);
            attempt.result = Some(Err(error));
        }
    }
    let mut open: Vec<&mut Attempt> =
        attempts.iter_mut().filter(|attempt| attempt.result.is_none()).collect();
    if open.len() > 1 {
        run_together(link, &mut open);
    }
    // A single one, and neighbours that lost their transaction to another's fault.
    for attempt in open {
        if attempt.result.is_none() {
            run_alone(link, attempt);
        }
    }
}

/// One write in a transaction of its own.
fn run_alone(link: &mut Link, attempt: &mut Attempt) {
    let connecting = now_nanos();
    // Asked (again): a neighbour may have used up the time.
    let connected = attempt.job.check().and_then(|()| link.connect());
    let started = attempt.start(now_nanos().saturating_sub(connecting));
    let result = connected
        .and_then(|()| link.call("begin", |c| c.begin(&attempt.job.control)))
        .and_then(|()| match attempt.execute_alone(link) {
            Ok(outcome) => link.commit().map(|()| outcome),
            Err(error) => {
                link.roll_back();
                Err(error)
            }
        });
    attempt.timings.execution = now_nanos().saturating_sub(started);
    attempt.result = Some(result);
}

/// Several writes in one transaction, each behind a savepoint. Afterwards those without a result
/// have lost the transaction to another's fault, and nothing of theirs is stored. Among them are those
/// that it had refused before: perhaps for the sake of rows that are not there now.
fn run_together(link: &mut Link, attempts: &mut [&mut Attempt]) {
    let connecting = now_nanos();
    let connected = link.connect();
    let pool_wait = now_nanos().saturating_sub(connecting);
    let begin_started = now_nanos();
    // Any member's control could stop it while it waits for the database's lock: closing cancels all
    // of them. The one with the latest deadline takes no time from another.
    let latest = attempts.iter().map(|attempt| &attempt.job.control).max_by_key(|c| c.deadline());
    let begun = connected.and_then(|()| match latest {
        Some(control) => link.call("begin", |c| c.begin(control)),
        None => Ok(()),
    });
    if let Err(error) = begun {
        for attempt in attempts.iter_mut() {
            attempt.start(pool_wait);
            attempt.result = Some(Err(error.duplicate()));
        }
        return;
    }
    let begin = now_nanos().saturating_sub(begin_started);

    let mut outcomes: Vec<Option<Outcome>> = Vec::with_capacity(attempts.len());
    for index in 0..attempts.len() {
        let (earlier, rest) = attempts.split_at_mut(index);
        let Some(attempt) = rest.first_mut() else { break };
        let started = attempt.start(pool_wait);
        let executed = match attempt.job.check() {
            Ok(()) => attempt.execute_among_others(link),
            Err(error) => Ok(Err(error)),
        };
        attempt.timings.execution = now_nanos().saturating_sub(started);
        match executed {
            Ok(Ok(outcome)) => outcomes.push(Some(outcome)),
            Ok(Err(error)) => {
                attempt.result = Some(Err(error));
                outcomes.push(None);
            }
            Err(lost) => {
                if lost.failed {
                    attempt.result = Some(Err(lost.error));
                }
                forget(earlier);
                return link.roll_back();
            }
        }
    }

    let stored = outcomes.iter().flatten().count() as u64;
    if stored == 0 {
        return link.roll_back();
    }
    let commit_started = now_nanos();
    let committed = link.commit();
    if let Err(error) = &committed
        && stored > 1
        && error.kind() == ErrorKind::DiskFull
        && error.effect() == Effect::None
    {
        // One large write may be all that the disk has no room for.
        return forget(attempts);
    }
    let lost = committed.as_ref().is_err_and(|error| error.effect() == Effect::None);
    let shared = begin + now_nanos().saturating_sub(commit_started);
    for (attempt, outcome) in attempts.iter_mut().zip(outcomes) {
        attempt.timings.execution += shared;
        attempt.timings.grouped_with = stored.saturating_sub(u64::from(outcome.is_some()));
        if let Some(outcome) = outcome {
            attempt.result = Some(match &committed {
                Ok(()) => Ok(outcome),
                Err(error) => Err(error.duplicate()),
            });
        } else if lost {
            attempt.result = None;
        }
    }
}

/// Takes back what a transaction that is lost had told its members.
fn forget(attempts: &mut [&mut Attempt]) {
    for attempt in attempts {
        attempt.result = None;
    }
}
