//! The contract of a backend: what the same request must mean on every database. Each function is
//! one case on an empty database; [`contract_tests!`](crate::contract_tests) makes a test of each.

mod statements;
mod streams;

pub use statements::*;
pub use streams::*;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use proptest::prop_assert_eq;
use proptest::test_runner::{Config, TestRunner};
use tickwell_engine::backend::{Control, Outcome, Role};
use tickwell_engine::error::{Effect, Error, ErrorKind};
use tickwell_engine::page::Page;
use tickwell_engine::schema::{
    ColumnDefinition, IndexDefinition, RegisterOptions, TableDefinition,
};
use tickwell_engine::statement::{Comparison, Filter, Order, Statement};
use tickwell_engine::value::{ValueRef, ValueType};

use crate::database::{Database, Subject, affected, insert_into, nullable};
use crate::filters;
use crate::pages::{page_of, rows_of};

/// Makes one test of every case. `$subject` is a function that gives what must live as long as the
/// database, and a [`Subject`](crate::Subject) whose database is empty.
///
/// A backend that streams has `contract_tests!(streams: …)` beside it.
#[macro_export]
macro_rules! contract_tests {
    (streams: $subject:path) => {
        $crate::contract_tests!(@each $subject;
            a_stream_gives_every_row_in_pages,
            a_stream_of_nothing_has_no_page,
            a_stream_sees_one_moment,
            a_stream_ends_when_no_page_is_wanted,
            large_rows_end_a_page,
            a_page_of_a_stream_stops,
        );
    };
    ($subject:path) => {
        $crate::contract_tests!(@each $subject;
            every_type_round_trips,
            integers_keep_their_whole_range,
            filters_choose_rows,
            random_filters_agree_with_the_model,
            like_is_case_sensitive_and_escapes,
            null_comes_first,
            order_is_by_value,
            limit_ends_a_select,
            deletes_count_their_rows,
            results_have_limits,
            a_write_is_split_and_stored_in_order,
            an_insert_of_no_rows_stores_nothing,
            a_duplicate_is_named_and_nothing_stored,
            a_duplicate_in_a_later_part_is_named,
            a_failure_leaves_the_neighbours,
            a_rollback_undoes_everything,
            a_write_needs_a_transaction,
            any_name_is_quoted,
            the_same_table_is_accepted_again,
            a_different_table_is_refused_with_every_difference,
            every_single_difference_is_refused,
            a_missing_index_is_added,
            a_registration_tells_its_changes,
            rows_are_numbered,
            defaults_of_every_type_are_taken,
            rules_of_columns_are_compared,
            missing_columns_are_added,
            missing_columns_are_added_only_when_nothing_else_differs,
            a_table_of_another_plugin_is_refused,
            a_table_is_used_by_all_who_share_it,
            a_refused_table_is_not_noted,
            raw_statements_bind_their_parameters,
            raw_text_is_checked,
            raw_text_ends_at_no_u0000,
            raw_text_cannot_control_the_transaction,
            a_bad_value_stores_nothing,
            a_deadline_stops_a_running_query,
            a_cancel_stops_a_running_query,
            a_passed_deadline_starts_nothing,
            a_reader_sees_what_was_committed,
            if_absent_leaves_taken_rows_out,
            an_upsert_overwrites_what_it_says,
            the_last_row_of_a_key_is_upserted,
            every_type_is_upserted_and_updated,
            every_type_of_key_finds_its_row,
            keys_come_back_in_the_order_of_the_rows,
            keys_past_a_results_limit_are_refused_before_the_first_row,
            an_update_sets_and_adds,
            a_sum_past_its_type_is_refused,
            real_sums_keep_their_type,
            updated_keys_stay_unique,
            a_limit_takes_rows_in_the_order_of_the_key,
            an_offset_leaves_the_first_rows_out,
            exists_is_one_or_nothing,
            aggregates_have_the_types_of_their_columns,
            aggregates_leave_nulls_out,
            the_least_and_the_greatest_are_by_value,
            an_integer_sum_is_exact_or_refused,
            a_list_of_nothing_changes_nothing,
            any_name_is_quoted_in_every_statement,
            a_split_upsert_stores_all_or_nothing,
            a_bad_row_in_an_upsert_is_named,
            random_changes_agree_with_the_model,
        );
    };
    (@each $subject:path; $($case:ident,)*) => {
        $(
            #[test]
            fn $case() {
                let (_kept, subject) = $subject();
                $crate::contract::$case(&subject);
            }
        )*
    };
}

const SETTINGS: &str = "settings";
const MEMBERS: &str = "members";

fn open(subject: &Subject) -> Database<'_> {
    Database::open(subject.backend.as_ref())
}

fn select(table: &str, columns: &[&str]) -> Statement {
    select_where(table, columns, None)
}

fn select_where(table: &str, columns: &[&str], filter: Option<Filter>) -> Statement {
    Statement::Select {
        table: table.to_owned(),
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        filter,
        order: columns.first().map(|column| ascending(column)).into_iter().collect(),
        limit: None,
        offset: 0,
    }
}

fn ascending(column: &str) -> Order {
    Order { column: column.to_owned(), descending: false }
}

fn descending(column: &str) -> Order {
    Order { column: column.to_owned(), descending: true }
}

fn compare(column: &str, comparison: Comparison, parameter: u16) -> Filter {
    Filter::Compare { column: column.to_owned(), comparison, parameter }
}

fn numbers(table: &str, count: i64) -> (String, Page) {
    let rows: Vec<_> =
        (0..count).map(|n| [ValueRef::Integer(n), ValueRef::Integer(n * 10)]).collect();
    let page = page_of(&[("id", ValueType::BigInt), ("points", ValueType::Int)], &rows);
    (table.to_owned(), page)
}

/// The table `settings(id, points)` with the rows `0..count`, `points` ten times the id.
fn with_numbers(subject: &Subject, count: i64) -> Database<'_> {
    let mut database = open(subject);
    database.table(SETTINGS, &[("id", ValueType::BigInt), ("points", ValueType::Int)]);
    let (table, page) = numbers(SETTINGS, count);
    assert_eq!(database.insert(&table, page).unwrap(), Some(count as u64));
    database
}

/// The table `members(id, name, level)`, some of whose values are null.
fn with_members(subject: &Subject) -> Database<'_> {
    let columns =
        [("id", ValueType::BigInt), ("name", ValueType::String), ("level", ValueType::Int)];
    let mut database = open(subject);
    database.table(MEMBERS, &columns);
    let row = |id, name: &'static str, level| {
        let name = if name.is_empty() { ValueRef::Null } else { ValueRef::Text(name) };
        let level = if level == 0 { ValueRef::Null } else { ValueRef::Integer(level) };
        [ValueRef::Integer(id), name, level]
    };
    let page = page_of(
        &columns,
        &[
            row(1, "Ann", 10),
            row(2, "ann", 20),
            row(3, "Bob", 0),
            row(4, "", 40),
            row(5, "100%_\\", 50),
            row(6, "1000", 60),
        ],
    );
    database.insert(MEMBERS, page).unwrap();
    database
}

fn ids(page: &Page) -> Vec<i64> {
    rows_of(page)
        .into_iter()
        .map(|row| match row.first() {
            Some(ValueRef::Integer(id)) => *id,
            other => panic!("an id was expected, not {other:?}"),
        })
        .collect()
}

fn named<'a>(error: &'a Error, fact: &str) -> Option<&'a str> {
    error.context().iter().find(|(name, _)| *name == fact).map(|(_, value)| value.as_str())
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, kind: ErrorKind) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    error
}

/// Values of every type at the edges of their ranges, and null.
pub fn every_type_round_trips(subject: &Subject) {
    let (location, long) = (location(), long_text());
    let mut database = open(subject);
    for &value_type in ValueType::ALL {
        let table = format!("all_{}", value_type.name());
        let columns = [("id", ValueType::BigInt), ("value", value_type)];
        database.table(&table, &columns);
        let mut rows = Vec::new();
        let values = edges(value_type, &location, &long);
        for value in values.into_iter().chain([ValueRef::Null]) {
            rows.push([ValueRef::Integer(rows.len() as i64), value]);
        }
        let page = page_of(&columns, &rows);
        database.insert(&table, page.clone()).unwrap_or_else(|e| panic!("{value_type:?}: {e}"));
        let read = database.rows(select(&table, &["id", "value"]), None).unwrap();
        assert_eq!(rows_of(&read), rows, "{value_type:?}");
        assert_eq!(read.column_type(1), Some(value_type));
        assert_eq!(read.bytes(), page.bytes(), "{value_type:?}: the same values, the same page");
    }
}

fn location() -> Vec<u8> {
    (0..48).chain(*b"world_nether").collect()
}

fn long_text() -> String {
    "ä😀".repeat(50_000)
}

/// Values of a type at the edges of its range.
fn edges<'a>(value_type: ValueType, location: &'a [u8], long: &'a str) -> Vec<ValueRef<'a>> {
    match value_type {
        ValueType::Boolean => vec![ValueRef::Boolean(true), ValueRef::Boolean(false)],
        ValueType::TinyInt => integers(&[i64::from(i8::MIN), 0, i64::from(i8::MAX)]),
        ValueType::SmallInt => integers(&[i64::from(i16::MIN), 0, i64::from(i16::MAX)]),
        ValueType::Int | ValueType::Date => {
            integers(&[i64::from(i32::MIN), 0, i64::from(i32::MAX)])
        }
        ValueType::BigInt | ValueType::Timespan => integers(&[i64::MIN, 0, i64::MAX]),
        // Nine thousand years either way: what every database has.
        ValueType::Timestamp => integers(&[-62_135_596_800_000_000, 0, 253_402_300_799_999_999]),
        ValueType::TimeOfDay => integers(&[0, 1, 86_399_999_999]),
        ValueType::Float => [0.0, 0.1, -1.5e-38, f32::MAX, f32::INFINITY, f32::NEG_INFINITY]
            .map(ValueRef::Float)
            .to_vec(),
        ValueType::Double => [
            0.0,
            0.1,
            3.0,
            9_007_199_254_740_993.0,
            -5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ]
        .map(ValueRef::Double)
        .to_vec(),
        ValueType::Decimal => {
            ["0", "-1.50", "0.1", "12345678901234567890.123456789", "2800003753376.20000000000"]
                .map(ValueRef::Text)
                .to_vec()
        }
        ValueType::String => ["", "a", " a ", "123", "🍸☆👨‍👩‍👧", "'; --"].map(ValueRef::Text).to_vec(),
        ValueType::Text => vec![ValueRef::Text(""), ValueRef::Text("1e5"), ValueRef::Text(long)],
        ValueType::Json => [r#"{"a":[1,null,"ü"]}"#, "[]"].map(ValueRef::Text).to_vec(),
        ValueType::Uuid => {
            vec![
                ValueRef::Uuid([0; 16]),
                ValueRef::Uuid([0xff; 16]),
                ValueRef::Uuid(*b"0123456789abcdef"),
            ]
        }
        ValueType::Location => vec![ValueRef::Bytes(location)],
        ValueType::Bytes | ValueType::Item | ValueType::Nbt | ValueType::Object => {
            vec![ValueRef::Bytes(&[]), ValueRef::Bytes(&[0, 0xff, b'\'', b'?'])]
        }
    }
}

fn integers(values: &[i64]) -> Vec<ValueRef<'static>> {
    values.iter().map(|&value| ValueRef::Integer(value)).collect()
}

/// A key at both ends of 64 bits is found by itself.
pub fn integers_keep_their_whole_range(subject: &Subject) {
    let mut database = open(subject);
    let columns = [("id", ValueType::BigInt), ("points", ValueType::Int)];
    database.table(SETTINGS, &columns);
    let ends = [i64::MIN, -1, i64::MAX];
    let rows = ends.map(|id| [ValueRef::Integer(id), ValueRef::Null]);
    database.insert(SETTINGS, page_of(&columns, &rows)).unwrap();
    for id in ends {
        let parameter = page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(id)]]);
        let filter = Some(compare("id", Comparison::Eq, 0));
        let found = database.rows(select_where(SETTINGS, &["id"], filter), Some(parameter));
        assert_eq!(ids(&found.unwrap()), [id]);
    }
}

/// Every kind of filter, with null where a value is compared.
pub fn filters_choose_rows(subject: &Subject) {
    let mut database = with_members(subject);
    let parameters = page_of(
        &[
            ("", ValueType::Int),
            ("", ValueType::Int),
            ("", ValueType::String),
            ("", ValueType::BigInt),
        ],
        &[[
            ValueRef::Integer(20),
            ValueRef::Integer(50),
            ValueRef::Text("ann"),
            ValueRef::Integer(6),
        ]],
    );
    let level = |comparison| compare("level", comparison, 0);
    let is_null = |column: &str| Filter::IsNull { column: column.to_owned() };
    let not = |filter| Filter::Not(Box::new(filter));
    let one_of = |parameters| Filter::In { column: "level".to_owned(), parameters };
    let between = Filter::Between { column: "level".to_owned(), low: 0, high: 1 };
    let cases: Vec<(Filter, &[i64])> = vec![
        (level(Comparison::Eq), &[2]),
        (level(Comparison::Ne), &[1, 4, 5, 6]),
        (level(Comparison::Lt), &[1]),
        (level(Comparison::Le), &[1, 2]),
        (level(Comparison::Gt), &[4, 5, 6]),
        (level(Comparison::Ge), &[2, 4, 5, 6]),
        (between.clone(), &[2, 4, 5]),
        (not(between), &[1, 6]),
        (one_of(vec![0, 1]), &[2, 5]),
        (not(one_of(vec![0, 1])), &[1, 4, 6]),
        (one_of(vec![]), &[]),
        (not(one_of(vec![])), &[1, 2, 3, 4, 5, 6]),
        (is_null("level"), &[3]),
        (not(is_null("name")), &[1, 2, 3, 5, 6]),
        (compare("name", Comparison::Eq, 2), &[2]),
        (Filter::And(vec![]), &[1, 2, 3, 4, 5, 6]),
        (Filter::Or(vec![]), &[]),
        (Filter::And(vec![level(Comparison::Ge), compare("id", Comparison::Lt, 3)]), &[2, 4, 5]),
        (Filter::Or(vec![level(Comparison::Eq), is_null("name"), is_null("level")]), &[2, 3, 4]),
        (
            not(Filter::Or(vec![level(Comparison::Eq), compare("id", Comparison::Eq, 3)])),
            &[1, 4, 5],
        ),
        (Filter::Or(vec![compare("id", Comparison::Eq, 3); 3_000]), &[6]),
    ];
    for (filter, expected) in cases {
        let shown = format!("{filter:.200?}");
        let statement = select_where(MEMBERS, &["id"], Some(filter.clone()));
        let found = database.rows(statement, Some(parameters.clone()));
        assert_eq!(ids(&found.unwrap_or_else(|e| panic!("{shown}: {e}"))), expected, "{shown}");
        let count =
            Statement::Count { table: MEMBERS.to_owned(), filter: Some(filter), exists: false };
        let count = affected(database.run(count, Some(parameters.clone()))).unwrap();
        assert_eq!(count, Some(expected.len() as u64), "{shown}");
    }
}

/// Filters of any shape choose the rows that three-valued logic chooses.
pub fn random_filters_agree_with_the_model(subject: &Subject) {
    let columns = [("id", ValueType::BigInt), ("a", ValueType::Int), ("b", ValueType::Int)];
    let mut database = open(subject);
    database.table(SETTINGS, &columns);
    let database = RefCell::new(database);
    let values: Vec<i64> = (0..i64::from(filters::PARAMETERS)).collect();
    let types = vec![("", ValueType::Int); values.len()];
    let parameters = page_of(&types, &[integers(&values)]);
    // No file of failures: what fails is printed in its smallest form.
    let config = Config { cases: 128, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(filters::rows(), filters::filters()), |case| {
        let (rows, filter) = case;
        let mut database = database.borrow_mut();
        let all = Statement::Delete { table: SETTINGS.to_owned(), filter: None, limit: None };
        database.run(all, None).unwrap();
        let number = |value: Option<i64>| value.map_or(ValueRef::Null, ValueRef::Integer);
        let stored: Vec<_> = (0..)
            .zip(&rows)
            .map(|(id, row)| [ValueRef::Integer(id), number(row.a), number(row.b)])
            .collect();
        database.insert(SETTINGS, page_of(&columns, &stored)).unwrap();
        let expected: Vec<i64> = (0..)
            .zip(&rows)
            .filter(|(_, row)| filters::chooses(&filter, row, &values) == Some(true))
            .map(|(id, _)| id)
            .collect();
        let statement = select_where(SETTINGS, &["id"], Some(filter));
        let found = database.rows(statement, Some(parameters.clone())).unwrap();
        prop_assert_eq!(ids(&found), expected);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Small and capital letters differ, `%` and `_` are escaped by `\`, and what other pattern
/// languages take as special is plain text.
pub fn like_is_case_sensitive_and_escapes(subject: &Subject) {
    let columns = [("id", ValueType::BigInt), ("name", ValueType::Text)];
    let mut database = open(subject);
    database.table(MEMBERS, &columns);
    let names = ["Ann", "ann", "anna", "100%", "1000", "a_b", "axb", "a\\b", "[a]*?", "äö", ""];
    let rows: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(id, name)| [ValueRef::Integer(id as i64), ValueRef::Text(name)])
        .collect();
    database.insert(MEMBERS, page_of(&columns, &rows)).unwrap();
    let cases: &[(&str, &[&str])] = &[
        ("ann%", &["ann", "anna"]),
        ("Ann", &["Ann"]),
        ("%n%", &["Ann", "ann", "anna"]),
        ("100\\%", &["100%"]),
        ("100_", &["100%", "1000"]),
        ("a\\_b", &["a_b"]),
        ("a_b", &["a_b", "axb", "a\\b"]),
        ("a\\\\b", &["a\\b"]),
        ("[a]*?", &["[a]*?"]),
        ("[%", &["[a]*?"]),
        ("__", &["äö"]),
        ("", &[""]),
    ];
    let filter = Filter::Like { column: "name".to_owned(), parameter: 0 };
    let statement = select_where(MEMBERS, &["id", "name"], Some(filter));
    for (pattern, expected) in cases {
        let parameter = page_of(&[("", ValueType::Text)], &[[ValueRef::Text(pattern)]]);
        let page = database.rows(statement.clone(), Some(parameter)).unwrap();
        let found: Vec<_> = rows_of(&page).into_iter().map(|row| row[1]).collect();
        let expected: Vec<_> = expected.iter().map(|name| ValueRef::Text(name)).collect();
        assert_eq!(found, expected, "{pattern}");
    }
    let parameter = page_of(&[("", ValueType::Text)], &[[ValueRef::Text("half\\")]]);
    refused(database.rows(statement, Some(parameter)), ErrorKind::InvalidValue);
}

/// Null is the smallest value of every order.
pub fn null_comes_first(subject: &Subject) {
    let mut database = with_members(subject);
    let mut sorted = |order| {
        let statement = Statement::Select {
            table: MEMBERS.to_owned(),
            columns: vec!["id".to_owned()],
            filter: None,
            order,
            limit: None,
            offset: 0,
        };
        ids(&database.rows(statement, None).unwrap())
    };
    assert_eq!(sorted(vec![ascending("level")]), [3, 1, 2, 4, 5, 6]);
    assert_eq!(sorted(vec![descending("level")]), [6, 5, 4, 2, 1, 3]);
    assert_eq!(sorted(vec![ascending("name")]), [4, 5, 6, 1, 3, 2]);
}

/// Order is that of the values, not of their stored form, where the type has one.
pub fn order_is_by_value(subject: &Subject) {
    let high = ValueRef::Uuid([0x80; 16]);
    let low = ValueRef::Uuid([0x7f; 16]);
    let ordered: [(ValueType, Vec<ValueRef<'_>>); 8] = [
        (ValueType::Boolean, vec![ValueRef::Boolean(false), ValueRef::Boolean(true)]),
        (ValueType::Int, integers(&[-200, -3, 0, 20, 100])),
        (ValueType::Timestamp, integers(&[-1, 0, 1_000_000])),
        (ValueType::Double, [f64::NEG_INFINITY, -2.5, 0.0, 10.0].map(ValueRef::Double).to_vec()),
        (ValueType::Uuid, vec![low, high]),
        (ValueType::Bytes, vec![ValueRef::Bytes(&[0x7f, 9]), ValueRef::Bytes(&[0x80])]),
        (ValueType::Text, ["B", "a", "ab", "ä", "😀"].map(ValueRef::Text).to_vec()),
        (
            ValueType::Decimal,
            ["-10.5", "-2", "0.09", "0.1", "9.0", "10"].map(ValueRef::Text).to_vec(),
        ),
    ];
    let mut database = open(subject);
    for (value_type, values) in ordered {
        let table = format!("sorted_{}", value_type.name());
        let columns = [("id", ValueType::BigInt), ("value", value_type)];
        database.table(&table, &columns);
        let rows: Vec<_> = values
            .iter()
            .rev()
            .enumerate()
            .map(|(id, &value)| [ValueRef::Integer(id as i64), value])
            .collect();
        database.insert(&table, page_of(&columns, &rows)).unwrap();
        let read = database.rows(select(&table, &["value"]), None).unwrap();
        let found: Vec<_> = rows_of(&read).into_iter().map(|row| row[0]).collect();
        assert_eq!(found, values, "{value_type:?}");

        let filter = Some(compare("value", Comparison::Gt, 0));
        let parameter = page_of(&[("", value_type)], &[[values[0]]]);
        let read =
            database.rows(select_where(&table, &["value"], filter), Some(parameter)).unwrap();
        assert_eq!(read.rows(), values.len() - 1, "{value_type:?}");
    }
    database.table("documents", &[("id", ValueType::BigInt), ("value", ValueType::Json)]);
    let error =
        refused(database.rows(select("documents", &["value"]), None), ErrorKind::Unsupported);
    assert_eq!(named(&error, "column"), Some("value"));
}

/// A limit gives the first rows of the order; a limit of 0 gives none.
pub fn limit_ends_a_select(subject: &Subject) {
    let mut database = with_numbers(subject, 20);
    for (limit, expected) in [(3, vec![19, 18, 17]), (0, vec![]), (50, (0..20).rev().collect())] {
        let statement = Statement::Select {
            table: SETTINGS.to_owned(),
            columns: vec!["id".to_owned()],
            filter: None,
            order: vec![descending("points")],
            limit: Some(limit),
            offset: 0,
        };
        assert_eq!(ids(&database.rows(statement, None).unwrap()), expected);
        assert_eq!(database.counters.rows_received, expected.len() as u64);
    }
}

/// A delete tells how many rows it removed and leaves the others.
pub fn deletes_count_their_rows(subject: &Subject) {
    let mut database = with_numbers(subject, 20);
    let parameter = page_of(&[("", ValueType::Int)], &[[ValueRef::Integer(150)]]);
    let some = Statement::Delete {
        table: SETTINGS.to_owned(),
        filter: Some(compare("points", Comparison::Ge, 0)),
        limit: None,
    };
    let all = Statement::Delete { table: SETTINGS.to_owned(), filter: None, limit: None };
    let mut delete = |statement, page| affected(database.run(statement, page)).unwrap();
    assert_eq!(delete(some.clone(), Some(parameter.clone())), Some(5));
    assert_eq!(delete(some, Some(parameter)), Some(0));
    assert_eq!(delete(all, None), Some(15));
    assert_eq!(database.size(SETTINGS), 0);
}

/// A result of exactly the most rows is given, one more is refused, and so are too many bytes.
pub fn results_have_limits(subject: &Subject) {
    let mut database = with_numbers(subject, 100);
    let all = || select(SETTINGS, &["id", "points"]);
    database.limits.max_rows = 100;
    assert_eq!(database.rows(all(), None).unwrap().rows(), 100);
    database.limits.max_rows = 99;
    refused(database.rows(all(), None), ErrorKind::ResultTooLarge);
    assert_eq!(database.counters.rows_received, 0);
    let raw = || Statement::RawQuery { sql: format!("SELECT id FROM {SETTINGS}") };
    refused(database.rows(raw(), None), ErrorKind::ResultTooLarge);
    let computed = || Statement::RawQuery { sql: format!("SELECT id + 1 AS n FROM {SETTINGS}") };
    refused(database.rows(computed(), None), ErrorKind::ResultTooLarge);

    database.limits.max_rows = 100;
    let bytes = database.rows(all(), None).unwrap().bytes().len();
    database.limits.max_bytes = bytes;
    assert_eq!(database.rows(all(), None).unwrap().rows(), 100);
    database.limits.max_bytes = bytes - 1;
    refused(database.rows(all(), None), ErrorKind::ResultTooLarge);
    // The connection is as good as before.
    database.limits.max_bytes = 16 << 20;
    assert_eq!(database.rows(all(), None).unwrap().rows(), 100);
}

/// A write of many rows goes as the plan says, and every row is stored once.
pub fn a_write_is_split_and_stored_in_order(subject: &Subject) {
    let mut database = open(subject);
    database.table(SETTINGS, &[("id", ValueType::BigInt), ("points", ValueType::Int)]);
    let limits = subject.backend.limits();
    let chunk = limits.fast_chunk_rows.min(limits.max_bound_values / 2);
    let rows = chunk * 2 + 1;
    let (_, page) = numbers(SETTINGS, rows as i64);
    let request = database.request(insert_into(SETTINGS, &page), Some(page.clone())).unwrap();
    assert_eq!(request.plan.statement_count(), 3);
    assert_eq!(database.insert(SETTINGS, page).unwrap(), Some(rows as u64));
    assert_eq!(database.counters.statements_sent, 3);
    assert_eq!(database.counters.rows_sent, rows as u64);
    database.limits.max_rows = rows;
    let read = database.rows(select(SETTINGS, &["id"]), None).unwrap();
    assert_eq!(ids(&read), (0..rows as i64).collect::<Vec<_>>());
    assert_eq!(database.counters.statements_sent, 1);
    assert_eq!(database.counters.rows_received, rows as u64);
}

/// No rows, no statement.
pub fn an_insert_of_no_rows_stores_nothing(subject: &Subject) {
    let mut database = with_numbers(subject, 1);
    let (table, page) = numbers(SETTINGS, 0);
    assert_eq!(database.insert(&table, page).unwrap(), Some(0));
    assert_eq!(database.counters.statements_sent, 0);
    assert_eq!(database.size(SETTINGS), 1);
}

/// The row that is there already is named by its number.
pub fn a_duplicate_is_named_and_nothing_stored(subject: &Subject) {
    let mut database = with_numbers(subject, 3);
    let columns = [("id", ValueType::BigInt)];
    let rows = [10, 11, 2, 12].map(|id| [ValueRef::Integer(id)]);
    let error =
        refused(database.insert(SETTINGS, page_of(&columns, &rows)), ErrorKind::UniqueViolation);
    assert_eq!(named(&error, "row"), Some("2"));
    assert_eq!(named(&error, "table"), Some(SETTINGS));
    assert_eq!(error.effect(), Effect::None);
    assert_eq!(database.size(SETTINGS), 3);
    // Two rows of one page with one key.
    let rows = [20, 21, 20].map(|id| [ValueRef::Integer(id)]);
    let error =
        refused(database.insert(SETTINGS, page_of(&columns, &rows)), ErrorKind::UniqueViolation);
    assert_eq!(named(&error, "row"), Some("2"));
    assert_eq!(database.size(SETTINGS), 3);
}

/// The number counts through all parts of a split write, and the earlier parts are undone.
pub fn a_duplicate_in_a_later_part_is_named(subject: &Subject) {
    let mut database = with_numbers(subject, 1);
    let limits = subject.backend.limits();
    let bad = limits.fast_chunk_rows.min(limits.max_bound_values) + 1;
    let rows: Vec<_> = (0..=bad)
        .map(|row| [ValueRef::Integer(if row == bad { 0 } else { row as i64 + 1 })])
        .collect();
    let page = page_of(&[("id", ValueType::BigInt)], &rows);
    let error = refused(database.insert(SETTINGS, page), ErrorKind::UniqueViolation);
    assert_eq!(named(&error, "row"), Some(bad.to_string().as_str()));
    assert_eq!(database.size(SETTINGS), 1);
}

/// A savepoint lets one request fail inside a transaction without harm to the others.
pub fn a_failure_leaves_the_neighbours(subject: &Subject) {
    let mut database = with_numbers(subject, 1);
    let one = |id| page_of(&[("id", ValueType::BigInt)], &[[ValueRef::Integer(id)]]);
    let insert = |database: &mut Database<'_>, id| {
        database.connection.savepoint().unwrap();
        let page = one(id);
        let outcome = database.execute(insert_into(SETTINGS, &page), Some(page));
        match outcome {
            Ok(_) => database.connection.release_savepoint().unwrap(),
            Err(_) => database.connection.rollback_to_savepoint().unwrap(),
        }
        outcome
    };
    database.connection.begin(&Database::control()).unwrap();
    insert(&mut database, 7).unwrap();
    refused(insert(&mut database, 0), ErrorKind::UniqueViolation);
    insert(&mut database, 8).unwrap();
    database.connection.commit().unwrap();
    let read = database.rows(select(SETTINGS, &["id"]), None).unwrap();
    assert_eq!(ids(&read), [0, 7, 8]);
}

/// What was not committed is gone, and the connection goes on.
pub fn a_rollback_undoes_everything(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    database.connection.begin(&Database::control()).unwrap();
    let all = Statement::Delete { table: SETTINGS.to_owned(), filter: None, limit: None };
    assert_eq!(affected(database.execute(all, None)).unwrap(), Some(2));
    database.connection.rollback().unwrap();
    assert_eq!(database.size(SETTINGS), 2);
    assert_eq!(
        database
            .insert(SETTINGS, page_of(&[("id", ValueType::BigInt)], &[[ValueRef::Integer(9)]]))
            .unwrap(),
        Some(1)
    );
}

/// A write outside of a transaction could be half stored.
pub fn a_write_needs_a_transaction(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    let all = Statement::Delete { table: SETTINGS.to_owned(), filter: None, limit: None };
    refused(database.execute(all, None), ErrorKind::Internal);
    assert_eq!(database.size(SETTINGS), 2);
    refused(database.connection.commit(), ErrorKind::Internal);
    refused(database.connection.savepoint(), ErrorKind::Internal);
}

/// Reserved words, quotes, blanks and other letters are names like any other.
pub fn any_name_is_quoted(subject: &Subject) {
    let names =
        ["order", "group", "a b", "quo\"te", "it's", "back`tick", "[x]", "semi;--", "größe"];
    let mut database = open(subject);
    for name in names {
        let columns = [(name, ValueType::BigInt), ("select", ValueType::Text)];
        let definition = TableDefinition::new(
            format!("t {name}"),
            nullable(&columns),
            vec![0],
            vec![IndexDefinition { columns: vec!["select".to_owned()], unique: false }],
        );
        database.register(definition.unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let table = format!("t {name}");
        let page = page_of(&columns, &[[ValueRef::Integer(1), ValueRef::Text("x")]]);
        database.insert(&table, page).unwrap();
        let parameter = page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(1)]]);
        let filter = Some(compare(name, Comparison::Eq, 0));
        let read = database
            .rows(select_where(&table, &[name, "select"], filter.clone()), Some(parameter.clone()))
            .unwrap();
        assert_eq!(ids(&read), [1]);
        assert_eq!(read.column_name(0), Some(name));
        let delete = Statement::Delete { table, filter, limit: None };
        assert_eq!(affected(database.run(delete, Some(parameter))).unwrap(), Some(1));
    }
}

fn wide_table(change: impl FnOnce(&mut Vec<ColumnDefinition>)) -> TableDefinition {
    let columns: Vec<_> = ValueType::ALL.iter().map(|t| (t.name(), *t)).collect();
    let mut columns = nullable(&columns);
    change(&mut columns);
    let uuid = columns.iter().position(|column| column.value_type == ValueType::Uuid).unwrap();
    columns[uuid].nullable = false;
    let index =
        IndexDefinition { columns: vec!["int".to_owned(), "text".to_owned()], unique: false };
    TableDefinition::new("wide".to_owned(), columns, vec![uuid, 0], vec![index]).unwrap()
}

/// Registering changes nothing when the table is as it should be.
pub fn the_same_table_is_accepted_again(subject: &Subject) {
    let mut database = open(subject);
    database.register(wide_table(|_| {})).unwrap();
    let columns = [("boolean", ValueType::Boolean), ("uuid", ValueType::Uuid)];
    let row = [ValueRef::Boolean(true), ValueRef::Uuid([7; 16])];
    database.insert("wide", page_of(&columns, &[row])).unwrap();
    database.register(wide_table(|_| {})).unwrap();
    assert_eq!(database.size("wide"), 1);
    // The order of the columns is no part of what a table means.
    database.register(wide_table(|columns| columns[12..].reverse())).unwrap();
}

/// All differences in one message.
pub fn a_different_table_is_refused_with_every_difference(subject: &Subject) {
    let mut database = with_members(subject);
    let columns = [
        ColumnDefinition {
            name: "id".to_owned(),
            value_type: ValueType::Int,
            max_length: 0,
            nullable: false,
            auto_increment: false,
            default: None,
        },
        ColumnDefinition {
            name: "name".to_owned(),
            value_type: ValueType::String,
            max_length: 64,
            nullable: false,
            auto_increment: false,
            default: None,
        },
        ColumnDefinition {
            name: "rank".to_owned(),
            value_type: ValueType::Text,
            max_length: 0,
            nullable: true,
            auto_increment: false,
            default: None,
        },
    ];
    let definition =
        TableDefinition::new(MEMBERS.to_owned(), columns.to_vec(), vec![1], vec![]).unwrap();
    let error = refused(database.register(definition), ErrorKind::TableMismatch);
    assert_eq!(named(&error, "table"), Some(MEMBERS));
    for part in ["column id ", "column name ", "column rank ", "column level ", "key"] {
        assert!(error.message().contains(part), "{part}: {error}");
    }
    assert_eq!(database.size(MEMBERS), 6);
}

/// Each part of a table counts by itself.
pub fn every_single_difference_is_refused(subject: &Subject) {
    let mut database = with_members(subject);
    let columns =
        [("id", ValueType::BigInt), ("name", ValueType::String), ("level", ValueType::Int)];
    let extra = ColumnDefinition {
        name: "rank".to_owned(),
        value_type: ValueType::Text,
        max_length: 0,
        nullable: true,
        auto_increment: false,
        default: None,
    };
    type Change = Box<dyn FnOnce(&mut Vec<ColumnDefinition>, &mut Vec<usize>)>;
    let changes: [(&str, Change); 7] = [
        ("type", Box::new(|columns, _| columns[2].value_type = ValueType::BigInt)),
        ("length", Box::new(|columns, _| columns[1].max_length += 1)),
        ("nulls", Box::new(|columns, _| columns[2].nullable = false)),
        ("name", Box::new(|columns, _| columns[2].name = "Level".to_owned())),
        ("extra column", Box::new(|columns, _| columns.push(extra))),
        ("missing column", Box::new(|columns, _| columns.truncate(2))),
        ("key", Box::new(|_, key| key.clear())),
    ];
    for (what, change) in changes {
        let (mut columns, mut key) = (nullable(&columns), vec![0]);
        change(&mut columns, &mut key);
        let definition = TableDefinition::new(MEMBERS.to_owned(), columns, key, vec![]).unwrap();
        let kind = database.register(definition).map_err(|error| error.kind());
        assert_eq!(kind, Err(ErrorKind::TableMismatch), "{what}");
    }
}

/// Indexes may be added to a table that is there; a unique one is then kept.
pub fn a_missing_index_is_added(subject: &Subject) {
    let mut database = with_numbers(subject, 3);
    let columns = nullable(&[("id", ValueType::BigInt), ("points", ValueType::Int)]);
    let unique = IndexDefinition { columns: vec!["points".to_owned()], unique: true };
    let definition =
        TableDefinition::new(SETTINGS.to_owned(), columns, vec![0], vec![unique]).unwrap();
    database.register(definition).unwrap();
    let page = page_of(
        &[("id", ValueType::BigInt), ("points", ValueType::Int)],
        &[[ValueRef::Integer(9), ValueRef::Integer(20)]],
    );
    refused(database.insert(SETTINGS, page), ErrorKind::UniqueViolation);
}

/// Registers and gives what that changed.
fn changes(
    database: &mut Database<'_>,
    definition: TableDefinition,
    page: Option<Page>,
) -> Result<Vec<String>, Error> {
    let page = database.register_with(definition, page)?;
    Ok(rows_of(&page)
        .into_iter()
        .map(|row| match row.as_slice() {
            [ValueRef::Text(change)] => (*change).to_owned(),
            other => panic!("one text was expected, not {other:?}"),
        })
        .collect())
}

/// The table `offers(id, title)` with these columns more.
fn offers(
    more: Vec<ColumnDefinition>,
    indexes: Vec<IndexDefinition>,
    options: RegisterOptions,
) -> TableDefinition {
    let mut columns = nullable(&[("id", ValueType::BigInt), ("title", ValueType::Text)]);
    columns.extend(more);
    TableDefinition::new("offers".to_owned(), columns, vec![0], indexes)
        .and_then(|definition| definition.with_options(options))
        .unwrap()
}

fn column(name: &str, value_type: ValueType, nullable: bool) -> ColumnDefinition {
    ColumnDefinition {
        name: name.to_owned(),
        value_type,
        max_length: 0,
        nullable,
        auto_increment: false,
        default: None,
    }
}

fn adding() -> RegisterOptions {
    RegisterOptions { add_missing_columns: true, ..RegisterOptions::default() }
}

fn owned_by(owner: &str, shared: bool) -> RegisterOptions {
    RegisterOptions { owner: owner.to_owned(), shared, ..RegisterOptions::default() }
}

/// What a registration changed of a table that was there.
pub fn a_registration_tells_its_changes(subject: &Subject) {
    let mut database = open(subject);
    let plain = offers(vec![], vec![], RegisterOptions::default());
    assert_eq!(changes(&mut database, plain.clone(), None).unwrap(), [""; 0]);
    assert_eq!(changes(&mut database, plain, None).unwrap(), [""; 0]);
    let index = IndexDefinition { columns: vec!["title".to_owned()], unique: true };
    let indexed = offers(vec![], vec![index], RegisterOptions::default());
    let added = changes(&mut database, indexed.clone(), None).unwrap();
    assert_eq!(added, ["added index offers(title) unique"]);
    assert_eq!(changes(&mut database, indexed, None).unwrap(), [""; 0]);
}

/// A row without a number, or with null for it, gets the next one; no number comes twice.
pub fn rows_are_numbered(subject: &Subject) {
    for value_type in [ValueType::BigInt, ValueType::Int] {
        let table = format!("numbered_{}", value_type.name());
        let mut database = open(subject);
        let types = [("id", value_type), ("name", ValueType::Text)];
        let mut columns = nullable(&types);
        columns[0].auto_increment = true;
        let definition = TableDefinition::new(table.clone(), columns, vec![0], vec![]).unwrap();
        database.register(definition.clone()).unwrap();
        let name = [("name", ValueType::Text)];
        let two = [[ValueRef::Text("a")], [ValueRef::Text("b")]];
        assert_eq!(database.insert(&table, page_of(&name, &two)).unwrap(), Some(2));
        let rows = [
            [ValueRef::Null, ValueRef::Text("c")],
            [ValueRef::Integer(40), ValueRef::Text("d")],
            [ValueRef::Null, ValueRef::Text("e")],
        ];
        assert_eq!(database.insert(&table, page_of(&types, &rows)).unwrap(), Some(3));
        let read = database.rows(select(&table, &["id", "name"]), None).unwrap();
        assert_eq!(ids(&read), [1, 2, 3, 40, 41]);
        let all = Statement::Delete { table: table.clone(), filter: None, limit: None };
        assert_eq!(affected(database.run(all, None)).unwrap(), Some(5));
        database.insert(&table, page_of(&name, &[[ValueRef::Text("f")]])).unwrap();
        let read = database.rows(select(&table, &["id"]), None).unwrap();
        assert_eq!(ids(&read), [42]);
        database.register(definition).unwrap();
    }
}

/// Values that a literal could spoil, of every type that can have a default.
pub fn defaults_of_every_type_are_taken(subject: &Subject) {
    let cases: Vec<(ValueType, Vec<ValueRef<'_>>)> = vec![
        (ValueType::Boolean, vec![ValueRef::Boolean(true), ValueRef::Boolean(false)]),
        (ValueType::TinyInt, integers(&[-128, 127])),
        (ValueType::SmallInt, integers(&[-32_768, 0])),
        (ValueType::Int, integers(&[i64::from(i32::MIN), 7])),
        (ValueType::BigInt, integers(&[i64::MIN, i64::MAX])),
        (ValueType::Float, vec![ValueRef::Float(0.1), ValueRef::Float(f32::MAX)]),
        (
            ValueType::Double,
            [0.1, 3.0, 1e16, 1.7976931348623157e308, 5e-324, -2.2250738585072014e-308]
                .into_iter()
                .chain([f64::INFINITY, f64::NEG_INFINITY, 9_007_199_254_740_993.0])
                .map(ValueRef::Double)
                .collect(),
        ),
        (ValueType::Decimal, vec![ValueRef::Text("-1.50"), ValueRef::Text("007")]),
        (ValueType::String, vec![ValueRef::Text("'); DROP TABLE x; --"), ValueRef::Text("")]),
        (
            ValueType::Text,
            ["it's", "\"q\" \\ \n ? {t} /* 😀", "NULL", "1", "-- AUTOINCREMENT"]
                .map(ValueRef::Text)
                .to_vec(),
        ),
        (ValueType::Bytes, vec![ValueRef::Bytes(&[0, 39, 255]), ValueRef::Bytes(&[])]),
        (ValueType::Uuid, vec![ValueRef::Uuid([0xab; 16])]),
        (ValueType::Date, integers(&[-1, 20_000])),
        (ValueType::TimeOfDay, integers(&[86_399_999_999])),
        (ValueType::Timestamp, integers(&[-62_135_596_800_000_000])),
        (ValueType::Timespan, integers(&[i64::MIN])),
        (ValueType::Json, vec![ValueRef::Text("{\"a\": 'b'}")]),
    ];
    let mut types = vec![("", ValueType::BigInt); 0];
    let mut values = Vec::new();
    for (value_type, of_type) in &cases {
        for value in of_type {
            types.push(("", *value_type));
            values.push(*value);
        }
    }
    let mut database = open(subject);
    let names: Vec<String> = (0..values.len()).map(|at| format!("c{at}")).collect();
    let more: Vec<ColumnDefinition> = names
        .iter()
        .zip(&types)
        .enumerate()
        .map(|(at, (name, (_, value_type)))| ColumnDefinition {
            max_length: if *value_type == ValueType::String { 32 } else { 0 },
            default: Some(at as u16),
            ..column(name, *value_type, at % 2 == 0)
        })
        .collect();
    let page = || Some(page_of(&types, &[values.as_slice()]));
    // The one half when the table is made, the other when it has a row already.
    let half = names.len() / 2;
    let some = page_of(&types[..half], &[&values[..half]]);
    let first = offers(more[..half].to_vec(), vec![], RegisterOptions::default());
    database.register_with(first, Some(some)).unwrap();
    let row = |id| page_of(&[("id", ValueType::BigInt)], &[[ValueRef::Integer(id)]]);
    database.insert("offers", row(1)).unwrap();
    let added = changes(&mut database, offers(more.clone(), vec![], adding()), page()).unwrap();
    assert_eq!(added.len(), names.len() - half, "{added:?}");
    database.insert("offers", row(2)).unwrap();
    // What the database gives back as its schema is the same.
    let same = offers(more, vec![], RegisterOptions::default());
    assert_eq!(changes(&mut database, same, page()).unwrap(), [""; 0]);

    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    let read = database.rows(select("offers", &columns), None).unwrap();
    assert_eq!(rows_of(&read), [values.clone(), values]);
}

/// Defaults and numbering are parts of a table as types are.
pub fn rules_of_columns_are_compared(subject: &Subject) {
    let mut database = open(subject);
    let level = |default| ColumnDefinition { default, ..column("level", ValueType::Int, true) };
    let page = |value| Some(page_of(&[("", ValueType::Int)], &[[ValueRef::Integer(value)]]));
    let table = |more| offers(more, vec![], RegisterOptions::default());
    database.register_with(table(vec![level(Some(0))]), page(5)).unwrap();
    let (default, none) = ("column level has the default 5 instead of ", "no default");
    let error = database.register_with(table(vec![level(None)]), None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableMismatch);
    assert!(error.message().contains(&format!("{default}{none}")), "{error}");

    // All at once: another default, no numbers where some are wanted.
    let mut columns = table(vec![level(Some(0))]).columns().to_vec();
    columns[0].auto_increment = true;
    let other = TableDefinition::new("offers".to_owned(), columns, vec![0], vec![]).unwrap();
    let error = database.register_with(other, page(6)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableMismatch);
    assert_eq!(named(&error, "differences"), Some("2"));
    assert!(error.message().contains(&format!("{default}the default 6")), "{error}");
    assert!(error.message().contains("column id has no auto increment"), "{error}");
    let same = table(vec![level(Some(0))]);
    assert_eq!(changes(&mut database, same, page(5)).unwrap(), [""; 0]);

    let mut columns = nullable(&[("id", ValueType::BigInt)]);
    let numbered = |columns: &[ColumnDefinition]| {
        TableDefinition::new("numbered".to_owned(), columns.to_vec(), vec![0], vec![]).unwrap()
    };
    columns[0].auto_increment = true;
    database.register(numbered(&columns)).unwrap();
    columns[0].auto_increment = false;
    let error = refused(database.register(numbered(&columns)), ErrorKind::TableMismatch);
    assert!(error.message().contains("column id has an auto increment"), "{error}");
}

/// On request, columns that rows can do without; what was stored stays.
pub fn missing_columns_are_added(subject: &Subject) {
    let mut database = open(subject);
    database.register(offers(vec![], vec![], RegisterOptions::default())).unwrap();
    let row = page_of(
        &[("id", ValueType::BigInt), ("title", ValueType::Text)],
        &[[ValueRef::Integer(1), ValueRef::Text("sword")]],
    );
    database.insert("offers", row).unwrap();
    let more = || {
        vec![
            column("note", ValueType::Text, true),
            ColumnDefinition { default: Some(0), ..column("price", ValueType::Double, false) },
        ]
    };
    let page = || Some(page_of(&[("", ValueType::Double)], &[[ValueRef::Double(2.5)]]));
    let index = || vec![IndexDefinition { columns: vec!["note".to_owned()], unique: false }];
    let unasked = offers(more(), index(), RegisterOptions::default());
    let error = database.register_with(unasked.clone(), page()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableMismatch);
    assert_eq!(named(&error, "differences"), Some("2"));

    let added = changes(&mut database, offers(more(), index(), adding()), page()).unwrap();
    assert_eq!(
        added,
        ["added column note", "added column price", "added index offers(note) index"]
    );
    let read = database.rows(select("offers", &["id", "title", "note", "price"]), None).unwrap();
    let row =
        [ValueRef::Integer(1), ValueRef::Text("sword"), ValueRef::Null, ValueRef::Double(2.5)];
    assert_eq!(rows_of(&read), [row]);
    assert_eq!(changes(&mut database, unasked, page()).unwrap(), [""; 0]);
}

/// A table that differs beyond that stays as it is, and every difference is told.
pub fn missing_columns_are_added_only_when_nothing_else_differs(subject: &Subject) {
    let mut database = open(subject);
    database.register(offers(vec![], vec![], RegisterOptions::default())).unwrap();
    let more = vec![column("note", ValueType::Text, true), column("rank", ValueType::Int, false)];
    let error =
        refused(database.register(offers(more, vec![], adding())), ErrorKind::TableMismatch);
    assert!(error.message().contains("column rank is missing, and cannot be added"), "{error}");
    let plain = offers(vec![], vec![], RegisterOptions::default());
    assert_eq!(changes(&mut database, plain, None).unwrap(), [""; 0]);
}

/// The first plugin that registers a table owns it.
pub fn a_table_of_another_plugin_is_refused(subject: &Subject) {
    let mut database = open(subject);
    let table = |owner, shared| offers(vec![], vec![], owned_by(owner, shared));
    database.register(table("Shop", false)).unwrap();
    assert_eq!(changes(&mut database, table("Shop", false), None).unwrap(), [""; 0]);
    for shared in [false, true] {
        let error = refused(database.register(table("Thief", shared)), ErrorKind::TableOwned);
        assert_eq!(named(&error, "owner"), Some("Shop"));
        assert_eq!(named(&error, "table"), Some("offers"));
        assert!(error.message().contains("belongs to the plugin Shop"), "{error}");
    }
}

/// Both must say so, and the owner stays the owner.
pub fn a_table_is_used_by_all_who_share_it(subject: &Subject) {
    let mut database = open(subject);
    let table = |owner, shared| offers(vec![], vec![], owned_by(owner, shared));
    database.register(table("Shop", true)).unwrap();
    let error = refused(database.register(table("Auction", false)), ErrorKind::TableOwned);
    assert!(error.message().contains("call shared()"), "{error}");
    database.register(table("Auction", true)).unwrap();
    // No more, once its owner has it for itself.
    database.register(table("Shop", false)).unwrap();
    refused(database.register(table("Auction", true)), ErrorKind::TableOwned);
    database.register(table("Shop", true)).unwrap();
    database.register(table("Auction", true)).unwrap();

    let book =
        Statement::RawQuery { sql: "SELECT name, plugin, shared FROM tickwell_tables".to_owned() };
    let read = database.rows(book, None).unwrap();
    let entry = [ValueRef::Text("offers"), ValueRef::Text("Shop"), ValueRef::Boolean(true)];
    assert_eq!(rows_of(&read), [entry]);
}

/// What was refused leaves no owner behind.
pub fn a_refused_table_is_not_noted(subject: &Subject) {
    let mut database = open(subject);
    database.register(offers(vec![], vec![], RegisterOptions::default())).unwrap();
    let more = vec![column("note", ValueType::Text, true)];
    let other = offers(more, vec![], owned_by("Wrong", false));
    refused(database.register(other), ErrorKind::TableMismatch);
    database.register(offers(vec![], vec![], owned_by("Right", false))).unwrap();
}

/// `?` in the order of the page's columns; a `?` in text is text; affected rows are exact.
pub fn raw_statements_bind_their_parameters(subject: &Subject) {
    let mut database = with_numbers(subject, 10);
    let parameters = page_of(
        &[("", ValueType::Int), ("", ValueType::BigInt)],
        &[[ValueRef::Integer(5), ValueRef::Integer(7)]],
    );
    let update = Statement::RawUpdate {
        sql: format!("UPDATE {SETTINGS} SET points = points + ? WHERE id >= ?"),
    };
    assert_eq!(affected(database.run(update, Some(parameters))).unwrap(), Some(3));
    let one = page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(8)]]);
    let query = Statement::RawQuery {
        sql: format!(
            "SELECT id, points, 'why?' AS label FROM {SETTINGS} /* ? */ WHERE id > ? -- ?"
        ),
    };
    let read = database.rows(query, Some(one)).unwrap();
    assert_eq!(
        rows_of(&read),
        [[ValueRef::Integer(9), ValueRef::Integer(95), ValueRef::Text("why?")]]
    );
    let names: Vec<_> = (0..3).map(|column| read.column_name(column)).collect();
    assert_eq!(names, [Some("id"), Some("points"), Some("label")]);

    let create = "CREATE TABLE made_by_hand (id BIGINT PRIMARY KEY)";
    let create = Statement::RawUpdate { sql: create.to_owned() };
    assert_eq!(affected(database.run(create, None)).unwrap(), Some(0));
}

/// Bad text, wrong counts and the wrong kind are refused with nothing done.
pub fn raw_text_is_checked(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    let query = |sql: &str| Statement::RawQuery { sql: sql.to_owned() };
    let update = |sql: &str| Statement::RawUpdate { sql: sql.to_owned() };
    let one = || Some(page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(8)]]));
    refused(database.run(query("SELEC 1"), None), ErrorKind::Syntax);
    refused(database.run(query("SELECT nothing FROM settings"), None), ErrorKind::Syntax);
    refused(
        database.run(query("SELECT id FROM settings WHERE id = ?"), None),
        ErrorKind::ParameterCount,
    );
    refused(database.run(query("SELECT '?'"), one()), ErrorKind::ParameterCount);
    refused(database.run(query("DELETE FROM settings"), None), ErrorKind::InvalidStatement);
    refused(database.run(update("SELECT id FROM settings"), None), ErrorKind::InvalidStatement);
    refused(database.run(update(" -- nothing"), None), ErrorKind::InvalidStatement);
    let two = "DELETE FROM settings WHERE id = 0; DELETE FROM settings";
    refused(database.run(update(two), None), ErrorKind::InvalidStatement);
    assert_eq!(database.size(SETTINGS), 2);
    // One semicolon at the end is no second statement.
    let end = "DELETE FROM settings WHERE id = 0; -- the end";
    assert_eq!(affected(database.run(update(end), None)).unwrap(), Some(1));
}

/// What stands behind U+0000 is part of the statement, so that none runs without its condition.
pub fn raw_text_ends_at_no_u0000(subject: &Subject) {
    let mut database = with_numbers(subject, 3);
    for sql in ["DELETE FROM settings\0 WHERE id = 1", "DELETE FROM settings WHERE id = 1\0"] {
        let error = refused(
            database.run(Statement::RawUpdate { sql: sql.to_owned() }, None),
            ErrorKind::InvalidStatement,
        );
        assert!(error.message().contains("U+0000; give text with it as a parameter"), "{error}");
    }
    let query = Statement::RawQuery { sql: "SELECT '\0'".to_owned() };
    refused(database.run(query, None), ErrorKind::InvalidStatement);
    assert_eq!(database.size(SETTINGS), 3);
}

/// The session owns the transaction.
pub fn raw_text_cannot_control_the_transaction(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    let texts = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT mine", "commit /* really */"];
    for sql in texts {
        database.connection.begin(&Database::control()).unwrap();
        let all = Statement::Delete { table: SETTINGS.to_owned(), filter: None, limit: None };
        database.execute(all, None).unwrap();
        let raw = Statement::RawUpdate { sql: sql.to_owned() };
        refused(database.execute(raw, None), ErrorKind::Unsupported);
        database.connection.rollback().unwrap();
        assert_eq!(database.size(SETTINGS), 2, "{sql}");
    }
}

/// A value that the database cannot keep is named before anything is stored.
pub fn a_bad_value_stores_nothing(subject: &Subject) {
    if subject.backend.limits().keeps_nan {
        return;
    }
    let columns = [("id", ValueType::BigInt), ("value", ValueType::Double)];
    let mut database = open(subject);
    database.table(SETTINGS, &columns);
    let row = |id, value| [ValueRef::Integer(id), ValueRef::Double(value)];
    let page = page_of(&columns, &[row(0, 1.0), row(1, f64::NAN)]);
    let error = refused(database.insert(SETTINGS, page), ErrorKind::InvalidValue);
    assert_eq!(named(&error, "row"), Some("1"));
    assert_eq!(named(&error, "column"), Some("value"));
    assert_eq!(database.size(SETTINGS), 0);
}

/// A query that never ends by itself ends at its deadline, and the connection can be used again.
pub fn a_deadline_stops_a_running_query(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    let control = Control::new(Instant::now() + Duration::from_millis(50));
    let endless = Statement::RawQuery { sql: subject.endless_query.to_owned() };
    refused(database.run_under(endless, None, &control), ErrorKind::Timeout);
    assert!(Instant::now() >= control.deadline());
    assert_eq!(database.size(SETTINGS), 2);
}

/// The same when its caller no longer wants it. The deadline is far: a cancel that did nothing
/// would be reported as a timeout.
pub fn a_cancel_stops_a_running_query(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    let control = Database::control();
    let endless = Statement::RawQuery { sql: subject.endless_query.to_owned() };
    let started = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !started.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            control.cancel();
        });
        started.store(true, Ordering::Release);
        refused(database.run_under(endless, None, &control), ErrorKind::Cancelled);
    });
    assert_eq!(database.size(SETTINGS), 2);
}

/// What is too late or not wanted any more is not begun.
pub fn a_passed_deadline_starts_nothing(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    let late = Control::new(Instant::now());
    let all = || Statement::Delete { table: SETTINGS.to_owned(), filter: None, limit: None };
    refused(database.run_under(all(), None, &late), ErrorKind::Timeout);
    let unwanted = Database::control();
    unwanted.cancel();
    refused(database.run_under(all(), None, &unwanted), ErrorKind::Cancelled);
    let count = Statement::Count { table: SETTINGS.to_owned(), filter: None, exists: false };
    refused(database.run_under(count, None, &unwanted), ErrorKind::Cancelled);
    assert_eq!(database.counters.statements_sent, 0);
    assert_eq!(database.size(SETTINGS), 2);
}

/// A second connection sees a write once it is committed, not before, and cannot write itself.
pub fn a_reader_sees_what_was_committed(subject: &Subject) {
    let mut database = with_numbers(subject, 2);
    let mut reader = subject.backend.connect(Role::Reader).unwrap();
    let count = database
        .request(Statement::Count { table: SETTINGS.to_owned(), filter: None, exists: false }, None)
        .unwrap();
    let mut seen = |database: &mut Database<'_>| {
        let outcome = reader.execute(&count, &Database::control(), &mut database.counters);
        affected(outcome).unwrap()
    };
    assert_eq!(seen(&mut database), Some(2));
    database.connection.begin(&Database::control()).unwrap();
    let page = page_of(&[("id", ValueType::BigInt)], &[[ValueRef::Integer(7)]]);
    database.execute(insert_into(SETTINGS, &page), Some(page)).unwrap();
    assert_eq!(seen(&mut database), Some(2));
    database.connection.commit().unwrap();
    assert_eq!(seen(&mut database), Some(3));

    let writing = Statement::RawQuery { sql: format!("DELETE FROM {SETTINGS} RETURNING id") };
    let writing = database.request(writing, None).unwrap();
    let outcome = reader.execute(&writing, &Database::control(), &mut database.counters);
    let kind = outcome.map(|outcome: Outcome| format!("{outcome:?}")).unwrap_err().kind();
    let refusals: BTreeSet<u16> =
        [ErrorKind::InvalidStatement, ErrorKind::PermissionDenied].map(ErrorKind::code).into();
    assert!(refusals.contains(&kind.code()), "{kind:?}");
    assert_eq!(database.size(SETTINGS), 3);
}
