//! Plans send every row once, in order, in statements that fit.

use proptest::prelude::*;
use tickwell_engine::backend::Limits;
use tickwell_engine::error::ErrorKind;
use tickwell_engine::page::PageColumn;
use tickwell_engine::plan::{Plan, plan, plan_page, plan_rows};
use tickwell_engine::schema::{ColumnDefinition, TableDefinition};
use tickwell_engine::statement::{InsertMode, Statement};
use tickwell_engine::value::ValueType;

use super::support::{Value, columns, generous, page};

fn sizes(plan: &Plan) -> Vec<usize> {
    plan.ranges().map(|range| range.len()).collect()
}

#[test]
fn one_value_past_the_limit_makes_a_second_statement() {
    let limits = generous();
    assert_eq!(sizes(&plan_rows(30_000, 1, &limits).unwrap()), [30_000]);
    assert_eq!(sizes(&plan_rows(30_001, 1, &limits).unwrap()), [30_000, 1]);
    assert_eq!(sizes(&plan_rows(5_000, 6, &limits).unwrap()), [5_000]);
    assert_eq!(sizes(&plan_rows(5_001, 6, &limits).unwrap()), [5_000, 1]);
    // 4,285 rows of 7 values are 29,995: a row is never cut.
    assert_eq!(sizes(&plan_rows(5_000, 7, &limits).unwrap()), [4_285, 715]);
}

#[test]
fn the_fast_chunk_splits_further() {
    let limits = Limits { fast_chunk_rows: 50, ..generous() };
    assert_eq!(sizes(&plan_rows(120, 6, &limits).unwrap()), [50, 50, 20]);
    // 10 rows of 3,000 values reach the bound before the fast chunk does.
    assert_eq!(sizes(&plan_rows(25, 3_000, &limits).unwrap()), [10, 10, 5]);
}

#[test]
fn no_rows_are_no_statement_and_no_page_is_one() {
    let none = plan_rows(0, 6, &generous()).unwrap();
    assert_eq!((none.statement_count(), none.ranges().count()), (0, 0));
    let single = Plan::single();
    assert_eq!((single.statement_count(), single.ranges().count()), (1, 0));
}

#[test]
fn a_row_wider_than_a_statement_is_refused_with_both_numbers() {
    let limits = Limits { max_bound_values: 999, ..generous() };
    assert_eq!(plan_rows(3, 999, &limits).unwrap().statement_count(), 3);
    let error = plan_rows(1, 1_000, &limits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
    assert_eq!(
        error.context(),
        [("columns", "1000".to_owned()), ("max_bound_values", "999".to_owned())]
    );
    assert_eq!(plan_rows(1, 0, &limits).unwrap_err().kind(), ErrorKind::InvalidStatement);
}

/// A page with one text of each of these lengths; each counts 9 bytes more in a packet.
fn texts(lengths: &[usize]) -> tickwell_engine::page::Page {
    let rows: Vec<_> =
        lengths.iter().map(|&length| vec![Value::Text("x".repeat(length))]).collect();
    page(columns(&[("a", ValueType::Text)]), &rows)
}

#[test]
fn the_packet_size_splits_by_bytes() {
    let packet = |max_packet_bytes| Limits { max_packet_bytes, ..generous() };
    let page = texts(&[91, 91, 91, 41, 41, 91]);
    assert_eq!(sizes(&plan_page(&page, &packet(200)).unwrap()), [2, 3, 1]);
    assert_eq!(sizes(&plan_page(&page, &packet(100)).unwrap()), [1, 1, 1, 2, 1]);
    assert_eq!(sizes(&plan_page(&page, &packet(usize::MAX)).unwrap()), [6]);
    let chunked = Limits { fast_chunk_rows: 1, ..packet(200) };
    assert_eq!(sizes(&plan_page(&page, &chunked).unwrap()), [1; 6]);
}

#[test]
fn a_row_longer_than_a_packet_is_named() {
    let limits = Limits { max_packet_bytes: 99, ..generous() };
    let error = plan_page(&texts(&[10, 91]), &limits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidValue);
    assert!(
        error.message().contains("row 1 takes 100 bytes, one statement may have 99"),
        "{error}"
    );
}

/// The plan of an upsert into a table of `key` columns and one more.
fn upsert(key: &[ValueType], rows: &[Vec<Value>], limits: &Limits) -> Vec<(usize, usize)> {
    let names: Vec<String> = (0..=key.len()).map(|index| format!("c{index}")).collect();
    let types = || key.iter().copied().chain([ValueType::Int]);
    let columns: Vec<_> = names
        .iter()
        .zip(types())
        .map(|(name, value_type)| ColumnDefinition {
            name: name.clone(),
            value_type,
            max_length: 0,
            nullable: false,
            auto_increment: false,
            default: None,
        })
        .collect();
    let given: Vec<_> = columns
        .iter()
        .map(|column| PageColumn { name: column.name.clone(), value_type: column.value_type })
        .collect();
    let keys = (0..key.len()).collect();
    let table = TableDefinition::new("t".to_owned(), columns, keys, vec![]).unwrap();
    let statement = Statement::Insert {
        table: "t".to_owned(),
        columns: names,
        mode: InsertMode::Upsert { overwrite: vec![] },
        return_keys: false,
    };
    let page = page(given, rows);
    plan(&statement, Some(&table), Some(&page), limits)
        .unwrap()
        .ranges()
        .map(|range| (range.start, range.end))
        .collect()
}

#[test]
fn an_upsert_sends_the_last_row_of_each_key() {
    let integers = |keys: &[i64]| -> Vec<Vec<Value>> {
        keys.iter().map(|&key| vec![Value::Integer(key), Value::Integer(0)]).collect()
    };
    let big = [ValueType::BigInt];
    assert_eq!(upsert(&big, &integers(&[1, 2, 3]), &generous()), [(0, 3)]);
    assert_eq!(upsert(&big, &integers(&[1, 2, 1, 3, 2]), &generous()), [(2, 5)]);
    assert_eq!(upsert(&big, &integers(&[1, 2, 3, 2]), &generous()), [(0, 1), (2, 4)]);
    assert_eq!(upsert(&big, &integers(&[5, 5, 5]), &generous()), [(2, 3)]);
    assert_eq!(upsert(&big, &integers(&[]), &generous()), [(0, 0); 0]);
    // Runs are split like pages, each for itself.
    let limits = Limits { fast_chunk_rows: 2, ..generous() };
    assert_eq!(
        upsert(&big, &integers(&[1, 2, 3, 9, 4, 5, 9]), &limits),
        [(0, 2), (2, 3), (4, 6), (6, 7)]
    );
}

#[test]
fn keys_are_the_same_when_a_database_takes_them_for_equal() {
    let sent = |value_type, first: Value, second: Value| {
        let rows = [first, second].map(|key| vec![key, Value::Integer(0)]);
        upsert(&[value_type], &rows, &generous())
            .iter()
            .map(|(start, end)| end - start)
            .sum::<usize>()
    };
    let decimal = |a: &str, b: &str| sent(ValueType::Decimal, Value::text(a), Value::text(b));
    assert_eq!(decimal("1.0", "1.00"), 1);
    assert_eq!(decimal("-0.5", "-00.50"), 1);
    assert_eq!(decimal("-0", "0.0"), 1);
    assert_eq!(decimal("1", "-1"), 2);
    assert_eq!(decimal("10", "1"), 2);
    assert_eq!(decimal("0.10", "0.01"), 2);
    assert_eq!(sent(ValueType::Double, Value::Double(0.0), Value::Double(-0.0)), 1);
    assert_eq!(sent(ValueType::Float, Value::Float(0.0), Value::Float(-0.0)), 1);
    assert_eq!(sent(ValueType::Text, Value::text("a"), Value::text("A")), 2);
    assert_eq!(sent(ValueType::Boolean, Value::Boolean(true), Value::Boolean(true)), 1);
    // The parts of a key of two columns do not run into each other.
    let pair = |a: &str, b: &str| vec![Value::text(a), Value::text(b), Value::Integer(0)];
    let two = [ValueType::Text, ValueType::Text];
    assert_eq!(upsert(&two, &[pair("a", "bc"), pair("ab", "c")], &generous()), [(0, 2)]);
    assert_eq!(upsert(&two, &[pair("a", "b"), pair("a", "b")], &generous()), [(1, 2)]);
}

proptest! {
    #[test]
    fn rows_are_sent_once_in_order_within_limits(
        rows in 0_usize..20_000, columns in 1_usize..300,
        fast in prop_oneof![1_usize..500, Just(usize::MAX)], bound in 300_usize..40_000,
    ) {
        let limits = Limits { fast_chunk_rows: fast, max_bound_values: bound, ..generous() };
        let plan = plan_rows(rows, columns, &limits).unwrap();
        let mut next = 0;
        let mut previous = usize::MAX;
        for range in plan.ranges() {
            prop_assert_eq!(range.start, next);
            prop_assert!(!range.is_empty() && range.len() <= fast);
            prop_assert!(range.len() * columns <= bound);
            // All statements but the last are alike, so that one prepared statement serves them.
            prop_assert!(range.len() <= previous);
            prop_assert!(range.len() == previous || previous == usize::MAX || range.end == rows);
            previous = range.len();
            next = range.end;
        }
        prop_assert_eq!(next, rows);
        prop_assert_eq!(plan.statement_count(), plan.ranges().count());
        // No fewer statements would do.
        prop_assert_eq!(plan.statement_count(), rows.div_ceil(fast.min(bound / columns)));
    }

    #[test]
    fn rows_of_any_length_are_sent_once_in_order_within_the_packet(
        lengths in proptest::collection::vec(0_usize..200, 0..100),
        fast in prop_oneof![1_usize..20, Just(usize::MAX)], packet in 209_usize..2_000,
    ) {
        let limits = Limits { fast_chunk_rows: fast, max_packet_bytes: packet, ..generous() };
        let plan = plan_page(&texts(&lengths), &limits).unwrap();
        let mut next = 0;
        for range in plan.ranges() {
            prop_assert_eq!(range.start, next);
            prop_assert!(!range.is_empty() && range.len() <= fast);
            let bytes: usize = lengths[range.clone()].iter().map(|length| length + 9).sum();
            prop_assert!(bytes <= packet);
            next = range.end;
        }
        prop_assert_eq!(next, lengths.len());
    }
}
