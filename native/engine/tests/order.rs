//! Requests that take no part in the order of their table.

#[allow(dead_code, reason = "shared with the tests of sessions")]
mod support;

use std::sync::atomic::Ordering;

use support::{Fixture, PATIENCE, affected, definition, insert, key, row, row_count, select};
use tickwell_engine::session::TransactionLimits;
use tickwell_engine::statement::{RequestHeader, Statement};

fn unordered() -> RequestHeader {
    RequestHeader { unordered: true, ..RequestHeader::default() }
}

#[test]
fn an_unordered_read_does_not_wait_for_earlier_writes() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let write = fixture.insert("t", 1);
    let behind = fixture.select("t", 1);
    let free = fixture.send_as(unordered(), select("t"), Some(key(1)));
    let sql = "SELECT id FROM t".to_owned();
    let raw = fixture.send_as(unordered(), Statement::RawQuery { sql }, None);
    // While the writer is held back: both have been answered, and neither saw the write.
    assert_eq!(row_count(&fixture.take(free)), 0);
    assert_eq!(row_count(&fixture.take(raw)), 0);
    assert_eq!(fixture.statistic("main.queued-reads"), 1);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(write)), 1);
    assert_eq!(row_count(&fixture.take(behind)), 1);
}

#[test]
fn no_read_waits_for_an_unordered_write() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let write = fixture.send_as(unordered(), insert("t"), Some(row(1, 7)));
    fixture.script.writes.wait_for_arrival();
    let sql = "INSERT INTO t (id) VALUES (2)".to_owned();
    let raw = fixture.send_as(unordered(), Statement::RawUpdate { sql }, None);
    let read = fixture.select("t", 1);
    assert_eq!(row_count(&fixture.take(read)), 0);
    // An ordered one behind both is waited for, and for them no more than before.
    let ordered = fixture.insert("t", 3);
    let behind = fixture.select("t", 3);
    assert_eq!(fixture.statistic("main.queued-reads"), 1);
    fixture.script.writes.open();
    for write in [write, raw, ordered] {
        assert_eq!(affected(&fixture.take(write)), 1);
    }
    assert_eq!(row_count(&fixture.take(behind)), 1);
}

/// An ordered write behind a transaction waits for it; an unordered one goes with the group before.
#[test]
fn an_unordered_write_goes_with_a_group_before_a_transaction() {
    const LIMITS: TransactionLimits = TransactionLimits { total: PATIENCE, idle: PATIENCE };
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let second = fixture.insert("t", 1);
    std::thread::scope(|scope| {
        let session = &fixture.session;
        let begun = scope.spawn(|| session.begin(7_000_000, "Demo".to_owned(), None, LIMITS));
        while fixture.statistic("main.queued-transactions") == 0 {
            std::thread::yield_now();
        }
        let ordered = fixture.insert("t", 2);
        let free = fixture.send_as(unordered(), insert("t"), Some(row(3, 7)));
        fixture.script.writes.open();
        let transaction = begun.join().unwrap().unwrap();
        assert_eq!(affected(&fixture.take(first)), 1);
        for grouped in [second, free] {
            let completion = fixture.take(grouped);
            assert_eq!(affected(&completion), 1);
            assert_eq!(completion.timings.grouped_with, 1);
        }
        // An unordered one that comes while the transaction has the connection waits for it too.
        let late = fixture.send_as(unordered(), insert("t"), Some(row(4, 7)));
        assert_eq!(fixture.statistic("main.queued-writes"), 2);
        transaction.commit().unwrap();
        assert_eq!(affected(&fixture.take(ordered)), 1);
        assert_eq!(affected(&fixture.take(late)), 1);
    });
    assert_eq!(fixture.count("t"), 5);
}

#[test]
fn unordered_requests_wait_for_the_registration_of_their_table() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let second = fixture.insert("t", 1);
    let registration = fixture.send(Statement::Register(definition("new")), None);
    let read = fixture.send_as(unordered(), select("new"), Some(key(1)));
    let write = fixture.send_as(unordered(), insert("new"), Some(row(1, 7)));
    assert_eq!(fixture.statistic("main.queued-reads"), 1);
    fixture.script.writes.open();
    assert_eq!(affected(&fixture.take(first)), 1);
    assert_eq!(affected(&fixture.take(second)), 1);
    assert!(fixture.take(registration).outcome.is_ok());
    assert_eq!(affected(&fixture.take(write)), 1);
    assert!(row_count(&fixture.take(read)) <= 1);
}

#[test]
fn an_unordered_write_is_cancelled_and_closed_as_others_are() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let cancelled = fixture.send_as(unordered(), insert("t"), Some(row(1, 7)));
    assert!(fixture.runtime.cancel(cancelled));
    assert!(fixture.take(cancelled).outcome.is_err());
    let kept = fixture.send_as(unordered(), insert("t"), Some(row(2, 7)));
    let before = fixture.script.committed.load(Ordering::SeqCst);
    std::thread::scope(|scope| {
        let closing = scope.spawn(|| fixture.session.close(PATIENCE));
        fixture.script.writes.open();
        assert_eq!(affected(&fixture.take(first)), 1);
        assert_eq!(affected(&fixture.take(kept)), 1);
        assert!(closing.join().unwrap().unwritten.is_empty());
    });
    assert_eq!(fixture.script.committed.load(Ordering::SeqCst) - before, 2);
}
