//! Transactions of a session against SQLite: their place in the order, what others see, limits, faults,
//! closing.

#[allow(dead_code, reason = "shared with the tests of sessions")]
mod support;

use std::sync::atomic::Ordering;
use std::time::Duration;

use support::{
    Fault, Fixture, PATIENCE, affected, definition, insert, key, kind, row, row_count, select,
};
use tickwell_engine::error::{Effect, ErrorKind, Result};
use tickwell_engine::page::Page;
use tickwell_engine::runtime::Completion;
use tickwell_engine::session::{Submission, Transaction, TransactionLimits};
use tickwell_engine::statement::{RequestHeader, Statement};

const LONG: TransactionLimits = TransactionLimits { total: PATIENCE, idle: PATIENCE };
const ID: u64 = 1_000_000;

fn begin(fixture: &Fixture, limits: TransactionLimits) -> Result<Transaction> {
    fixture.session.begin(ID, "Demo".to_owned(), None, limits)
}

fn run(transaction: &Transaction, statement: Statement, page: Option<Page>) -> Completion {
    let header = RequestHeader::default();
    let submission = Submission { request_id: 5, header, statement, statement_bytes: 100, page };
    transaction.execute(submission)
}

/// Waits until a transaction is no longer there, whoever ends it.
fn wait_for_end(fixture: &Fixture) {
    while fixture.runtime.statistics().iter().any(|(name, _)| name == "main.transaction") {
        std::thread::yield_now();
    }
}

#[test]
fn its_statements_are_seen_inside_at_once_and_outside_after_the_commit() {
    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    assert_eq!(affected(&run(&transaction, insert("t"), Some(row(1, 7)))), 1);
    assert_eq!(row_count(&run(&transaction, select("t"), Some(key(1)))), 1);
    assert_eq!(fixture.count("t"), 0, "a read outside goes on, and sees the state before");
    let pairs = fixture.runtime.statistics();
    assert!(pairs.contains(&("main.transaction".to_owned(), "Demo".to_owned())));
    transaction.commit().unwrap();
    assert_eq!(fixture.count("t"), 1);
    wait_for_end(&fixture);
    let again = run(&transaction, insert("t"), Some(row(2, 7)));
    assert_eq!(kind(&again), Some(ErrorKind::InvalidStatement));
    assert_eq!(fixture.statistic("main.transactions"), 2, "with the registration's");
    drop(again);
    assert_eq!(fixture.statistic("bytes.writes") + fixture.statistic("bytes.reads"), 0);
}

#[test]
fn it_runs_behind_earlier_writes_and_before_later_ones() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let earlier = fixture.insert("t", 1);
    fixture.script.writes.wait_for_arrival();
    std::thread::scope(|scope| {
        let begun = scope.spawn(|| begin(&fixture, LONG).unwrap());
        while fixture.statistic("main.queued-transactions") == 0 {
            std::thread::yield_now();
        }
        let later = fixture.insert("t", 3);
        let behind = fixture.select("t", 3);
        fixture.script.writes.open();
        let transaction = begun.join().unwrap();
        assert_eq!(affected(&fixture.take(earlier)), 1);
        assert_eq!(row_count(&run(&transaction, select("t"), Some(key(1)))), 1);
        assert_eq!(row_count(&run(&transaction, select("t"), Some(key(3)))), 0);
        assert_eq!(fixture.statistic("main.queued-writes"), 1);
        transaction.commit().unwrap();
        assert_eq!(affected(&fixture.take(later)), 1);
        assert_eq!(row_count(&fixture.take(behind)), 1);
    });
}

#[test]
fn the_first_error_rolls_back_and_is_the_one_that_later_calls_give() {
    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    assert_eq!(affected(&run(&transaction, insert("t"), Some(row(1, 7)))), 1);
    let taken = run(&transaction, insert("t"), Some(row(1, 8)));
    assert_eq!(kind(&taken), Some(ErrorKind::UniqueViolation));
    let later = run(&transaction, insert("t"), Some(row(2, 8)));
    assert_eq!(kind(&later), Some(ErrorKind::UniqueViolation));
    assert_eq!(transaction.commit().unwrap_err().kind(), ErrorKind::UniqueViolation);
    assert_eq!(fixture.count("t"), 0);
    assert_eq!(affected(&fixture.take(fixture.insert("t", 1))), 1, "the writer is free");
}

#[test]
fn a_table_is_not_registered_inside() {
    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    let refused = run(&transaction, Statement::Register(definition("u")), None);
    assert_eq!(kind(&refused), Some(ErrorKind::Unsupported));
    assert_eq!(transaction.commit().unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn a_registration_that_waits_behind_it_is_told() {
    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    let registration = fixture.send(Statement::Register(definition("u")), None);
    let early = run(&transaction, insert("u"), Some(row(1, 7)));
    assert_eq!(kind(&early), Some(ErrorKind::UnknownTable));
    assert!(fixture.take(registration).outcome.is_ok());
}

#[test]
fn dropping_it_rolls_back() {
    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    run(&transaction, insert("t"), Some(row(1, 7)));
    drop(transaction);
    assert_eq!(fixture.count("t"), 0);
    assert_eq!(affected(&fixture.take(fixture.insert("t", 1))), 1);
}

#[test]
fn without_a_statement_within_the_idle_limit_the_connection_is_taken_back() {
    let fixture = Fixture::with_table();
    let idle = Duration::from_millis(20);
    let transaction = begin(&fixture, TransactionLimits { idle, ..LONG }).unwrap();
    let waiting = fixture.insert("t", 1);
    assert_eq!(affected(&fixture.take(waiting)), 1, "no call was needed for it");
    let late = run(&transaction, insert("t"), Some(row(2, 7)));
    assert_eq!(kind(&late), Some(ErrorKind::Timeout));
    assert_eq!(fixture.count("t"), 1);
}

#[test]
fn past_its_limit_a_statement_is_stopped_and_all_is_rolled_back() {
    let fixture = Fixture::with_table();
    let total = Duration::from_millis(200);
    let transaction = begin(&fixture, TransactionLimits { total, ..LONG }).unwrap();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                   SELECT count(*) FROM n WHERE i < 0";
    run(&transaction, insert("t"), Some(row(1, 7)));
    let stopped = run(&transaction, Statement::RawQuery { sql: endless.to_owned() }, None);
    let error = stopped.outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.message().contains("200 ms"), "{error}");
    assert_eq!(fixture.count("t"), 0);
}

#[test]
fn one_that_waits_gives_up_in_time_or_when_cancelled_and_holds_nobody_up() {
    let fixture = Fixture::with_table();
    let first = begin(&fixture, LONG).unwrap();
    let wait = Some(Duration::from_millis(20));
    let late = fixture.session.begin(7_000_000, "Demo".to_owned(), wait, LONG).unwrap_err();
    assert_eq!(late.kind(), ErrorKind::Timeout);
    std::thread::scope(|scope| {
        let second =
            scope.spawn(|| fixture.session.begin(8_000_000, "Demo".to_owned(), None, LONG));
        while fixture.statistic("main.queued-transactions") == 0 {
            std::thread::yield_now();
        }
        assert!(fixture.runtime.cancel(8_000_000));
        assert_eq!(second.join().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
    });
    first.commit().unwrap();
    assert_eq!(affected(&fixture.take(fixture.insert("t", 1))), 1);
}

#[test]
fn a_cancelled_one_is_rolled_back_without_a_call_of_its_own() {
    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    run(&transaction, insert("t"), Some(row(1, 7)));
    assert!(fixture.runtime.cancel(ID));
    assert_eq!(affected(&fixture.take(fixture.insert("t", 1))), 1);
    assert_eq!(transaction.commit().unwrap_err().kind(), ErrorKind::Cancelled);
    assert!(!fixture.runtime.cancel(ID));
}

#[test]
fn closing_waits_for_it_and_then_rolls_it_back_and_says_so() {
    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    run(&transaction, insert("t"), Some(row(1, 7)));
    std::thread::scope(|scope| {
        let closing = scope.spawn(|| fixture.session.close(PATIENCE));
        while fixture.try_send(select("t"), Some(key(1)), 0).is_ok() {}
        assert_eq!(affected(&run(&transaction, insert("t"), Some(row(2, 7)))), 1);
        transaction.commit().unwrap();
        assert_eq!(closing.join().unwrap().unwritten, []);
    });

    let fixture = Fixture::with_table();
    let transaction = begin(&fixture, LONG).unwrap();
    run(&transaction, insert("t"), Some(row(1, 7)));
    let report = fixture.session.close(Duration::ZERO);
    assert_eq!(report.threads_left, 0);
    assert_eq!(report.unwritten.len(), 1);
    assert_eq!(report.unwritten[0].0, "transactions");
    assert_eq!(transaction.commit().unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(begin(&fixture, LONG).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn a_panic_ends_it_alone_and_in_the_commit_leaves_the_effect_unknown() {
    let fixture = Fixture::with_table();
    for fault in [Fault::Panic, Fault::PanicTwice] {
        let transaction = begin(&fixture, LONG).unwrap();
        fixture.script.fault("execute", 0, fault);
        let failed = run(&transaction, insert("t"), Some(row(1, 7)));
        assert_eq!(kind(&failed), Some(ErrorKind::Internal));
        assert_eq!(transaction.commit().unwrap_err().kind(), ErrorKind::Internal);
    }
    let transaction = begin(&fixture, LONG).unwrap();
    run(&transaction, insert("t"), Some(row(1, 7)));
    fixture.script.fault("commit", 0, Fault::Panic);
    assert_eq!(transaction.commit().unwrap_err().effect(), Effect::Unknown);
    let committed = fixture.script.committed.load(Ordering::SeqCst);
    assert_eq!(affected(&fixture.take(fixture.insert("t", 1))), 1);
    assert_eq!(fixture.script.committed.load(Ordering::SeqCst), committed + 1);
}
