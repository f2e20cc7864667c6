//! Streams: pages on credit, the moment that they see, their order, their limits and their ends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests: a broken expectation ends the test"
)]

#[allow(dead_code, reason = "its other parts are for other tests")]
mod support;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use support::{Fault, Fixture, PATIENCE, affected, insert, kind, row_count, rows, select};
use tickwell_engine::backend::Outcome;
use tickwell_engine::error::ErrorKind;
use tickwell_engine::page::Page;
use tickwell_engine::runtime::{Completion, RuntimeConfig};
use tickwell_engine::session::StreamOptions;
use tickwell_engine::statement::{Order, Statement};
use tickwell_engine::value::ValueRef;

fn all(table: &str) -> Statement {
    Statement::Select {
        table: table.to_owned(),
        columns: vec!["id".to_owned(), "v".to_owned()],
        filter: None,
        order: vec![Order { column: "id".to_owned(), descending: false }],
        limit: None,
        offset: 0,
    }
}

fn options(page_rows: usize, credit: u32) -> StreamOptions {
    StreamOptions { page_rows, credit, idle: PATIENCE }
}

/// A database whose table `t` has this many rows.
fn filled(readers: usize, count: i64) -> Fixture {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let path = folder.path().join("test.db");
    let fixture = Fixture::with_readers(readers, RuntimeConfig::default(), folder, &path);
    fixture.register("t");
    let first = fixture.send(insert("t"), Some(rows(0..count, 7)));
    assert_eq!(affected(&fixture.take(first)), u64::try_from(count).unwrap());
    fixture
}

fn ids(completion: &Completion) -> Vec<i64> {
    let Ok(Outcome::Rows(page)) = &completion.outcome else { panic!("no page") };
    let id = |page: &Page, row| match page.value(row, 0) {
        Some(ValueRef::Integer(id)) => id,
        other => panic!("no id but {other:?}"),
    };
    (0..page.rows()).map(|row| id(page, row)).collect()
}

/// Waits for the end of a stream; afterwards nothing of it is left, its connection least of all.
fn end(fixture: &Fixture, id: u64) -> Completion {
    let connected = |fixture: &Fixture| fixture.script.connected.load(Ordering::SeqCst);
    let before = connected(fixture);
    let ended = fixture.take(id);
    assert_eq!(fixture.statistic("main.streams"), 0);
    assert!(connected(fixture) <= before);
    fixture.session.credit(id, 1);
    assert!(!fixture.runtime.cancel(id));
    ended
}

#[test]
fn every_row_comes_once_and_no_page_that_nobody_asked_for() {
    const ROWS: i64 = 200_000;
    const AHEAD: usize = 3;
    let fixture = filled(2, ROWS);
    let connected = fixture.script.connected.load(Ordering::SeqCst);
    let stream = fixture.stream(all("t"), options(1_000, 3)).unwrap();
    let (mut pages, mut count, mut sum) = (0, 0, 0);
    for expected in 0..200 {
        let page = fixture.page(stream);
        // One in hand, the others wait.
        assert!(fixture.pages_left(stream) < AHEAD);
        let ids = ids(&page);
        assert_eq!(ids.len(), 1_000);
        assert_eq!(ids[0], expected * 1_000);
        pages += 1;
        count += i64::try_from(ids.len()).unwrap();
        sum += ids.iter().sum::<i64>();
        drop(page);
        fixture.session.credit(stream, 1);
    }
    assert_eq!(affected(&end(&fixture, stream)), 200_000);
    assert_eq!((pages, count, sum), (200, ROWS, ROWS * (ROWS - 1) / 2));
    assert_eq!(fixture.script.connected.load(Ordering::SeqCst), connected);
    assert_eq!(fixture.statistic("bytes.reads"), 0);
}

#[test]
fn without_credit_no_page_is_read() {
    let fixture = filled(2, 50);
    let stream = fixture.stream(all("t"), options(10, 2)).unwrap();
    let pages: Vec<_> = (0..2).map(|_| fixture.page(stream)).collect();
    let bytes = fixture.statistic("bytes.reads");
    // Small reads and writes go on, and bring nothing of the stream.
    for id in 0..100 {
        assert_eq!(row_count(&fixture.take(fixture.select("t", id))), usize::from(id < 50));
        assert_eq!(affected(&fixture.take(fixture.insert("t", 1_000 + id))), 1);
    }
    assert_eq!(fixture.pages_left(stream), 0);
    assert_eq!(fixture.statistic("main.streams"), 1);
    assert_eq!(fixture.statistic("bytes.reads"), bytes);
    drop(pages);
    fixture.session.credit(stream, 100);
    // It does not see what was written since its first page.
    assert_eq!(affected(&end(&fixture, stream)), 50);
    assert_eq!(fixture.pages_left(stream), 3);
    assert_eq!(fixture.count("t"), 150);
}

#[test]
fn a_stream_sees_the_writes_that_were_submitted_before_it() {
    let fixture = filled(2, 10);
    fixture.script.writes.shut();
    let write = fixture.insert("t", 10);
    fixture.script.writes.wait_for_arrival();
    let stream = fixture.stream(all("t"), options(100, 2)).unwrap();
    assert_eq!(fixture.statistic("main.queued-reads"), 1);
    fixture.script.writes.open();
    assert_eq!(ids(&fixture.page(stream)), (0..11).collect::<Vec<_>>());
    assert_eq!(affected(&fixture.take(write)), 1);
    assert_eq!(affected(&end(&fixture, stream)), 11);
}

#[test]
fn cancelling_ends_it_while_it_rests_and_while_it_waits() {
    let fixture = filled(2, 100);
    let connected = fixture.script.connected.load(Ordering::SeqCst);
    let first = fixture.stream(all("t"), options(10, 1)).unwrap();
    assert_eq!(ids(&fixture.page(first)).len(), 10);
    // The one connection for streams is taken.
    let second = fixture.stream(all("t"), options(10, 100)).unwrap();
    let third = fixture.stream(all("t"), options(10, 100)).unwrap();
    assert_eq!(fixture.statistic("main.queued-reads"), 2);
    assert!(fixture.runtime.cancel(second));
    assert_eq!(kind(&fixture.take(second)), Some(ErrorKind::Cancelled));
    assert!(fixture.runtime.cancel(first));
    assert_eq!(kind(&fixture.take(first)), Some(ErrorKind::Cancelled));
    assert_eq!(affected(&end(&fixture, third)), 100);
    assert_eq!(fixture.pages_left(second), 0);
    assert_eq!(fixture.script.connected.load(Ordering::SeqCst), connected);
}

#[test]
fn one_that_is_not_asked_for_pages_loses_its_connection() {
    let fixture = filled(2, 100);
    for credit in [0, 2] {
        let idle = Duration::from_millis(1);
        let stream =
            fixture.stream(all("t"), StreamOptions { page_rows: 10, credit, idle }).unwrap();
        let ended = end(&fixture, stream);
        assert_eq!(kind(&ended), Some(ErrorKind::Timeout));
        let message = ended.outcome.unwrap_err().message().to_owned();
        assert!(message.contains("within 1 ms"), "{message}");
        assert_eq!(fixture.pages_left(stream), credit as usize);
    }
}

#[test]
fn with_one_reader_small_reads_go_on_and_a_second_stream_waits_its_time() {
    let fixture = filled(1, 100);
    let first = fixture.stream(all("t"), options(10, 1)).unwrap();
    assert_eq!(ids(&fixture.page(first)).len(), 10);
    for id in 0..10 {
        assert_eq!(row_count(&fixture.take(fixture.select("t", id))), 1);
    }
    let late = fixture.stream_within(all("t"), options(10, 100), 1).unwrap();
    let ended = fixture.take(late);
    assert_eq!(kind(&ended), Some(ErrorKind::Timeout));
    let message = ended.outcome.unwrap_err().message().to_owned();
    assert!(message.contains("before it could run"), "{message}");
    fixture.session.credit(first, 100);
    assert_eq!(affected(&end(&fixture, first)), 100);
}

#[test]
fn three_readers_read_two_streams_at_once() {
    let fixture = filled(3, 100);
    let streams = [1, 2].map(|_| fixture.stream(all("t"), options(10, 1)).unwrap());
    for stream in streams {
        assert_eq!(ids(&fixture.page(stream)).len(), 10);
    }
    let third = fixture.stream(all("t"), options(10, 100)).unwrap();
    assert_eq!(fixture.statistic("main.streams"), 2);
    assert_eq!(fixture.statistic("main.queued-reads"), 1);
    for stream in streams {
        fixture.session.credit(stream, 9);
        assert_eq!(affected(&fixture.take(stream)), 100);
    }
    assert_eq!(affected(&end(&fixture, third)), 100);
}

#[test]
fn closing_ends_those_that_rest_and_those_that_wait() {
    let fixture = filled(2, 100);
    let resting = fixture.stream(all("t"), options(10, 1)).unwrap();
    assert_eq!(ids(&fixture.page(resting)).len(), 10);
    let waiting = fixture.stream(all("t"), options(10, 100)).unwrap();
    // Without waiting for what only their consumers could end.
    let left = fixture.runtime.close(PATIENCE);
    assert_eq!(left, []);
    let ended = fixture.drain();
    for stream in [resting, waiting] {
        assert_eq!(kind(&ended[&stream]), Some(ErrorKind::Closed));
    }
    assert_eq!(fixture.pages_left(waiting), 0);
    assert_eq!(fixture.script.connected.load(Ordering::SeqCst), 0);
}

#[test]
fn a_fault_ends_one_stream_and_the_next_one_runs() {
    let fixture = filled(2, 100);
    for (call, fault, expected) in [
        ("stream", Fault::Panic, ErrorKind::Internal),
        ("stream", Fault::PanicTwice, ErrorKind::Internal),
        (
            "connect",
            Fault::Fail(ErrorKind::ConnectFailed, tickwell_engine::error::Effect::None),
            ErrorKind::ConnectFailed,
        ),
    ] {
        fixture.script.fault(call, 0, fault);
        let stream = fixture.stream(all("t"), options(10, 100)).unwrap();
        assert_eq!(kind(&end(&fixture, stream)), Some(expected));
    }
    let stream = fixture.stream(all("t"), options(10, 100)).unwrap();
    assert_eq!(affected(&end(&fixture, stream)), 100);
}

#[test]
fn what_cannot_be_streamed_is_refused_before_anything_is_read() {
    let fixture = filled(2, 1);
    for (statement, page_rows) in [
        (Statement::RawQuery { sql: "SELECT 1".to_owned() }, 10),
        (Statement::Count { table: "t".to_owned(), filter: None, exists: false }, 10),
        (all("t"), 0),
    ] {
        let error = fixture.stream(statement, options(page_rows, 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidStatement, "{error}");
    }
    // A parameter of the filter is missing.
    assert!(fixture.stream(select("t"), options(10, 1)).is_err());
    assert_eq!(fixture.statistic("bytes.reads"), 0);
    assert_eq!(fixture.statistic("main.queued-reads"), 0);
}
