//! The work that needs a server thread, and how long it may take: a [`Lane`] is one tick thread's
//! budget and fair queue of deliveries, conversions, publications and reads of inputs, by request
//! id. Any thread makes work ready without ever waiting; only the lane's thread runs it. It knows
//! ids and times alone: the data of a request that is ready is already in Java.

mod clock;
mod fair;
#[cfg(test)]
mod tests;

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crossbeam_queue::SegQueue;

pub use clock::{Clock, MonotonicClock, now_nanos};
use fair::FairRing;

use crate::sync::atomic::AtomicBool;
use crate::sync::{Mutex, MutexGuard};

/// Request ids are below this: the step's kind travels in the bits above.
pub const REQUEST_ID_LIMIT: u64 = 1 << 48;

/// How many arrivals one `next` takes over at most, so that a burst of them is spread over steps
/// and accounted like any work, about 50 ns each.
const ARRIVALS_PER_STEP: usize = 32;

const KIND_SHIFT: u32 = 56;

/// What a step does; the number is part of the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum StepKind {
    /// Run the request's callback.
    Deliver = 1,
    /// Convert one value that needs the server thread.
    Convert = 2,
    /// Read one input that lives on the server thread.
    InputRead = 4,
    /// Publish a shared result.
    Publish = 8,
}

impl StepKind {
    /// Every kind, in the order of the numbers.
    pub const ALL: [StepKind; 4] = [Self::Deliver, Self::Convert, Self::InputRead, Self::Publish];

    /// The name used in statistics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deliver => "deliver",
            Self::Convert => "convert",
            Self::InputRead => "input",
            Self::Publish => "publish",
        }
    }
}

/// One step to run: for which request, and what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What to do.
    pub kind: StepKind,
    /// For which request.
    pub request_id: u64,
}

impl Step {
    /// As the boundary carries it: `kind << 56 | request id`.
    #[must_use]
    pub const fn code(self) -> u64 {
        ((self.kind as u64) << KIND_SHIFT) | self.request_id
    }
}

/// Work of one request that is ready for a tick thread: first `slices` steps of `slice_kind`, then
/// a publication, then a delivery, each if asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ready {
    /// The request; 1 up to, not including, [`REQUEST_ID_LIMIT`].
    pub request_id: u64,
    /// The owner (a plugin's number), at least 1.
    pub owner: i32,
    /// How many single values to convert or read.
    pub slices: u32,
    /// What those are: a conversion, else an input read.
    pub slices_convert: bool,
    /// Whether a shared result is published.
    pub publish: bool,
    /// Whether a callback runs.
    pub deliver: bool,
}

impl Ready {
    /// Checks the boundary's numbers; `None` when one is out of range or nothing is to be done.
    #[must_use]
    pub fn from_numbers(
        request_id: u64,
        owner: i32,
        slices: i32,
        slice_kind: i32,
        finals: i32,
    ) -> Option<Self> {
        let slices = u32::try_from(slices).ok()?;
        let known = slices == 0 || slice_kind == 2 || slice_kind == 4;
        let valid = known
            && (1..REQUEST_ID_LIMIT).contains(&request_id)
            && owner >= 1
            && finals & !9 == 0
            && (slices > 0 || finals != 0);
        valid.then_some(Self {
            request_id,
            owner,
            slices,
            slices_convert: slice_kind == 2,
            publish: finals & 8 != 0,
            deliver: finals & 1 != 0,
        })
    }
}

/// Where the tick time of one request went; times in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TickRecord {
    /// The request.
    pub request_id: u64,
    /// All of its steps.
    pub main: u64,
    /// The most of it in one tick, both halves together.
    pub main_tick_max: u64,
    /// Conversions.
    pub conversion: u64,
    /// Callbacks.
    pub result: u64,
    /// Publications.
    pub publish: u64,
    /// Input reads.
    pub input: u64,
    /// How many values were converted.
    pub sync_conversions: u64,
    /// The slowest of them.
    pub largest_conversion: u64,
    /// In how many ticks it had work.
    pub ticks: u64,
    /// The clock at the end of its last step.
    pub finished_at: u64,
    /// The part of `main` in the first of these ticks.
    pub first_tick: u64,
}

/// What the end of a tick gives.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TickEnd {
    /// With slack and work left: the first step that the slack allows; the tick stays open.
    pub step: Option<Step>,
    /// The records of the requests that finished since the last end of a tick.
    pub records: Vec<TickRecord>,
}

/// What a lane did since it was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaneStatistics {
    /// Requests with work waiting.
    pub queued: usize,
    /// Ticks that were started.
    pub ticks: u64,
    /// Steps that were run.
    pub steps: u64,
    /// All of their time in nanoseconds.
    pub busy: u64,
    /// The most of it in one tick.
    pub largest_tick: u64,
    /// The slowest single step of each kind, in the order of [`StepKind::ALL`].
    pub largest_step: [u64; 4],
}

/// One tick thread's budget and fair queue. [`ready`](Self::ready), [`close_owner`](Self::close_owner),
/// [`statistics`](Self::statistics) and [`close`](Self::close) may be called by any thread; the rest
/// belongs to the lane's thread.
#[derive(Debug)]
pub struct Lane<C> {
    arrivals: SegQueue<Arrival>,
    closed: AtomicBool,
    // Free whenever `ready` is called: arrivals go past it. Held by others only for statistics.
    core: Mutex<Core<C>>,
}

#[derive(Debug)]
enum Arrival {
    Ready(Ready),
    OwnerClosed(i32),
}

impl<C: Clock> Lane<C> {
    /// A lane outside any tick.
    #[must_use]
    pub fn new(clock: C) -> Self {
        Self {
            arrivals: SegQueue::new(),
            closed: AtomicBool::new(false),
            core: Mutex::new(Core::new(clock)),
        }
    }

    /// Queues work; never waits. False when the lane is closed.
    pub fn ready(&self, ready: Ready) -> bool {
        if self.closed.load(Ordering::Acquire) {
            return false;
        }
        self.arrivals.push(Arrival::Ready(ready));
        true
    }

    /// Drops the queued work of an owner, in order with what was made ready before; never waits.
    pub fn close_owner(&self, owner: i32) {
        self.arrivals.push(Arrival::OwnerClosed(owner));
    }

    /// Refuses work from now on and drops what is queued.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.core().clear(&self.arrivals);
    }

    /// Opens a tick with a budget in nanoseconds. A step that was left open is closed.
    pub fn tick_start(&self, budget: u64) {
        self.core().tick_start(budget);
    }

    /// Closes the step that it gave before and gives the next one, or `None` when nothing is queued
    /// or the budget is used up. The first step of a tick is given whatever the budget.
    pub fn next(&self) -> Option<Step> {
        self.core().next(&self.arrivals)
    }

    /// Ends the tick. With `slack` (nanoseconds) and work left it goes on instead: the budget grows
    /// by the slack and the result holds the next step; call [`next`](Self::next) until `None`, then
    /// this again without slack.
    pub fn tick_end(&self, slack: u64) -> TickEnd {
        self.core().tick_end(&self.arrivals, slack)
    }

    /// Removes a request that failed; for the step being run its further steps. False when the
    /// request has no work here.
    pub fn drop_request(&self, request_id: u64) -> bool {
        self.core().drop_request(&self.arrivals, request_id)
    }

    /// What it did so far.
    pub fn statistics(&self) -> LaneStatistics {
        let core = self.core();
        let mut statistics = core.statistics;
        let waiting: usize = core.owners.iter().map(|owner| owner.requests.len()).sum();
        statistics.queued = waiting + self.arrivals.len();
        statistics
    }

    fn core(&self) -> MutexGuard<'_, Core<C>> {
        // A panic inside is caught at the boundary; the counters are valid after any of them.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Core<C> {
    clock: C,
    owners: FairRing<Owner>,
    /// The ring of the owner who left last: memory for the next one, which mostly comes alone and in
    /// a cold tick.
    spare: Option<FairRing<Queued>>,
    /// Debts of owners whose queue ran empty, until the lane is idle at the end of a tick.
    debts: Vec<(i32, i64)>,
    /// The step that was given and not closed yet; it is the front request of the front owner.
    running: Option<Running>,
    /// Whether a tick is open.
    in_tick: bool,
    budget: u64,
    spent: u64,
    steps_in_tick: u64,
    tick: u64,
    finished: Vec<TickRecord>,
    statistics: LaneStatistics,
}

#[derive(Debug, Clone, Copy)]
struct Running {
    kind: StepKind,
    started: u64,
    dropped: bool,
}

#[derive(Debug)]
struct Owner {
    number: i32,
    requests: FairRing<Queued>,
}

/// A request's work with what it has used so far.
#[derive(Debug)]
struct Queued {
    left: Ready,
    record: TickRecord,
    tick: u64,
    in_tick: u64,
}

impl Queued {
    fn new(ready: Ready) -> Self {
        let record = TickRecord { request_id: ready.request_id, ..TickRecord::default() };
        Self { left: ready, record, tick: 0, in_tick: 0 }
    }

    fn take_step(&mut self) -> Option<StepKind> {
        let left = &mut self.left;
        if left.slices > 0 {
            left.slices -= 1;
            Some(if left.slices_convert { StepKind::Convert } else { StepKind::InputRead })
        } else if std::mem::take(&mut left.publish) {
            Some(StepKind::Publish)
        } else if std::mem::take(&mut left.deliver) {
            Some(StepKind::Deliver)
        } else {
            None
        }
    }

    const fn is_done(&self) -> bool {
        self.left.slices == 0 && !self.left.publish && !self.left.deliver
    }

    fn account(&mut self, kind: StepKind, cost: u64, tick: u64, now: u64) {
        let record = &mut self.record;
        if self.tick != tick {
            self.tick = tick;
            self.in_tick = 0;
            record.ticks += 1;
        }
        self.in_tick += cost;
        if record.ticks == 1 {
            record.first_tick = self.in_tick;
        }
        record.main += cost;
        record.main_tick_max = record.main_tick_max.max(self.in_tick);
        record.finished_at = now;
        match kind {
            StepKind::Deliver => record.result += cost,
            StepKind::Publish => record.publish += cost,
            StepKind::InputRead => record.input += cost,
            StepKind::Convert => {
                record.conversion += cost;
                record.sync_conversions += 1;
                record.largest_conversion = record.largest_conversion.max(cost);
            }
        }
    }
}

impl<C: Clock> Core<C> {
    fn new(clock: C) -> Self {
        Self {
            clock,
            owners: FairRing::new(),
            spare: None,
            debts: Vec::new(),
            running: None,
            in_tick: false,
            budget: 0,
            spent: 0,
            steps_in_tick: 0,
            tick: 0,
            finished: Vec::new(),
            statistics: LaneStatistics::default(),
        }
    }

    fn tick_start(&mut self, budget: u64) {
        if self.running.is_some() {
            let now = self.clock.now();
            self.close_step(now);
        }
        self.in_tick = true;
        self.budget = budget;
        self.spent = 0;
        self.steps_in_tick = 0;
        self.tick += 1;
        self.statistics.ticks += 1;
    }

    fn next(&mut self, arrivals: &SegQueue<Arrival>) -> Option<Step> {
        if !self.in_tick {
            return None;
        }
        let now = self.clock.now();
        self.close_step(now);
        // Asked first, because a pop from an empty queue costs a full memory barrier.
        if !arrivals.is_empty() {
            for _ in 0..ARRIVALS_PER_STEP {
                match arrivals.pop() {
                    Some(arrival) => self.accept(arrival),
                    None => break,
                }
            }
        }
        if self.steps_in_tick > 0 && self.spent >= self.budget {
            return None;
        }
        let queued = self.owners.turn()?.requests.turn()?;
        let kind = queued.take_step()?;
        let request_id = queued.left.request_id;
        self.steps_in_tick += 1;
        // The clock was read before the queue was worked on, so that this work counts as well.
        self.running = Some(Running { kind, started: now, dropped: false });
        Some(Step { kind, request_id })
    }

    fn tick_end(&mut self, arrivals: &SegQueue<Arrival>, slack: u64) -> TickEnd {
        if !self.in_tick {
            return TickEnd::default();
        }
        if slack > 0 {
            self.budget = self.budget.saturating_add(slack);
            if let Some(step) = self.next(arrivals) {
                return TickEnd { step: Some(step), records: Vec::new() };
            }
        } else if self.running.is_some() {
            let now = self.clock.now();
            self.close_step(now);
        }
        self.in_tick = false;
        self.statistics.largest_tick = self.statistics.largest_tick.max(self.spent);
        if self.owners.is_empty() {
            self.debts.clear();
        }
        TickEnd { step: None, records: std::mem::take(&mut self.finished) }
    }

    /// Accounts the step that was given last and removes its request when nothing is left.
    fn close_step(&mut self, now: u64) {
        let Some(running) = self.running.take() else { return };
        let cost = now.saturating_sub(running.started);
        self.spent += cost;
        self.statistics.steps += 1;
        self.statistics.busy += cost;
        let slot = running.kind as usize;
        // 1, 2, 4, 8 in the order of StepKind::ALL.
        if let Some(largest) = self.statistics.largest_step.get_mut(slot.trailing_zeros() as usize)
        {
            *largest = cost.max(*largest);
        }
        let charge = i64::try_from(cost).unwrap_or(i64::MAX);
        self.owners.charge(charge);
        let Some(owner) = self.owners.front_mut() else { return };
        owner.requests.charge(charge);
        let Some(queued) = owner.requests.front_mut() else { return };
        queued.account(running.kind, cost, self.tick, now);
        if running.dropped || queued.is_done() {
            self.finished.push(queued.record);
            owner.requests.pop();
        }
        if owner.requests.is_empty()
            && let Some((owner, debt)) = self.owners.pop()
        {
            if debt < 0 {
                self.debts.push((owner.number, debt));
            }
            self.spare = owner.requests.emptied();
        }
    }

    fn accept(&mut self, arrival: Arrival) {
        let ready = match arrival {
            Arrival::Ready(ready) => ready,
            Arrival::OwnerClosed(owner) => return self.remove(|queued| queued.owner == owner),
        };
        let queued = Queued::new(ready);
        if let Some(owner) = self.owners.iter_mut().find(|owner| owner.number == ready.owner) {
            owner.requests.push(queued, 0);
            return;
        }
        let debt = match self.debts.iter().position(|&(owner, _)| owner == ready.owner) {
            Some(index) => self.debts.swap_remove(index).1,
            None => 0,
        };
        let mut requests = self.spare.take().unwrap_or_else(FairRing::new);
        requests.push(queued, 0);
        self.owners.push(Owner { number: ready.owner, requests }, debt);
    }

    fn drop_request(&mut self, arrivals: &SegQueue<Arrival>, request_id: u64) -> bool {
        while let Some(arrival) = arrivals.pop() {
            self.accept(arrival);
        }
        let mut found = false;
        self.remove(|ready| {
            let hit = ready.request_id == request_id;
            found |= hit;
            hit
        });
        found
    }

    /// Removes queued work; the request of the step being run ends with that step, as its entry
    /// must stay in front until then.
    fn remove(&mut self, mut unwanted: impl FnMut(&Ready) -> bool) {
        let mut front = self.running.is_some();
        let mut running_dropped = false;
        let finished = &mut self.finished;
        self.owners.retain(|owner| {
            owner.requests.retain(|queued| {
                let runs = std::mem::take(&mut front);
                if !unwanted(&queued.left) {
                    return true;
                }
                if runs {
                    running_dropped = true;
                    return true;
                }
                if queued.record.ticks > 0 {
                    finished.push(queued.record);
                }
                false
            });
            !owner.requests.is_empty()
        });
        if let Some(running) = &mut self.running {
            running.dropped |= running_dropped;
        }
    }

    fn clear(&mut self, arrivals: &SegQueue<Arrival>) {
        while arrivals.pop().is_some() {}
        self.owners = FairRing::new();
        self.running = None;
        self.in_tick = false;
        self.debts.clear();
        self.finished.clear();
    }
}
