//! What ended, waiting for the one thread of Java that takes it: results of requests and the tick
//! records of lanes. The queue has no bound of its own, since each entry belongs to a request whose
//! bytes are reserved. Any thread puts in; one takes.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::bytes::Reservation;
use crate::backend::{Counters, Outcome};
use crate::error::Result;
use crate::sync::{Condvar, Mutex, MutexGuard};
use crate::tick::TickRecord;

/// The engine's times of one request, in nanoseconds, and how many others shared its transaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timings {
    /// Execution on the database, begin and commit included.
    pub execution: u64,
    /// From submit to the start of execution, without `pool_wait`.
    pub queue_wait: u64,
    /// Waiting for a connection.
    pub pool_wait: u64,
    /// Other requests in the same transaction.
    pub grouped_with: u64,
}

/// A request that ended.
#[derive(Debug)]
pub struct Completion {
    /// The request.
    pub request_id: u64,
    /// What it gave.
    pub outcome: Result<Outcome>,
    /// Its times.
    pub timings: Timings,
    /// What its connection counted.
    pub counters: Counters,
    /// Its bytes in flight, held until this is dropped.
    pub reservation: Reservation,
}

/// One entry of the queue.
#[derive(Debug)]
pub enum Event {
    /// A request ended. Boxed: a tick record is much smaller.
    Result(Box<Completion>),
    /// A page of a stream, whose result is still to come.
    Page(Box<Completion>),
    /// What a request cost on a tick thread.
    Tick(TickRecord),
}

impl From<Completion> for Event {
    fn from(completion: Completion) -> Self {
        Self::Result(Box::new(completion))
    }
}

/// The completion queue.
#[derive(Debug, Default)]
pub struct Completions {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Event>,
    closed: bool,
}

impl Completions {
    /// Adds a result.
    pub fn push(&self, completion: Completion) {
        self.state().events.push_back(completion.into());
        self.arrived.notify_one();
    }

    /// Adds a page of a stream.
    pub fn push_page(&self, page: Completion) {
        self.state().events.push_back(Event::Page(Box::new(page)));
        self.arrived.notify_one();
    }

    /// Adds the results of one transaction at once, so that their reader wakes once.
    pub fn push_all(&self, completions: impl IntoIterator<Item = Completion>) {
        let mut state = self.state();
        state.events.extend(completions.into_iter().map(Event::from));
        drop(state);
        self.arrived.notify_one();
    }

    /// Adds the records of one tick.
    pub fn push_records(&self, records: Vec<TickRecord>) {
        if records.is_empty() {
            return;
        }
        self.state().events.extend(records.into_iter().map(Event::Tick));
        self.arrived.notify_one();
    }

    /// Takes up to `max` events; waits up to `timeout` while there is none. An empty answer means
    /// that the time passed; `None` that it is closed and all was taken.
    pub fn take(&self, max: usize, timeout: Duration) -> Option<Vec<Event>> {
        // A timeout past what the clock can tell waits a day; its caller comes again.
        let now = Instant::now();
        let deadline = now.checked_add(timeout).unwrap_or(now + Duration::from_secs(86_400));
        let mut state = self.state();
        while state.events.is_empty() {
            if state.closed {
                return None;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Some(Vec::new());
            }
            state =
                self.arrived.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let count = max.min(state.events.len());
        Some(state.events.drain(..count).collect())
    }

    /// Puts events back in front, for a taker that could not pass them on.
    pub fn put_back(&self, events: Vec<Event>) {
        let mut state = self.state();
        for event in events.into_iter().rev() {
            state.events.push_front(event);
        }
        drop(state);
        self.arrived.notify_one();
    }

    /// Ends it: what is inside can still be taken.
    pub fn close(&self) {
        self.state().closed = true;
        self.arrived.notify_all();
    }

    /// How many events wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state().events.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn record(request_id: u64) -> TickRecord {
        TickRecord { request_id, ..TickRecord::default() }
    }

    #[test]
    fn takes_in_order_up_to_max_and_drains_after_close() {
        let queue = Completions::default();
        queue.push_records((1..=5).map(record).collect());
        assert_eq!(queue.take(2, Duration::ZERO).unwrap().len(), 2);
        queue.close();
        let rest = queue.take(10, Duration::ZERO).unwrap();
        assert!(matches!(rest[..], [Event::Tick(a), ..] if a.request_id == 3));
        assert_eq!(rest.len(), 3);
        assert!(queue.take(10, LONG).is_none());
    }

    #[test]
    fn close_and_arrival_each_end_a_wait() {
        let queue = Arc::new(Completions::default());
        let run = |queue: &Arc<Completions>| {
            let queue = Arc::clone(queue);
            std::thread::spawn(move || queue.take(10, LONG).map(|events| events.len()))
        };
        let waiter = run(&queue);
        queue.push_records(vec![record(1)]);
        assert_eq!(waiter.join().unwrap(), Some(1));
        let waiter = run(&queue);
        queue.close();
        assert_eq!(waiter.join().unwrap(), None);
    }

    #[test]
    fn an_endless_timeout_does_not_overflow() {
        let queue = Completions::default();
        queue.push_records(vec![record(1)]);
        assert_eq!(queue.take(1, Duration::MAX).unwrap().len(), 1);
    }
}
