//! Everything that is wrong with a request is found before it is sent, and named.

use tickwell_engine::backend::Limits;
use tickwell_engine::error::{Error, ErrorKind};
use tickwell_engine::page::Page;
use tickwell_engine::schema::{
    ColumnDefinition, IndexDefinition, MAX_IDENTIFIER_BYTES, RegisterOptions, TableDefinition,
};
use tickwell_engine::statement::placeholder::Dialect;
use tickwell_engine::statement::{
    Aggregate, Assignment, Change, Comparison, Filter, InsertMode, Order, Statement,
};
use tickwell_engine::validate::validate;
use tickwell_engine::value::ValueType;

use super::support::{Value, columns, generous, page};

fn strict() -> Limits {
    Limits { keeps_nan: false, keeps_nul_in_text: false, ..generous() }
}

fn table() -> TableDefinition {
    let column = |name: &str, value_type, max_length, nullable| ColumnDefinition {
        name: name.to_owned(),
        value_type,
        max_length,
        nullable,
        auto_increment: false,
        default: None,
    };
    let columns = vec![
        column("id", ValueType::BigInt, 0, false),
        column("name", ValueType::String, 4, true),
        column("note", ValueType::Text, 0, true),
        column("ratio", ValueType::Float, 0, true),
        column("score", ValueType::Double, 0, true),
        column("price", ValueType::Decimal, 0, true),
        column("home", ValueType::Location, 0, true),
        column("data", ValueType::Json, 0, true),
        column("small", ValueType::TinyInt, 0, true),
    ];
    TableDefinition::new("t".to_owned(), columns, vec![0], vec![]).unwrap()
}

/// Inserts `id` and one more column, with this value behind two good rows.
fn insert(column: &str, value: Value, limits: &Limits) -> Result<(), Error> {
    let table = table();
    let value_type = table.column(column).unwrap().value_type;
    let rows = [
        vec![Value::Integer(1), Value::Null],
        vec![Value::Integer(2), Value::Null],
        vec![Value::Integer(3), value],
    ];
    let page = page(columns(&[("", ValueType::BigInt), ("", value_type)]), &rows);
    let statement = Statement::Insert {
        table: "t".to_owned(),
        columns: vec!["id".to_owned(), column.to_owned()],
        mode: InsertMode::Plain,
        return_keys: false,
    };
    validate(&statement, Some(&table), Some(&page), limits)
}

/// Asserts that row 2 is refused with this text, and named with its column and type.
fn refused(column: &str, value: Value, limits: &Limits, message: &str) {
    let error = insert(column, value, limits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidValue);
    assert!(error.message().contains(message), "{error}");
    let value_type = table().column(column).unwrap().value_type.name();
    for fact in [("row", "2"), ("column", column), ("type", value_type), ("table", "t")] {
        assert!(error.context().contains(&(fact.0, fact.1.to_owned())), "{error}");
    }
}

#[test]
fn a_bad_value_is_named_with_row_column_and_type() {
    refused("score", Value::Double(f64::NAN), &strict(), "NaN");
    refused("ratio", Value::Float(f32::NAN), &strict(), "NaN");
    refused("note", Value::text("é\0"), &strict(), "U+0000 at position 1");
    refused("name", Value::text("\0"), &strict(), "U+0000 at position 0");
    refused("data", Value::text("\0"), &strict(), "U+0000 at position 0");
    refused("name", Value::text("abcde"), &generous(), "5 code points in a column of at most 4");
    refused("home", Value::Bytes(vec![0; 47]), &generous(), "a location");
    refused("home", Value::Bytes([vec![0; 48], vec![0xff]].concat()), &generous(), "a location");
    for text in ["", "-", ".5", "5.", "1e3", "+1", "1.2.3", " 1", "--1", "١", "NaN"] {
        refused("price", Value::text(text), &generous(), "a decimal");
    }
}

#[test]
fn good_values_pass() {
    for value in [f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MAX] {
        insert("score", Value::Double(value), &strict()).unwrap();
    }
    insert("score", Value::Double(f64::NAN), &generous()).unwrap();
    insert("ratio", Value::Float(f32::NAN), &generous()).unwrap();
    insert("note", Value::text("a\0b"), &generous()).unwrap();
    // Four code points, sixteen bytes: the limit is in code points.
    for limits in [generous(), strict()] {
        insert("name", Value::text("😀😀😀😀"), &limits).unwrap();
    }
    for text in ["0", "-0", "12.50", "-0.001", "12345678901234567890123456789.1"] {
        insert("price", Value::text(text), &strict()).unwrap();
    }
    insert("home", Value::Bytes([vec![0; 48], b"world".to_vec()].concat()), &strict()).unwrap();
}

fn insert_error(names: &[&str], page: Option<&Page>) -> Error {
    let statement = Statement::Insert {
        table: "t".to_owned(),
        columns: names.iter().map(|&name| name.to_owned()).collect(),
        mode: InsertMode::Plain,
        return_keys: false,
    };
    validate(&statement, Some(&table()), page, &generous()).unwrap_err()
}

#[test]
fn columns_and_page_must_agree() {
    let one = |value_type, value| page(columns(&[("", value_type)]), &[vec![value]]);
    let id = one(ValueType::BigInt, Value::Integer(1));

    assert_eq!(insert_error(&["id"], None).kind(), ErrorKind::InvalidStatement);
    let error = insert_error(&["id", "name"], Some(&id));
    assert!(error.message().contains("names 2 columns, its page has 1"), "{error}");
    assert_eq!(insert_error(&[], None).kind(), ErrorKind::InvalidStatement);

    let error = insert_error(&["nope"], Some(&id));
    assert_eq!(error.kind(), ErrorKind::UnknownColumn);
    assert!(error.context().contains(&("column", "nope".to_owned())), "{error}");

    let error = insert_error(&["id"], Some(&one(ValueType::Int, Value::Integer(1))));
    assert_eq!(error.kind(), ErrorKind::InvalidValue);
    assert!(error.message().contains("of type bigint, the rows have type int"), "{error}");

    let error = insert_error(&["note"], Some(&one(ValueType::Text, Value::text("x"))));
    assert_eq!(error.kind(), ErrorKind::NotNullViolation);
    assert!(error.context().contains(&("column", "id".to_owned())), "{error}");

    let two = page(
        columns(&[("", ValueType::BigInt), ("", ValueType::BigInt)]),
        &[vec![Value::Integer(1), Value::Integer(1)]],
    );
    let error = insert_error(&["id", "id"], Some(&two));
    assert!(error.message().contains("id is named twice"), "{error}");
}

#[test]
fn a_null_where_none_may_be_is_named() {
    let rows = [vec![Value::Integer(1)], vec![Value::Null], vec![Value::Null]];
    let page = page(columns(&[("", ValueType::BigInt)]), &rows);
    let error = insert_error(&["id"], Some(&page));
    assert_eq!(error.kind(), ErrorKind::NotNullViolation);
    for fact in [("row", "1"), ("column", "id"), ("type", "bigint")] {
        assert!(error.context().contains(&(fact.0, fact.1.to_owned())), "{error}");
    }
}

#[test]
fn an_unregistered_table_is_refused() {
    let statement = Statement::Count { table: "t".to_owned(), filter: None, exists: false };
    let error = validate(&statement, None, None, &generous()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTable);
    assert_eq!(error.context(), [("table", "t".to_owned())]);
}

/// The table with one more column, `extra`, that has the first value of the page as its default.
fn with_default(value_type: ValueType, max_length: u32) -> TableDefinition {
    let mut columns = table().columns().to_vec();
    columns.push(ColumnDefinition {
        name: "extra".to_owned(),
        value_type,
        max_length,
        nullable: false,
        auto_increment: false,
        default: Some(0),
    });
    TableDefinition::new("t".to_owned(), columns, vec![0], vec![]).unwrap()
}

#[test]
fn a_registration_has_its_defaults_and_no_other_values() {
    let refused = |statement: &Statement, page: Option<&Page>| {
        validate(statement, None, page, &strict()).unwrap_err()
    };
    let one = page(columns(&[("", ValueType::Int)]), &[vec![Value::Integer(7)]]);
    let two = columns(&[("", ValueType::Int), ("", ValueType::Int)]);
    let two = page(two, &[vec![Value::Integer(7), Value::Integer(8)]]);

    let plain = Statement::Register(table());
    validate(&plain, None, None, &strict()).unwrap();
    for page in [&one, &page(Vec::new(), &[])] {
        assert_eq!(refused(&plain, Some(page)).kind(), ErrorKind::InvalidStatement);
    }

    let level = Statement::Register(with_default(ValueType::Int, 0));
    validate(&level, None, Some(&one), &strict()).unwrap();
    assert_eq!(refused(&level, Some(&two)).kind(), ErrorKind::InvalidStatement);
    assert_eq!(refused(&level, None).kind(), ErrorKind::InvalidStatement);
}

#[test]
fn a_default_is_a_value_of_its_column() {
    let text = |text: &str| Value::Text(text.to_owned());
    for (value_type, given, value, problem) in [
        (ValueType::BigInt, ValueType::Int, Value::Integer(7), "its default of type int"),
        (ValueType::Int, ValueType::Int, Value::Null, "null says nothing"),
        (ValueType::Double, ValueType::Double, Value::Double(f64::NAN), "NaN"),
        (ValueType::Text, ValueType::Text, text("a\0b"), "U+0000"),
        (ValueType::String, ValueType::String, text("Steve"), "5 code points"),
        (ValueType::Decimal, ValueType::Decimal, text("1e5"), "digits"),
    ] {
        let length = if value_type == ValueType::String { 4 } else { 0 };
        let statement = Statement::Register(with_default(value_type, length));
        let page = page(columns(&[("", given)]), &[vec![value]]);
        let error = validate(&statement, None, Some(&page), &strict()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidValue, "{error}");
        assert!(error.message().contains(problem), "{error}");
        assert!(error.context().contains(&("column", "extra".to_owned())), "{error}");
    }
}

#[test]
fn a_column_with_a_default_or_numbers_of_its_own_may_be_left_out() {
    let rows = |value| page(columns(&[("id", ValueType::BigInt)]), &[vec![value]]);
    let insert = Statement::Insert {
        table: "t".to_owned(),
        columns: vec!["id".to_owned()],
        mode: InsertMode::Plain,
        return_keys: false,
    };
    let check = |table: &TableDefinition, page: &Page| {
        validate(&insert, Some(table), Some(page), &strict()).map_err(|error| error.kind())
    };
    assert_eq!(check(&with_default(ValueType::Int, 0), &rows(Value::Integer(1))), Ok(()));

    let numbered = |auto_increment| {
        let mut columns = table().columns().to_vec();
        columns[0].auto_increment = auto_increment;
        TableDefinition::new("t".to_owned(), columns, vec![0], vec![]).unwrap()
    };
    assert_eq!(check(&numbered(true), &rows(Value::Null)), Ok(()));
    assert_eq!(check(&numbered(false), &rows(Value::Null)), Err(ErrorKind::NotNullViolation));
    let names = page(columns(&[("name", ValueType::String)]), &[vec![Value::Null]]);
    let insert = Statement::Insert {
        table: "t".to_owned(),
        columns: vec!["name".to_owned()],
        mode: InsertMode::Plain,
        return_keys: false,
    };
    let check = |table: &TableDefinition| {
        validate(&insert, Some(table), Some(&names), &strict()).map_err(|error| error.kind())
    };
    assert_eq!(check(&numbered(true)), Ok(()));
    assert_eq!(check(&numbered(false)), Err(ErrorKind::NotNullViolation));
}

#[test]
fn a_table_cannot_say_what_no_database_keeps() {
    let message = |name: &str, key: &[usize], change: &dyn Fn(&mut Vec<ColumnDefinition>)| {
        let mut columns = table().columns().to_vec();
        change(&mut columns);
        let error =
            TableDefinition::new(name.to_owned(), columns, key.to_vec(), vec![]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidStatement, "{error}");
        error.message().to_owned()
    };
    let same = |_: &mut Vec<ColumnDefinition>| {};
    assert!(message("Tickwell_homes", &[0], &same).contains("Tickwell's own tables"));
    let number = |columns: &mut Vec<ColumnDefinition>| columns[0].auto_increment = true;
    assert!(message("t", &[], &number).contains("the whole key"));
    assert!(
        message("t", &[0, 1], &|columns| {
            number(columns);
            columns[1].nullable = false;
        })
        .contains("the whole key")
    );
    assert!(
        message("t", &[0], &|columns| {
            number(columns);
            columns[0].value_type = ValueType::SmallInt;
        })
        .contains("int and bigint")
    );
    assert!(
        message("t", &[0], &|columns| {
            number(columns);
            columns[0].default = Some(0);
        })
        .contains("leave one of them out")
    );
    assert!(message("t", &[0], &|columns| columns[0].default = Some(0)).contains("one row"));
    assert!(message("t", &[0], &|columns| columns[6].default = Some(0)).contains("no defaults"));
    let index = |columns: &[&str]| IndexDefinition {
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        unique: false,
    };
    for (indexes, problem) in [
        (vec![index(&[])], "needs a column"),
        (vec![index(&["name", "name"])], "names column name twice"),
        (vec![index(&["name"]), index(&["name"])], "declared twice"),
    ] {
        let columns = table().columns().to_vec();
        let error = TableDefinition::new("t".to_owned(), columns, vec![0], indexes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidStatement);
        assert!(error.message().contains(problem), "{error}");
    }
    let owner = "x".repeat(256);
    let options = RegisterOptions { owner, ..RegisterOptions::default() };
    let error = table().with_options(options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
}

#[test]
fn a_long_name_of_an_index_ends_in_a_hash() {
    let index = |columns: &[&str], unique| IndexDefinition {
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        unique,
    };
    assert_eq!(index(&["a", "b"], false).name("t"), "t(a,b) index");
    let long = "ä".repeat(30);
    let names = [
        index(&["a"], false).name(&long),
        index(&["a"], true).name(&long),
        index(&["b"], false).name(&long),
        index(&["a"], false).name(&format!("{long}z")),
    ];
    for (at, name) in names.iter().enumerate() {
        assert!(name.len() <= MAX_IDENTIFIER_BYTES, "{name}");
        assert!(!names[..at].contains(name), "{name}");
    }
    // The same in every version.
    assert_eq!(names[0], "äääääääääääääääääääääää~0e1983920a72f489");
}

fn count(filter: Filter, parameters: &[(ValueType, Value)]) -> Result<(), Error> {
    let types: Vec<_> = parameters.iter().map(|&(value_type, _)| ("", value_type)).collect();
    let row: Vec<_> = parameters.iter().map(|(_, value)| value.clone()).collect();
    let page = page(columns(&types), &[row]);
    let statement = Statement::Count { table: "t".to_owned(), filter: Some(filter), exists: false };
    validate(&statement, Some(&table()), Some(&page), &strict())
}

fn equal(column: &str, parameter: u16) -> Filter {
    Filter::Compare { column: column.to_owned(), comparison: Comparison::Eq, parameter }
}

#[test]
fn filters_compare_like_with_like() {
    let good = [
        ("id", ValueType::BigInt, Value::Integer(1)),
        ("id", ValueType::TinyInt, Value::Integer(1)),
        ("name", ValueType::Text, Value::text("longer than the column")),
        ("note", ValueType::String, Value::text("x")),
        ("score", ValueType::Float, Value::Float(0.5)),
        ("price", ValueType::Decimal, Value::text("1.5")),
    ];
    for (column, value_type, value) in good {
        count(equal(column, 0), &[(value_type, value)]).unwrap();
    }
    let bad = [
        ("id", ValueType::Text, Value::text("1"), "bigint with a value of type text"),
        ("id", ValueType::Timestamp, Value::Integer(1), "bigint with a value of type timestamp"),
        ("ratio", ValueType::Double, Value::Double(0.5), "float with a value of type double"),
        ("note", ValueType::Json, Value::text("{}"), "text with a value of type json"),
        ("id", ValueType::BigInt, Value::Null, "is null"),
        ("score", ValueType::Double, Value::Double(f64::NAN), "NaN"),
        ("note", ValueType::Text, Value::text("\0"), "U+0000"),
        ("price", ValueType::Decimal, Value::text("x"), "a decimal"),
    ];
    for (column, value_type, value, message) in bad {
        let error = count(equal(column, 0), &[(value_type, value)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidValue, "{error}");
        assert!(error.message().contains(message), "{error}");
        assert!(error.context().contains(&("column", column.to_owned())), "{error}");
        assert!(error.context().contains(&("parameter", "1".to_owned())), "{error}");
        assert!(error.context().iter().all(|(name, _)| *name != "row"), "{error}");
    }
}

#[test]
fn every_form_of_a_filter_is_checked() {
    let id = || "id".to_owned();
    let one = [(ValueType::BigInt, Value::Integer(1))];
    let outside = |filter| count(filter, &one).unwrap_err();
    for filter in [
        equal("id", 1),
        Filter::Between { column: id(), low: 0, high: 1 },
        Filter::Between { column: id(), low: 1, high: 0 },
        Filter::In { column: id(), parameters: vec![0, 0, 1] },
        Filter::And(vec![equal("id", 0), equal("id", 1)]),
        Filter::Or(vec![equal("id", 0), equal("id", 1)]),
        Filter::Not(Box::new(equal("id", 1))),
    ] {
        let error = outside(filter);
        assert_eq!(error.kind(), ErrorKind::InvalidStatement);
        assert!(error.message().contains("names parameter 2, there are 1"), "{error}");
    }
    for filter in [
        Filter::IsNull { column: "nope".to_owned() },
        Filter::In { column: "nope".to_owned(), parameters: vec![] },
        Filter::Like { column: "nope".to_owned(), parameter: 0 },
    ] {
        assert_eq!(outside(filter).kind(), ErrorKind::UnknownColumn);
    }
    let error = outside(Filter::Like { column: id(), parameter: 0 });
    assert_eq!(error.kind(), ErrorKind::InvalidValue);
    assert!(error.message().contains("like is for string and text"), "{error}");

    let pattern = [(ValueType::Text, Value::text("a%"))];
    count(Filter::Like { column: "name".to_owned(), parameter: 0 }, &pattern).unwrap();
    count(Filter::In { column: id(), parameters: vec![0, 0] }, &one).unwrap();
    count(Filter::IsNull { column: id() }, &one).unwrap();
}

#[test]
fn a_filter_binds_no_more_than_a_statement_may() {
    let page = page(columns(&[("", ValueType::BigInt)]), &[vec![Value::Integer(1)]]);
    let limits = Limits { max_bound_values: 3, ..generous() };
    let bind = |values: usize| {
        let filter = Filter::And(vec![
            equal("id", 0),
            Filter::In { column: "id".to_owned(), parameters: vec![0; values - 1] },
        ]);
        let statement =
            Statement::Delete { table: "t".to_owned(), filter: Some(filter), limit: None };
        validate(&statement, Some(&table()), Some(&page), &limits)
    };
    bind(3).unwrap();
    let error = bind(4).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
    assert!(error.message().contains("has 4 values, one statement may bind 3"), "{error}");
}

/// What was built from an empty list must not delete a table.
#[test]
fn a_delete_or_update_takes_no_group_of_nothing() {
    let page = page(columns(&[("", ValueType::BigInt)]), &[vec![Value::Integer(1)]]);
    let check = |statement| validate(&statement, Some(&table()), Some(&page), &generous());
    let delete = |filter| {
        check(Statement::Delete { table: "t".to_owned(), filter: Some(filter), limit: None })
    };
    let update = |filter| {
        check(Statement::Update {
            table: "t".to_owned(),
            assignments: vec![assign("id", Change::Set, 0)],
            filter: Some(filter),
            limit: None,
        })
    };
    for filter in [
        Filter::And(vec![]),
        Filter::Or(vec![]),
        Filter::Not(Box::new(Filter::Or(vec![]))),
        Filter::And(vec![equal("id", 0), Filter::And(vec![])]),
        Filter::Or(vec![equal("id", 0), Filter::Not(Box::new(Filter::And(vec![])))]),
    ] {
        for (name, refused) in [("delete", delete(filter.clone())), ("update", update(filter))] {
            let error = refused.unwrap_err();
            assert_eq!((error.kind(), error.operation()), (ErrorKind::FilterRequired, name));
            assert!(error.message().contains("say all()"), "{error}");
            assert_eq!(error.context(), [("table", "t".to_owned())]);
        }
    }
    update(Filter::And(vec![equal("id", 0)])).unwrap();
    delete(Filter::And(vec![equal("id", 0)])).unwrap();
    delete(Filter::Not(Box::new(Filter::Or(vec![equal("id", 0)])))).unwrap();
    count(Filter::And(vec![]), &[(ValueType::BigInt, Value::Integer(1))]).unwrap();
}

#[test]
fn a_select_names_columns_that_exist() {
    let select = |columns: &[&str], order: &str| {
        let statement = Statement::Select {
            table: "t".to_owned(),
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            filter: None,
            order: vec![Order { column: order.to_owned(), descending: false }],
            limit: None,
            offset: 0,
        };
        validate(&statement, Some(&table()), None, &generous()).map_err(|error| error.kind())
    };
    assert_eq!(select(&["id", "name"], "note"), Ok(()));
    assert_eq!(select(&["id", "nope"], "note"), Err(ErrorKind::UnknownColumn));
    assert_eq!(select(&["id"], "nope"), Err(ErrorKind::UnknownColumn));
    assert_eq!(select(&[], "id"), Err(ErrorKind::InvalidStatement));
}

#[test]
fn parameters_are_one_row() {
    let rows = [vec![Value::Integer(1)], vec![Value::Integer(2)]];
    let two_rows = page(columns(&[("", ValueType::BigInt)]), &rows);
    let count =
        Statement::Count { table: "t".to_owned(), filter: Some(equal("id", 0)), exists: false };
    let raw = Statement::RawQuery { sql: "SELECT ?".to_owned() };
    for statement in [count, raw] {
        let error = validate(&statement, Some(&table()), Some(&two_rows), &generous()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidStatement);
        assert!(error.message().contains("one row, the page has 2"), "{error}");
    }
}

fn raw(sql: &str, values: &[Value], limits: &Limits) -> Result<(), Error> {
    let types = vec![("", ValueType::Double); values.len()];
    let page = page(columns(&types), &[values.to_vec()]);
    let page = (!values.is_empty()).then_some(&page);
    validate(&Statement::RawUpdate { sql: sql.to_owned() }, None, page, limits)
}

#[test]
fn raw_parameters_are_counted_and_checked() {
    let one = [Value::Double(1.0)];
    raw("UPDATE t SET a = ? WHERE b = '?'", &one, &strict()).unwrap();
    raw("UPDATE t SET a = NULL", &[], &strict()).unwrap();
    raw("UPDATE t SET a = ?", &[Value::Null], &strict()).unwrap();

    let error = raw("UPDATE t SET a = ?, b = ?", &one, &strict()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ParameterCount);
    assert_eq!(error.context(), [("parameters", "2".to_owned()), ("values", "1".to_owned())]);
    let error = raw("UPDATE t SET a = 1", &one, &strict()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ParameterCount);

    let values = [Value::Double(1.0), Value::Double(f64::NAN)];
    let error = raw("UPDATE t SET a = ?, b = ?", &values, &strict()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidValue);
    assert_eq!(error.context(), [("parameter", "2".to_owned()), ("type", "double".to_owned())]);

    let error = raw("UPDATE t SET a = '?", &[], &strict()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
}

#[test]
fn the_escape_of_an_operator_is_told_where_there_is_one() {
    let postgres = Limits { dialect: Dialect::POSTGRES, ..strict() };
    raw("SELECT a ?? 'key', ?", &[Value::Double(1.0)], &postgres).unwrap();
    let sql = "SELECT a ? 'key', ?";
    let told = |limits| raw(sql, &[Value::Double(1.0)], limits).unwrap_err().to_string();
    assert!(told(&postgres).contains("an operator's ? is written ??"));
    assert!(!told(&strict()).contains("??"));
}

fn assign(column: &str, change: Change, parameter: u16) -> Assignment {
    Assignment { column: column.to_owned(), change, parameter }
}

/// Sets or adds to one column.
fn update(column: &str, change: Change, value_type: ValueType, value: Value) -> Result<(), Error> {
    let statement = Statement::Update {
        table: "t".to_owned(),
        assignments: vec![assign(column, change, 0)],
        filter: None,
        limit: None,
    };
    let page = page(columns(&[("", value_type)]), &[vec![value]]);
    validate(&statement, Some(&table()), Some(&page), &strict())
}

#[test]
fn an_update_keeps_the_rules_of_its_columns() {
    use Change::{Add, Set};
    use ValueType as T;
    let integer = Value::Integer;
    for (column, change, value_type, value, kind, message) in [
        ("id", Set, T::BigInt, Value::Null, ErrorKind::NotNullViolation, "must have a value"),
        ("id", Set, T::Text, Value::text("1"), ErrorKind::InvalidValue, "the value has type text"),
        ("nope", Set, T::Int, integer(1), ErrorKind::UnknownColumn, "no such column"),
        ("name", Set, T::Text, Value::text("abcde"), ErrorKind::InvalidValue, "5 code points"),
        ("note", Set, T::Text, Value::text("\0"), ErrorKind::InvalidValue, "U+0000"),
        ("score", Set, T::Double, Value::Double(f64::NAN), ErrorKind::InvalidValue, "NaN"),
        ("ratio", Set, T::Double, Value::Double(0.5), ErrorKind::InvalidValue, "type double"),
        ("small", Set, T::BigInt, integer(128), ErrorKind::InvalidValue, "-128 to 127"),
        ("price", Set, T::Decimal, Value::text("1e3"), ErrorKind::InvalidValue, "a decimal"),
        ("home", Set, T::Location, Value::Bytes(vec![0]), ErrorKind::InvalidValue, "a location"),
        ("name", Add, T::Text, Value::text("a"), ErrorKind::InvalidValue, "only numbers"),
        ("small", Add, T::TinyInt, Value::Null, ErrorKind::InvalidValue, "null cannot be added"),
        ("small", Add, T::Double, Value::Double(1.0), ErrorKind::InvalidValue, "type double"),
        ("score", Add, T::Float, Value::Float(f32::NAN), ErrorKind::InvalidValue, "NaN"),
    ] {
        let error = update(column, change, value_type, value).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(message), "{error}");
        assert!(error.context().contains(&("column", column.to_owned())), "{error}");
    }
    for (column, change, value_type, value) in [
        ("id", Set, T::TinyInt, integer(1)),
        ("small", Set, T::BigInt, integer(-128)),
        ("small", Add, T::BigInt, integer(-255)),
        ("name", Set, T::Text, Value::Null),
        ("name", Set, T::Text, Value::text("😀😀😀😀")),
        ("score", Set, T::Float, Value::Float(0.5)),
        ("score", Add, T::Float, Value::Float(0.5)),
        ("price", Add, T::Decimal, Value::text("0.5")),
    ] {
        update(column, change, value_type, value).unwrap();
    }
}

#[test]
fn an_update_changes_columns_once_with_values_that_are_there() {
    let one = page(columns(&[("", ValueType::Text)]), &[vec![Value::text("x")]]);
    let check = |assignments: Vec<Assignment>, filter, limits: &Limits| {
        let statement =
            Statement::Update { table: "t".to_owned(), assignments, filter, limit: None };
        validate(&statement, Some(&table()), Some(&one), limits).map_err(|error| error.to_string())
    };
    let note = || assign("note", Change::Set, 0);
    let refused = |result: Result<(), String>, message: &str| {
        let error = result.unwrap_err();
        assert!(error.contains(message), "{error}");
    };
    refused(check(vec![], None, &strict()), "changes no column");
    refused(check(vec![note(), note()], None, &strict()), "column note is changed twice");
    refused(
        check(vec![assign("note", Change::Set, 1)], None, &strict()),
        "the update names parameter 2, there are 1",
    );
    let name = Some(Filter::In { column: "name".to_owned(), parameters: vec![0, 0] });
    let limits = |max_bound_values| Limits { max_bound_values, ..strict() };
    check(vec![note()], name.clone(), &limits(3)).unwrap();
    refused(check(vec![note()], name, &limits(2)), "has 3 values, one statement may bind 2");
}

#[test]
fn an_upsert_has_a_key_and_overwrites_what_it_has() {
    let keyless = TableDefinition::new("t".to_owned(), table().columns().to_vec(), vec![], vec![]);
    let keyless = keyless.unwrap();
    let rows = page(
        columns(&[("", ValueType::BigInt), ("", ValueType::Text)]),
        &[vec![Value::Integer(1), Value::text("x")]],
    );
    let check = |table: &TableDefinition, mode, return_keys| {
        let statement = Statement::Insert {
            table: "t".to_owned(),
            columns: vec!["id".to_owned(), "note".to_owned()],
            mode,
            return_keys,
        };
        validate(&statement, Some(table), Some(&rows), &strict())
    };
    let upsert = |overwrite: &[&str]| InsertMode::Upsert {
        overwrite: overwrite.iter().map(|&name| name.to_owned()).collect(),
    };
    let refused = |result: Result<(), Error>, kind, message: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(message), "{error}");
    };
    let invalid = ErrorKind::InvalidStatement;
    refused(check(&keyless, upsert(&[]), false), invalid, "an upsert finds rows by a primary key");
    refused(check(&keyless, InsertMode::Plain, true), invalid, "returned keys need a primary key");
    check(&keyless, InsertMode::IfAbsent, false).unwrap();
    refused(check(&table(), upsert(&["id"]), false), invalid, "id is part of the key");
    refused(check(&table(), upsert(&["name"]), false), invalid, "the rows do not have it");
    refused(check(&table(), upsert(&["note", "note"]), false), invalid, "overwritten twice");
    refused(check(&table(), upsert(&["nope"]), false), ErrorKind::UnknownColumn, "no such column");
    check(&table(), upsert(&["note"]), true).unwrap();
    check(&table(), upsert(&[]), false).unwrap();
}

#[test]
fn aggregates_are_of_columns_that_can_be_summed_or_ordered() {
    let check = |aggregate: Aggregate| {
        let statement = Statement::Aggregate {
            table: "t".to_owned(),
            filter: None,
            aggregates: vec![Aggregate::Count, aggregate],
        };
        validate(&statement, Some(&table()), None, &strict())
    };
    for column in ["name", "note", "home", "data"] {
        for aggregate in [Aggregate::Sum(column.to_owned()), Aggregate::Average(column.to_owned())]
        {
            let error = check(aggregate).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidValue, "{error}");
            assert!(error.context().contains(&("column", column.to_owned())), "{error}");
        }
    }
    for column in ["home", "data"] {
        let error = check(Aggregate::Max(column.to_owned())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    }
    for column in ["id", "small", "ratio", "score", "price"] {
        check(Aggregate::Sum(column.to_owned())).unwrap();
        check(Aggregate::Min(column.to_owned())).unwrap();
    }
    check(Aggregate::Min("name".to_owned())).unwrap();
    assert_eq!(
        check(Aggregate::Sum("nope".to_owned())).unwrap_err().kind(),
        ErrorKind::UnknownColumn
    );
    let none = Statement::Aggregate { table: "t".to_owned(), filter: None, aggregates: vec![] };
    let error = validate(&none, Some(&table()), None, &strict()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidStatement);
}
