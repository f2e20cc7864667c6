//! Sessions against SQLite: order, group commit, cancelling, deadlines, bounds, faults, closing.

#[allow(dead_code, reason = "its other parts are for other tests")]
mod support;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use support::{
    Fault, Fixture, PATIENCE, affected, definition, insert, key, kind, row, row_count, rows, select,
};
use tickwell_engine::backend::Outcome;
use tickwell_engine::error::{Effect, ErrorKind};
use tickwell_engine::runtime::{Completion, RuntimeConfig};
use tickwell_engine::schema::{ColumnDefinition, TableDefinition};
use tickwell_engine::session::{CloseReport, Unwritten};
use tickwell_engine::statement::{Aggregate, Assignment, Change, Statement};
use tickwell_engine::value::{ValueRef, ValueType};

/// Never ends by itself.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                       SELECT count(*) FROM n WHERE i < 0";

/// Transactions that the database committed, and the writes in them, as statistics tell them.
fn committed(fixture: &Fixture) -> (u64, u64) {
    (fixture.statistic("main.transactions"), fixture.statistic("main.writes"))
}

#[test]
fn a_read_sees_the_write_that_its_thread_submitted_before() {
    const THREADS: i64 = 8;
    const PAIRS: i64 = 125;
    let fixture = Fixture::with_table();
    let reads = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let fixture = &fixture;
                scope.spawn(move || {
                    (0..PAIRS)
                        .map(|pair| {
                            let id = thread * PAIRS + pair;
                            let write = fixture.insert("t", id);
                            (write, fixture.select("t", id))
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(reads.len(), 1_000);
    for (write, read) in reads {
        assert_eq!(affected(&fixture.take(write)), 1);
        assert_eq!(row_count(&fixture.take(read)), 1);
    }
    assert_eq!(fixture.count("t"), 1_000);
}

#[test]
fn reads_wait_for_writes_of_their_table_and_raw_statements_for_all() {
    let fixture = Fixture::with_table();
    fixture.register("other");
    fixture.script.writes.shut();
    let write = fixture.insert("t", 1);
    let behind = fixture.select("t", 1);
    let raw = fixture.raw_query("SELECT count(*) AS n FROM t WHERE id = 1");
    // The other table's read does not wait: it comes while the write is held back.
    let free = fixture.select("other", 1);
    assert_eq!(row_count(&fixture.take(free)), 0);
    assert_eq!(fixture.statistic("main.queued-reads"), 2);
    // A raw update may be about any table.
    let update = fixture.raw_update("INSERT INTO other (id) VALUES (1)");
    let after_update = fixture.select("other", 1);

    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(write)), 1);
    assert_eq!(row_count(&fixture.take(behind)), 1);
    assert_eq!(row_count(&fixture.take(raw)), 1);
    assert_eq!(affected(&fixture.take(update)), 1);
    assert_eq!(row_count(&fixture.take(after_update)), 1);
}

#[test]
fn cancelling_the_write_lets_its_read_go_on() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    let queued = fixture.insert("t", 2);
    let read = fixture.select("t", 1);
    assert!(fixture.runtime.cancel(queued));
    assert_eq!(kind(&fixture.take(queued)), Some(ErrorKind::Cancelled));
    fixture.script.writes.open();
    assert_eq!(row_count(&fixture.take(read)), 1);
    assert_eq!(affected(&fixture.take(first)), 1);
    assert_eq!(fixture.count("t"), 1);
}

#[test]
fn what_queued_meanwhile_is_one_transaction_in_which_a_bad_row_harms_nobody() {
    let fixture = Fixture::with_table();
    let before = fixture.script.begun.load(Ordering::SeqCst);
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    // The last row of number 50 has a key that is taken; its first statements succeed.
    let bad = rows((1_000..1_300).chain([0]), 7);
    let page = |id| if id == 50 { bad.clone() } else { row(id, 7) };
    let writes: Vec<u64> = (1..=100).map(|id| fixture.send(insert("t"), Some(page(id)))).collect();
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    for (index, &write) in writes.iter().enumerate() {
        let completion = fixture.take(write);
        if index == 49 {
            assert_eq!(kind(&completion), Some(ErrorKind::UniqueViolation));
            assert_eq!(completion.outcome.as_ref().unwrap_err().effect(), Effect::None);
        } else {
            assert_eq!(affected(&completion), 1);
            assert_eq!(completion.timings.grouped_with, 98);
        }
    }
    assert_eq!(fixture.script.begun.load(Ordering::SeqCst) - before, 2);
    // With the registration's; the bad one is in none.
    assert_eq!(committed(&fixture), (3, 101));
    assert_eq!(fixture.count("t"), 100);
}

/// Queues two writes of the same row, the second of which the first one's refuses, into one group.
fn two_of_the_same_row(fixture: &Fixture) -> (u64, u64, u64) {
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    (first, fixture.insert("t", 1), fixture.insert("t", 1))
}

#[test]
fn a_write_is_not_refused_for_a_row_that_was_lost_with_their_transaction() {
    let fixture = Fixture::with_table();
    let (first, one, other) = two_of_the_same_row(&fixture);
    let broken = fixture.insert("t", 2);
    // The connection breaks at the last of the group, so that all run again, each alone; then the
    // one whose row had been in the way of the other is not stored.
    fixture.script.fault("execute", 3, Fault::Fail(ErrorKind::Io, Effect::None));
    fixture.script.fault("commit", 1, Fault::Fail(ErrorKind::DiskFull, Effect::None));
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    assert_eq!(kind(&fixture.take(broken)), Some(ErrorKind::Io));
    assert_eq!(kind(&fixture.take(one)), Some(ErrorKind::DiskFull));
    assert_eq!(affected(&fixture.take(other)), 1);
    assert_eq!(fixture.count("t"), 2);
}

#[test]
fn a_write_is_not_refused_for_a_row_whose_commit_failed() {
    let fixture = Fixture::with_table();
    let (first, one, other) = two_of_the_same_row(&fixture);
    fixture.script.fault("commit", 1, Fault::Fail(ErrorKind::DiskFull, Effect::None));
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    assert_eq!(kind(&fixture.take(one)), Some(ErrorKind::DiskFull));
    assert_eq!(affected(&fixture.take(other)), 1);
    assert_eq!(fixture.count("t"), 2);
}

#[test]
fn a_result_goes_out_only_after_the_commit() {
    let fixture = Fixture::with_table();
    fixture.script.commits.shut();
    let write = fixture.insert("t", 1);
    fixture.script.commits.wait_for_arrival();
    assert_eq!(fixture.statistic("completions"), 0);
    fixture.script.commits.open();
    assert_eq!(affected(&fixture.take(write)), 1);
}

/// Adds to `v` in every row.
fn grow(fixture: &Fixture, table: &str, amount: i64) -> u64 {
    let assignments =
        vec![Assignment { column: "v".to_owned(), change: Change::Add, parameter: 0 }];
    let statement =
        Statement::Update { table: table.to_owned(), assignments, filter: None, limit: None };
    fixture.send(statement, Some(key(amount)))
}

fn sum(fixture: &Fixture, table: &str) -> u64 {
    let aggregates = vec![Aggregate::Sum("v".to_owned())];
    fixture.send(Statement::Aggregate { table: table.to_owned(), filter: None, aggregates }, None)
}

/// The sum that a request of [`sum`] gave; `None` when it gave something else.
fn summed(fixture: &Fixture, id: u64) -> Option<ValueRef<'static>> {
    let Ok(Outcome::Rows(page)) = fixture.take(id).outcome else { return None };
    match page.value(0, 0)? {
        ValueRef::Integer(sum) => Some(ValueRef::Integer(sum)),
        ValueRef::Null => Some(ValueRef::Null),
        _ => None,
    }
}

#[test]
fn an_update_is_a_write_of_its_table_and_an_aggregate_a_read() {
    let fixture = Fixture::with_table();
    fixture.register("other");
    fixture.script.writes.shut();
    let insert = fixture.insert("t", 1);
    let update = grow(&fixture, "t", 1);
    let behind = sum(&fixture, "t");
    assert_eq!(summed(&fixture, sum(&fixture, "other")), Some(ValueRef::Null));
    let cancelled = grow(&fixture, "t", 1);
    assert!(fixture.runtime.cancel(cancelled), "a queued update can be cancelled");
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(insert)), 1);
    assert_eq!(affected(&fixture.take(update)), 1);
    assert_eq!(summed(&fixture, behind), Some(ValueRef::Integer(8)));
    assert_eq!(kind(&fixture.take(cancelled)), Some(ErrorKind::Cancelled));
}

#[test]
fn no_relative_update_of_many_callers_is_lost() {
    let fixture = Fixture::with_table();
    let first = fixture.insert("t", 1);
    assert_eq!(affected(&fixture.take(first)), 1);
    let updates = std::thread::scope(|scope| {
        let grow_often = || (0..50).map(|_| grow(&fixture, "t", 1)).collect::<Vec<_>>();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(grow_often)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for update in updates {
        assert_eq!(affected(&fixture.take(update)), 1);
    }
    assert_eq!(summed(&fixture, sum(&fixture, "t")), Some(ValueRef::Integer(407)));
}

/// One of several updates in a transaction fails alone.
#[test]
fn an_update_that_is_refused_leaves_its_neighbours() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    let before = grow(&fixture, "t", 1);
    let too_much = grow(&fixture, "t", i64::MAX);
    let after = grow(&fixture, "t", 1);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    assert_eq!(affected(&fixture.take(before)), 1);
    assert_eq!(kind(&fixture.take(too_much)), Some(ErrorKind::InvalidValue));
    assert_eq!(affected(&fixture.take(after)), 1);
    assert_eq!(summed(&fixture, sum(&fixture, "t")), Some(ValueRef::Integer(9)));
}

#[test]
fn a_failed_commit_fails_each_of_its_callers_with_its_effect() {
    let fixture = Fixture::with_table();
    for effect in [Effect::None, Effect::Unknown] {
        fixture.script.writes.shut();
        let first = fixture.insert("t", 1);
        fixture.script.writes.wait_for_arrival();
        let writes = [fixture.insert("t", 2), fixture.insert("t", 3)];
        fixture.script.fault("commit", 1, Fault::Fail(ErrorKind::Locked, effect));
        fixture.script.writes.open();
        assert_eq!(affected(&fixture.take(first)), 1);
        for write in writes {
            let error = fixture.take(write).outcome.unwrap_err();
            assert_eq!((error.kind(), error.effect()), (ErrorKind::Locked, effect));
        }
        assert_eq!(fixture.count("t"), 1, "the transaction was rolled back");
        let delete = fixture
            .send(Statement::Delete { table: "t".to_owned(), filter: None, limit: None }, None);
        assert_eq!(affected(&fixture.take(delete)), 1);
    }
}

#[test]
fn cancel_removes_queued_work_interrupts_reads_and_leaves_started_writes() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let started = fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    let queued = fixture.insert("t", 2);
    assert!(!fixture.runtime.cancel(started));
    assert!(fixture.runtime.cancel(queued));
    assert!(!fixture.runtime.cancel(queued), "it is gone");
    assert!(!fixture.runtime.cancel(999_999), "never seen");
    assert_eq!(kind(&fixture.take(queued)), Some(ErrorKind::Cancelled));
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(started)), 1);

    let endless = fixture.raw_query(ENDLESS);
    while fixture.statistic("main.running") == 0 {
        std::thread::yield_now();
    }
    assert!(fixture.runtime.cancel(endless));
    assert_eq!(kind(&fixture.take(endless)), Some(ErrorKind::Cancelled));
    assert_eq!(fixture.count("t"), 1);
}

#[test]
fn a_read_that_was_cancelled_ends_so_even_when_its_rows_were_there() {
    let fixture = Fixture::with_table();
    fixture.script.reads.shut();
    let read = fixture.select("t", 1);
    fixture.script.reads.wait_for_arrival();
    assert!(fixture.runtime.cancel(read));
    fixture.script.reads.open();
    assert_eq!(kind(&fixture.take(read)), Some(ErrorKind::Cancelled));
}

#[test]
fn a_read_does_not_wait_for_a_write_that_is_gone() {
    let fixture = Fixture::with_table();
    // An idle writer needs longer to wake than the next two calls take, so that mostly the write is
    // cancelled as the only one in the queue.
    let mut cancelled = 0;
    for id in 0..200 {
        let write = fixture.insert("t", id);
        let read = fixture.select("t", id);
        cancelled += usize::from(fixture.runtime.cancel(write));
        assert!(fixture.take(read).outcome.is_ok());
        fixture.take(write);
    }
    assert!(cancelled > 0);
}

#[test]
fn queued_work_expires_while_the_writer_is_stuck() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let stuck = fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    let write = fixture.try_send(insert("t"), Some(row(2, 7)), 30).unwrap();
    let read = fixture.try_send(select("t"), Some(key(1)), 30).unwrap();
    // Both come while the gate is shut.
    assert_eq!(kind(&fixture.take(write)), Some(ErrorKind::Timeout));
    assert_eq!(kind(&fixture.take(read)), Some(ErrorKind::Timeout));
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(stuck)), 1);
    assert_eq!(fixture.count("t"), 1);
}

#[test]
fn running_work_stops_at_its_deadline() {
    let fixture = Fixture::with_table();
    let sql = ENDLESS.to_owned();
    let read = fixture.try_send(Statement::RawQuery { sql }, None, 30).unwrap();
    assert_eq!(kind(&fixture.take(read)), Some(ErrorKind::Timeout));
}

#[test]
fn neighbours_of_a_write_that_timed_out_are_run_again() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let before = fixture.insert("t", 1);
    // SQLite rolls the whole transaction back when it is interrupted in this.
    let sql = format!("INSERT INTO t (id, v) SELECT 1000, n.c FROM ({ENDLESS}) AS n(c)");
    let sql = sql.replace("AS n(c)", "AS n").replace("n.c", "1");
    let slow = fixture.try_send(Statement::RawUpdate { sql }, None, 300).unwrap();
    let after = fixture.insert("t", 2);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    assert_eq!(kind(&fixture.take(slow)), Some(ErrorKind::Timeout));
    assert_eq!(affected(&fixture.take(before)), 1);
    assert_eq!(affected(&fixture.take(after)), 1);
    assert_eq!(committed(&fixture), (4, 4), "each had its own");
    assert_eq!(fixture.count("t"), 3);
}

#[test]
fn what_can_run_at_once_is_left_to_a_thread_that_offers_and_wakes_nobody() {
    let fixture = Fixture::with_table();
    let (write, left) = fixture.offer(insert("t"), Some(row(1, 7)));
    assert!(left);
    // Nobody else was woken: it waits for this thread.
    assert_eq!(fixture.statistic("main.queued-writes"), 1);
    let results = fixture.session.execute();
    assert_eq!(results.iter().map(|result| result.request_id).collect::<Vec<_>>(), [write]);
    assert_eq!(affected(&results[0]), 1);

    let (read, left) = fixture.offer(select("t"), Some(key(1)));
    assert!(left);
    assert_eq!(fixture.statistic("main.queued-reads"), 1);
    let results = fixture.session.execute();
    assert_eq!(results.iter().map(|result| result.request_id).collect::<Vec<_>>(), [read]);
    assert_eq!(row_count(&results[0]), 1);
    assert_eq!(fixture.statistic("completions"), 0, "no result was given twice");
    assert!(fixture.session.execute().is_empty());
}

#[test]
fn each_read_that_has_a_connection_is_left_and_wakes_nobody() {
    let fixture = Fixture::with_table();
    fixture.wait_for_idle_threads();
    let offered = [1, 2].map(|id| fixture.offer(select("t"), Some(key(id))));
    assert_eq!(offered.map(|(_, left)| left), [true, true]);
    // The first caller takes the older one, and the second is still to come.
    for (request, _) in offered {
        let results = fixture.session.execute_read();
        assert_eq!(results.iter().map(|result| result.request_id).collect::<Vec<_>>(), [request]);
    }
    assert_eq!(fixture.statistic("completions"), 0, "nobody else was woken for any");
}

#[test]
fn a_read_without_a_connection_of_its_own_wakes_a_thread_for_all() {
    let fixture = Fixture::with_table();
    let offered = [1, 2, 3].map(|id| fixture.offer(select("t"), Some(key(id))));
    assert_eq!(offered.map(|(_, left)| left), [true, true, false]);
    for (request, _) in offered {
        assert_eq!(row_count(&fixture.take(request)), 0);
    }
    assert!(fixture.session.execute_read().is_empty());
}

#[test]
fn a_caller_for_a_read_takes_no_write() {
    let fixture = Fixture::with_table();
    let (write, left) = fixture.offer(insert("t"), Some(row(1, 7)));
    assert!(left);
    assert!(fixture.session.execute_read().is_empty());
    fixture.session.wake();
    assert_eq!(affected(&fixture.take(write)), 1);
}

#[test]
fn what_was_left_and_declined_is_executed_by_the_sessions_threads() {
    let fixture = Fixture::with_table();
    let (write, left) = fixture.offer(insert("t"), Some(row(1, 7)));
    assert!(left);
    fixture.session.wake();
    assert_eq!(affected(&fixture.take(write)), 1);
    let (read, left) = fixture.offer(select("t"), Some(key(1)));
    assert!(left);
    fixture.session.wake();
    assert_eq!(row_count(&fixture.take(read)), 1);
}

#[test]
fn what_comes_behind_something_left_wakes_a_thread_for_both() {
    let fixture = Fixture::with_table();
    let (first, left) = fixture.offer(insert("t"), Some(row(1, 7)));
    assert!(left);
    let (second, left) = fixture.offer(insert("t"), Some(row(2, 7)));
    assert!(!left, "the first may be in other hands by now");
    assert_eq!(affected(&fixture.take(first)), 1);
    assert_eq!(affected(&fixture.take(second)), 1);
    // Its thread comes late.
    assert!(fixture.session.execute().is_empty());
}

#[test]
fn an_offer_is_declined_while_it_would_have_to_wait() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let write = fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    let (behind, left) = fixture.offer(insert("t"), Some(row(2, 7)));
    assert!(!left);
    let (read, left) = fixture.offer(select("t"), Some(key(2)));
    assert!(!left);
    assert!(fixture.session.execute().is_empty());
    fixture.script.writes.open();
    for id in [write, behind] {
        assert_eq!(affected(&fixture.take(id)), 1);
    }
    assert_eq!(row_count(&fixture.take(read)), 1);
}

#[test]
fn what_queued_behind_a_thread_from_outside_goes_on_by_itself() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let (first, left) = fixture.offer(insert("t"), Some(row(1, 7)));
    assert!(left);
    let results = std::thread::scope(|scope| {
        let outside = scope.spawn(|| fixture.session.execute());
        fixture.script.writes.wait_for_arrival();
        let write = fixture.insert("t", 2);
        let read = fixture.select("t", 2);
        fixture.script.writes.open();
        assert_eq!(affected(&fixture.take(write)), 1);
        assert_eq!(row_count(&fixture.take(read)), 1);
        outside.join().unwrap()
    });
    assert_eq!(results.len(), 1);
    assert_eq!((results[0].request_id, affected(&results[0])), (first, 1));
}

#[test]
fn a_thread_from_outside_that_took_an_older_request_holds_up_none() {
    for write_first in [false, true] {
        let fixture = Fixture::with_table();
        fixture.register("u");
        fixture.wait_for_idle_threads();
        let gate = if write_first { &fixture.script.writes } else { &fixture.script.reads };
        gate.shut();
        // Of different tables, so that the read need not wait for the write.
        let write = || fixture.offer(insert("t"), Some(row(1, 7)));
        let read = || fixture.offer(select("u"), Some(key(1)));
        let (older, newer) = if write_first { (write(), read()) } else { (read(), write()) };
        assert_eq!((older.1, newer.1), (true, true));
        std::thread::scope(|scope| {
            let outside = scope.spawn(|| fixture.session.execute());
            gate.wait_for_arrival();
            let came = fixture.pump(PATIENCE);
            gate.open();
            assert!(came, "it waits for the older one");
            fixture.take(newer.0).outcome.unwrap();
            assert_eq!(outside.join().unwrap()[0].request_id, older.0);
        });
    }
}

#[test]
fn closing_executes_what_was_left_to_a_thread_that_does_not_come() {
    let fixture = Fixture::with_table();
    let (write, left) = fixture.offer(insert("t"), Some(row(1, 7)));
    assert!(left);
    assert_eq!(fixture.session.close(Duration::from_secs(1)), CloseReport::default());
    assert_eq!(affected(&fixture.take(write)), 1);
}

#[test]
fn closing_waits_for_a_thread_from_outside_and_closes_the_writer_last() {
    let fixture = Fixture::with_table();
    assert_eq!(fixture.count("t"), 0, "a reader is connected too");
    fixture.wait_for_idle_threads();
    fixture.script.commits.shut();
    let (write, left) = fixture.offer(insert("t"), Some(row(1, 7)));
    assert!(left);
    std::thread::scope(|scope| {
        let outside = scope.spawn(|| fixture.session.execute());
        fixture.script.commits.wait_for_arrival();
        let closing = scope.spawn(|| fixture.session.close(PATIENCE));
        fixture.script.commits.open();
        let results = outside.join().unwrap();
        assert_eq!((results[0].request_id, affected(&results[0])), (write, 1));
        assert_eq!(closing.join().unwrap().threads_left, 0);
    });
    // The last connection of a database in WAL mode removes what belongs to the file.
    let left: Vec<_> =
        std::fs::read_dir(fixture.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["test.db"]);
}

#[test]
fn past_the_cap_a_submit_is_refused_until_results_are_taken() {
    let config = RuntimeConfig { write_bytes: 1 << 20, ..RuntimeConfig::default() };
    let fixture = Fixture::with(config, None);
    fixture.register("t");
    fixture.script.writes.shut();
    let mut accepted = Vec::new();
    let refused = loop {
        let start = accepted.len() as i64 * 10_000;
        match fixture.try_send(insert("t"), Some(rows(start..start + 10_000, 1)), 0) {
            Ok(id) => accepted.push(id),
            Err(error) => break error,
        }
    };
    assert_eq!((refused.kind(), refused.retryable()), (ErrorKind::Busy, true));
    assert_eq!(refused.effect(), Effect::None);
    assert!((5..=9).contains(&accepted.len()), "{}", accepted.len());
    fixture.script.writes.open();
    for id in accepted {
        assert_eq!(affected(&fixture.take(id)), 10_000);
    }
    assert_eq!(fixture.statistic("bytes.writes"), 0);
    let again = fixture.try_send(insert("t"), Some(row(-1, 1)), 0).unwrap();
    assert_eq!(affected(&fixture.take(again)), 1);
    let too_large = fixture.try_send(insert("t"), Some(rows(0..200_000, 1)), 0).unwrap_err();
    assert_eq!((too_large.kind(), too_large.retryable()), (ErrorKind::Busy, false));
}

#[test]
fn closing_flushes_five_thousand_queued_writes() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let writes: Vec<u64> = (1..5_000).map(|id| fixture.insert("t", id)).collect();
    let report = std::thread::scope(|scope| {
        let closing = scope.spawn(|| fixture.runtime.close(PATIENCE));
        while fixture.try_send(select("t"), Some(key(0)), 0).is_ok() {}
        fixture.script.writes.open();
        closing.join().unwrap()
    });
    assert_eq!(report, []);
    let came = fixture.drain();
    assert!(came.len() >= 5_000);
    assert!(writes.iter().chain([&first]).all(|id| affected(&came[id]) == 1));
    drop(came);
    assert_eq!(fixture.statistic("bytes.writes") + fixture.statistic("bytes.reads"), 0);

    let again = Fixture::with(RuntimeConfig::default(), Some(Arc::clone(&fixture.folder)));
    again.register("t");
    assert_eq!(again.count("t"), 5_000);
}

#[test]
fn closing_without_time_cancels_and_reports_by_table() {
    let fixture = Fixture::with_table();
    fixture.register("u");
    fixture.script.writes.shut();
    let running = fixture.send(insert("t"), Some(rows(0..3, 1)));
    fixture.script.writes.wait_for_arrival();
    let mut queued: Vec<u64> = (10..14).map(|id| fixture.insert("t", id)).collect();
    queued.push(fixture.send(insert("u"), Some(rows(0..20, 1))));
    queued.push(fixture.raw_update("DELETE FROM t"));
    queued.push(fixture.select("t", 1));
    let report = fixture.session.close(Duration::ZERO);
    let unwritten = |writes, rows| Unwritten { writes, rows };
    assert_eq!(report.threads_left, 0);
    assert_eq!(
        report.unwritten,
        [
            ("raw SQL".to_owned(), unwritten(1, 1)),
            ("t".to_owned(), unwritten(5, 7)),
            ("u".to_owned(), unwritten(1, 20)),
        ]
    );
    assert_eq!(fixture.runtime.close(Duration::ZERO), [], "a closed database has no second report");
    let came = fixture.drain();
    assert_eq!(came.len(), 8);
    queued.push(running);
    assert!(queued.iter().all(|id| kind(&came[id]) == Some(ErrorKind::Cancelled)));
    let error = fixture.try_send(insert("t"), Some(row(1, 1)), 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Closed);
}

#[test]
fn a_runtimes_report_names_database_and_table() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    let report = fixture.runtime.close(Duration::ZERO);
    assert_eq!(report, [("main/t".to_owned(), "1 writes, 1 rows".to_owned())]);
}

#[test]
fn requests_share_the_fate_of_their_tables_registration() {
    let fixture = Fixture::with_table();
    let other = TableDefinition::new(
        "t".to_owned(),
        vec![ColumnDefinition {
            name: "id".to_owned(),
            value_type: ValueType::Text,
            max_length: 0,
            nullable: false,
            auto_increment: false,
            default: None,
        }],
        vec![0],
        Vec::new(),
    )
    .unwrap();
    fixture.script.writes.shut();
    let held = fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    let register = fixture.send(Statement::Register(other.clone()), None);
    let count = Statement::Count { table: "t".to_owned(), filter: None, exists: false };
    let behind = fixture.send(count.clone(), None);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(held)), 1);
    assert_eq!(kind(&fixture.take(register)), Some(ErrorKind::TableMismatch));
    assert_eq!(kind(&fixture.take(behind)), Some(ErrorKind::TableMismatch));
    // The registration that was accepted before is in force again.
    let after = fixture.insert("t", 2);
    assert_eq!(affected(&fixture.take(after)), 1);

    // Without one, later requests are refused at once, with the same cause.
    let fresh = Fixture::with(RuntimeConfig::default(), Some(Arc::clone(&fixture.folder)));
    let register = fresh.send(Statement::Register(other), None);
    assert_eq!(kind(&fresh.take(register)), Some(ErrorKind::TableMismatch));
    let error = fresh.try_send(count, None, 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableMismatch);
    let error = fresh.try_send(select("nobody"), Some(key(1)), 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTable);
    fresh.register("t");
    assert_eq!(fresh.count("t"), 2);
}

#[test]
fn a_request_that_is_checked_and_refused_leaves_nothing_behind() {
    let fixture = Fixture::with_table();
    let mut statement = insert("t");
    if let Statement::Insert { columns, .. } = &mut statement {
        columns[1] = "w".to_owned();
    }
    let error = fixture.try_send(statement, Some(row(1, 1)), 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownColumn);
    assert_eq!(fixture.statistic("bytes.writes"), 0);
    assert_eq!(fixture.statistic("main.running"), 0);
}

#[test]
fn an_id_in_flight_is_refused_a_second_time() {
    use tickwell_engine::session::Submission;
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let id = fixture.insert("t", 1);
    let again = Submission {
        request_id: id,
        header: Default::default(),
        statement: insert("t"),
        statement_bytes: 100,
        page: Some(row(2, 2)),
    };
    let error = fixture.session.submit(again, false).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(id)), 1);
    assert_eq!(fixture.count("t"), 1);
}

#[test]
fn a_panic_in_the_backend_fails_one_request_and_the_session_goes_on() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let writes: Vec<u64> = (1..=10).map(|id| fixture.insert("t", id)).collect();
    // The one at the gate counts as the first call, so that the fourth of the group panics.
    fixture.script.fault("execute", 4, Fault::Panic);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    for (index, &write) in writes.iter().enumerate() {
        let completion = fixture.take(write);
        if index == 3 {
            assert_eq!(kind(&completion), Some(ErrorKind::Internal));
        } else {
            assert_eq!(affected(&completion), 1, "write {index}");
        }
    }
    assert_eq!(fixture.count("t"), 10);

    for call in ["connect", "execute"] {
        let reading = Fixture::with(RuntimeConfig::default(), Some(Arc::clone(&fixture.folder)));
        reading.register("t");
        reading.script.fault(call, 0, Fault::Panic);
        let read = reading.select("t", 1);
        assert_eq!(kind(&reading.take(read)), Some(ErrorKind::Internal), "{call}");
        assert_eq!(reading.count("t"), 10, "{call}");
    }
}

#[test]
fn a_panic_that_no_guard_sees_fails_its_transaction_and_ends_no_thread() {
    let fixture = Fixture::with_table();
    let threads = fixture.statistic("main.threads");
    let internal = |completion: Completion| {
        let error = completion.outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal, "{error}");
        assert!(error.context().iter().any(|(_, text)| text.contains("panics")), "{error}");
        error.effect()
    };
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let writes: Vec<u64> = (1..=3).map(|id| fixture.insert("t", id)).collect();
    // The one at the gate counts as the first call, so that the second of the group panics.
    fixture.script.fault("execute", 2, Fault::PanicTwice);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    for write in writes {
        assert_eq!(internal(fixture.take(write)), Effect::Unknown);
    }

    fixture.script.fault("execute", 0, Fault::PanicTwice);
    let read = fixture.select("t", 0);
    assert_eq!(internal(fixture.take(read)), Effect::None);

    fixture.wait_for_idle_threads();
    fixture.script.fault("execute", 0, Fault::PanicTwice);
    let (outside, left) = fixture.offer(insert("t"), Some(row(4, 7)));
    assert!(left);
    let mut results = fixture.session.execute();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].request_id, outside);
    assert_eq!(internal(results.remove(0)), Effect::Unknown);

    let next = fixture.insert("t", 5);
    assert_eq!(affected(&fixture.take(next)), 1);
    assert_eq!(fixture.count("t"), 2);
    assert_eq!(fixture.statistic("main.threads"), threads);
    assert_eq!(fixture.session.close(PATIENCE).threads_left, 0);
}

#[test]
fn a_panic_in_the_commit_leaves_the_effect_unknown() {
    let fixture = Fixture::with_table();
    fixture.script.fault("commit", 0, Fault::Panic);
    let write = fixture.insert("t", 1);
    let error = fixture.take(write).outcome.unwrap_err();
    assert_eq!((error.kind(), error.effect()), (ErrorKind::Internal, Effect::Unknown));
    let next = fixture.insert("t", 2);
    assert_eq!(affected(&fixture.take(next)), 1);
}

#[test]
fn a_panic_in_a_connections_drop_is_contained() {
    let fixture = Fixture::with_table();
    fixture.script.fault("drop", 0, Fault::Panic);
    fixture.script.fault("execute", 0, Fault::Fail(ErrorKind::Io, Effect::None));
    let write = fixture.insert("t", 1);
    assert_eq!(kind(&fixture.take(write)), Some(ErrorKind::Io));
    let next = fixture.insert("t", 2);
    assert_eq!(affected(&fixture.take(next)), 1);
    assert_eq!(fixture.session.close(PATIENCE).threads_left, 0);
}

#[test]
fn a_connection_is_made_again_only_after_an_error_that_leaves_it_in_doubt() {
    let fixture = Fixture::with_table();
    let connects = || fixture.script.connects.load(Ordering::SeqCst);
    assert_eq!(connects(), 1, "the writer's, for the registration");
    for (fault, expected) in [(ErrorKind::Locked, 1), (ErrorKind::Io, 2)] {
        fixture.script.fault("execute", 0, Fault::Fail(fault, Effect::None));
        let failing = fixture.insert("t", 1);
        assert_eq!(kind(&fixture.take(failing)), Some(fault));
        let next = fixture.insert("t", i64::from(fault.code()));
        assert_eq!(affected(&fixture.take(next)), 1);
        assert_eq!(connects(), expected, "after {fault:?}");
    }
}

#[test]
fn a_database_that_cannot_be_opened_says_why_and_can_be_opened_later() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let missing = folder.path().join("missing");
    let path = missing.join("test.db");
    let fixture = Fixture::at(RuntimeConfig::default(), Arc::clone(&folder), &path);
    for statement in [
        Statement::RawQuery { sql: "SELECT 1 AS one".to_owned() },
        Statement::Register(definition("t")),
    ] {
        let id = fixture.send(statement, None);
        let error = fixture.take(id).outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectFailed, "{error}");
        assert!(error.to_string().contains("missing"), "{error}");
    }
    assert_eq!(committed(&fixture), (0, 0));
    std::fs::create_dir(&missing).unwrap();
    // The first to come may be a read: what a writer makes is made for it.
    let read = fixture.raw_query("SELECT 1 AS one");
    assert_eq!(row_count(&fixture.take(read)), 1);
    fixture.register("t");
    assert_eq!(committed(&fixture), (1, 1));
}

#[test]
fn a_split_write_is_one_transaction() {
    let fixture = Fixture::with_table();
    let good = fixture.take(fixture.send(insert("t"), Some(rows(0..5_000, 1))));
    assert_eq!(affected(&good), 5_000);
    assert!(good.counters.statements_sent > 1);
    // The last row's key is taken: the whole write is refused.
    let bad = fixture.send(insert("t"), Some(rows((5_000..9_999).chain([0]), 1)));
    assert_eq!(kind(&fixture.take(bad)), Some(ErrorKind::UniqueViolation));
    assert_eq!(fixture.count("t"), 5_000);
}

#[test]
fn every_accepted_request_ends_once_whatever_happens() {
    let fixture = Fixture::with_table();
    let accepted = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..6_i64 {
            let (fixture, accepted) = (&fixture, &accepted);
            scope.spawn(move || {
                for round in 0..400_i64 {
                    let id = (thread * 7 + round * 13) % 500;
                    let deadline = if round % 11 == 0 { 1 } else { 0 };
                    let sent = match round % 4 {
                        0 => fixture.try_send(select("t"), Some(key(id)), deadline),
                        1 => fixture.try_send(
                            Statement::RawQuery { sql: "SELECT count(*) AS n FROM t".to_owned() },
                            None,
                            deadline,
                        ),
                        _ => fixture.try_send(insert("t"), Some(row(id, 1)), deadline),
                    };
                    let Ok(request) = sent else { continue };
                    accepted.fetch_add(1, Ordering::SeqCst);
                    if round % 5 == 0 {
                        let _ = fixture.runtime.cancel(request);
                    }
                    if round % 97 == 0 {
                        fixture.script.fault("execute", 3, Fault::Panic);
                    }
                }
            });
        }
        scope.spawn(|| {
            while accepted.load(Ordering::SeqCst) < 1_500 {
                std::thread::yield_now();
            }
            let _ = fixture.runtime.close(Duration::from_millis(1));
        });
    });
    // `drain` has checked that no request came twice.
    let came: HashMap<_, _> = fixture.drain();
    // The registration was taken by the fixture.
    assert_eq!(came.len() as u64, accepted.load(Ordering::SeqCst));
    drop(came);
    assert_eq!(fixture.statistic("bytes.writes") + fixture.statistic("bytes.reads"), 0);
}

#[test]
fn a_copy_is_refused_by_backends_without_one_and_once_closed() {
    let fixture = Fixture::with_table();
    let refusal = || fixture.session.backup(std::path::Path::new("/copy.db")).unwrap_err().kind();
    assert_eq!(refusal(), ErrorKind::Unsupported);
    fixture.session.close(Duration::ZERO);
    assert_eq!(refusal(), ErrorKind::Closed);
}

/// The disk may have room for all but the largest of them.
#[test]
fn writes_whose_transaction_filled_the_disk_are_tried_one_by_one() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let writes = [1, 2, 3].map(|id| fixture.insert("t", id));
    // The commit of the first one is before that of the group.
    fixture.script.fault("commit", 1, Fault::Fail(ErrorKind::DiskFull, Effect::None));
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    for write in writes {
        let completion = fixture.take(write);
        assert_eq!(affected(&completion), 1);
        assert_eq!(completion.timings.grouped_with, 0);
    }
    assert_eq!(fixture.count("t"), 4);
    // Nobody knows what became of a lost reply, so nothing is run again.
    fixture.script.writes.shut();
    let first = fixture.insert("t", 4);
    fixture.script.writes.wait_for_arrival();
    let writes = [5, 6].map(|id| fixture.insert("t", id));
    fixture.script.fault("commit", 1, Fault::Fail(ErrorKind::DiskFull, Effect::Unknown));
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    for write in writes {
        assert_eq!(kind(&fixture.take(write)), Some(ErrorKind::DiskFull));
    }
}
