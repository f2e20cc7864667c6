//! Transactions whose statements come one by one from a thread outside. Such a transaction has its
//! place in the order of writes; when its turn has come that thread has the writer's connection,
//! until it commits, fails, or a limit passes: then the session takes the connection back. Its own
//! thread runs its statements; between them the connection lies with the session's state.

use std::sync::{Arc, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::link::Link;
use super::state::{Job, State};
use super::worker::survive;
use super::{Alive, Session, Shared, Submission};
use crate::backend::{Control, Counters, Outcome};
use crate::error::{Effect, Error, ErrorKind, Result};
use crate::runtime::{Completion, Timings};
use crate::statement::Statement;
use crate::sync::MutexGuard;
use crate::tick::now_nanos;

/// What reports call transactions that closing has ended.
pub(super) const TRANSACTIONS: &str = "transactions";

/// How long a transaction may have the writer's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransactionLimits {
    /// In all.
    pub total: Duration,
    /// Between two of its statements.
    pub idle: Duration,
}

/// What a transaction and the session's state share.
#[derive(Debug)]
pub(super) struct Hold {
    pub(super) id: u64,
    /// Whose it is.
    pub(super) name: String,
    /// Its deadline is that of the waiting.
    control: Control,
    /// The first error, which later calls repeat.
    failure: OnceLock<Error>,
}

impl Hold {
    fn check(&self) -> Result<()> {
        self.failure.get().map_or(Ok(()), |error| Err(error.duplicate()))
    }

    /// Keeps an error unless there was one, and gives the first.
    fn fail(&self, error: Error) -> Error {
        self.failure.get_or_init(|| error).duplicate()
    }
}

/// The transaction whose turn it is.
#[derive(Debug)]
pub(super) struct Holder {
    pub(super) hold: Arc<Hold>,
    pub(super) since: Instant,
    /// Its deadline is that of the whole.
    control: Control,
    limits: TransactionLimits,
    /// `None` while its thread uses it.
    link: Option<Link>,
    idle_since: Instant,
    committing: bool,
    writes: u64,
}

impl Holder {
    /// How long until a limit can have passed at the earliest.
    pub(super) fn next_look(&self) -> Duration {
        let now = Instant::now();
        let idle_since = if self.link.is_some() { self.idle_since } else { now };
        let idle_left = (idle_since + self.limits.idle).saturating_duration_since(now);
        let total_left = self.control.deadline().saturating_duration_since(now);
        // A statement that runs past the total ends itself.
        if self.link.is_some() { idle_left.min(total_left) } else { self.limits.idle }
    }

    /// Why the connection is taken back now.
    fn overdue(&self) -> Option<Error> {
        if self.control.is_cancelled() {
            return Some(cancelled());
        }
        let now = Instant::now();
        if now >= self.control.deadline() {
            return Some(out_of_time(self.limits.total));
        }
        (now >= self.idle_since + self.limits.idle).then(|| {
            let message = format!(
                "no statement came for {} ms and the transaction was rolled back; do nothing slow between its statements",
                self.limits.idle.as_millis()
            );
            Error::new(ErrorKind::Timeout, "transaction", message)
        })
    }
}

fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "transaction", "cancelled and rolled back")
}

fn out_of_time(total: Duration) -> Error {
    let message = format!(
        "the transaction took longer than its limit of {} ms and was rolled back; do less in it or raise the limit",
        total.as_millis()
    );
    Error::new(ErrorKind::Timeout, "transaction", message)
}

fn closed() -> Error {
    let message = "the database closed before the transaction ended; it was rolled back";
    Error::new(ErrorKind::Closed, "transaction", message)
}

impl State {
    /// Takes the connection of a transaction that has passed a limit or was cancelled.
    pub(super) fn take_overdue(&mut self) -> Option<(Link, Arc<Hold>)> {
        let holder = self.holder.as_mut()?;
        holder.link.as_ref()?;
        holder.hold.fail(holder.overdue()?);
        Some((holder.link.take()?, Arc::clone(&holder.hold)))
    }

    fn holder_of(&mut self, hold: &Arc<Hold>) -> Option<&mut Holder> {
        self.holder.as_mut().filter(|holder| Arc::ptr_eq(&holder.hold, hold))
    }
}

/// One transaction, from the moment at which its turn has come. Any thread, one at a time.
/// Dropping it rolls back what was not committed.
#[derive(Debug)]
pub struct Transaction {
    shared: Arc<Shared>,
    hold: Arc<Hold>,
}

impl Session {
    /// Begins a transaction behind every write that was submitted before; writes submitted later wait
    /// for its end, and reads from outside see the state before it. Blocks until its turn has come,
    /// `wait` at most (the statements' deadline when it is `None`).
    ///
    /// # Errors
    /// `Timeout` when its turn did not come in time, `Cancelled`, `Closed`, or what the database says.
    pub fn begin(
        &self,
        id: u64,
        name: String,
        wait: Option<Duration>,
        limits: TransactionLimits,
    ) -> Result<Transaction> {
        let shared = &self.shared;
        let deadline = Instant::now() + wait.unwrap_or(shared.config.statement_deadline);
        let control = Control::new(deadline);
        let hold = Arc::new(Hold { id, name, control, failure: OnceLock::new() });
        let (mut link, control) = shared.await_turn(&hold, limits)?;
        let _inside = Alive(shared);
        // The writer's own thread watches the limits from now on.
        shared.write_queued.notify_one();
        let begun = guard(&mut link, "begin", Effect::None, |link| {
            link.connect()?;
            link.call("begin", |c| c.begin(&control))
        });
        match begun {
            Ok(()) => shared.sit(link, &hold, false)?,
            Err(error) => return Err(shared.fail(link, &hold, error)),
        }
        Ok(Transaction { shared: Arc::clone(shared), hold })
    }
}

/// Runs something on the connection; a panic disconnects it and is an error of this effect.
fn guard<T>(
    link: &mut Link,
    operation: &'static str,
    effect: Effect,
    run: impl FnOnce(&mut Link) -> Result<T>,
) -> Result<T> {
    let mut result = None;
    survive(|| result = Some(run(link)));
    result.unwrap_or_else(|| {
        // In doubt as after any panic.
        survive(|| link.disconnect());
        let message = "the backend panicked; please report this";
        Err(Error::new(ErrorKind::Internal, operation, message).effect_is(effect))
    })
}

impl Transaction {
    /// Executes one statement on the calling thread; it sees what the earlier ones did. After an error
    /// the transaction is over, rolled back, and every later call gives that first error.
    #[must_use]
    pub fn execute(&self, submission: Submission) -> Completion {
        let request_id = submission.request_id;
        let environment = &self.shared.environment;
        let mut timings = Timings::default();
        let mut counters = Counters::default();
        let result = self.run(submission, &mut timings, &mut counters);
        let (outcome, reservation) = match result {
            Ok((outcome, job)) => {
                let mut reservation = job.reservation;
                if let Some(bytes) = outcome.bytes() {
                    reservation.resize(bytes);
                }
                (Ok(outcome), reservation)
            }
            Err(error) => (Err(error), environment.read_bytes.empty()),
        };
        Completion { request_id, outcome, timings, counters, reservation }
    }

    fn run(
        &self,
        submission: Submission,
        timings: &mut Timings,
        counters: &mut Counters,
    ) -> Result<(Outcome, Job)> {
        let (shared, hold) = (&*self.shared, &self.hold);
        hold.check()?;
        let operation = submission.statement.kind().name();
        let prepared = if matches!(submission.statement, Statement::Register(_)) {
            let message = "tables cannot be registered in a transaction; do it before";
            Err(Error::new(ErrorKind::Unsupported, operation, message))
        } else if submission.header.independent {
            let message = "a transaction is stored as a whole; it has no independent parts";
            Err(Error::new(ErrorKind::InvalidStatement, operation, message))
        } else {
            shared.prepare(submission, State::accepted_registration)
        };
        let job = match prepared {
            Ok(job) => job,
            Err(error) => return Err(self.give_up(error)),
        };
        let (mut link, total) = self.take(operation)?;
        let _inside = Alive(shared);
        let control = total.with_deadline(total.deadline().min(job.control.deadline()));
        let started = now_nanos();
        let result = guard(&mut link, operation, Effect::None, |link| {
            control.check(operation)?;
            link.call(operation, |c| c.execute(&job.request, &control, counters))
        });
        timings.execution = now_nanos().saturating_sub(started);
        match result {
            Ok(outcome) => {
                shared.sit(link, hold, job.is_write())?;
                Ok((outcome, job))
            }
            Err(error) => Err(shared.fail(link, hold, error)),
        }
    }

    /// Commits.
    ///
    /// # Errors
    /// Nothing was stored, unless the effect says otherwise: the first error of the transaction, or
    /// the commit's own.
    pub fn commit(&self) -> Result<()> {
        let (shared, hold) = (&*self.shared, &self.hold);
        hold.check()?;
        let (mut link, control) = self.take("commit")?;
        let _inside = Alive(shared);
        let ready = {
            let mut state = shared.state();
            let ready = control.check("commit");
            if let Some(holder) = state.holder_of(hold) {
                holder.committing = ready.is_ok();
            }
            ready
        };
        if let Err(error) = ready {
            return Err(shared.fail(link, hold, error));
        }
        match guard(&mut link, "commit", Effect::Unknown, Link::commit) {
            Ok(()) => {
                shared.release(link, hold, true);
                Ok(())
            }
            Err(error) => Err(shared.fail(link, hold, error)),
        }
    }

    /// Rolls back; nothing when it has ended. A statement of it that runs is interrupted.
    pub fn rollback(&self) {
        let message = "the transaction was rolled back";
        self.give_up(Error::new(ErrorKind::Cancelled, "transaction", message));
    }

    /// Ends it with an error; gives the first one.
    fn give_up(&self, error: Error) -> Error {
        let first = self.hold.fail(error);
        let link = {
            let mut state = self.shared.state();
            state.holder_of(&self.hold).and_then(|holder| {
                if !holder.committing {
                    holder.control.cancel();
                }
                holder.link.take()
            })
        };
        if let Some(link) = link {
            self.shared.roll_back(link, &self.hold);
        }
        first
    }

    /// The connection, for the calling thread, which counts as one of the session's from now on.
    fn take(&self, operation: &'static str) -> Result<(Link, Control)> {
        let mut state = self.shared.state();
        self.hold.check()?;
        let taken = state
            .holder_of(&self.hold)
            .and_then(|holder| Some((holder.link.take()?, holder.control.clone())));
        let Some(taken) = taken else {
            let message = "the transaction has ended, or another thread runs a statement in it";
            return Err(Error::new(ErrorKind::InvalidStatement, operation, message));
        };
        state.threads += 1;
        Ok(taken)
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        self.rollback();
    }
}

impl Shared {
    /// Waits for a transaction's turn and makes it the holder; the calling thread counts as one of
    /// the session's then.
    fn await_turn(&self, hold: &Arc<Hold>, limits: TransactionLimits) -> Result<(Link, Control)> {
        let mut state = self.state();
        self.check_accepting(&state, "begin", hold.id)?;
        let order = state.enqueue_transaction(hold);
        let link = loop {
            self.expire(&mut state);
            hold.check()?;
            if let Some(link) = state.lend(order) {
                break link;
            }
            let left = hold.control.deadline().saturating_duration_since(Instant::now());
            if left.is_zero() {
                let message = "the transaction's turn did not come in time; the database is overloaded or stuck, or another transaction takes long";
                let error = Error::new(ErrorKind::Timeout, "begin", message);
                self.forget(&mut state, hold);
                return Err(error);
            }
            let waited = self.turn_came.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        let since = Instant::now();
        let control = hold.control.with_deadline(since + limits.total);
        state.holder = Some(Holder {
            hold: Arc::clone(hold),
            since,
            control: control.clone(),
            limits,
            link: None,
            idle_since: since,
            committing: false,
            writes: 0,
        });
        state.threads += 1;
        self.watch(&state);
        Ok((link, control))
    }

    /// Wakes the transactions that wait, when one may go on.
    pub(super) fn call_transactions(&self, state: &State) {
        if !state.transactions.is_empty() {
            self.turn_came.notify_all();
        }
    }

    /// Takes out a transaction that waits or has ended; what comes behind it goes on.
    fn forget(&self, state: &mut MutexGuard<'_, State>, hold: &Hold) {
        state.forget_transaction(hold.id);
        self.promote(state);
        self.call_transactions(state);
        if state.can_write() {
            self.write_queued.notify_one();
        }
        self.tell_ended(state);
    }

    /// A statement is over: the connection lies with the state until the next one.
    fn sit(&self, link: Link, hold: &Arc<Hold>, wrote: bool) -> Result<()> {
        let mut state = self.state();
        let Some(holder) = state.holder_of(hold) else { return hold.check() };
        holder.writes += u64::from(wrote);
        if holder.control.is_cancelled() || hold.failure.get().is_some() {
            drop(state);
            return Err(self.fail(link, hold, cancelled()));
        }
        holder.link = Some(link);
        holder.idle_since = Instant::now();
        Ok(())
    }

    /// Ends a transaction with an error; gives the first one.
    fn fail(&self, link: Link, hold: &Arc<Hold>, error: Error) -> Error {
        let error = match self.state().holder_of(hold) {
            Some(holder)
                if error.kind() == ErrorKind::Timeout
                    && Instant::now() >= holder.control.deadline() =>
            {
                out_of_time(holder.limits.total)
            }
            _ => error,
        };
        let first = hold.fail(error);
        self.roll_back(link, hold);
        first
    }

    pub(super) fn roll_back(&self, mut link: Link, hold: &Arc<Hold>) {
        if survive(|| link.roll_back()).is_some() {
            survive(|| link.disconnect());
        }
        self.release(link, hold, false);
    }

    /// The end: the connection is free, and what waits goes on.
    fn release(&self, link: Link, hold: &Arc<Hold>, committed: bool) {
        let mut state = self.state();
        let holder = state.holder.take();
        state.give_back(link);
        if committed {
            state.committed += 1;
            state.committed_writes += holder.map_or(0, |holder| holder.writes);
            let message = "the transaction has ended; it was committed";
            hold.fail(Error::new(ErrorKind::InvalidStatement, "transaction", message));
        }
        self.forget(&mut state, hold);
    }

    /// Cancels a transaction; false when it commits already.
    pub(super) fn cancel_transaction(
        &self,
        state: &mut MutexGuard<'_, State>,
        hold: &Arc<Hold>,
    ) -> bool {
        match state.holder_of(hold) {
            Some(holder) if holder.committing => false,
            Some(holder) => {
                holder.control.cancel();
                // The writer's thread takes the connection back unless a statement runs.
                self.write_queued.notify_one();
                true
            }
            None => {
                hold.fail(cancelled());
                self.turn_came.notify_all();
                self.forget(state, hold);
                true
            }
        }
    }

    /// Ends the transactions at the end of closing's patience; gives the connection of the one that
    /// holds it between two statements, to be rolled back outside of the lock.
    pub(super) fn close_transactions(
        &self,
        state: &mut MutexGuard<'_, State>,
    ) -> Option<(Link, Arc<Hold>)> {
        let waiting: Vec<Arc<Hold>> = state.transactions.values().map(Arc::clone).collect();
        for hold in waiting {
            hold.fail(closed());
            state.forget_transaction(hold.id);
            state.count_unwritten(TRANSACTIONS, 1);
        }
        let holder = state.holder.as_mut().filter(|holder| !holder.committing)?;
        holder.control.cancel();
        holder.hold.fail(closed());
        let link = holder.link.take().map(|link| (link, Arc::clone(&holder.hold)));
        state.count_unwritten(TRANSACTIONS, 1);
        link
    }
}
