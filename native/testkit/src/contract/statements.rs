//! The part of the contract that is about statements beyond plain inserts and reads: what becomes of
//! taken keys, updates, limits, offsets, aggregates. Runs on the test's own thread.

use std::cell::RefCell;

use proptest::prop_assert_eq;
use proptest::test_runner::{Config, TestRunner};
use tickwell_engine::backend::Outcome;
use tickwell_engine::error::{Error, ErrorKind};
use tickwell_engine::page::Page;
use tickwell_engine::schema::{IndexDefinition, TableDefinition};
use tickwell_engine::statement::{
    Aggregate, Assignment, Change, Comparison, Filter, InsertMode, Statement,
};
use tickwell_engine::value::{ValueRef, ValueType};

use super::{
    MEMBERS, SETTINGS, ascending, compare, edges, ids, integers, location, long_text, named, open,
    refused, select, select_where, with_members, with_numbers,
};
use crate::changes::{self, Step, Table};
use crate::database::{Database, Subject, affected, insert_into, nullable};
use crate::filters::PARAMETERS;
use crate::pages::{page_of, rows_of};

const ID: (&str, ValueType) = ("id", ValueType::BigInt);

fn upsert_of(overwrite: &[&str]) -> InsertMode {
    InsertMode::Upsert { overwrite: overwrite.iter().map(|&name| name.to_owned()).collect() }
}

/// The insert of all columns of a page, in this mode.
fn insert_as(table: &str, page: &Page, as_mode: InsertMode, keys: bool) -> Statement {
    let mut statement = insert_into(table, page);
    if let Statement::Insert { mode, return_keys, .. } = &mut statement {
        (*mode, *return_keys) = (as_mode, keys);
    }
    statement
}

fn store(
    database: &mut Database<'_>,
    table: &str,
    page: Page,
    mode: InsertMode,
) -> Result<Option<u64>, Error> {
    affected(database.run(insert_as(table, &page, mode, false), Some(page)))
}

fn keys(database: &mut Database<'_>, table: &str, page: Page, mode: InsertMode) -> Page {
    database.rows(insert_as(table, &page, mode, true), Some(page)).unwrap()
}

fn set(column: &str, parameter: u16) -> Assignment {
    Assignment { column: column.to_owned(), change: Change::Set, parameter }
}

fn add(column: &str, parameter: u16) -> Assignment {
    Assignment { column: column.to_owned(), change: Change::Add, parameter }
}

fn update(
    table: &str,
    assignments: &[Assignment],
    filter: Option<Filter>,
    limit: Option<u32>,
) -> Statement {
    Statement::Update { table: table.to_owned(), assignments: assignments.to_vec(), filter, limit }
}

fn one(value_type: ValueType, value: ValueRef<'_>) -> Page {
    page_of(&[("", value_type)], &[[value]])
}

fn aggregate(table: &str, filter: Option<Filter>, aggregates: &[Aggregate]) -> Statement {
    Statement::Aggregate { table: table.to_owned(), filter, aggregates: aggregates.to_vec() }
}

/// The aggregates of one column besides the number of rows.
fn all_of(column: &str) -> Vec<Aggregate> {
    let column = || column.to_owned();
    vec![
        Aggregate::Count,
        Aggregate::Sum(column()),
        Aggregate::Min(column()),
        Aggregate::Max(column()),
        Aggregate::Average(column()),
    ]
}

fn number(value: i64) -> ValueRef<'static> {
    ValueRef::Integer(value)
}

/// Rows of `id` and `points`.
fn points(rows: &[(i64, i64)]) -> Page {
    let rows: Vec<_> = rows.iter().map(|&(id, points)| [number(id), number(points)]).collect();
    page_of(&[ID, ("points", ValueType::Int)], &rows)
}

fn stored_points(database: &mut Database<'_>) -> Vec<(i64, i64)> {
    let page = database.rows(select(SETTINGS, &["id", "points"]), None).unwrap();
    rows_of(&page)
        .iter()
        .map(|row| match row.as_slice() {
            [ValueRef::Integer(id), ValueRef::Integer(points)] => (*id, *points),
            other => panic!("two numbers were expected, not {other:?}"),
        })
        .collect()
}

/// The table `accounts(realm, id, name, level)` with a key of two columns and unique names.
fn with_accounts(subject: &Subject) -> Database<'_> {
    let mut columns = nullable(&ACCOUNT);
    columns[1].nullable = false;
    let unique = IndexDefinition { columns: vec!["name".to_owned()], unique: true };
    let definition =
        TableDefinition::new("accounts".to_owned(), columns, vec![0, 1], vec![unique]).unwrap();
    let mut database = open(subject);
    database.register(definition).unwrap();
    database
}

const ACCOUNT: [(&str, ValueType); 4] = [
    ("realm", ValueType::String),
    ("id", ValueType::BigInt),
    ("name", ValueType::String),
    ("level", ValueType::Int),
];

fn account(realm: &'static str, id: i64, name: &'static str, level: i64) -> [ValueRef<'static>; 4] {
    let name = if name.is_empty() { ValueRef::Null } else { ValueRef::Text(name) };
    [ValueRef::Text(realm), number(id), name, number(level)]
}

fn accounts(rows: &[[ValueRef<'static>; 4]]) -> Page {
    page_of(&ACCOUNT, rows)
}

fn stored_accounts(database: &mut Database<'_>) -> Vec<Vec<ValueRef<'static>>> {
    let statement = Statement::Select {
        table: "accounts".to_owned(),
        columns: ACCOUNT.iter().map(|(name, _)| (*name).to_owned()).collect(),
        filter: None,
        order: vec![ascending("realm"), ascending("id")],
        limit: None,
        offset: 0,
    };
    let page = database.rows(statement, None).unwrap();
    let known = ["east", "west", "Ann", "Bob", "Cid", "Dan"];
    rows_of(&page)
        .into_iter()
        .map(|row| {
            row.into_iter()
                .map(|value| match value {
                    ValueRef::Null => ValueRef::Null,
                    ValueRef::Integer(value) => ValueRef::Integer(value),
                    ValueRef::Text(text) => {
                        ValueRef::Text(known.into_iter().find(|known| *known == text).unwrap())
                    }
                    other => panic!("an unexpected value: {other:?}"),
                })
                .collect()
        })
        .collect()
}

/// Rows whose key or unique values are taken, by the table or by an earlier row, are left out and
/// not counted. Null is no value that can be taken.
pub fn if_absent_leaves_taken_rows_out(subject: &Subject) {
    let mut database = with_accounts(subject);
    let mut store_absent = |rows: &[_]| {
        store(&mut database, "accounts", accounts(rows), InsertMode::IfAbsent).unwrap()
    };
    assert_eq!(store_absent(&[account("east", 1, "Ann", 1), account("west", 1, "", 2)]), Some(2));
    let more = [
        account("east", 1, "Bob", 3),
        account("east", 2, "Ann", 4),
        account("east", 3, "", 5),
        account("east", 3, "Cid", 6),
        account("west", 2, "Dan", 7),
    ];
    assert_eq!(store_absent(&more), Some(2));
    assert_eq!(store_absent(&more), Some(0));
    assert_eq!(
        stored_accounts(&mut database),
        [
            account("east", 1, "Ann", 1),
            account("east", 3, "", 5),
            account("west", 1, "", 2),
            account("west", 2, "Dan", 7),
        ]
    );
}

/// Every inserted column outside of the key, or those that are named; columns that are not inserted
/// stay. Another unique index that refuses the row is an error.
pub fn an_upsert_overwrites_what_it_says(subject: &Subject) {
    let mut database = with_accounts(subject);
    let first = [account("east", 1, "Ann", 1), account("east", 2, "Bob", 2)];
    database.insert("accounts", accounts(&first)).unwrap();
    let second = [account("east", 1, "Cid", 10), account("west", 1, "Dan", 20)];
    let stored = store(&mut database, "accounts", accounts(&second), upsert_of(&["level"]));
    assert_eq!(stored.unwrap(), Some(2));
    let third = [account("east", 2, "Cid", 30)];
    let stored = store(&mut database, "accounts", accounts(&third), upsert_of(&[]));
    assert_eq!(stored.unwrap(), Some(1));
    let expected = [
        account("east", 1, "Ann", 10),
        account("east", 2, "Cid", 30),
        account("west", 1, "Dan", 20),
    ];
    assert_eq!(stored_accounts(&mut database), expected);

    let without_level = page_of(&ACCOUNT[..3], &[&account("east", 1, "Bob", 0)[..3]]);
    let stored = store(&mut database, "accounts", without_level, upsert_of(&[]));
    assert_eq!(stored.unwrap(), Some(1));
    assert_eq!(stored_accounts(&mut database)[0], account("east", 1, "Bob", 10));

    let taken = accounts(&[account("west", 7, "Cid", 1)]);
    let error = refused(
        store(&mut database, "accounts", taken, upsert_of(&[])),
        ErrorKind::UniqueViolation,
    );
    assert_eq!(named(&error, "row"), Some("0"));

    // Rows of nothing but a key: nothing to overwrite, and yet they are there.
    let only_keys =
        page_of(&ACCOUNT[..2], &[&account("east", 1, "", 0)[..2], &account("east", 9, "", 0)[..2]]);
    let stored = store(&mut database, "accounts", only_keys, upsert_of(&[]));
    assert_eq!(stored.unwrap(), Some(2));
    assert_eq!(stored_accounts(&mut database)[0], account("east", 1, "Bob", 10));
    assert_eq!(database.size("accounts"), 4);
}

/// The last row of a key is the one that counts, whole, wherever the others stand.
pub fn the_last_row_of_a_key_is_upserted(subject: &Subject) {
    let mut database = with_accounts(subject);
    let rows = [
        account("east", 1, "Ann", 1),
        account("east", 2, "Bob", 2),
        account("east", 1, "Cid", 3),
        account("west", 1, "Ann", 4),
        account("east", 1, "Dan", 5),
    ];
    // Overwriting one column must not leave the others of an earlier row of the request.
    let stored = store(&mut database, "accounts", accounts(&rows), upsert_of(&["level"]));
    assert_eq!(stored.unwrap(), Some(3));
    let expected =
        [account("east", 1, "Dan", 5), account("east", 2, "Bob", 2), account("west", 1, "Ann", 4)];
    assert_eq!(stored_accounts(&mut database), expected);

    // 0.0 and -0.0 are one key.
    database.table("ratios", &[("ratio", ValueType::Double), ("level", ValueType::Int)]);
    let rows = [(0.0, 1), (-0.0, 2)].map(|(ratio, level)| [ValueRef::Double(ratio), number(level)]);
    let page = page_of(&[("ratio", ValueType::Double), ("level", ValueType::Int)], &rows);
    assert_eq!(store(&mut database, "ratios", page, upsert_of(&[])).unwrap(), Some(1));
    let read = database.rows(select("ratios", &["level"]), None).unwrap();
    assert_eq!(rows_of(&read), [[number(2)]]);
}

/// Values of every type at the edges of their ranges, and null, by an upsert over other values and
/// by an update.
pub fn every_type_is_upserted_and_updated(subject: &Subject) {
    let (location, long) = (location(), long_text());
    let mut database = open(subject);
    for &value_type in ValueType::ALL {
        let table = format!("all_{}", value_type.name());
        let columns = [ID, ("value", value_type)];
        database.table(&table, &columns);
        let values: Vec<_> =
            edges(value_type, &location, &long).into_iter().chain([ValueRef::Null]).collect();
        let rows: Vec<_> = (0..).zip(&values).map(|(id, &value)| [number(id), value]).collect();
        let mut others = rows.clone();
        let count = others.len();
        for (row, next) in others.iter_mut().zip(values.iter().cycle().skip(1)) {
            row[1] = *next;
        }
        database.insert(&table, page_of(&columns, &others)).unwrap();
        let stored = store(&mut database, &table, page_of(&columns, &rows), upsert_of(&[]));
        assert_eq!(stored.unwrap(), Some(count as u64), "{value_type:?}");
        let read = database.rows(select(&table, &["id", "value"]), None).unwrap();
        assert_eq!(rows_of(&read), rows, "{value_type:?}");

        for row in &others {
            let page = page_of(&[("", value_type), ("", ValueType::BigInt)], &[[row[1], row[0]]]);
            let statement =
                update(&table, &[set("value", 0)], Some(compare("id", Comparison::Eq, 1)), None);
            let changed = affected(database.run(statement, Some(page))).unwrap();
            assert_eq!(changed, Some(1), "{value_type:?}");
        }
        let read = database.rows(select(&table, &["id", "value"]), None).unwrap();
        assert_eq!(rows_of(&read), others, "{value_type:?}");
    }
}

/// A key of any type that a database allows as one is found by its value.
pub fn every_type_of_key_finds_its_row(subject: &Subject) {
    let (location, long) = (location(), "ä😀".repeat(100));
    let mut database = open(subject);
    let mut found = 0;
    for &value_type in ValueType::ALL {
        let table = format!("key_{}", value_type.name());
        let columns = [("value", value_type), ("level", ValueType::Int)];
        let definition = TableDefinition::new(table.clone(), nullable(&columns), vec![0], vec![]);
        match database.register(definition.unwrap()) {
            Ok(()) => found += 1,
            Err(error) if error.kind() == ErrorKind::Unsupported => continue,
            Err(error) => panic!("{value_type:?}: {error}"),
        }
        let values = edges(value_type, &location, &long);
        let count = Some(values.len() as u64);
        for level in [1, 2] {
            let rows: Vec<_> = values.iter().map(|&value| [value, number(level)]).collect();
            let page = page_of(&columns, &rows);
            let returned = keys(&mut database, &table, page.clone(), upsert_of(&[]));
            let expected: Vec<_> = values.iter().map(|&value| [value]).collect();
            assert_eq!(rows_of(&returned), expected, "{value_type:?}");
            let stored = store(&mut database, &table, page.clone(), upsert_of(&[]));
            assert_eq!(stored.unwrap(), count, "{value_type:?}");
            let returned = keys(&mut database, &table, page, InsertMode::IfAbsent);
            assert_eq!(rows_of(&returned), expected, "{value_type:?}");
        }
        let level = one(ValueType::Int, number(2));
        let filter = Some(compare("level", Comparison::Eq, 0));
        let statement = Statement::Count { table, filter, exists: false };
        assert_eq!(affected(database.run(statement, Some(level))).unwrap(), count);
    }
    assert!(found > 15, "only {found} types can be keys");
}

/// One key for each row of the request in its order, also of rows that were left out: then the key of
/// the row that is there, whoever put it.
pub fn keys_come_back_in_the_order_of_the_rows(subject: &Subject) {
    let mut database = with_accounts(subject);
    let key = |realm: &'static str, id| vec![ValueRef::Text(realm), number(id)];
    let rows = [account("west", 9, "Ann", 1), account("east", 3, "Bob", 2)];
    let returned = keys(&mut database, "accounts", accounts(&rows), InsertMode::Plain);
    assert_eq!(rows_of(&returned), [key("west", 9), key("east", 3)]);
    assert_eq!([returned.column_name(0), returned.column_name(1)], [Some("realm"), Some("id")]);

    let rows = [
        account("west", 8, "Cid", 3),
        account("east", 7, "Ann", 4),
        account("east", 3, "Dan", 5),
        account("west", 1, "Cid", 6),
    ];
    let returned = keys(&mut database, "accounts", accounts(&rows), InsertMode::IfAbsent);
    let expected = [key("west", 8), key("west", 9), key("east", 3), key("west", 8)];
    assert_eq!(rows_of(&returned), expected);
    let expected =
        [account("east", 3, "Bob", 2), account("west", 8, "Cid", 3), account("west", 9, "Ann", 1)];
    assert_eq!(stored_accounts(&mut database), expected);

    let rows =
        [account("west", 8, "Dan", 7), account("east", 1, "", 8), account("west", 8, "Cid", 9)];
    let returned = keys(&mut database, "accounts", accounts(&rows), upsert_of(&[]));
    assert_eq!(rows_of(&returned), [key("west", 8), key("east", 1), key("west", 8)]);
    assert_eq!(stored_accounts(&mut database)[2], account("west", 8, "Cid", 9));

    let none = accounts(&[]);
    for mode in [InsertMode::Plain, InsertMode::IfAbsent, upsert_of(&[])] {
        assert_eq!(keys(&mut database, "accounts", none.clone(), mode).rows(), 0);
    }
    // A row that fails is an error all the same, with its number, and nothing is stored.
    let rows = accounts(&[account("west", 5, "", 1), account("west", 8, "", 1)]);
    let statement = insert_as("accounts", &rows, InsertMode::Plain, true);
    let error = refused(database.run(statement, Some(rows)), ErrorKind::UniqueViolation);
    assert_eq!(named(&error, "row"), Some("1"));
    assert_eq!(database.size("accounts"), 4);
}

/// Keys are a result, and their number is known before anything is stored.
pub fn keys_past_a_results_limit_are_refused_before_the_first_row(subject: &Subject) {
    let mut database = with_numbers(subject, 0);
    database.limits.max_rows = 2;
    let three = points(&[(1, 1), (2, 2), (3, 3)]);
    for mode in [InsertMode::Plain, InsertMode::IfAbsent, upsert_of(&[])] {
        let statement = insert_as(SETTINGS, &three, mode, true);
        refused(database.run(statement, Some(three.clone())), ErrorKind::ResultTooLarge);
        assert_eq!(database.counters.statements_sent, 0);
    }
    assert_eq!(database.size(SETTINGS), 0);
    let two = points(&[(1, 1), (2, 2)]);
    assert_eq!(ids(&keys(&mut database, SETTINGS, two, InsertMode::Plain)), [1, 2]);
}

/// All assignments see the row as it was; null stays null when something is added; rows that have the
/// value already are counted.
pub fn an_update_sets_and_adds(subject: &Subject) {
    let mut database = with_members(subject);
    let parameters = page_of(
        &[("", ValueType::String), ("", ValueType::Int), ("", ValueType::BigInt)],
        &[[ValueRef::Text("Zoe"), number(-5), number(3)]],
    );
    let changes = [set("name", 0), add("level", 1)];
    let filter = Some(compare("id", Comparison::Ge, 2));
    let mut run =
        |statement: Statement| affected(database.run(statement, Some(parameters.clone()))).unwrap();
    assert_eq!(run(update(MEMBERS, &changes, filter.clone(), None)), Some(4));
    assert_eq!(run(update(MEMBERS, &[set("name", 0)], filter, None)), Some(4));
    let nobody = Some(compare("id", Comparison::Lt, 1));
    assert_eq!(run(update(MEMBERS, &changes, nobody, None)), Some(0));
    assert_eq!(database.counters.statements_sent, 1);
    let read = database.rows(select(MEMBERS, &["id", "name", "level"]), None).unwrap();
    let zoe = ValueRef::Text("Zoe");
    assert_eq!(
        rows_of(&read),
        [
            [number(1), ValueRef::Text("Ann"), number(10)],
            [number(2), ValueRef::Text("ann"), number(20)],
            [number(3), zoe, ValueRef::Null],
            [number(4), zoe, number(35)],
            [number(5), zoe, number(45)],
            [number(6), zoe, number(55)],
        ]
    );

    let none = one(ValueType::Text, ValueRef::Null);
    let all = update(MEMBERS, &[set("level", 0)], None, None);
    assert_eq!(affected(database.run(all, Some(none))).unwrap(), Some(6));
    let is_null = Some(Filter::IsNull { column: "level".to_owned() });
    let count = Statement::Count { table: MEMBERS.to_owned(), filter: is_null, exists: false };
    assert_eq!(affected(database.run(count, None)).unwrap(), Some(6));
}

/// An integer never leaves the range of its column, and never becomes a real number.
pub fn a_sum_past_its_type_is_refused(subject: &Subject) {
    let mut database = open(subject);
    for (value_type, least, greatest) in [
        (ValueType::TinyInt, i64::from(i8::MIN), i64::from(i8::MAX)),
        (ValueType::SmallInt, i64::from(i16::MIN), i64::from(i16::MAX)),
        (ValueType::Int, i64::from(i32::MIN), i64::from(i32::MAX)),
        (ValueType::BigInt, i64::MIN, i64::MAX),
    ] {
        let table = format!("sums_{}", value_type.name());
        let columns = [ID, ("other", ValueType::Int), ("value", value_type)];
        database.table(&table, &columns);
        let rows: Vec<_> = (0..)
            .zip([0, greatest - 1, least + 1])
            .map(|(id, value)| [number(id), number(id), number(value)])
            .collect();
        database.insert(&table, page_of(&columns, &rows)).unwrap();
        let mut grow = |by: i64| {
            let page = page_of(&[("", ValueType::BigInt); 2], &[[number(1), number(by)]]);
            let statement = update(&table, &[add("other", 0), add("value", 1)], None, None);
            affected(database.run(statement, Some(page)))
        };
        for by in [2, -2] {
            let error = refused(grow(by), ErrorKind::InvalidValue);
            assert_eq!(named(&error, "column"), Some("value"));
            assert_eq!(named(&error, "table"), Some(table.as_str()));
        }
        assert_eq!(grow(1).unwrap(), Some(3));
        assert_eq!(grow(-2).unwrap(), Some(3));
        let read = database.rows(select(&table, &["id", "other", "value"]), None).unwrap();
        let expected: Vec<_> = (0..)
            .zip([-1, greatest - 2, least])
            .map(|(id, value)| [number(id), number(id + 2), number(value)])
            .collect();
        assert_eq!(rows_of(&read), expected, "{value_type:?}");
    }
}

/// Floats stay floats, -0.0 becomes what the database keeps, and infinities of both signs have no sum.
pub fn real_sums_keep_their_type(subject: &Subject) {
    let mut database = open(subject);
    let columns = [ID, ("narrow", ValueType::Float), ("wide", ValueType::Double)];
    database.table("reals", &columns);
    let row = [number(1), ValueRef::Float(0.1), ValueRef::Double(0.1)];
    database.insert("reals", page_of(&columns, &[row])).unwrap();
    let mut grow = |narrow: f32, wide: f64| {
        let page = page_of(
            &[("", ValueType::Float), ("", ValueType::Double)],
            &[[ValueRef::Float(narrow), ValueRef::Double(wide)]],
        );
        let statement = update("reals", &[add("narrow", 0), add("wide", 1)], None, None);
        affected(database.run(statement, Some(page)))
    };
    assert_eq!(grow(0.2, 0.2).unwrap(), Some(1));
    assert_eq!(grow(0.0, f64::INFINITY).unwrap(), Some(1));
    let error = refused(grow(1.0, f64::NEG_INFINITY), ErrorKind::InvalidValue);
    assert_eq!(named(&error, "column"), Some("wide"));
    let read = database.rows(select("reals", &["id", "narrow", "wide"]), None).unwrap();
    let narrow = ValueRef::Float(0.1_f32 + 0.2);
    assert_eq!(rows_of(&read), [[number(1), narrow, ValueRef::Double(f64::INFINITY)]]);

    let zero = one(ValueType::Double, ValueRef::Double(-0.0));
    let statement = update("reals", &[set("wide", 0)], None, None);
    assert_eq!(affected(database.run(statement, Some(zero.clone()))).unwrap(), Some(1));
    let filter = Some(compare("wide", Comparison::Eq, 0));
    let found = database.rows(select_where("reals", &["id"], filter), Some(zero)).unwrap();
    assert_eq!(ids(&found), [1]);
}

/// Keys may change, as long as each row has its own.
pub fn updated_keys_stay_unique(subject: &Subject) {
    let mut database = with_numbers(subject, 3);
    let by = |amount| Some(one(ValueType::BigInt, number(amount)));
    let grow = || update(SETTINGS, &[add("id", 0)], None, None);
    assert_eq!(affected(database.run(grow(), by(100))).unwrap(), Some(3));
    assert_eq!(stored_points(&mut database), [(100, 0), (101, 10), (102, 20)]);
    let same = update(SETTINGS, &[set("id", 0)], None, None);
    refused(database.run(same, by(7)), ErrorKind::UniqueViolation);
    assert_eq!(stored_points(&mut database), [(100, 0), (101, 10), (102, 20)]);
}

/// Deletes and updates with a limit take the first rows by the key among those that the filter
/// chooses; tables without a key any.
pub fn a_limit_takes_rows_in_the_order_of_the_key(subject: &Subject) {
    let mut database = with_numbers(subject, 0);
    let stored = [(9, 1), (3, 1), (7, 0), (1, 1), (5, 1), (4, 0)];
    database.insert(SETTINGS, points(&stored)).unwrap();
    let ones = || Some(compare("points", Comparison::Eq, 0));
    let value = page_of(&[("", ValueType::Int); 2], &[[number(1), number(50)]]);
    let mut run =
        |statement: Statement| affected(database.run(statement, Some(value.clone()))).unwrap();
    let set_points = [set("points", 1)];
    assert_eq!(run(update(SETTINGS, &set_points, ones(), Some(2))), Some(2));
    assert_eq!(run(update(SETTINGS, &set_points, ones(), Some(0))), Some(0));
    let delete = |filter, limit| Statement::Delete {
        table: SETTINGS.to_owned(),
        filter,
        limit: Some(limit),
    };
    assert_eq!(run(delete(ones(), 1)), Some(1));
    assert_eq!(run(delete(ones(), 0)), Some(0));
    assert_eq!(stored_points(&mut database), [(1, 50), (3, 50), (4, 0), (7, 0), (9, 1)]);
    assert_eq!(affected(database.run(delete(None, 3), None)).unwrap(), Some(3));
    assert_eq!(affected(database.run(delete(None, 50), None)).unwrap(), Some(2));
    assert_eq!(database.size(SETTINGS), 0);

    // An index that serves the filter has another order.
    let index = IndexDefinition { columns: vec!["points".to_owned()], unique: false };
    let definition = TableDefinition::new(
        "indexed".to_owned(),
        nullable(&[ID, ("points", ValueType::Int)]),
        vec![0],
        vec![index],
    );
    database.register(definition.unwrap()).unwrap();
    database.insert("indexed", points(&[(1, 9), (2, 8), (3, 7), (4, 6)])).unwrap();
    let delete = Statement::Delete {
        table: "indexed".to_owned(),
        filter: Some(compare("points", Comparison::Gt, 0)),
        limit: Some(2),
    };
    let six = one(ValueType::Int, number(6));
    assert_eq!(affected(database.run(delete, Some(six))).unwrap(), Some(2));
    assert_eq!(ids(&database.rows(select("indexed", &["id"]), None).unwrap()), [3, 4]);

    // A key of two columns.
    let mut database = with_accounts(subject);
    let rows = [
        account("west", 1, "", 1),
        account("east", 2, "", 1),
        account("east", 1, "", 1),
        account("west", 0, "", 1),
    ];
    database.insert("accounts", accounts(&rows)).unwrap();
    let level = one(ValueType::Int, number(5));
    let statement = update("accounts", &[add("level", 0)], None, Some(3));
    assert_eq!(affected(database.run(statement, Some(level))).unwrap(), Some(3));
    let expected = [
        account("east", 1, "", 6),
        account("east", 2, "", 6),
        account("west", 0, "", 6),
        account("west", 1, "", 1),
    ];
    assert_eq!(stored_accounts(&mut database), expected);

    // No key, and a column that is called as a row's own number often is.
    let columns = [("rowid", ValueType::Text), ("level", ValueType::Int)];
    let definition =
        TableDefinition::new("loose".to_owned(), nullable(&columns), vec![], vec![]).unwrap();
    database.register(definition).unwrap();
    let rows = [[ValueRef::Text("same"), number(1)]; 5];
    database.insert("loose", page_of(&columns, &rows)).unwrap();
    let delete = Statement::Delete { table: "loose".to_owned(), filter: None, limit: Some(3) };
    assert_eq!(affected(database.run(delete, None)).unwrap(), Some(3));
    assert_eq!(database.size("loose"), 2);
}

/// An offset counts rows of the order, before the limit does.
pub fn an_offset_leaves_the_first_rows_out(subject: &Subject) {
    let mut database = with_numbers(subject, 20);
    let mut page = |filter: Option<Filter>, limit, offset| {
        let statement = Statement::Select {
            table: SETTINGS.to_owned(),
            columns: vec!["id".to_owned()],
            filter,
            order: vec![ascending("id")],
            limit,
            offset,
        };
        ids(&database.rows(statement, Some(one(ValueType::Int, number(100)))).unwrap())
    };
    assert_eq!(page(None, Some(3), 5), [5, 6, 7]);
    assert_eq!(page(None, None, 17), [17, 18, 19]);
    assert_eq!(page(None, Some(3), 19), [19]);
    assert_eq!(page(None, Some(3), 20), [0; 0]);
    assert_eq!(page(None, Some(3), u32::MAX), [0; 0]);
    let filter = Some(compare("points", Comparison::Ge, 0));
    assert_eq!(page(filter, Some(2), 1), [11, 12]);
}

/// 1 or 0, whatever the number of rows.
pub fn exists_is_one_or_nothing(subject: &Subject) {
    let mut database = with_members(subject);
    let level = one(ValueType::Int, number(20));
    let mut exists = |filter: Option<Filter>| {
        let statement = Statement::Count { table: MEMBERS.to_owned(), filter, exists: true };
        affected(database.run(statement, Some(level.clone()))).unwrap()
    };
    assert_eq!(exists(None), Some(1));
    assert_eq!(exists(Some(compare("level", Comparison::Ge, 0))), Some(1));
    assert_eq!(exists(Some(compare("level", Comparison::Eq, 0))), Some(1));
    assert_eq!(exists(Some(compare("id", Comparison::Gt, 0))), Some(0));
    assert_eq!(exists(Some(Filter::IsNull { column: "level".to_owned() })), Some(1));
    assert_eq!(exists(Some(Filter::Or(vec![]))), Some(0));
    assert_eq!(
        affected(
            database.run(
                Statement::Delete { table: MEMBERS.to_owned(), filter: None, limit: None },
                None
            )
        )
        .unwrap(),
        Some(6)
    );
    let statement = Statement::Count { table: MEMBERS.to_owned(), filter: None, exists: true };
    assert_eq!(affected(database.run(statement, None)).unwrap(), Some(0));
}

/// Sums of integers are bigints, of floats and doubles doubles; averages are doubles; the least and
/// the greatest have the column's type.
pub fn aggregates_have_the_types_of_their_columns(subject: &Subject) {
    let mut database = open(subject);
    for value_type in [
        ValueType::TinyInt,
        ValueType::SmallInt,
        ValueType::Int,
        ValueType::BigInt,
        ValueType::Float,
        ValueType::Double,
    ] {
        let table = format!("numbers_{}", value_type.name());
        let columns = [ID, ("value", value_type)];
        database.table(&table, &columns);
        let value = |value: i8| match value_type {
            ValueType::Float => ValueRef::Float(value.into()),
            ValueType::Double => ValueRef::Double(value.into()),
            _ => ValueRef::Integer(value.into()),
        };
        let rows: Vec<_> =
            (0..).zip([100, 127, -3]).map(|(id, n)| [number(id), value(n)]).collect();
        database.insert(&table, page_of(&columns, &rows)).unwrap();
        let read = database.rows(aggregate(&table, None, &all_of("value")), None).unwrap();
        let sum = if value_type.is_integer() { number(224) } else { ValueRef::Double(224.0) };
        let average = ValueRef::Double(224.0 / 3.0);
        let expected = [number(3), sum, value(-3), value(127), average];
        assert_eq!(rows_of(&read), [expected], "{value_type:?}");
        let sum = if value_type.is_integer() { ValueType::BigInt } else { ValueType::Double };
        let types = [ValueType::BigInt, sum, value_type, value_type, ValueType::Double];
        for (index, expected) in types.into_iter().enumerate() {
            assert_eq!(read.column_type(index), Some(expected), "{value_type:?}");
            assert_eq!(read.column_name(index), Some(format!("a{index}").as_str()));
        }
        assert_eq!(database.counters.statements_sent, 1);
        assert_eq!(database.counters.rows_received, 1);
    }
}

/// Nulls count as rows only; over no values all but the count are null, and have their types still.
pub fn aggregates_leave_nulls_out(subject: &Subject) {
    let mut database = with_members(subject);
    let of_levels = all_of("level");
    let read = database.rows(aggregate(MEMBERS, None, &of_levels), None).unwrap();
    let expected = [number(6), number(180), number(10), number(60), ValueRef::Double(36.0)];
    assert_eq!(rows_of(&read), [expected]);

    let nothing = |rows| {
        let mut row = vec![ValueRef::Null; 5];
        row[0] = number(rows);
        [row]
    };
    let only_null = Some(Filter::IsNull { column: "level".to_owned() });
    let read = database.rows(aggregate(MEMBERS, only_null, &of_levels), None).unwrap();
    assert_eq!(rows_of(&read), nothing(1));
    let nobody = Some(Filter::Or(vec![]));
    let read = database.rows(aggregate(MEMBERS, nobody, &of_levels), None).unwrap();
    assert_eq!(rows_of(&read), nothing(0));
    assert_eq!(read.column_type(2), Some(ValueType::Int));
    let filter = Some(compare("level", Comparison::Ge, 0));
    let level = Some(one(ValueType::Int, number(50)));
    let read = database.rows(aggregate(MEMBERS, filter, &of_levels), level).unwrap();
    let expected = [number(2), number(110), number(50), number(60), ValueRef::Double(55.0)];
    assert_eq!(rows_of(&read), [expected]);
}

/// In every type that has an order, by that order.
pub fn the_least_and_the_greatest_are_by_value(subject: &Subject) {
    let (location, long) = (location(), "ä😀".repeat(100));
    let mut database = open(subject);
    for &value_type in ValueType::ALL {
        let table = format!("extremes_{}", value_type.name());
        let columns = [ID, ("value", value_type)];
        database.table(&table, &columns);
        let statement = aggregate(
            &table,
            None,
            &[Aggregate::Min("value".to_owned()), Aggregate::Max("value".to_owned())],
        );
        if !value_type.is_ordered() {
            refused(database.run(statement, None), ErrorKind::Unsupported);
            continue;
        }
        let values = edges(value_type, &location, &long);
        let rows: Vec<_> = (0..).zip(values).map(|(id, value)| [number(id), value]).collect();
        database.insert(&table, page_of(&columns, &rows)).unwrap();
        let sorted = Statement::Select {
            table: table.clone(),
            columns: vec!["value".to_owned()],
            filter: None,
            order: vec![ascending("value")],
            limit: None,
            offset: 0,
        };
        let sorted = database.rows(sorted, None).unwrap();
        let read = database.rows(statement, None).unwrap();
        let ends = [sorted.value(0, 0), sorted.value(sorted.rows() - 1, 0)];
        assert_eq!([read.value(0, 0), read.value(0, 1)], ends, "{value_type:?}");
    }
    database.table("prices", &[ID, ("price", ValueType::Decimal)]);
    let prices = ["9.5", "10.25", "-0.50", "-0.125"].map(ValueRef::Text);
    let rows: Vec<_> = (0..).zip(prices).map(|(id, price)| [number(id), price]).collect();
    database.insert("prices", page_of(&[ID, ("price", ValueType::Decimal)], &rows)).unwrap();
    let extremes = [Aggregate::Min("price".to_owned()), Aggregate::Max("price".to_owned())];
    let read = database.rows(aggregate("prices", None, &extremes), None).unwrap();
    assert_eq!(rows_of(&read), [[ValueRef::Text("-0.50"), ValueRef::Text("10.25")]]);
}

/// What is past 64 bits only on the way is summed; what stays past them is refused by name.
pub fn an_integer_sum_is_exact_or_refused(subject: &Subject) {
    let mut database = open(subject);
    let columns = [ID, ("a", ValueType::BigInt), ("b", ValueType::BigInt)];
    database.table("sums", &columns);
    let rows = [(i64::MAX, 1), (i64::MAX, i64::MAX), (i64::MIN + 1, i64::MIN)];
    let rows: Vec<_> =
        (0..).zip(rows).map(|(id, (a, b))| [number(id), number(a), number(b)]).collect();
    database.insert("sums", page_of(&columns, &rows)).unwrap();
    let sum = |column: &str| Aggregate::Sum(column.to_owned());
    let both = [sum("a"), sum("b")];
    let read = database.rows(aggregate("sums", None, &both), None).unwrap();
    assert_eq!(rows_of(&read), [[number(i64::MAX), number(0)]]);
    let two = Some(one(ValueType::BigInt, number(2)));
    let first = Some(compare("id", Comparison::Lt, 0));
    let statement = aggregate("sums", first.clone(), &[sum("b"), sum("a")]);
    let error = refused(database.run(statement, two.clone()), ErrorKind::InvalidValue);
    assert!(error.message().contains("64 bits"), "{error}");
    let statement = aggregate("sums", first, &[Aggregate::Average("a".to_owned()), sum("a")]);
    let error = refused(database.run(statement, two), ErrorKind::InvalidValue);
    assert_eq!(named(&error, "column"), Some("a"));
    let average = [Aggregate::Average("a".to_owned())];
    let read = database.rows(aggregate("sums", None, &average), None).unwrap();
    assert_eq!(rows_of(&read), [[ValueRef::Double(i64::MAX as f64 / 3.0)]]);
}

/// What was asked with an empty list is no row.
pub fn a_list_of_nothing_changes_nothing(subject: &Subject) {
    let mut database = with_numbers(subject, 3);
    let nobody = || Filter::In { column: "id".to_owned(), parameters: vec![] };
    let value = || Some(one(ValueType::Int, number(7)));
    let change = |filter| update(SETTINGS, &[set("points", 0)], Some(filter), None);
    assert_eq!(affected(database.run(change(nobody()), value())).unwrap(), Some(0));
    let delete =
        Statement::Delete { table: SETTINGS.to_owned(), filter: Some(nobody()), limit: Some(9) };
    assert_eq!(affected(database.run(delete, None)).unwrap(), Some(0));
    assert_eq!(stored_points(&mut database), [(0, 0), (1, 10), (2, 20)]);
    let everybody = change(Filter::Not(Box::new(nobody())));
    assert_eq!(affected(database.run(everybody, value())).unwrap(), Some(3));
}

/// Reserved words, quotes, blanks and other letters, in upserts, updates, limits and aggregates.
pub fn any_name_is_quoted_in_every_statement(subject: &Subject) {
    let names = ["order", "group", "a b", "quo\"te", "it's", "[x]", "excluded", "größe"];
    let mut database = open(subject);
    for name in names {
        let columns = [("select", ValueType::BigInt), (name, ValueType::BigInt)];
        let table = format!("t {name}");
        database.table(&table, &columns);
        let page = page_of(&columns, &[[number(1), number(2)], [number(3), number(4)]]);
        for mode in [InsertMode::IfAbsent, upsert_of(&[]), upsert_of(&[name])] {
            let keys = keys(&mut database, &table, page.clone(), mode.clone());
            assert_eq!(ids(&keys), [1, 3], "{name}");
            store(&mut database, &table, page.clone(), mode).unwrap();
        }
        let ten = || Some(one(ValueType::BigInt, number(10)));
        let change = update(&table, &[add(name, 0)], None, Some(1));
        assert_eq!(affected(database.run(change, ten())).unwrap(), Some(1), "{name}");
        let change = update(&table, &[set(name, 0)], Some(compare(name, Comparison::Lt, 0)), None);
        assert_eq!(affected(database.run(change, ten())).unwrap(), Some(1), "{name}");
        let read = database.rows(aggregate(&table, None, &all_of(name)), None).unwrap();
        let expected = [number(2), number(22), number(10), number(12), ValueRef::Double(11.0)];
        assert_eq!(rows_of(&read), [expected], "{name}");
    }
}

/// As many values as one statement may bind and one more, in each mode: two statements, of which a
/// later one overwrites what an earlier row of its key would have stored.
pub fn a_split_upsert_stores_all_or_nothing(subject: &Subject) {
    let limits = subject.backend.limits();
    let most = limits.max_bound_values.min(limits.fast_chunk_rows) as i64;
    let mut database = open(subject);
    database.limits.max_rows = most as usize + 1;
    let columns = [("id", ValueType::Int)];
    for (name, mode) in [("absent", InsertMode::IfAbsent), ("upserted", upsert_of(&[]))] {
        database.table(name, &columns);
        let rows: Vec<_> = (0..=most).map(|id| [number(id)]).collect();
        let page = page_of(&columns, &rows);
        let stored = store(&mut database, name, page.clone(), mode.clone());
        assert_eq!(stored.unwrap(), Some(most as u64 + 1), "{name}");
        assert_eq!(database.counters.statements_sent, 2, "{name}");
        let again = if name == "absent" { 0 } else { most as u64 + 1 };
        assert_eq!(store(&mut database, name, page, mode).unwrap(), Some(again), "{name}");
        assert_eq!(database.size(name), most as u64 + 1, "{name}");
    }

    // Two values a row, and the key of the first row once more in a later statement.
    let rows = most / 2 + 1;
    let mut all: Vec<_> = (0..rows).map(|id| (id, id)).collect();
    all.push((0, -1));
    database.table(SETTINGS, &[ID, ("points", ValueType::Int)]);
    let stored = store(&mut database, SETTINGS, points(&all), upsert_of(&[]));
    assert_eq!(stored.unwrap(), Some(rows as u64));
    assert_eq!(database.size(SETTINGS), rows as u64);
    let zero = one(ValueType::BigInt, number(0));
    let first = select_where(SETTINGS, &["points"], Some(compare("id", Comparison::Eq, 0)));
    assert_eq!(rows_of(&database.rows(first, Some(zero)).unwrap()), [[number(-1)]]);
}

/// A row that another unique index refuses in a later part is named, and the earlier parts are undone.
pub fn a_bad_row_in_an_upsert_is_named(subject: &Subject) {
    let limits = subject.backend.limits();
    let unique = IndexDefinition { columns: vec!["points".to_owned()], unique: true };
    let columns = [ID, ("points", ValueType::Int)];
    let definition =
        TableDefinition::new(SETTINGS.to_owned(), nullable(&columns), vec![0], vec![unique]);
    let mut database = open(subject);
    database.register(definition.unwrap()).unwrap();
    database.insert(SETTINGS, points(&[(1, -7)])).unwrap();
    let bad = limits.fast_chunk_rows.min(limits.max_bound_values / 2) + 5;
    let rows: Vec<_> = (0..bad as i64 + 3)
        .map(|row| (row + 10, if row == bad as i64 { -7 } else { row }))
        .collect();
    let error = refused(
        store(&mut database, SETTINGS, points(&rows), upsert_of(&[])),
        ErrorKind::UniqueViolation,
    );
    assert_eq!(named(&error, "row"), Some(bad.to_string().as_str()));
    assert_eq!(stored_points(&mut database), [(1, -7)]);
    // If absent leaves the same row out, and no other.
    let stored = store(&mut database, SETTINGS, points(&rows), InsertMode::IfAbsent);
    assert_eq!(stored.unwrap(), Some(rows.len() as u64 - 1));
    let null = page_of(&columns, &[[ValueRef::Null, number(1)]]);
    let outcome: Result<Outcome, Error> =
        database.run(insert_as(SETTINGS, &null, upsert_of(&[]), false), Some(null));
    refused(outcome, ErrorKind::NotNullViolation);
}

/// Any sequence of changes affects the rows, and leaves the table, that a map of rows has.
pub fn random_changes_agree_with_the_model(subject: &Subject) {
    let columns = [ID, ("a", ValueType::Int), ("b", ValueType::Int)];
    let mut database = open(subject);
    database.table(SETTINGS, &columns);
    let database = RefCell::new(database);
    let values: Vec<i64> = (0..i64::from(PARAMETERS)).collect();
    let types = vec![("", ValueType::Int); values.len()];
    let parameters = page_of(&types, &[integers(&values)]);
    let nullable_number = |value: Option<i64>| value.map_or(ValueRef::Null, ValueRef::Integer);
    // No file of failures: what fails is printed in its smallest form.
    let config = Config { cases: 128, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&changes::steps(), |steps| {
        let mut database = database.borrow_mut();
        let all = Statement::Delete { table: SETTINGS.to_owned(), filter: None, limit: None };
        database.run(all, None).unwrap();
        let mut model = Table::new();
        for step in steps {
            let (statement, page) = match &step {
                Step::IfAbsent(rows) | Step::Upsert(rows, _) => {
                    let rows: Vec<_> = rows
                        .iter()
                        .map(|(id, row)| {
                            [number(*id), nullable_number(row.a), nullable_number(row.b)]
                        })
                        .collect();
                    let page = page_of(&columns, &rows);
                    let mode = match &step {
                        Step::Upsert(_, true) => upsert_of(&["a"]),
                        Step::Upsert(_, false) => upsert_of(&[]),
                        _ => InsertMode::IfAbsent,
                    };
                    (insert_as(SETTINGS, &page, mode, false), page)
                }
                Step::Update { adds, parameter, filter, limit } => {
                    let change = if *adds { add("a", *parameter) } else { set("a", *parameter) };
                    let statement = update(SETTINGS, &[change], Some(filter.clone()), *limit);
                    (statement, parameters.clone())
                }
                Step::Delete { filter, limit } => {
                    let (table, filter) = (SETTINGS.to_owned(), Some(filter.clone()));
                    (Statement::Delete { table, filter, limit: *limit }, parameters.clone())
                }
            };
            let expected = changes::apply(&mut model, &step, &values);
            let found = match affected(database.run(statement, Some(page))) {
                Err(error) if error.kind() == ErrorKind::FilterRequired => None,
                affected => affected.unwrap(),
            };
            prop_assert_eq!(found, expected, "{:?}", step);
        }
        let expected: Vec<_> = model
            .iter()
            .map(|(id, row)| vec![number(*id), nullable_number(row.a), nullable_number(row.b)])
            .collect();
        let read = database.rows(select(SETTINGS, &["id", "a", "b"]), None).unwrap();
        prop_assert_eq!(rows_of(&read), expected);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
