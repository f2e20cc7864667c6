//! Completions as the bytes that Java reads, laid out as `docs/boundary.md` says. A frame borrows
//! its page, so that a result is copied once: from the engine into the Java array.

use tickwell_engine::backend::{Outcome, Part};
use tickwell_engine::error::Error;
use tickwell_engine::pairs::{put_str, put_text};
use tickwell_engine::runtime::{Completion, Event};
use tickwell_engine::tick::TickRecord;

const EVENT_RESULT: u8 = 1;
const EVENT_TICK: u8 = 2;
const EVENT_PAGE: u8 = 3;
const RESULT_ROWS: u8 = 1;
const RESULT_AFFECTED: u8 = 2;
const RESULT_ERROR: u8 = 3;
const RESULT_PARTS: u8 = 4;
/// Bytes before the payload of a result.
const RESULT_HEADER: usize = 104;
/// Bytes of a tick record.
const TICK_FRAME: usize = 104;

/// One frame: both parts back to back.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) head: Vec<u8>,
    pub(crate) page: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The frame of an event.
    pub(crate) fn of(event: &'a Event) -> Self {
        match event {
            Event::Tick(record) => Self { head: tick_record(record), page: &[] },
            Event::Result(completion) => Self::of_completion(EVENT_RESULT, completion),
            Event::Page(completion) => Self::of_completion(EVENT_PAGE, completion),
        }
    }

    fn of_completion(event: u8, completion: &'a Completion) -> Self {
        match &completion.outcome {
            Ok(Outcome::Rows(page)) => {
                let page = page.bytes();
                Self { head: header(event, completion, RESULT_ROWS, page.len(), -1), page }
            }
            Ok(Outcome::Affected(count)) => {
                let count = count_or_minus_one(*count);
                Self { head: header(event, completion, RESULT_AFFECTED, 0, count), page: &[] }
            }
            Ok(Outcome::Parts(parts)) => {
                let payload = parts_payload(parts);
                let mut head = header(event, completion, RESULT_PARTS, payload.len(), -1);
                head.extend_from_slice(&payload);
                Self { head, page: &[] }
            }
            Err(error) => Self::with_error(event, completion, error),
        }
    }

    /// The frame of an event with an error in place of its result or page; `None` for one that has
    /// neither.
    pub(crate) fn failed(event: &Event, error: &Error) -> Option<Self> {
        match event {
            Event::Result(completion) => Some(Self::with_error(EVENT_RESULT, completion, error)),
            Event::Page(completion) => Some(Self::with_error(EVENT_PAGE, completion, error)),
            Event::Tick(_) => None,
        }
    }

    fn with_error(event: u8, completion: &Completion, error: &Error) -> Self {
        let payload = error_payload(error);
        let mut head = header(event, completion, RESULT_ERROR, payload.len(), -1);
        head.extend_from_slice(&payload);
        Self { head, page: &[] }
    }

    pub(crate) fn len(&self) -> usize {
        self.head.len() + self.page.len()
    }
}

fn header(
    event: u8,
    completion: &Completion,
    result: u8,
    payload: usize,
    affected: i64,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(RESULT_HEADER);
    bytes.extend_from_slice(&completion.request_id.to_le_bytes());
    bytes.extend_from_slice(&[event, result, 0, 0]);
    // A page has at most 64 MiB, an error a few kilobytes.
    bytes.extend_from_slice(&u32::try_from(payload).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend_from_slice(&affected.to_le_bytes());
    let (timings, counters) = (&completion.timings, &completion.counters);
    for field in [
        timings.execution,
        timings.queue_wait,
        timings.pool_wait,
        counters.statements_sent,
        counters.round_trips,
        counters.rows_sent,
        counters.rows_received,
        counters.bytes_in,
        counters.bytes_out,
        timings.grouped_with,
    ] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    bytes
}

fn tick_record(record: &TickRecord) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(TICK_FRAME);
    bytes.extend_from_slice(&record.request_id.to_le_bytes());
    bytes.extend_from_slice(&[EVENT_TICK, 0, 0, 0, 0, 0, 0, 0]);
    for field in [
        record.main,
        record.main_tick_max,
        record.conversion,
        record.result,
        record.publish,
        record.input,
        record.sync_conversions,
        record.largest_conversion,
        record.ticks,
        record.finished_at,
        record.first_tick,
    ] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    bytes
}

/// What Java reads as "not told" is -1.
fn count_or_minus_one(count: Option<u64>) -> i64 {
    count.and_then(|count| i64::try_from(count).ok()).unwrap_or(-1)
}

fn parts_payload(parts: &[Part]) -> Vec<u8> {
    // A page, and so a request, has fewer rows than that.
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = number(parts.len()).to_vec();
    for part in parts {
        bytes.extend_from_slice(&number(part.first_row));
        bytes.extend_from_slice(&number(part.rows));
        match &part.stored {
            Ok(count) => {
                bytes.push(0);
                bytes.extend_from_slice(&count_or_minus_one(*count).to_le_bytes());
            }
            Err(error) => {
                bytes.push(1);
                bytes.extend_from_slice(&error_payload(error));
            }
        }
    }
    bytes
}

fn error_payload(error: &Error) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256);
    bytes.extend_from_slice(&error.kind().code().to_le_bytes());
    bytes.push(error.effect() as u8);
    bytes.push(u8::from(error.retryable()));
    put_str(&mut bytes, error.operation());
    put_text(&mut bytes, error.message());
    let count = u16::try_from(error.context().len()).unwrap_or(u16::MAX);
    bytes.extend_from_slice(&count.to_le_bytes());
    for (name, value) in error.context().iter().take(usize::from(count)) {
        put_str(&mut bytes, name);
        put_text(&mut bytes, value);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use tickwell_engine::backend::{Counters, ResultLimits};
    use tickwell_engine::error::{Effect, ErrorKind, Result};
    use tickwell_engine::page::{PageBuilder, PageColumn};
    use tickwell_engine::runtime::{BytesInFlight, Timings};
    use tickwell_engine::value::{ValueRef, ValueType};

    use super::*;

    fn completion(outcome: Result<Outcome>) -> Event {
        Event::Result(Box::new(Completion {
            request_id: 0x0000_1234_5678_9ABC,
            outcome,
            timings: Timings { execution: 11, queue_wait: 12, pool_wait: 13, grouped_with: 20 },
            counters: Counters {
                statements_sent: 14,
                round_trips: 15,
                rows_sent: 16,
                rows_received: 17,
                bytes_in: 18,
                bytes_out: 19,
            },
            reservation: BytesInFlight::new("read", 10).empty(),
        }))
    }

    fn longs(bytes: &[u8]) -> Vec<i64> {
        bytes.chunks_exact(8).map(|one| i64::from_le_bytes(one.try_into().unwrap())).collect()
    }

    #[test]
    fn rows_borrow_their_page_behind_104_bytes() {
        let columns = vec![PageColumn { name: "n".to_owned(), value_type: ValueType::Int }];
        let limits = ResultLimits { max_rows: 10, max_bytes: 1_000 };
        let mut builder = PageBuilder::new(columns, limits);
        builder.push(ValueRef::Integer(7)).unwrap();
        let page = builder.finish().unwrap();
        let bytes = page.bytes().to_vec();
        let event = completion(Ok(Outcome::Rows(page)));
        let frame = Frame::of(&event);
        assert_eq!(frame.head.len(), RESULT_HEADER);
        assert_eq!(frame.page, bytes);
        assert_eq!(frame.head[..12], [0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12, 0, 0, 1, 1, 0, 0]);
        assert_eq!(frame.head[12..16], u32::try_from(bytes.len()).unwrap().to_le_bytes());
        assert_eq!(longs(&frame.head[16..]), [-1, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    }

    #[test]
    fn a_page_of_a_stream_is_an_event_of_its_own_also_when_it_fails() {
        let columns = vec![PageColumn { name: "n".to_owned(), value_type: ValueType::Int }];
        let limits = ResultLimits { max_rows: 10, max_bytes: 1_000 };
        let page = PageBuilder::new(columns, limits).finish().unwrap();
        let Event::Result(whole) = completion(Ok(Outcome::Rows(page))) else { unreachable!() };
        let event = Event::Page(whole);
        assert_eq!(Frame::of(&event).head[8..10], [EVENT_PAGE, RESULT_ROWS]);
        let error = Error::new(ErrorKind::ResultTooLarge, "deliver", "no room");
        let failed = Frame::failed(&event, &error).unwrap();
        assert_eq!(failed.head[8..10], [EVENT_PAGE, RESULT_ERROR]);
        assert_eq!(failed.head.len(), RESULT_HEADER + error_payload(&error).len());
    }

    #[test]
    fn affected_rows_are_told_or_minus_one() {
        for (outcome, expected) in [(Some(5), 5), (None, -1), (Some(0), 0)] {
            let event = completion(Ok(Outcome::Affected(outcome)));
            let frame = Frame::of(&event);
            assert_eq!((frame.len(), frame.head[9]), (RESULT_HEADER, RESULT_AFFECTED));
            assert_eq!(longs(&frame.head[16..24]), [expected]);
        }
    }

    #[test]
    fn an_error_carries_kind_effect_and_context() {
        let error = Error::new(ErrorKind::InvalidValue, "insert", "NaN")
            .with("row", 3)
            .effect_is(Effect::Unknown)
            .retryable_is(true);
        let event = completion(Err(error));
        let frame = Frame::of(&event);
        let mut expected = vec![10, 0, 2, 1];
        put_str(&mut expected, "insert");
        put_text(&mut expected, "NaN");
        expected.extend_from_slice(&[1, 0]);
        put_str(&mut expected, "row");
        put_text(&mut expected, "3");
        assert_eq!(frame.head[RESULT_HEADER..], expected);
        assert_eq!(frame.head[12..16], u32::try_from(expected.len()).unwrap().to_le_bytes());
    }

    #[test]
    fn parts_tell_their_rows_and_what_became_of_them() {
        let part = |first_row, stored| Part { first_row, rows: 7, stored };
        let error = Error::new(ErrorKind::UniqueViolation, "insert", "taken");
        let event = completion(Ok(Outcome::Parts(vec![
            part(0, Ok(Some(6))),
            part(7, Ok(None)),
            part(14, Err(error.duplicate())),
        ])));
        let frame = Frame::of(&event);
        let mut expected = vec![3, 0, 0, 0];
        for (first_row, count) in [(0_u8, 6_i64), (7, -1)] {
            expected.extend_from_slice(&[first_row, 0, 0, 0, 7, 0, 0, 0, 0]);
            expected.extend_from_slice(&count.to_le_bytes());
        }
        expected.extend_from_slice(&[14, 0, 0, 0, 7, 0, 0, 0, 1]);
        expected.extend_from_slice(&error_payload(&error));
        assert_eq!(frame.head[9], RESULT_PARTS);
        assert_eq!(frame.head[RESULT_HEADER..], expected);
        assert_eq!(frame.head[12..16], u32::try_from(expected.len()).unwrap().to_le_bytes());
    }

    #[test]
    fn a_tick_record_has_104_bytes_in_order() {
        let event = Event::Tick(TickRecord {
            request_id: 9,
            main: 1,
            main_tick_max: 2,
            conversion: 3,
            result: 4,
            publish: 5,
            input: 6,
            sync_conversions: 7,
            largest_conversion: 8,
            ticks: 9,
            finished_at: 10,
            first_tick: 11,
        });
        let frame = Frame::of(&event);
        assert_eq!(frame.len(), TICK_FRAME);
        assert_eq!(frame.head[8..16], [EVENT_TICK, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(longs(&frame.head[16..]), (1..=11).collect::<Vec<_>>());
    }
}
