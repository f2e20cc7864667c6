use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;

use super::fair::QUANTUM_NANOS;
use super::*;

const QUANTUM: u64 = QUANTUM_NANOS.unsigned_abs();
const BUDGET: u64 = 2_000_000;

#[derive(Debug, Clone, Default)]
struct FakeClock(Arc<AtomicU64>);

impl FakeClock {
    fn advance(&self, nanos: u64) {
        self.0.fetch_add(nanos, Ordering::Relaxed);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn lane() -> (Lane<FakeClock>, FakeClock) {
    let clock = FakeClock::default();
    clock.advance(1_000);
    (Lane::new(clock.clone()), clock)
}

fn convert(request_id: u64, owner: i32, slices: u32) -> Ready {
    let slices_convert = true;
    Ready { request_id, owner, slices, slices_convert, publish: false, deliver: true }
}

fn deliver(request_id: u64, owner: i32) -> Ready {
    convert(request_id, owner, 0)
}

/// Runs steps until `next` gives none; gives each with its cost.
fn run(
    lane: &Lane<FakeClock>,
    clock: &FakeClock,
    mut cost: impl FnMut(Step) -> u64,
) -> Vec<(Step, u64)> {
    let mut steps = Vec::new();
    while let Some(step) = lane.next() {
        let cost = cost(step);
        clock.advance(cost);
        steps.push((step, cost));
    }
    steps
}

#[test]
fn steps_come_in_order_and_the_record_adds_up_over_both_halves() {
    let (lane, clock) = lane();
    assert!(lane.ready(Ready { publish: true, ..convert(7, 1, 2) }));
    lane.tick_start(25);
    let first = run(&lane, &clock, |_| 10);
    clock.advance(40_000_000); // The server's own tick does not count.
    assert!(lane.next().is_none(), "three steps of 10 ns have used the budget of 25");
    assert_eq!(lane.tick_end(0), TickEnd::default());
    lane.tick_start(BUDGET);
    let second = run(&lane, &clock, |_| 4);
    let end = lane.tick_end(0);

    let kinds: Vec<StepKind> = first.iter().chain(&second).map(|(step, _)| step.kind).collect();
    let expected = [StepKind::Convert, StepKind::Convert, StepKind::Publish, StepKind::Deliver];
    assert_eq!(kinds, expected);
    let record = TickRecord {
        request_id: 7,
        main: 34,
        main_tick_max: 30,
        conversion: 20,
        result: 4,
        publish: 10,
        input: 0,
        sync_conversions: 2,
        largest_conversion: 10,
        ticks: 2,
        finished_at: 40_001_034,
        first_tick: 30,
    };
    assert_eq!(end.records, [record]);
    assert_eq!(lane.statistics().queued, 0);
}

#[test]
fn a_step_that_is_left_open_is_closed_by_the_end_of_the_tick() {
    let (lane, clock) = lane();
    lane.ready(deliver(1, 1));
    lane.tick_start(BUDGET);
    assert_eq!(lane.next().map(|step| step.code()), Some(1 << 56 | 1));
    clock.advance(500);
    let end = lane.tick_end(0);
    assert_eq!((end.records[0].result, end.records[0].ticks), (500, 1));
    assert!(lane.next().is_none(), "no tick is open");
}

#[test]
fn without_a_budget_one_step_runs_in_each_tick() {
    let (lane, clock) = lane();
    for id in 1..=3 {
        lane.ready(deliver(id, 1));
    }
    for _ in 0..3 {
        lane.tick_start(0);
        assert_eq!(run(&lane, &clock, |_| 1_000).len(), 1);
        lane.tick_end(0);
    }
    assert_eq!(lane.statistics().queued, 0);
}

#[test]
fn slack_lets_the_tick_go_on_and_only_with_work_left() {
    let (lane, clock) = lane();
    for id in 1..=4 {
        lane.ready(deliver(id, 1));
    }
    lane.tick_start(100);
    assert_eq!(run(&lane, &clock, |_| 100).len(), 1);
    let more = lane.tick_end(150);
    assert!(more.step.is_some() && more.records.is_empty());
    clock.advance(100);
    assert_eq!(run(&lane, &clock, |_| 100).len(), 1, "250 ns in all are used up by then");
    let end = lane.tick_end(0);
    assert_eq!((end.step, end.records.len()), (None, 3));

    lane.tick_start(100);
    assert_eq!(run(&lane, &clock, |_| 1).len(), 1);
    let end = lane.tick_end(1_000);
    assert_eq!((end.step, end.records.len()), (None, 1), "nothing is left for the slack");
}

#[test]
fn a_small_request_waits_no_longer_than_a_turn_of_a_large_one() {
    let (lane, clock) = lane();
    lane.ready(convert(1, 1, 100_000));
    lane.tick_start(BUDGET);
    for _ in 0..5 {
        lane.next();
        clock.advance(7_000);
    }
    // One of the same plugin, one of another.
    lane.ready(deliver(2, 1));
    lane.ready(deliver(3, 2));
    let arrived = clock.now();
    let mut waited = HashMap::new();
    while waited.len() < 2 {
        let step = lane.next().unwrap();
        if step.request_id > 1 {
            waited.insert(step.request_id, clock.now() - arrived);
        }
        clock.advance(7_000);
    }
    assert!(waited[&3] <= QUANTUM + 7_000, "{waited:?}");
    assert!(waited[&2] <= 2 * (QUANTUM + 7_000), "both wait for it: {waited:?}");
}

#[test]
fn an_owner_with_slow_values_gets_no_more_time_than_the_others() {
    let (lane, clock) = lane();
    let mut time: HashMap<i32, u64> = HashMap::new();
    lane.ready(convert(2, 2, u32::MAX));
    lane.ready(convert(3, 3, u32::MAX));
    for _ in 0..2_000 {
        // One delivery of 5 ms at a time: the owner's queue runs empty, its debt must not.
        if lane.core().owners.iter().all(|owner| owner.number != 1) {
            lane.ready(deliver(1, 1));
        }
        lane.tick_start(BUDGET);
        run(&lane, &clock, |step| {
            let owner = i32::try_from(step.request_id).unwrap();
            let cost = if owner == 1 { 5_000_000 } else { 50_000 };
            *time.entry(owner).or_default() += cost;
            cost
        });
        lane.tick_end(0);
    }
    let (slow, quick) = (time[&1], time[&2].min(time[&3]));
    assert!(slow <= quick + 5_000_000 + QUANTUM, "{time:?}");
}

#[test]
fn ready_does_not_wait_for_the_lanes_thread() {
    let (lane, _) = lane();
    let held = lane.core();
    // Would never come back if it needed what the lane's thread holds.
    assert!(lane.ready(deliver(1, 1)));
    lane.close_owner(2);
    drop(held);
    assert_eq!(lane.statistics().queued, 2);
}

#[test]
fn a_dropped_request_runs_no_further_step_and_keeps_its_record() {
    let (lane, clock) = lane();
    lane.ready(convert(1, 1, 5));
    lane.ready(deliver(2, 1));
    lane.ready(deliver(3, 1));
    lane.tick_start(BUDGET);
    assert_eq!(lane.next().unwrap().request_id, 1);
    clock.advance(9);
    assert!(lane.drop_request(1), "the one that runs");
    assert!(lane.drop_request(3), "one that waits");
    assert!(!lane.drop_request(99));
    let rest = run(&lane, &clock, |_| 1);
    assert_eq!(rest.iter().map(|(step, _)| step.request_id).collect::<Vec<_>>(), [2]);
    let ids: Vec<_> =
        lane.tick_end(0).records.iter().map(|record| (record.request_id, record.main)).collect();
    assert_eq!(ids, [(1, 9), (2, 1)], "a request that never ran has no record");
}

#[test]
fn closing_an_owner_drops_its_work_and_no_other() {
    let (lane, clock) = lane();
    lane.ready(convert(1, 1, 3));
    lane.ready(deliver(2, 2));
    lane.tick_start(BUDGET);
    assert_eq!(lane.next().unwrap().request_id, 1);
    lane.close_owner(1);
    lane.ready(deliver(3, 1));
    clock.advance(5);
    let rest = run(&lane, &clock, |_| 1);
    let ids: Vec<_> = rest.iter().map(|(step, _)| step.request_id).collect();
    // Arrivals are in order: what is made ready after the closing is not dropped by it.
    assert!(ids.contains(&2) && ids.contains(&3), "{ids:?}");
    assert!(ids.iter().filter(|&&id| id == 1).count() <= 1, "{ids:?}");
    assert_eq!(lane.statistics().queued, 0);
}

#[test]
fn a_closed_lane_refuses_and_gives_nothing() {
    let (lane, _) = lane();
    lane.ready(deliver(1, 1));
    lane.tick_start(BUDGET);
    lane.close();
    assert!(!lane.ready(deliver(2, 1)));
    assert!(lane.next().is_none());
    assert_eq!(lane.statistics().queued, 0);
}

#[test]
fn numbers_out_of_range_are_refused() {
    assert!(Ready::from_numbers(1, 1, 0, 0, 1).is_some());
    assert!(Ready::from_numbers(REQUEST_ID_LIMIT - 1, 1, 3, 4, 0).is_some());
    for (id, owner, slices, kind, finals) in [
        (0, 1, 0, 0, 1),
        (REQUEST_ID_LIMIT, 1, 0, 0, 1),
        (1, 0, 0, 0, 1),
        (1, -1, 0, 0, 1),
        (1, 1, -1, 2, 1),
        (1, 1, 1, 1, 1),
        (1, 1, 1, 0, 1),
        (1, 1, 0, 0, 0),
        (1, 1, 0, 0, 2),
        (1, 1, 0, 0, -1),
    ] {
        assert!(
            Ready::from_numbers(id, owner, slices, kind, finals).is_none(),
            "{id} {owner} {slices} {kind} {finals}"
        );
    }
}

#[test]
fn the_slowest_single_step_is_kept_by_kind() {
    let (lane, clock) = lane();
    lane.ready(convert(1, 1, 3));
    lane.tick_start(BUDGET);
    let mut costs = [300, 900_000, 20, 70].into_iter();
    run(&lane, &clock, |_| costs.next().unwrap());
    lane.tick_end(0);
    let statistics = lane.statistics();
    assert_eq!(statistics.largest_step, [70, 900_000, 0, 0]);
    assert_eq!((statistics.steps, statistics.busy, statistics.largest_tick), (4, 900_390, 900_390));
}

#[derive(Debug, Clone)]
struct Work {
    owner: i32,
    slices: u32,
    publish: bool,
    cost: u64,
    /// In which tick it arrives.
    tick: u64,
}

fn work() -> impl Strategy<Value = Vec<Work>> {
    let one = (1..5_i32, 0..40_u32, any::<bool>(), 1..400_000_u64, 0..5_u64);
    proptest::collection::vec(
        one.prop_map(|(owner, slices, publish, cost, tick)| Work {
            owner,
            slices,
            publish,
            cost,
            tick,
        }),
        1..60,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn budget_progress_and_records_hold_for_any_work(work in work(), budget in 0..3_000_000_u64) {
        let (lane, clock) = lane();
        let cost_of = |step: Step| work[usize::try_from(step.request_id).unwrap() - 1].cost;
        let mut records = Vec::new();
        let mut all = Vec::new();
        let mut tick = 0;
        while tick < 5 || lane.statistics().queued > 0 {
            for (index, one) in work.iter().enumerate().filter(|(_, one)| one.tick == tick) {
                let ready = Ready { publish: one.publish, ..convert(index as u64 + 1, one.owner, one.slices) };
                prop_assert!(lane.ready(ready));
            }
            let waiting = lane.statistics().queued;
            lane.tick_start(budget);
            let mut steps = run(&lane, &clock, cost_of);
            clock.advance(1_000_000);
            steps.extend(run(&lane, &clock, cost_of));
            records.extend(lane.tick_end(0).records);
            // At least one step; never past the budget by more than the last step.
            prop_assert!(waiting == 0 || !steps.is_empty());
            let before_last: u64 = steps.iter().rev().skip(1).map(|(_, cost)| cost).sum();
            prop_assert!(steps.len() <= 1 || before_last < budget);
            all.extend(steps);
            tick += 1;
        }
        // Every step of every request ran once, in the order of its kinds, and is in its record.
        prop_assert_eq!(records.len(), work.len());
        for record in records {
            let one = &work[usize::try_from(record.request_id).unwrap() - 1];
            let kinds: Vec<StepKind> = all.iter()
                .filter(|(step, _)| step.request_id == record.request_id)
                .map(|(step, _)| step.kind)
                .collect();
            let mut expected = vec![StepKind::Convert; usize::try_from(one.slices).unwrap()];
            expected.extend(one.publish.then_some(StepKind::Publish));
            expected.push(StepKind::Deliver);
            prop_assert_eq!(&kinds, &expected);
            prop_assert_eq!(record.main, one.cost * expected.len() as u64);
            prop_assert_eq!(record.conversion, one.cost * u64::from(one.slices));
            prop_assert_eq!(record.sync_conversions, u64::from(one.slices));
            prop_assert_eq!(record.conversion + record.publish + record.result + record.input, record.main);
            prop_assert!(record.main_tick_max <= record.main && record.ticks >= 1);
            prop_assert!(record.main_tick_max * record.ticks >= record.main);
            prop_assert!(record.first_tick <= record.main_tick_max);
        }
        prop_assert_eq!(lane.statistics().busy, all.iter().map(|(_, cost)| cost).sum::<u64>());
    }

    #[test]
    fn busy_owners_share_the_time(costs in proptest::collection::vec(1_000..300_000_u64, 2..5)) {
        let (lane, clock) = lane();
        for index in 0..costs.len() {
            lane.ready(convert(index as u64 + 1, i32::try_from(index).unwrap() + 1, u32::MAX));
        }
        let mut time = vec![0; costs.len()];
        for _ in 0..200 {
            lane.tick_start(BUDGET);
            run(&lane, &clock, |step| {
                let owner = usize::try_from(step.request_id).unwrap() - 1;
                time[owner] += costs[owner];
                costs[owner]
            });
            lane.tick_end(0);
        }
        let most = costs.iter().max().unwrap() + QUANTUM;
        let (least, largest) = (time.iter().min().unwrap(), time.iter().max().unwrap());
        prop_assert!(largest - least <= 2 * most, "{:?}", time);
    }
}
