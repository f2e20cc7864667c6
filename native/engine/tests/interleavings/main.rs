//! Sessions, the completion queue, bytes in flight and lanes under a scheduler that tries orders of
//! their steps: no order loses a wake-up, answers a request twice or not at all, or shows a read less
//! than it may see. Timed waits never end by their time here, so that nothing but the right wake-up
//! lets a test end; what is lost is reported as a deadlock, with the schedule that leads to it.
//!
//! `cargo test --release -p tickwell-engine --features shuttle --test interleavings`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

mod bed;
mod store;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bed::{Bed, LONG};
use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::sync::Mutex;
use shuttle::{Config, Runner, thread};
use tickwell_engine::backend::Control;
use tickwell_engine::error::ErrorKind;
use tickwell_engine::runtime::{BytesInFlight, Completions, Event};
use tickwell_engine::session::TransactionLimits;
use tickwell_engine::tick::{Lane, MonotonicClock, Ready, StepKind, TickRecord};

const LIMITS: TransactionLimits = TransactionLimits { total: LONG, idle: LONG };

/// Tries so many random orders, and as many in which few switches happen at the worst moments.
fn check(orders: usize, test: fn()) {
    let mut config = Config::new();
    config.stack_size = 256 << 10;
    config.silence_warnings = true;
    Runner::new(RandomScheduler::new(orders), config.clone()).run(test);
    Runner::new(PctScheduler::new(3, orders), config).run(test);
}

/// One of these by chance.
fn chance(of: u32) -> bool {
    thread_rng().gen_range(0..of) == 0
}

#[test]
fn every_request_is_answered_and_reads_see_the_writes_before_them() {
    check(2_500, || {
        let bed = Bed::new(2);
        let callers: Vec<_> = (1..=3)
            .map(|caller| {
                let bed = Arc::clone(&bed);
                thread::spawn(move || {
                    let write = bed.insert(caller);
                    let read = bed.count(caller);
                    if chance(2) {
                        bed.run_what_is_next();
                    }
                    assert_eq!(bed.answer(write), Ok(1));
                    assert_eq!(bed.answer(read), Ok(1), "the write came first");
                })
            })
            .collect();
        callers.into_iter().for_each(|caller| caller.join().unwrap());
        assert_eq!(bed.close(LONG), 0);
        assert_eq!(bed.stored(), [1, 2, 3]);
    });
}

#[test]
fn writes_that_lose_their_transaction_to_another_are_stored_once() {
    check(2_500, || {
        let bed = Bed::new(1);
        let other = {
            let bed = Arc::clone(&bed);
            thread::spawn(move || {
                let broken = bed.insert(store::BREAKS);
                assert_eq!(bed.answer(broken), Err(ErrorKind::Io));
            })
        };
        let (one, again, two) = (bed.insert(1), bed.insert(1), bed.insert(2));
        assert_eq!(bed.answer(one), Ok(1));
        assert_eq!(bed.answer(again), Err(ErrorKind::UniqueViolation));
        assert_eq!(bed.answer(two), Ok(1));
        other.join().unwrap();
        bed.close(LONG);
        assert_eq!(bed.stored(), [1, 2]);
    });
}

#[test]
fn a_cancelled_write_is_not_stored_and_holds_nobody_up() {
    check(2_500, || {
        let bed = Bed::new(1);
        let ids: Vec<u64> = (1..=3).map(|row| bed.insert(row)).collect();
        let read = bed.count(2);
        let last = bed.count(3);
        let second = ids[1];
        let cancelling = {
            let bed = Arc::clone(&bed);
            thread::spawn(move || (bed.session.cancel(second), bed.session.cancel(last)))
        };
        assert_eq!(bed.answer(ids[0]), Ok(1));
        let got = bed.answer(ids[1]);
        assert_eq!(bed.answer(ids[2]), Ok(1));
        let read = bed.answer(read).unwrap();
        let last = bed.answer(last);
        let (write_cancelled, read_cancelled) = cancelling.join().unwrap();
        let stored = write_cancelled != Some(true);
        assert_eq!(got, if stored { Ok(1) } else { Err(ErrorKind::Cancelled) });
        assert_eq!(read, u64::from(stored));
        let seen = read_cancelled != Some(true);
        assert_eq!(last, if seen { Ok(1) } else { Err(ErrorKind::Cancelled) });
        bed.close(LONG);
        assert_eq!(bed.stored().contains(&2), stored);
    });
}

#[test]
fn transactions_and_writes_have_their_turns() {
    check(2_500, || {
        let bed = Bed::new(1);
        let transacting: Vec<_> = [10, 20]
            .map(|row| {
                let bed = Arc::clone(&bed);
                thread::spawn(move || {
                    let transaction = bed.begin(row as u64, LIMITS).unwrap();
                    assert_eq!(bed.execute(&transaction, row), Ok(1));
                    assert_eq!(bed.execute(&transaction, row + 1), Ok(1));
                    if row == 10 {
                        transaction.commit().unwrap();
                    }
                })
            })
            .into_iter()
            .collect();
        let write = bed.insert(1);
        let read = bed.count(1);
        assert_eq!(bed.answer(write), Ok(1));
        assert_eq!(bed.answer(read), Ok(1));
        transacting.into_iter().for_each(|thread| thread.join().unwrap());
        let after = bed.insert(2);
        assert_eq!(bed.answer(after), Ok(1));
        bed.close(LONG);
        assert_eq!(bed.stored(), [1, 2, 10, 11]);
    });
}

#[test]
fn a_cancelled_transaction_gives_the_writer_back() {
    check(2_500, || {
        let bed = Bed::new(1);
        let transacting = {
            let bed = Arc::clone(&bed);
            thread::spawn(move || {
                let transaction = bed.begin(10, LIMITS)?;
                bed.execute(&transaction, 10)?;
                transaction.commit().map_err(|error| error.kind())
            })
        };
        let cancelling = {
            let bed = Arc::clone(&bed);
            thread::spawn(move || bed.session.cancel(10))
        };
        let write = bed.insert(1);
        assert_eq!(bed.answer(write), Ok(1));
        let cancelled = cancelling.join().unwrap() == Some(true);
        let ended = transacting.join().unwrap();
        assert_eq!(ended, if cancelled { Err(ErrorKind::Cancelled) } else { Ok(()) });
        bed.close(LONG);
        assert_eq!(bed.stored().contains(&10), !cancelled);
    });
}

/// The body waits for nothing but the write, which waits for the transaction: only the session's own
/// thread can take the connection back.
#[test]
fn a_transaction_that_is_cancelled_between_its_statements_lets_the_writes_go_on() {
    check(2_500, || {
        let bed = Bed::new(1);
        let transaction = bed.begin(10, LIMITS).unwrap();
        let cancelling = {
            let bed = Arc::clone(&bed);
            thread::spawn(move || assert_eq!(bed.session.cancel(10), Some(true)))
        };
        let write = bed.insert(1);
        assert_eq!(bed.answer(write), Ok(1));
        assert_eq!(bed.execute(&transaction, 10), Err(ErrorKind::Cancelled));
        drop(transaction);
        cancelling.join().unwrap();
        bed.close(LONG);
        assert_eq!(bed.stored(), [1]);
    });
}

#[test]
fn a_read_whose_write_is_cancelled_behind_a_transaction_goes_on_at_its_end() {
    check(2_500, || {
        let bed = Bed::new(1);
        let transaction = bed.begin(10, LIMITS).unwrap();
        let write = bed.insert(1);
        let read = bed.count(1);
        let cancelling = {
            let bed = Arc::clone(&bed);
            thread::spawn(move || bed.session.cancel(write))
        };
        transaction.commit().unwrap();
        let stored = bed.answer(write);
        assert_eq!(bed.answer(read), Ok(u64::from(stored.is_ok())));
        let cancelled = cancelling.join().unwrap() == Some(true);
        assert_eq!(stored, if cancelled { Err(ErrorKind::Cancelled) } else { Ok(1) });
        bed.close(LONG);
    });
}

#[test]
fn closing_answers_everything_that_was_accepted() {
    check(2_500, || {
        let bed = Bed::new(1);
        let limit = if chance(2) { LONG } else { Duration::ZERO };
        let callers: Vec<_> = (1..=2)
            .map(|row| {
                let bed = Arc::clone(&bed);
                thread::spawn(move || {
                    let mut accepted = Vec::new();
                    accepted.extend(bed.try_insert(row).map(|id| (row, id)));
                    accepted.extend(bed.try_insert(row + 10).map(|id| (row + 10, id)));
                    accepted
                })
            })
            .collect();
        let transacting = {
            let bed = Arc::clone(&bed);
            thread::spawn(move || {
                let transaction = bed.begin(30, LIMITS)?;
                bed.execute(&transaction, 30)?;
                transaction.commit().map_err(|error| error.kind())
            })
        };
        assert_eq!(bed.close(limit), 0, "threads that did not end");
        let committed = transacting.join().unwrap();
        if let Err(kind) = committed {
            assert!(matches!(kind, ErrorKind::Closed | ErrorKind::Cancelled), "{kind:?}");
        }
        let mut expected: Vec<i64> = committed.iter().map(|()| 30).collect();
        for (row, id) in callers.into_iter().flat_map(|caller| caller.join().unwrap()) {
            match bed.answer(id) {
                Ok(1) => expected.push(row),
                Err(ErrorKind::Cancelled) if limit.is_zero() => {}
                other => panic!("{other:?}"),
            }
        }
        expected.sort_unstable();
        assert_eq!(bed.stored(), expected);
    });
}

fn record(request_id: u64) -> TickRecord {
    TickRecord { request_id, ..TickRecord::default() }
}

#[test]
fn the_completion_queue_gives_everything_once_and_ends() {
    check(2_500, || {
        let queue = Arc::new(Completions::default());
        let pushing: Vec<_> = (0..2)
            .map(|number| {
                let queue = Arc::clone(&queue);
                thread::spawn(move || {
                    queue.push_records(vec![record(number * 10), record(number * 10 + 1)]);
                    queue.push_records(vec![record(number * 10 + 2)]);
                })
            })
            .collect();
        let taking = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                let mut taken = Vec::new();
                let mut returned = false;
                while let Some(events) = queue.take(2, LONG) {
                    if !returned && events.len() == 2 {
                        returned = true;
                        queue.put_back(events);
                        continue;
                    }
                    taken.extend(events.iter().map(|event| match event {
                        Event::Tick(record) => record.request_id,
                        Event::Result(_) | Event::Page(_) => panic!("no request ran"),
                    }));
                }
                taken
            })
        };
        pushing.into_iter().for_each(|thread| thread.join().unwrap());
        queue.close();
        let mut taken = taking.join().unwrap();
        for number in [0, 10] {
            let own: Vec<u64> =
                taken.iter().copied().filter(|id| (number..number + 3).contains(id)).collect();
            assert_eq!(own, [number, number + 1, number + 2], "in their order");
        }
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2, 10, 11, 12]);
    });
}

#[test]
fn each_arrival_ends_a_wait_of_the_completion_queue() {
    check(2_500, || {
        let queue = Arc::new(Completions::default());
        let taking = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                let mut taken = 0;
                while taken < 2 {
                    taken += queue.take(10, LONG).unwrap().len();
                }
            })
        };
        let pushing = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || queue.push_records(vec![record(2)]))
        };
        queue.push_records(vec![record(1)]);
        taking.join().unwrap();
        pushing.join().unwrap();
    });
}

#[test]
fn whoever_waits_for_room_goes_on_when_there_is_some_or_it_is_cancelled() {
    check(2_500, || {
        let pool = BytesInFlight::new("read", 100);
        let mut large = pool.reserve("select", 10).unwrap();
        large.resize(500);
        let control = Control::new(Instant::now() + LONG);
        let waiting = {
            let (pool, control) = (Arc::clone(&pool), control.clone());
            thread::spawn(move || pool.wait_for_room(&control).map_err(|error| error.kind()))
        };
        if chance(2) {
            let freeing = thread::spawn(move || drop(large));
            assert_eq!(waiting.join().unwrap(), Ok(()));
            freeing.join().unwrap();
        } else {
            control.cancel();
            pool.wake();
            assert_eq!(waiting.join().unwrap(), Err(ErrorKind::Cancelled));
            drop(large);
        }
        assert_eq!(pool.used(), 0);
    });
}

#[test]
fn a_lane_runs_what_is_made_ready_once_and_nothing_of_a_closed_owner() {
    const PLUGINS: i32 = 2;
    check(2_500, || {
        let lane = Arc::new(Lane::new(MonotonicClock));
        let ended = Arc::new(Mutex::new(0));
        let making: Vec<_> = (1..=PLUGINS)
            .map(|owner| {
                let (lane, ended) = (Arc::clone(&lane), Arc::clone(&ended));
                thread::spawn(move || {
                    for index in 0..3 {
                        let request_id = u64::from(owner.unsigned_abs()) * 10 + index;
                        let ready = Ready::from_numbers(request_id, owner, 0, 0, 1).unwrap();
                        assert!(lane.ready(ready));
                    }
                    if owner == PLUGINS {
                        lane.close_owner(owner);
                    }
                    *ended.lock().unwrap() += 1;
                })
            })
            .collect();
        let mut run = Vec::new();
        loop {
            let last = *ended.lock().unwrap() == PLUGINS;
            lane.tick_start(0);
            while let Some(step) = lane.next() {
                assert_eq!(step.kind, StepKind::Deliver);
                run.push(step.request_id);
            }
            lane.tick_end(0);
            if last && lane.statistics().queued == 0 {
                break;
            }
            thread::yield_now();
        }
        making.into_iter().for_each(|thread| thread.join().unwrap());
        let of = |owner: u64| run.iter().copied().filter(move |id| id / 10 == owner);
        assert_eq!(of(1).collect::<Vec<_>>(), [10, 11, 12]);
        let count = of(2).count() as u64;
        assert!(of(2).eq(20..20 + count), "the closed one's, as far as it came: {run:?}");
    });
}
