//! The part of the contract that is about streams: a select read page by page on a reader's
//! connection. Runs on the test's own thread.

use tickwell_engine::backend::{Control, Counters, PageLimits, PageSink, Role};
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::Page;
use tickwell_engine::statement::{Comparison, Statement};
use tickwell_engine::value::{ValueRef, ValueType};

use super::{SETTINGS, compare, descending, ids, select, with_numbers};
use crate::database::{Database, Subject};
use crate::pages::page_of;

/// Takes pages, and does something of the test's own before each is wanted.
struct Taken<F> {
    limits: PageLimits,
    pages: Vec<Page>,
    before: F,
}

impl<F: FnMut(usize) -> Result<Control>> Taken<F> {
    /// `before` gets the number of pages that have come.
    const fn new(rows: usize, before: F) -> Self {
        Self { limits: PageLimits { rows, bytes: 1 << 20 }, pages: Vec::new(), before }
    }

    fn sizes(&self) -> Vec<usize> {
        self.pages.iter().map(Page::rows).collect()
    }

    fn ids(&self) -> Vec<i64> {
        self.pages.iter().flat_map(ids).collect()
    }
}

impl<F: FnMut(usize) -> Result<Control>> PageSink for Taken<F> {
    fn page_limits(&self) -> PageLimits {
        self.limits
    }

    fn wait(&mut self) -> Result<Control> {
        (self.before)(self.pages.len())
    }

    fn put(&mut self, page: Page) {
        self.pages.push(page);
    }
}

fn freely(_: usize) -> Result<Control> {
    Ok(Database::control())
}

/// Streams on a reader's connection; the limit of a result's rows is not that of a stream.
fn stream(
    subject: &Subject,
    database: &Database<'_>,
    statement: Statement,
    page: Option<Page>,
    sink: &mut dyn PageSink,
) -> (Result<u64>, Counters) {
    let mut request = database.request(statement, page).unwrap();
    request.result_limits.max_rows = usize::MAX;
    let mut reader = subject.backend.connect(Role::Reader).unwrap();
    let mut counters = Counters::default();
    (reader.stream(&request, sink, &mut counters), counters)
}

/// Every row comes once and in order, in full pages but for the last, whatever the limit of a
/// result; filter, order, limit and offset mean what they mean for a select.
pub fn a_stream_gives_every_row_in_pages(subject: &Subject) {
    let mut database = with_numbers(subject, 1_000);
    database.limits.max_rows = 10;
    for (rows, sizes) in [
        (300, vec![300, 300, 300, 100]),
        (500, vec![500, 500]),
        (1_000, vec![1_000]),
        (5_000, vec![1_000]),
    ] {
        let mut taken = Taken::new(rows, freely);
        let read = select(SETTINGS, &["id", "points"]);
        let (streamed, counters) = stream(subject, &database, read, None, &mut taken);
        assert_eq!(streamed.unwrap(), 1_000);
        assert_eq!(taken.sizes(), sizes);
        assert_eq!(taken.ids(), (0..1_000).collect::<Vec<_>>());
        assert_eq!(counters.rows_received, 1_000);
        let bytes: usize = taken.pages.iter().map(|page| page.bytes().len()).sum();
        assert_eq!(counters.bytes_in, bytes as u64);
    }

    let part = Statement::Select {
        table: SETTINGS.to_owned(),
        columns: vec!["id".to_owned()],
        filter: Some(compare("id", Comparison::Lt, 0)),
        order: vec![descending("id")],
        limit: Some(25),
        offset: 5,
    };
    let below = page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(500)]]);
    let mut taken = Taken::new(10, freely);
    let (streamed, _) = stream(subject, &database, part, Some(below), &mut taken);
    assert_eq!(streamed.unwrap(), 25);
    assert_eq!(taken.sizes(), [10, 10, 5]);
    assert_eq!(taken.ids(), (470..495).rev().collect::<Vec<_>>());
}

/// No row, no page.
pub fn a_stream_of_nothing_has_no_page(subject: &Subject) {
    let database = with_numbers(subject, 0);
    let mut taken = Taken::new(10, freely);
    let (streamed, _) = stream(subject, &database, select(SETTINGS, &["id"]), None, &mut taken);
    assert_eq!(streamed.unwrap(), 0);
    assert!(taken.pages.is_empty());
}

/// What is written while the stream rests is not in it, and the writer does not wait for it.
pub fn a_stream_sees_one_moment(subject: &Subject) {
    let database = with_numbers(subject, 100);
    let mut writer = Database::open(subject.backend.as_ref());
    writer.table(SETTINGS, &[("id", ValueType::BigInt), ("points", ValueType::Int)]);
    let mut taken = Taken::new(10, |pages| {
        if pages > 0 {
            let new = 1_000 + i64::try_from(pages).unwrap();
            let row = page_of(
                &[("id", ValueType::BigInt), ("points", ValueType::Int)],
                &[[ValueRef::Integer(new), ValueRef::Integer(0)]],
            );
            assert_eq!(writer.insert(SETTINGS, row).unwrap(), Some(1));
            let last = Statement::RawUpdate {
                sql: format!("DELETE FROM {SETTINGS} WHERE id = {}", 100 - pages),
            };
            writer.run(last, None).unwrap();
        }
        Ok(Database::control())
    });
    let (streamed, _) = stream(subject, &database, select(SETTINGS, &["id"]), None, &mut taken);
    assert_eq!(streamed.unwrap(), 100);
    assert_eq!(taken.ids(), (0..100).collect::<Vec<_>>());
    drop(taken);
    // Nine rests: nine rows more and nine less.
    assert_eq!(writer.size(SETTINGS), 100);
    let changed = ids(&writer.rows(select(SETTINGS, &["id"]), None).unwrap());
    assert_eq!(changed, (0..91).chain(1_001..1_010).collect::<Vec<_>>());
}

/// The reason of the one who takes the pages ends the stream, and its connection reads on.
pub fn a_stream_ends_when_no_page_is_wanted(subject: &Subject) {
    let database = with_numbers(subject, 100);
    let mut request = database.request(select(SETTINGS, &["id"]), None).unwrap();
    request.result_limits.max_rows = usize::MAX;
    let mut reader = subject.backend.connect(Role::Reader).unwrap();
    let mut counters = Counters::default();
    for (most, kind) in [(0, ErrorKind::Timeout), (3, ErrorKind::Cancelled)] {
        let mut taken = Taken::new(10, |pages| {
            if pages == most {
                return Err(Error::new(kind, "test", "no further page"));
            }
            Ok(Database::control())
        });
        let streamed = reader.stream(&request, &mut taken, &mut counters);
        assert_eq!(streamed.unwrap_err().kind(), kind);
        assert_eq!(taken.pages.len(), most);
    }
    let mut taken = Taken::new(100, freely);
    assert_eq!(reader.stream(&request, &mut taken, &mut counters).unwrap(), 100);
}

/// Large rows end a page before it has all its rows.
pub fn large_rows_end_a_page(subject: &Subject) {
    let columns = [("id", ValueType::BigInt), ("text", ValueType::Text)];
    let mut database = Database::open(subject.backend.as_ref());
    database.table("texts", &columns);
    let text = "x".repeat(400_000);
    for id in 0..7 {
        let row = page_of(&columns, &[[ValueRef::Integer(id), ValueRef::Text(&text)]]);
        assert_eq!(database.insert("texts", row).unwrap(), Some(1));
    }
    let mut taken = Taken::new(1_000, freely);
    let read = select("texts", &["id", "text"]);
    assert_eq!(stream(subject, &database, read, None, &mut taken).0.unwrap(), 7);
    // The third brings a page to its 1,048,576 bytes.
    assert_eq!(taken.sizes(), [3, 3, 1]);
    assert_eq!(taken.ids(), (0..7).collect::<Vec<_>>());
}

/// A page has a deadline, and a running one can be cancelled.
pub fn a_page_of_a_stream_stops(subject: &Subject) {
    let database = with_numbers(subject, 5_000);
    for (control, kind) in [
        (Control::new(std::time::Instant::now()), ErrorKind::Timeout),
        (
            {
                let control = Database::control();
                control.cancel();
                control
            },
            ErrorKind::Cancelled,
        ),
    ] {
        let mut taken = Taken::new(5_000, |_| Ok(control.clone()));
        let read = select(SETTINGS, &["points"]);
        let (streamed, _) = stream(subject, &database, read, None, &mut taken);
        assert_eq!(streamed.unwrap_err().kind(), kind);
        assert!(taken.pages.is_empty());
    }
}
