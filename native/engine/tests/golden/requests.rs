//! The golden requests: one of every kind of statement and every form of a filter.

use tickwell_engine::schema::{
    ColumnDefinition, IndexDefinition, RegisterOptions, TableDefinition,
};
use tickwell_engine::statement::{
    Aggregate, Assignment, Change, Comparison, Filter, InsertMode, Order, RequestHeader, Statement,
};
use tickwell_engine::value::ValueType;

/// What the request of this name says beside its statement; the deadline is the same in all.
pub fn header(name: &str) -> RequestHeader {
    let tables = match name {
        "raw-query-tables" => {
            vec![(owned("profiles"), owned("demo_profiles")), (owned("shared"), owned("shared"))]
        }
        _ => Vec::new(),
    };
    RequestHeader {
        deadline_millis: 30_000,
        unordered: name.ends_with("-unordered"),
        independent: name.ends_with("-independent"),
        tables,
    }
}

fn owned(name: &str) -> String {
    name.to_owned()
}

fn compare(column: &str, comparison: Comparison, parameter: u16) -> Filter {
    Filter::Compare { column: owned(column), comparison, parameter }
}

/// How the plugin Demo registers a table.
fn owner(shared: bool) -> RegisterOptions {
    RegisterOptions { owner: owned("Demo"), shared, add_missing_columns: shared }
}

/// Name, what it asks, statement.
pub fn all() -> Vec<(&'static str, &'static str, Statement)> {
    let count = |filter| Statement::Count { table: owned("demo_profiles"), filter, exists: false };
    let column = |name: &str, value_type, max_length, nullable| ColumnDefinition {
        name: owned(name),
        value_type,
        max_length,
        nullable,
        auto_increment: false,
        default: None,
    };
    let definition = TableDefinition::new(
        owned("demo_profiles"),
        vec![
            column("id", ValueType::Uuid, 0, false),
            column("name", ValueType::String, 16, false),
            column("level", ValueType::Int, 0, true),
        ],
        vec![0],
        vec![
            IndexDefinition { columns: vec![owned("name")], unique: true },
            IndexDefinition { columns: vec![owned("level"), owned("name")], unique: false },
        ],
    )
    .and_then(|definition| definition.with_options(owner(false)))
    .unwrap();
    let mut columns = vec![
        column("id", ValueType::BigInt, 0, false),
        column("title", ValueType::Text, 0, false),
        column("price", ValueType::Double, 0, true),
    ];
    columns[0].auto_increment = true;
    columns[1].default = Some(0);
    columns[2].default = Some(1);
    let offers = TableDefinition::new(owned("offers"), columns, vec![0], Vec::new())
        .and_then(|definition| definition.with_options(owner(true)))
        .unwrap();
    vec![
        ("register", "A table with a key and two indexes.", Statement::Register(definition)),
        (
            "register-rules",
            "A shared table with numbered rows and two defaults, missing columns added.",
            Statement::Register(offers),
        ),
        (
            "insert",
            "Rows of id, name, level.",
            Statement::Insert {
                table: owned("demo_profiles"),
                columns: ["id", "name", "level"].map(owned).to_vec(),
                mode: InsertMode::Plain,
                return_keys: false,
            },
        ),
        (
            "insert-independent",
            "The same, each part by itself.",
            Statement::Insert {
                table: owned("demo_profiles"),
                columns: ["id", "name", "level"].map(owned).to_vec(),
                mode: InsertMode::Plain,
                return_keys: false,
            },
        ),
        (
            "select",
            "id and name where level ≥ parameter 0, by level descending then name, at most 10.",
            Statement::Select {
                table: owned("demo_profiles"),
                columns: ["id", "name"].map(owned).to_vec(),
                filter: Some(compare("level", Comparison::Ge, 0)),
                order: vec![
                    Order { column: owned("level"), descending: true },
                    Order { column: owned("name"), descending: false },
                ],
                limit: Some(10),
                offset: 0,
            },
        ),
        (
            "select-all",
            "id of every row, no order, no limit.",
            Statement::Select {
                table: owned("demo_profiles"),
                columns: vec![owned("id")],
                filter: None,
                order: vec![],
                limit: None,
                offset: 0,
            },
        ),
        ("count-all", "How many rows.", count(None)),
        (
            "count-compare",
            "and of level =, ≠, <, ≤, >, ≥ parameters 0 to 5.",
            count(Some(Filter::And(vec![
                compare("level", Comparison::Eq, 0),
                compare("level", Comparison::Ne, 1),
                compare("level", Comparison::Lt, 2),
                compare("level", Comparison::Le, 3),
                compare("level", Comparison::Gt, 4),
                compare("level", Comparison::Ge, 5),
            ]))),
        ),
        (
            "count-or-not",
            "level = parameter 0 or not name = parameter 1.",
            count(Some(Filter::Or(vec![
                compare("level", Comparison::Eq, 0),
                Filter::Not(Box::new(compare("name", Comparison::Eq, 1))),
            ]))),
        ),
        (
            "count-between",
            "level between parameters 0 and 1.",
            count(Some(Filter::Between { column: owned("level"), low: 0, high: 1 })),
        ),
        (
            "count-in",
            "level in parameters 0, 1, 2.",
            count(Some(Filter::In { column: owned("level"), parameters: vec![0, 1, 2] })),
        ),
        (
            "count-like",
            "name like parameter 0.",
            count(Some(Filter::Like { column: owned("name"), parameter: 0 })),
        ),
        ("count-is-null", "level is null.", count(Some(Filter::IsNull { column: owned("level") }))),
        (
            "delete",
            "Rows where id = parameter 0.",
            Statement::Delete {
                table: owned("demo_profiles"),
                filter: Some(compare("id", Comparison::Eq, 0)),
                limit: None,
            },
        ),
        (
            "delete-all",
            "Every row.",
            Statement::Delete { table: owned("demo_profiles"), filter: None, limit: None },
        ),
        (
            "insert-if-absent",
            "Rows of id, name, level; those whose key or name is taken are left out; keys come back.",
            Statement::Insert {
                table: owned("demo_profiles"),
                columns: ["id", "name", "level"].map(owned).to_vec(),
                mode: InsertMode::IfAbsent,
                return_keys: true,
            },
        ),
        (
            "upsert",
            "Rows of id, name, level; a taken key has its level overwritten.",
            Statement::Insert {
                table: owned("demo_profiles"),
                columns: ["id", "name", "level"].map(owned).to_vec(),
                mode: InsertMode::Upsert { overwrite: vec![owned("level")] },
                return_keys: false,
            },
        ),
        (
            "select-offset",
            "id by id, 10 rows behind the first 20.",
            Statement::Select {
                table: owned("demo_profiles"),
                columns: vec![owned("id")],
                filter: None,
                order: vec![Order { column: owned("id"), descending: false }],
                limit: Some(10),
                offset: 20,
            },
        ),
        (
            "exists",
            "Whether a name = parameter 0.",
            Statement::Count {
                table: owned("demo_profiles"),
                filter: Some(compare("name", Comparison::Eq, 0)),
                exists: true,
            },
        ),
        (
            "delete-limit",
            "The first 100 rows where level is null.",
            Statement::Delete {
                table: owned("demo_profiles"),
                filter: Some(Filter::IsNull { column: owned("level") }),
                limit: Some(100),
            },
        ),
        (
            "update",
            "name becomes parameter 0 and level grows by parameter 1 where id = parameter 2.",
            Statement::Update {
                table: owned("demo_profiles"),
                assignments: vec![
                    Assignment { column: owned("name"), change: Change::Set, parameter: 0 },
                    Assignment { column: owned("level"), change: Change::Add, parameter: 1 },
                ],
                filter: Some(compare("id", Comparison::Eq, 2)),
                limit: None,
            },
        ),
        (
            "update-all",
            "level becomes parameter 0 in the first 5 of all rows.",
            Statement::Update {
                table: owned("demo_profiles"),
                assignments: vec![Assignment {
                    column: owned("level"),
                    change: Change::Set,
                    parameter: 0,
                }],
                filter: None,
                limit: Some(5),
            },
        ),
        (
            "aggregate",
            "Number of rows, sum, least, greatest and average level where level > parameter 0.",
            Statement::Aggregate {
                table: owned("demo_profiles"),
                filter: Some(compare("level", Comparison::Gt, 0)),
                aggregates: vec![
                    Aggregate::Count,
                    Aggregate::Sum(owned("level")),
                    Aggregate::Min(owned("level")),
                    Aggregate::Max(owned("level")),
                    Aggregate::Average(owned("level")),
                ],
            },
        ),
        (
            "raw-query",
            "SQL with two parameters and text beyond ASCII.",
            Statement::RawQuery {
                sql: owned("SELECT '😀?', name FROM demo_profiles WHERE level > ? AND name <> ?"),
            },
        ),
        (
            "raw-query-tables",
            "SQL with names in braces, two of which stand for tables.",
            Statement::RawQuery { sql: owned("SELECT '{no}' FROM {profiles} JOIN {shared}") },
        ),
        (
            "raw-update",
            "SQL with one parameter.",
            Statement::RawUpdate { sql: owned("UPDATE demo_profiles SET level = ?") },
        ),
        (
            "raw-update-unordered",
            "The same without a part in the order.",
            Statement::RawUpdate { sql: owned("UPDATE demo_profiles SET level = ?") },
        ),
    ]
}
