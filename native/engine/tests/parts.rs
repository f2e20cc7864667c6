//! Inserts whose parts are independent: what each part stored, beside neighbours, faults and closing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing helper fails its test")]

#[allow(dead_code, reason = "shared with the tests of sessions")]
mod support;

use std::time::Duration;

use support::{Fault, Fixture, affected, insert, kind, rows};
use tickwell_engine::backend::{Limits, Outcome, Part};
use tickwell_engine::error::{Effect, ErrorKind};
use tickwell_engine::page::Page;
use tickwell_engine::runtime::Completion;
use tickwell_engine::session::Unwritten;
use tickwell_engine::statement::{InsertMode, RequestHeader, Statement};

/// First row, rows, and what was stored or the kind of the error.
type Told = Vec<(usize, usize, Result<Option<u64>, ErrorKind>)>;

fn send(fixture: &Fixture, statement: Statement, page: Page) -> u64 {
    let header = RequestHeader { independent: true, ..RequestHeader::default() };
    fixture.send_as(header, statement, Some(page))
}

fn parts(completion: &Completion) -> &[Part] {
    match &completion.outcome {
        Ok(Outcome::Parts(parts)) => parts,
        other => panic!("no parts but {other:?}"),
    }
}

fn told(completion: &Completion) -> Told {
    let kind = |part: &Part| part.stored.as_ref().map_or_else(|e| Err(e.kind()), |n| Ok(*n));
    parts(completion).iter().map(|part| (part.first_row, part.rows, kind(part))).collect()
}

/// The rows of one statement of two columns.
fn chunk() -> usize {
    let Limits { max_bound_values, fast_chunk_rows, .. } = limits();
    (max_bound_values / 2).min(fast_chunk_rows)
}

fn limits() -> Limits {
    use tickwell_engine::backend::Backend;
    let config = tickwell_sqlite::SqliteConfig::from_settings([("path", "unused.db")]).unwrap();
    tickwell_sqlite::SqliteBackend::new(config).limits().clone()
}

#[test]
fn a_part_that_is_refused_leaves_the_others() {
    let fixture = Fixture::with_table();
    let chunk = chunk();
    let taken = i64::try_from(chunk).unwrap() + 3;
    assert_eq!(affected(&fixture.take(fixture.insert("t", taken))), 1);
    let count = 2 * chunk + 5;
    let write = send(&fixture, insert("t"), rows(0..i64::try_from(count).unwrap(), 1));
    let completion = fixture.take(write);
    let whole = Some(chunk as u64);
    assert_eq!(
        told(&completion),
        [
            (0, chunk, Ok(whole)),
            (chunk, chunk, Err(ErrorKind::UniqueViolation)),
            (2 * chunk, 5, Ok(Some(5))),
        ]
    );
    let refused = parts(&completion)[1].stored.as_ref().unwrap_err();
    assert_eq!(refused.effect(), Effect::None);
    // The row is that of the request, not of the part.
    assert!(refused.context().contains(&("row", (chunk + 3).to_string())), "{refused}");
    assert_eq!(fixture.count("t"), chunk as u64 + 5 + 1);
}

#[test]
fn an_upsert_tells_of_the_rows_that_it_sends() {
    let fixture = Fixture::with_table();
    let upsert = Statement::Insert {
        table: "t".to_owned(),
        columns: vec!["id".to_owned(), "v".to_owned()],
        mode: InsertMode::Upsert { overwrite: Vec::new() },
        return_keys: false,
    };
    // Row 1 is overwritten by row 3.
    let write = send(&fixture, upsert, rows([1, 2, 3, 2, 4], 1));
    assert_eq!(told(&fixture.take(write)), [(0, 1, Ok(Some(1))), (2, 3, Ok(Some(3)))]);
    let none = send(&fixture, insert("t"), rows([], 1));
    assert_eq!(told(&fixture.take(none)), []);
}

#[test]
fn parts_share_a_transaction_with_neighbours_and_harm_none() {
    let fixture = Fixture::with_table();
    fixture.script.writes.shut();
    let first = fixture.insert("t", 0);
    fixture.script.writes.wait_for_arrival();
    let before = fixture.insert("t", 1);
    let chunk = i64::try_from(chunk()).unwrap();
    // The first part holds a key that is taken by then.
    let write = send(&fixture, insert("t"), rows(1..=2 * chunk, 1));
    let after = fixture.insert("t", 1_000_000);
    fixture.script.writes.open();
    for neighbour in [first, before, after] {
        assert_eq!(affected(&fixture.take(neighbour)), 1);
    }
    let completion = fixture.take(write);
    assert_eq!(completion.timings.grouped_with, 2);
    assert_eq!(
        parts(&completion)[0].stored.as_ref().unwrap_err().kind(),
        ErrorKind::UniqueViolation
    );
    assert_eq!(parts(&completion)[1].stored.as_ref().unwrap(), &Some(chunk.unsigned_abs()));
    assert_eq!(fixture.count("t"), chunk.unsigned_abs() + 3);
}

#[test]
fn a_lost_connection_loses_all_parts_and_says_so() {
    let fixture = Fixture::with_table();
    let chunk = i64::try_from(chunk()).unwrap();
    fixture.script.fault("execute", 1, Fault::Panic);
    let write = send(&fixture, insert("t"), rows(0..3 * chunk, 1));
    assert_eq!(kind(&fixture.take(write)), Some(ErrorKind::Internal));
    assert_eq!(fixture.count("t"), 0);
    fixture.script.fault("commit", 0, Fault::Fail(ErrorKind::DiskFull, Effect::None));
    let write = send(&fixture, insert("t"), rows(0..3 * chunk, 1));
    assert_eq!(kind(&fixture.take(write)), Some(ErrorKind::DiskFull));
    assert_eq!(fixture.count("t"), 0);
    let write = send(&fixture, insert("t"), rows(0..3 * chunk, 1));
    assert_eq!(told(&fixture.take(write)).len(), 3);
    assert_eq!(fixture.count("t"), 3 * chunk.unsigned_abs());
}

#[test]
fn parts_that_closing_cancels_are_unwritten() {
    let fixture = Fixture::with_table();
    let chunk = i64::try_from(chunk()).unwrap();
    fixture.script.writes.shut();
    let write = send(&fixture, insert("t"), rows(0..2 * chunk + 1, 1));
    fixture.script.writes.wait_for_arrival();
    // The gate lets go of what is cancelled.
    let report = fixture.session.close(Duration::from_millis(1));
    let lost = 2 * chunk.unsigned_abs() + 1;
    assert_eq!(report.unwritten, [("t".to_owned(), Unwritten { writes: 1, rows: lost })]);
    let completion = fixture.take(write);
    assert!(told(&completion).iter().all(|(_, _, told)| *told == Err(ErrorKind::Cancelled)));
}
