//! Requests keep their meaning as bytes, and no bytes make the decoder fail.

use proptest::prelude::*;
use tickwell_engine::error::ErrorKind;
use tickwell_engine::schema::{
    ColumnDefinition, IndexDefinition, RegisterOptions, TableDefinition,
};
use tickwell_engine::statement::{
    Aggregate, Assignment, Change, Comparison, Filter, InsertMode, Order, RequestHeader, Statement,
    decode_request, encode_request,
};
use tickwell_engine::value::ValueType;

use super::support::any_type;

const HEADER: RequestHeader =
    RequestHeader { deadline_millis: 0, unordered: false, independent: false, tables: Vec::new() };

fn any_name() -> impl Strategy<Value = String> {
    proptest::collection::vec(any::<char>(), 0..8).prop_map(|chars| chars.into_iter().collect())
}

fn any_filter() -> impl Strategy<Value = Filter> {
    let comparison = proptest::sample::select(vec![
        Comparison::Eq,
        Comparison::Ne,
        Comparison::Lt,
        Comparison::Le,
        Comparison::Gt,
        Comparison::Ge,
    ]);
    let leaf =
        prop_oneof![
            (any_name(), comparison, any::<u16>()).prop_map(|(column, comparison, parameter)| {
                Filter::Compare { column, comparison, parameter }
            }),
            (any_name(), any::<u16>(), any::<u16>())
                .prop_map(|(column, low, high)| Filter::Between { column, low, high }),
            (any_name(), proptest::collection::vec(any::<u16>(), 0..5))
                .prop_map(|(column, parameters)| Filter::In { column, parameters }),
            (any_name(), any::<u16>())
                .prop_map(|(column, parameter)| Filter::Like { column, parameter }),
            any_name().prop_map(|column| Filter::IsNull { column }),
        ];
    leaf.prop_recursive(6, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Filter::And),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Filter::Or),
            inner.prop_map(|filter| Filter::Not(Box::new(filter))),
        ]
    })
}

fn any_definition() -> impl Strategy<Value = TableDefinition> {
    let column = (any_type(), 1_u32..=u32::MAX, any::<bool>(), proptest::option::of(0..u16::MAX));
    let options = (any_name(), any::<bool>(), any::<bool>()).prop_map(
        |(owner, shared, add_missing_columns)| RegisterOptions {
            owner: owner.replace('\0', ""),
            shared,
            add_missing_columns,
        },
    );
    (
        proptest::collection::vec(column, 1..8),
        any::<prop::sample::Index>(),
        any::<bool>(),
        any::<bool>(),
        options,
    )
        .prop_map(|(columns, key, unique, numbered, options)| {
            let key = key.index(columns.len());
            let columns: Vec<_> = columns
                .into_iter()
                .enumerate()
                .map(|(index, (value_type, max_length, nullable, default))| {
                    let integer = matches!(value_type, ValueType::Int | ValueType::BigInt);
                    let auto_increment = numbered && index == key && integer;
                    let no_default = matches!(
                        value_type,
                        ValueType::Item | ValueType::Location | ValueType::Nbt | ValueType::Object
                    );
                    ColumnDefinition {
                        name: format!("c{index}"),
                        value_type,
                        max_length: if value_type == ValueType::String { max_length } else { 0 },
                        nullable: nullable && index != key,
                        auto_increment,
                        default: default.filter(|_| index != key && !no_default),
                    }
                })
                .collect();
            let index = IndexDefinition { columns: vec!["c0".to_owned()], unique };
            TableDefinition::new("t".to_owned(), columns, vec![key], vec![index])
                .and_then(|definition| definition.with_options(options))
                .unwrap()
        })
}

fn any_mode() -> impl Strategy<Value = InsertMode> {
    prop_oneof![
        Just(InsertMode::Plain),
        Just(InsertMode::IfAbsent),
        proptest::collection::vec(any_name(), 0..3)
            .prop_map(|overwrite| InsertMode::Upsert { overwrite }),
    ]
}

fn any_assignment() -> impl Strategy<Value = Assignment> {
    let change = proptest::sample::select(vec![Change::Set, Change::Add]);
    (any_name(), change, any::<u16>()).prop_map(|(column, change, parameter)| Assignment {
        column,
        change,
        parameter,
    })
}

fn any_aggregate() -> impl Strategy<Value = Aggregate> {
    prop_oneof![
        Just(Aggregate::Count),
        any_name().prop_map(Aggregate::Sum),
        any_name().prop_map(Aggregate::Min),
        any_name().prop_map(Aggregate::Max),
        any_name().prop_map(Aggregate::Average),
    ]
}

fn any_statement() -> impl Strategy<Value = Statement> {
    let names = || proptest::collection::vec(any_name(), 0..5);
    let filter = || proptest::option::of(any_filter());
    let limit = || proptest::option::of(0..u32::MAX);
    let order =
        (any_name(), any::<bool>()).prop_map(|(column, descending)| Order { column, descending });
    prop_oneof![
        any_definition().prop_map(Statement::Register),
        (any_name(), names(), any_mode(), any::<bool>()).prop_map(
            |(table, columns, mode, return_keys)| Statement::Insert {
                table,
                columns,
                mode,
                return_keys
            }
        ),
        (
            any_name(),
            names(),
            filter(),
            proptest::collection::vec(order, 0..3),
            limit(),
            any::<u32>()
        )
            .prop_map(|(table, columns, filter, order, limit, offset)| Statement::Select {
                table,
                columns,
                filter,
                order,
                limit,
                offset
            }),
        (any_name(), filter(), any::<bool>())
            .prop_map(|(table, filter, exists)| Statement::Count { table, filter, exists }),
        (any_name(), filter(), limit()).prop_map(|(table, filter, limit)| Statement::Delete {
            table,
            filter,
            limit
        }),
        any_name().prop_map(|sql| Statement::RawQuery { sql }),
        any_name().prop_map(|sql| Statement::RawUpdate { sql }),
        (any_name(), proptest::collection::vec(any_assignment(), 0..4), filter(), limit())
            .prop_map(|(table, assignments, filter, limit)| Statement::Update {
                table,
                assignments,
                filter,
                limit
            }),
        (any_name(), filter(), proptest::collection::vec(any_aggregate(), 0..4)).prop_map(
            |(table, filter, aggregates)| Statement::Aggregate { table, filter, aggregates }
        ),
    ]
}

proptest! {
    #[test]
    fn statements_come_back(
        statement in any_statement(),
        deadline_millis in any::<u32>(),
        unordered in any::<bool>(),
        independent in any::<bool>(),
        tables in prop::collection::vec((any_name(), any_name()), 0..4),
    ) {
        let raw = matches!(statement, Statement::RawQuery { .. } | Statement::RawUpdate { .. });
        let tables = if raw { tables } else { Vec::new() };
        let unordered = unordered && !matches!(statement, Statement::Register(_));
        let independent =
            independent && matches!(statement, Statement::Insert { return_keys: false, .. });
        let header = RequestHeader { deadline_millis, unordered, independent, tables };
        let bytes = encode_request(&header, &statement).unwrap();
        prop_assert_eq!(decode_request(&bytes).unwrap(), (header, statement));
    }

    #[test]
    fn no_part_and_nothing_more_is_a_statement(
        statement in any_statement(), cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = encode_request(&HEADER, &statement).unwrap();
        let kind = decode_request(&bytes[..cut.index(bytes.len())]).unwrap_err().kind();
        prop_assert_eq!(kind, ErrorKind::InvalidStatement);
        bytes.push(0);
        prop_assert_eq!(decode_request(&bytes).unwrap_err().kind(), ErrorKind::InvalidStatement);
    }

    #[test]
    fn arbitrary_bytes_are_no_trouble(
        kind in 0_u8..11, flags in 0_u8..4,
        rest in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let bytes = [&[1, kind, flags, 0, 0, 0, 0, 0], rest.as_slice()].concat();
        // What can be read is read as it was written: one statement has one form.
        if let Ok((header, statement)) = decode_request(&bytes) {
            prop_assert_eq!(encode_request(&header, &statement).unwrap(), bytes);
        }
    }

    #[test]
    fn changed_bytes_are_no_trouble(
        statement in any_statement(), at in any::<prop::sample::Index>(), value in any::<u8>(),
    ) {
        let mut bytes = encode_request(&HEADER, &statement).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = value;
        if let Ok((header, statement)) = decode_request(&bytes) {
            prop_assert_eq!(encode_request(&header, &statement).unwrap(), bytes);
        }
    }
}

/// The bytes of a count on table `t` with this filter.
fn count(filter: &[u8]) -> Vec<u8> {
    [&[1, 4, 0, 0, 0, 0, 0, 0, 1, 0, b't'], filter].concat()
}

fn refusal(bytes: &[u8]) -> String {
    let error = decode_request(bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
    error.to_string()
}

#[test]
fn filters_nest_64_deep_and_no_deeper() {
    let nested = |depth: usize| {
        let is_null = [8, 1, 0, b'c'];
        count(&[vec![3; depth - 1], is_null.to_vec(), vec![0]].concat())
    };
    let (header, statement) = decode_request(&nested(64)).unwrap();
    assert_eq!(encode_request(&header, &statement).unwrap(), nested(64));
    assert!(refusal(&nested(65)).contains("deeper than 64"));
    assert!(refusal(&nested(1_000_000)).contains("deeper than 64"));

    let mut deep = Filter::IsNull { column: "c".to_owned() };
    for _ in 0..64 {
        deep = Filter::Not(Box::new(deep));
    }
    let statement = Statement::Count { table: "t".to_owned(), filter: Some(deep), exists: false };
    let error = encode_request(&HEADER, &statement).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
}

#[test]
fn a_count_that_the_bytes_cannot_fill_is_refused() {
    assert!(refusal(&count(&[1, 0xff, 0xff])).contains("a list tells 65535 items"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    assert_eq!(refusal(&[2, 4, 0, 0]), "decode: version 2 is not known, only 1 is (byte: 1)");
    assert!(refusal(&[1, 10, 0, 0]).contains("statement kind 10"));
    assert!(refusal(&[1, 0, 0, 0]).contains("statement kind 0"));
    assert!(refusal(&[1, 4, 0, 1]).contains("flags 0x0100"));
    assert!(refusal(&count(&[9])).contains("filter tag 9"));
    assert!(refusal(&count(&[3, 0])).contains("an empty filter inside of another"));
    assert!(refusal(&count(&[4, 1, 0, b'c', 7, 0, 0])).contains("comparison 7"));
    assert!(refusal(&count(&[8, 1, 0, 0xff])).contains("not UTF-8 (byte: 14)"));
    assert!(refusal(&count(&[0, 2])).contains("2 where 0 or 1 belongs"));
    assert!(refusal(&count(&[0, 0, 0])).contains("1 bytes follow"));
    assert!(
        refusal(&[1, 6, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]).contains("4294967295 bytes")
    );
}

#[test]
fn a_delete_or_update_says_whether_it_means_every_row() {
    let delete = |rest: &[u8]| [&[1, 5, 0, 0, 0, 0, 0, 0, 1, 0, b't'], rest].concat();
    let set = [1, 0, 1, 0, b'c', 1, 0, 0];
    let update = |rest: &[u8]| [&[1, 8, 0, 0, 0, 0, 0, 0, 1, 0, b't'], &set[..], rest].concat();
    let error = |bytes: &[u8]| decode_request(bytes).unwrap_err();
    let limit = [0xff; 4];
    for (name, request) in [("delete", &delete as &dyn Fn(&[u8]) -> Vec<u8>), ("update", &update)] {
        let missing = error(&request(&[&[0, 0][..], &limit].concat()));
        assert_eq!((missing.kind(), missing.operation()), (ErrorKind::FilterRequired, name));
        let both = request(&[&[1, 8, 1, 0, b'c'][..], &limit].concat());
        assert!(refusal(&both).contains(&format!("the {name} of all rows has a filter")));
        assert!(refusal(&request(&[2, 0])).contains("2 where 0 or 1 belongs"));
        assert!(decode_request(&request(&[&[1, 0][..], &limit].concat())).is_ok());
    }
}

#[test]
fn codes_that_are_not_known_are_refused() {
    let insert = |mode: &[u8]| [&[1, 2, 0, 0, 0, 0, 0, 0, 1, 0, b't', 0, 0], mode].concat();
    assert!(refusal(&insert(&[3, 0, 0, 0])).contains("insert mode 3"));
    assert!(refusal(&insert(&[1, 1, 0, 1, 0, b'c', 0])).contains("only an upsert overwrites"));
    assert!(refusal(&insert(&[0, 0, 0, 2])).contains("2 where 0 or 1 belongs"));
    let update = [1, 8, 0, 0, 0, 0, 0, 0, 1, 0, b't', 1, 0, 1, 0, b'c', 3, 0, 0];
    assert!(refusal(&update).contains("assignment 3"));
    let aggregate = |rest: &[u8]| [&[1, 9, 0, 0, 0, 0, 0, 0, 1, 0, b't', 0, 1, 0], rest].concat();
    assert!(refusal(&aggregate(&[6, 0, 0])).contains("aggregate 6"));
    assert!(refusal(&aggregate(&[1, 1, 0, b'c'])).contains("a count of rows names a column"));
}

#[test]
fn a_table_is_checked_when_it_is_decoded() {
    let register = |options: u8, flags: u8, rest: &[u8]| {
        let start = [1, 1, 0, 0, 0, 0, 0, 0, 1, 0, b't', options, 1, 0, b'P'];
        let column = [1, 0, 1, 0, b'c', 4, 0, 0, 0, 0, flags, 0xff, 0xff];
        [&start[..], &column, rest].concat()
    };
    let (_, statement) = decode_request(&register(3, 0, &[0, 0, 0, 0])).unwrap();
    let Statement::Register(definition) = statement else { panic!("no registration") };
    let options =
        RegisterOptions { owner: "P".to_owned(), shared: true, add_missing_columns: true };
    assert_eq!(*definition.options(), options);
    let error = decode_request(&register(0, 0, &[1, 0, 5, 0, 0, 0])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownColumn);
    assert!(refusal(&register(4, 0, &[0, 0, 0, 0])).contains("bits 0x04 are not known"));
    let mut unordered = register(0, 0, &[0, 0, 0, 0]);
    unordered[2] = 1;
    assert!(refusal(&unordered).contains("a registration keeps its place"));
    assert!(refusal(&register(0, 8, &[0, 0, 0, 0])).contains("bits 0x08 are not known"));
    // The column is no key.
    assert!(refusal(&register(0, 2, &[0, 0, 0, 0])).contains("the whole key"));
    assert!(decode_request(&register(0, 2, &[1, 0, 0, 0, 0, 0])).is_ok());
}

#[test]
fn only_inserts_without_keys_have_independent_parts() {
    let mut independent = count(&[0, 0]);
    assert!(decode_request(&independent).is_ok());
    independent[2] = 2;
    assert!(refusal(&independent).contains("independent parts belong to an insert"));
    let insert = Statement::Insert {
        table: "t".to_owned(),
        columns: vec!["c".to_owned()],
        mode: InsertMode::Plain,
        return_keys: true,
    };
    let header = RequestHeader { independent: true, ..HEADER };
    let error = encode_request(&header, &insert).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
}

#[test]
fn what_has_no_form_is_not_encoded() {
    let long = Statement::Count { table: "x".repeat(65_536), filter: None, exists: false };
    assert_eq!(encode_request(&HEADER, &long).unwrap_err().kind(), ErrorKind::InvalidStatement);
    let limit = Statement::Select {
        table: "t".to_owned(),
        columns: vec![],
        filter: None,
        order: vec![],
        limit: Some(u32::MAX),
        offset: 0,
    };
    assert_eq!(encode_request(&HEADER, &limit).unwrap_err().kind(), ErrorKind::InvalidStatement);
}
