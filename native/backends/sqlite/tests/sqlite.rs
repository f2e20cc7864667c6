//! What is SQLite's own: the file and who may use it, damage, a full disk, locks, the settings of a
//! connection, and values that others stored in a table.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests: a broken expectation ends the test"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tickwell_engine::backend::{Backend, BackupProgress, Control, Counters, Role};
use tickwell_engine::error::{Error, ErrorKind};
use tickwell_engine::page::Page;
use tickwell_engine::schema::{
    ColumnDefinition, IndexDefinition, RegisterOptions, TableDefinition,
};
use tickwell_engine::statement::{Aggregate, Assignment, Change, InsertMode, Order, Statement};
use tickwell_engine::value::{ValueRef, ValueType};
use tickwell_sqlite::{SqliteBackend, SqliteConfig};
use tickwell_testkit::{Database, affected, insert_into, nullable, page_of, rows_of};

const COLUMNS: [(&str, ValueType); 2] = [("id", ValueType::BigInt), ("name", ValueType::Text)];

fn backend(path: &Path) -> SqliteBackend {
    SqliteBackend::new(SqliteConfig::new(path).unwrap())
}

fn settings(path: &Path, more: &[(&str, &str)]) -> SqliteBackend {
    let path = path.to_str().unwrap();
    let all = [("path", path)].into_iter().chain(more.iter().copied());
    SqliteBackend::new(SqliteConfig::from_settings(all).unwrap())
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    (folder, path)
}

/// A connection beside the backend, as another program would have one.
fn other(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

fn raw_query(sql: &str) -> Statement {
    Statement::RawQuery { sql: sql.to_owned() }
}

fn raw_update(sql: &str) -> Statement {
    Statement::RawUpdate { sql: sql.to_owned() }
}

fn select_all(table: &str, columns: &[&str]) -> Statement {
    Statement::Select {
        table: table.to_owned(),
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        filter: None,
        order: vec![],
        limit: None,
        offset: 0,
    }
}

fn people(count: i64) -> Page {
    let rows: Vec<_> = (0..count)
        .map(|id| [ValueRef::Integer(id), ValueRef::Text("somebody with a rather long name")])
        .collect();
    page_of(&COLUMNS, &rows)
}

#[track_caller]
fn refused<T>(result: Result<T, Error>, kind: ErrorKind) -> Error {
    let error = result.err().expect("it is refused");
    assert_eq!(error.kind(), kind, "{error}");
    error
}

fn named(error: &Error, fact: &str) -> String {
    error
        .context()
        .iter()
        .find(|(name, _)| *name == fact)
        .map(|(_, value)| value.clone())
        .unwrap_or_default()
}

#[track_caller]
fn cannot_connect(path: &Path, role: Role, kind: ErrorKind, message: &str) {
    let error = refused(backend(path).connect(role), kind);
    assert_eq!(error.operation(), "connect");
    assert_eq!(named(&error, "path"), path.display().to_string());
    assert!(error.message().contains(message), "{error}");
}

#[test]
fn a_missing_folder_is_said() {
    let (folder, _) = place();
    let path = folder.path().join("nowhere/data.db");
    cannot_connect(&path, Role::Writer, ErrorKind::ConnectFailed, "folder");
    assert!(!folder.path().join("nowhere").exists(), "nothing is created on the way");
}

#[test]
fn a_folder_is_no_database() {
    let (folder, _) = place();
    cannot_connect(folder.path(), Role::Writer, ErrorKind::ConnectFailed, "the path is a folder");
}

/// Opened for writing, a device or a pipe would take the database and keep nothing, or block.
#[test]
fn only_a_regular_file_is_a_database() {
    let (folder, _) = place();
    let pipe = folder.path().join("pipe.db");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let socket = folder.path().join("socket.db");
    let _listener = UnixListener::bind(&socket).unwrap();
    let link = folder.path().join("link.db");
    symlink("/dev/full", &link).unwrap();
    let places = [Path::new("/dev/null"), Path::new("/dev/full"), &pipe, &socket, &link];
    for path in places {
        for role in [Role::Writer, Role::Reader] {
            cannot_connect(path, role, ErrorKind::ConnectFailed, "no regular file");
        }
    }
}

#[test]
fn a_link_to_a_file_is_followed() {
    let (folder, path) = place();
    drop(backend(&path).connect(Role::Writer).unwrap());
    let link = folder.path().join("link.db");
    symlink(&path, &link).unwrap();
    drop(backend(&link).connect(Role::Writer).unwrap());
}

#[test]
fn a_reader_needs_a_file() {
    let (_folder, path) = place();
    cannot_connect(&path, Role::Reader, ErrorKind::ConnectFailed, "does not exist yet");
    assert!(!path.exists());
}

/// Root may write any folder but those of the kernel.
#[test]
fn a_read_only_folder_is_said() {
    let (folder, _) = place();
    let mut permissions = fs::metadata(folder.path()).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path(), permissions.clone()).unwrap();
    let is_root = fs::write(folder.path().join("probe"), b"").is_ok();
    let read_only = if is_root { Path::new("/sys/kernel") } else { folder.path() };
    assert!(read_only.is_dir(), "this system has no folder that root cannot write");
    cannot_connect(
        &read_only.join("data.db"),
        Role::Writer,
        ErrorKind::PermissionDenied,
        "folder of the database file may not be written",
    );
}

#[test]
fn another_file_is_no_database_and_stays_as_it_is() {
    let (_folder, path) = place();
    let text = "motd=hello\n".repeat(500);
    fs::write(&path, &text).unwrap();
    for role in [Role::Writer, Role::Reader] {
        cannot_connect(&path, role, ErrorKind::Corrupt, "is no SQLite database");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_damaged_page_is_reported() {
    let (_folder, path) = place();
    {
        let backend = backend(&path);
        let mut database = Database::open(&backend);
        database.table("people", &COLUMNS);
        database.insert("people", people(2_000)).unwrap();
    }
    // Closing put the log into the file. The first page holds the schema; the others are the table.
    let mut bytes = fs::read(&path).unwrap();
    assert!(bytes.len() > 16 * 4096);
    for page in bytes.chunks_mut(4096).skip(1) {
        page[..64].fill(0xa5);
    }
    fs::write(&path, bytes).unwrap();

    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let error = refused(database.run(raw_query("SELECT * FROM people"), None), ErrorKind::Corrupt);
    assert_eq!(named(&error, "path"), path.display().to_string());
    let error = refused(database.run(raw_update("DELETE FROM people"), None), ErrorKind::Corrupt);
    assert!(error.message().contains("restore a backup"), "{error}");
}

#[test]
fn another_programs_lock_is_waited_for_and_then_named() {
    let (_folder, path) = place();
    let backend = settings(&path, &[("busy-timeout-millis", "30")]);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    let holder = other(&path);
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    let error = refused(database.insert("people", people(1)), ErrorKind::Locked);
    assert!(begun.elapsed() >= Duration::from_millis(30), "it waited for the lock");
    assert!(error.retryable());
    assert_eq!(named(&error, "path"), path.display().to_string());
    // Reads go on meanwhile, and writes afterwards.
    assert_eq!(database.size("people"), 0);
    holder.execute_batch("COMMIT").unwrap();
    assert_eq!(database.insert("people", people(1)).unwrap(), Some(1));
}

#[test]
fn waiting_for_a_lock_ends_at_the_deadline() {
    let (_folder, path) = place();
    let backend = settings(&path, &[("busy-timeout-millis", "600000")]);
    let mut database = Database::open(&backend);
    let holder = other(&path);
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let control = Control::new(Instant::now() + Duration::from_millis(40));
    refused(database.connection.begin(&control), ErrorKind::Timeout);
    // The next request has its own deadline.
    holder.execute_batch("COMMIT").unwrap();
    database.connection.begin(&Database::control()).unwrap();
    database.connection.rollback().unwrap();
}

/// A write that is interrupted takes its whole transaction with it, as SQLite does; the session is
/// told so at its next step instead of writing outside of a transaction.
#[test]
fn an_interrupted_write_ends_its_transaction() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    let control = Control::new(Instant::now() + Duration::from_millis(40));
    let endless = raw_update(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000) \
         INSERT INTO people(id) SELECT MAX(i) FROM n",
    );
    let endless = database.request(endless, None).unwrap();
    let first = people(1);
    database.connection.begin(&control).unwrap();
    database.execute(insert_into("people", &first), Some(first.clone())).unwrap();
    database.connection.savepoint().unwrap();
    refused(
        database.connection.execute(&endless, &control, &mut Counters::default()),
        ErrorKind::Timeout,
    );
    refused(database.connection.rollback_to_savepoint(), ErrorKind::Database);
    refused(
        database.execute(insert_into("people", &first), Some(first.clone())),
        ErrorKind::Database,
    );
    refused(database.connection.commit(), ErrorKind::Database);
    database.connection.rollback().unwrap();
    assert_eq!(database.size("people"), 0);
    assert_eq!(database.insert("people", first).unwrap(), Some(1));
}

/// An insert is stopped between its statements, which leaves the transaction to the others.
#[test]
fn a_stopped_insert_ends_only_itself() {
    let (_folder, path) = place();
    let backend = settings(&path, &[("fast-chunk-rows", "1")]);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    let neighbour = [[ValueRef::Integer(-1), ValueRef::Text("neighbour")]];
    let (neighbour, many) = (page_of(&COLUMNS, &neighbour), people(30_000));
    let many = database.request(insert_into("people", &many), Some(many)).unwrap();
    database.connection.begin(&Database::control()).unwrap();
    database.execute(insert_into("people", &neighbour), Some(neighbour)).unwrap();
    database.connection.savepoint().unwrap();
    // Long over before 30,000 statements are.
    let control = Control::new(Instant::now() + Duration::from_millis(1));
    let mut counters = Counters::default();
    refused(database.connection.execute(&many, &control, &mut counters), ErrorKind::Timeout);
    assert!(counters.statements_sent < 30_000);
    database.connection.rollback_to_savepoint().unwrap();
    database.connection.commit().unwrap();
    assert_eq!(database.size("people"), 1);
}

/// The engine refuses NaN before; the backend would store null.
#[test]
fn nan_is_refused_once_more() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let columns = [("id", ValueType::BigInt), ("value", ValueType::Double)];
    database.table("t", &columns);
    let row = |id, value| [ValueRef::Integer(id), ValueRef::Double(value)];
    let good = page_of(&columns, &[row(1, 0.5)]);
    let mut request = database.request(insert_into("t", &good), Some(good)).unwrap();
    request.page = Some(page_of(&columns, &[row(1, f64::NAN)]));
    let control = Database::control();
    database.connection.begin(&control).unwrap();
    let outcome = database.connection.execute(&request, &control, &mut Counters::default());
    let error = refused(outcome, ErrorKind::InvalidValue);
    assert_eq!(
        (named(&error, "row"), named(&error, "column")),
        ("0".to_owned(), "value".to_owned())
    );
    assert!(error.message().contains("NaN"), "{error}");
    database.connection.rollback().unwrap();
}

/// SQLite keeps any value in any column; what is not of the type is named, not converted.
#[test]
fn a_foreign_value_is_named() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let cases = [
        (ValueType::Boolean, "2", "an integer outside"),
        (ValueType::TinyInt, "128", "an integer outside"),
        (ValueType::Int, "'many'", "text"),
        (ValueType::BigInt, "0.5", "a real number"),
        (ValueType::Float, "0.1", "no 32-bit float"),
        (ValueType::Double, "'x'", "text"),
        (ValueType::Decimal, "'1e5'", "no plain decimal"),
        (ValueType::Text, "x'ff'", "a blob"),
        (ValueType::Text, "CAST(x'61ff' AS TEXT)", "not UTF-8 from byte 1"),
        (ValueType::Uuid, "x'00'", "a blob of 1 bytes instead of 16"),
        (ValueType::Uuid, "'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'", "text"),
        (ValueType::TimeOfDay, "86400000000", "an integer outside"),
        (ValueType::Timestamp, "'2026-01-01'", "text"),
    ];
    for (index, (value_type, stored, problem)) in cases.into_iter().enumerate() {
        let table = format!("t{index}");
        database.table(&table, &[("id", ValueType::BigInt), ("value", value_type)]);
        let insert = raw_update(&format!("INSERT INTO {table} VALUES (1, NULL), (2, {stored})"));
        assert_eq!(affected(database.run(insert, None)).unwrap(), Some(2));
        let error = refused(
            database.rows(select_all(&table, &["id", "value"]), None),
            ErrorKind::InvalidValue,
        );
        assert_eq!(named(&error, "row"), "1");
        assert_eq!(named(&error, "column"), "value");
        assert_eq!(named(&error, "type"), value_type.name());
        assert_eq!(named(&error, "table"), table);
        assert!(named(&error, "stored").contains(problem), "{error}");
    }
}

/// The one value that SQLite changes: it keeps -0.0 as the integer 0.
#[test]
fn minus_zero_becomes_zero() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let columns = [("id", ValueType::BigInt), ("value", ValueType::Double)];
    database.table("t", &columns);
    let page = page_of(&columns, &[[ValueRef::Integer(1), ValueRef::Double(-0.0)]]);
    database.insert("t", page).unwrap();
    let read = database.rows(select_all("t", &["value"]), None).unwrap();
    let Some(ValueRef::Double(value)) = read.value(0, 0) else {
        unreachable!("a double was stored")
    };
    assert_eq!(value.to_bits(), 0.0_f64.to_bits());
}

#[test]
fn text_keeps_what_follows_u0000() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    let rows = [[ValueRef::Integer(1), ValueRef::Text("a\0b")]];
    database.insert("people", page_of(&COLUMNS, &rows)).unwrap();
    assert_eq!(rows_of(&database.rows(select_all("people", &["id", "name"]), None).unwrap()), rows);
}

/// Declared types of ours, then what the values have in common; never a guess.
#[test]
fn raw_results_have_the_types_of_their_columns_or_values() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table(
        "t",
        &[("id", ValueType::BigInt), ("key", ValueType::Uuid), ("n", ValueType::TinyInt)],
    );
    let sql = "CREATE TABLE plain (a INT, b, c FLOAT)";
    database.run(raw_update(sql), None).unwrap();
    let sql = "INSERT INTO plain VALUES (1, 2, 0.5), (5000000000, 0.25, 0.1)";
    database.run(raw_update(sql), None).unwrap();
    let mut types = |sql: &str| {
        let page = database.rows(raw_query(sql), None).unwrap_or_else(|e| panic!("{sql}: {e}"));
        (0..page.column_count()).map(|c| page.column_type(c).unwrap()).collect::<Vec<_>>()
    };
    use ValueType as T;
    assert_eq!(types("SELECT * FROM t"), [T::BigInt, T::Uuid, T::TinyInt]);
    assert_eq!(types("SELECT key AS k, COUNT(*) FROM t GROUP BY k"), [T::Uuid, T::Text]);
    assert_eq!(types("SELECT COUNT(*), MAX(n) FROM t"), [T::BigInt, T::Text]);
    // A hand-made table whose declared types do not hold what it keeps.
    assert_eq!(types("SELECT a, b, c FROM plain"), [T::BigInt, T::Double, T::Double]);
    assert_eq!(types("SELECT a FROM plain WHERE a < 10"), [T::Int]);
    assert_eq!(types("SELECT x'00', 'a', 1.5, NULL"), [T::Bytes, T::Text, T::Double, T::Text]);
    assert_eq!(types("PRAGMA table_info(plain)")[1], T::Text);

    let error = refused(
        database.rows(raw_query("SELECT 1 AS mixed UNION ALL SELECT 'a'"), None),
        ErrorKind::InvalidValue,
    );
    assert_eq!(named(&error, "column"), "mixed");
    assert!(error.message().contains("integers and text"), "{error}");
}

/// A table that another program made: `DESC` keeps the key from being the row's number.
#[test]
fn rows_that_do_not_come_in_the_order_of_the_key_are_sorted() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let text = "CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY DESC, name TEXT)";
    other(&path).execute_batch(text).unwrap();
    database.table("people", &COLUMNS);
    let rows = [2, 3, 1].map(|id| [ValueRef::Integer(id), ValueRef::Null]);
    database.insert("people", page_of(&COLUMNS, &rows)).unwrap();
    let Statement::Select { table, columns, filter, limit, .. } =
        select_all("people", &["name", "id"])
    else {
        panic!("a select");
    };
    for (descending, sent) in [(false, 2), (true, 1)] {
        let order = vec![Order { column: "id".to_owned(), descending }];
        let select = Statement::Select {
            table: table.clone(),
            columns: columns.clone(),
            filter: filter.clone(),
            order,
            limit,
            offset: 0,
        };
        let read = database.rows(select, None).unwrap();
        let ids: Vec<_> = rows_of(&read).iter().map(|row| row[1]).collect();
        let expected = if descending { [3, 2, 1] } else { [1, 2, 3] };
        assert_eq!(ids, expected.map(ValueRef::Integer));
        assert_eq!(database.counters.statements_sent, sent);
    }
}

#[test]
fn a_refused_row_leaves_the_connection_whole() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    database.insert("people", people(3)).unwrap();
    database.limits.max_rows = 2;
    let select = || select_all("people", &["id", "name"]);
    let error = refused(database.rows(select(), None), ErrorKind::ResultTooLarge);
    assert_eq!(named(&error, "table"), "people");
    database.limits.max_rows = 3;
    assert_eq!(database.rows(select(), None).unwrap(), people(3));
    // No row: the function of the statement is never called with one.
    database.run(raw_update("DELETE FROM people"), None).unwrap();
    assert_eq!(database.rows(select(), None).unwrap(), people(0));
}

#[test]
fn raw_text_cannot_call_functions_of_ours() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    database.insert("people", people(3)).unwrap();
    for sql in [
        "SELECT tickwell_collect(id, name) FROM people",
        "SELECT tickwell_add(id, 1, 5, 0) FROM people",
        "SELECT Tickwell_Sum(id, 5, 0) FROM people",
        "SELECT tickwell_average(id, 5, 0) FROM people",
        "SELECT id FROM people GROUP BY id HAVING TICKWELL_COLLECT(name) IS NULL",
    ] {
        let error = refused(database.run(raw_query(sql), None), ErrorKind::Syntax);
        assert!(named(&error, "reported").contains("not authorized"), "{error}");
    }
}

#[test]
fn raw_text_cannot_change_settings_or_attach() {
    let (folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let attached = folder.path().join("other.db");
    for sql in [
        "PRAGMA synchronous = OFF".to_owned(),
        "PRAGMA journal_mode = DELETE".to_owned(),
        "PRAGMA writable_schema = 1".to_owned(),
        format!("ATTACH '{}' AS other", attached.display()),
        "DETACH main".to_owned(),
    ] {
        refused(database.run(raw_update(&sql), None), ErrorKind::Unsupported);
        refused(database.run(raw_query(&sql), None), ErrorKind::Unsupported);
    }
    // Not inside a transaction, and it would attach a database of its own.
    assert!(database.run(raw_update("VACUUM"), None).is_err());
    assert!(!attached.exists());
}

#[test]
fn raw_text_cannot_hide_a_table_from_the_writer() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    for sql in [
        "CREATE TEMP TABLE people (id INTEGER PRIMARY KEY)",
        "CREATE TABLE temp.people (id INTEGER PRIMARY KEY)",
        "CREATE TEMP TABLE people AS SELECT 1 AS id",
        "CREATE TEMP VIEW people AS SELECT 1 AS id",
        "CREATE VIEW temp.people AS SELECT 1 AS id",
        "CREATE VIRTUAL TABLE temp.people USING fts5(id)",
        "CREATE TEMP TRIGGER t AFTER INSERT ON people BEGIN SELECT RAISE(IGNORE); END",
    ] {
        refused(database.run(raw_update(sql), None), ErrorKind::Unsupported);
    }
    database.insert("people", people(3)).unwrap();
    let sql = "SELECT id FROM main.people";
    assert_eq!(database.rows(raw_query(sql), None).unwrap().rows(), 3);
}

/// It would be stored without the session's transaction.
#[test]
fn a_query_that_changes_rows_is_refused() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    database.insert("people", people(3)).unwrap();
    let sql = "DELETE FROM people RETURNING id";
    refused(database.run(raw_query(sql), None), ErrorKind::InvalidStatement);
    refused(database.run(raw_update(sql), None), ErrorKind::InvalidStatement);
    assert_eq!(database.size("people"), 3);
}

/// `INSERT OR ROLLBACK` ends the transaction without a statement that could be refused.
#[test]
fn a_rollback_on_conflict_is_noticed() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    database.insert("people", people(1)).unwrap();
    database.connection.begin(&Database::control()).unwrap();
    let sql = "INSERT OR ROLLBACK INTO people VALUES (0, 'again')";
    refused(database.execute(raw_update(sql), None), ErrorKind::UniqueViolation);
    let sql = "INSERT INTO people VALUES (1, 'outside')";
    refused(database.execute(raw_update(sql), None), ErrorKind::Database);
    refused(database.connection.commit(), ErrorKind::Database);
    database.connection.rollback().unwrap();
    assert_eq!(database.size("people"), 1);
}

#[test]
fn constraints_have_their_kinds() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    for sql in [
        "CREATE TABLE worlds (id BIGINT NOT NULL PRIMARY KEY)",
        "CREATE TABLE homes (id BIGINT NOT NULL PRIMARY KEY, name TEXT UNIQUE, \
         world BIGINT REFERENCES worlds (id), size INT CHECK (size > 0))",
    ] {
        database.run(raw_update(sql), None).unwrap();
    }
    let mut insert = |values: &str| {
        let sql = format!("INSERT INTO homes VALUES ({values})");
        database.run(raw_update(&sql), None)
    };
    insert("1, 'a', NULL, 1").unwrap();
    refused(insert("1, 'b', NULL, 1"), ErrorKind::UniqueViolation);
    refused(insert("2, 'a', NULL, 1"), ErrorKind::UniqueViolation);
    refused(insert("NULL, 'c', NULL, 1"), ErrorKind::NotNullViolation);
    refused(insert("3, 'd', 77, 1"), ErrorKind::ConstraintViolation);
    refused(insert("4, 'e', NULL, 0"), ErrorKind::ConstraintViolation);
}

/// 30,001 values are one more than a statement binds.
#[test]
fn every_part_of_a_write_stores_its_own_values() {
    let (_folder, path) = place();
    let backend = settings(&path, &[("fast-chunk-rows", "7")]);
    let mut database = Database::open(&backend);
    let columns = [
        ("id", ValueType::BigInt),
        ("flag", ValueType::Boolean),
        ("small", ValueType::SmallInt),
        ("ratio", ValueType::Float),
        ("owner", ValueType::Uuid),
        ("name", ValueType::Text),
        ("item", ValueType::Item),
    ];
    database.table("t", &columns);
    let names: Vec<_> = (0..30).map(|id| format!("né{}", "x".repeat(id % 4))).collect();
    let rows: Vec<_> = names
        .iter()
        .zip(0..)
        .map(|(name, id): (_, u8)| {
            let mut row = [
                ValueRef::Integer(id.into()),
                ValueRef::Boolean(id.is_multiple_of(2)),
                ValueRef::Integer(-i64::from(id)),
                ValueRef::Float(f32::from(id) / 2.0),
                ValueRef::Uuid([id; 16]),
                ValueRef::Text(name),
                ValueRef::Bytes(&name.as_bytes()[3..]),
            ];
            // Another column is null in each row; the same place of the next part is not.
            if let Some(value) = row.get_mut(usize::from(id % 6) + 1) {
                *value = ValueRef::Null;
            }
            row
        })
        .collect();
    let page = page_of(&columns, &rows);
    assert_eq!(database.insert("t", page.clone()).unwrap(), Some(30));
    assert_eq!(database.counters.statements_sent, 5);
    let read = database.rows(select_all("t", &columns.map(|(name, _)| name)), None).unwrap();
    assert_eq!(rows_of(&read), rows_of(&page));
}

#[test]
fn without_a_fast_chunk_the_bound_values_split() {
    let (_folder, path) = place();
    let backend = settings(&path, &[("fast-chunk-rows", "0")]);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    let page = |last| {
        let ids = (0..30_000).chain([last]);
        let rows: Vec<_> = ids.map(|id| [ValueRef::Integer(id)]).collect();
        page_of(&[("id", ValueType::BigInt)], &rows)
    };
    let error = refused(database.insert("people", page(7)), ErrorKind::UniqueViolation);
    assert_eq!(named(&error, "row"), "30000");
    assert_eq!(database.size("people"), 0);
    assert_eq!(database.insert("people", page(30_000)).unwrap(), Some(30_001));
    assert_eq!(database.counters.statements_sent, 2);
}

/// An index over rows that are there already takes time, and the deadline counts for it too.
#[test]
fn registering_ends_at_its_deadline() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    let fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) \
                INSERT INTO people SELECT i, hex(randomblob(20)) FROM n";
    database.run(raw_update(fill), None).unwrap();
    let index = IndexDefinition { columns: vec!["name".to_owned()], unique: false };
    let definition =
        TableDefinition::new("people".to_owned(), nullable(&COLUMNS), vec![0], vec![index]);
    let register = Statement::Register(definition.unwrap());
    let control = Control::new(Instant::now() + Duration::from_millis(5));
    refused(database.run_under(register.clone(), None, &control), ErrorKind::Timeout);
    database.run(register, None).unwrap();
    let indexes = raw_query("SELECT name FROM pragma_index_list('people')");
    assert_eq!(database.rows(indexes, None).unwrap().rows(), 1);
}

/// `people` as the plugin `Shop` registers it, with one index.
fn owned_people(index: &[&str]) -> TableDefinition {
    let index = IndexDefinition {
        columns: index.iter().map(|&column| column.to_owned()).collect(),
        unique: false,
    };
    TableDefinition::new("people".to_owned(), nullable(&COLUMNS), vec![0], vec![index])
        .and_then(|definition| {
            let owner = "Shop".to_owned();
            definition.with_options(RegisterOptions { owner, ..RegisterOptions::default() })
        })
        .unwrap()
}

#[test]
fn registering_an_unchanged_table_writes_nothing() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let reader = other(&path);
    let version = || reader.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0));
    database.register(owned_people(&["name"])).unwrap();
    let before = version().unwrap();
    database.register(owned_people(&["name"])).unwrap();
    assert_eq!(version().unwrap(), before);
    // The day of the last registration is all that a later day changes.
    let day = "UPDATE tickwell_tables SET last_registered = 0";
    database.run(raw_update(day), None).unwrap();
    let before = version().unwrap();
    database.register(owned_people(&["name"])).unwrap();
    assert_ne!(version().unwrap(), before);
    let book = "SELECT last_registered > 20000, created / 86400000000 <= last_registered \
                FROM tickwell_tables";
    let read = database.rows(raw_query(book), None).unwrap();
    assert_eq!(rows_of(&read), [[ValueRef::Integer(1), ValueRef::Integer(1)]]);
}

#[test]
fn names_that_differ_only_in_their_letters_are_one_table() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.register(owned_people(&["name"])).unwrap();
    let columns = nullable(&COLUMNS);
    let capital = TableDefinition::new("People".to_owned(), columns, vec![0], vec![]).unwrap();
    let error = refused(database.register(capital), ErrorKind::TableMismatch);
    assert_eq!(named(&error, "table"), "People");
    assert_eq!(named(&error, "other"), "people");
    assert_eq!(named(&error, "owner"), "Shop");
    assert!(error.message().starts_with("there is a table people, and SQLite takes"), "{error}");
    let noted = database.rows(raw_query("SELECT name FROM tickwell_tables"), None).unwrap();
    assert_eq!(rows_of(&noted), [[ValueRef::Text("people")]]);
}

#[test]
fn a_failed_registration_leaves_no_table_and_no_owner() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    // The name of the index is taken, so the last step of the registration fails.
    let taken = "CREATE TABLE \"people(name) index\" (a INT)";
    database.run(raw_update(taken), None).unwrap();
    refused(database.register(owned_people(&["name"])), ErrorKind::Database);
    let left = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('people', 'tickwell_tables')";
    let read = database.rows(raw_query(left), None).unwrap();
    assert_eq!(rows_of(&read), [[ValueRef::Integer(0)]]);
}

#[test]
fn long_names_of_indexes_are_told_apart() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let table = "x".repeat(60);
    let indexes = ["name", "score"]
        .map(|column| IndexDefinition { columns: vec![column.to_owned()], unique: false });
    let columns = [("id", ValueType::BigInt), ("name", ValueType::Text), ("score", ValueType::Int)];
    let definition =
        TableDefinition::new(table, nullable(&columns), vec![0], indexes.to_vec()).unwrap();
    database.register(definition.clone()).unwrap();
    database.register(definition).unwrap();
    let lengths = "SELECT length(name) FROM sqlite_schema WHERE type = 'index'";
    let read = database.rows(raw_query(lengths), None).unwrap();
    assert_eq!(rows_of(&read), [[ValueRef::Integer(63)], [ValueRef::Integer(63)]]);
}

#[test]
fn real_defaults_are_exact() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    // Numbers of all sizes, the same in every run.
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    let numbers: Vec<f64> = std::iter::repeat_with(|| {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(bits)
    })
    .filter(|number| number.is_finite())
    .take(1_000)
    .collect();
    let mut columns = nullable(&[("id", ValueType::BigInt)]);
    columns.extend(numbers.iter().enumerate().map(|(at, _)| ColumnDefinition {
        name: format!("c{at}"),
        value_type: ValueType::Double,
        max_length: 0,
        nullable: true,
        auto_increment: false,
        default: Some(at as u16),
    }));
    let definition = TableDefinition::new("t".to_owned(), columns, vec![0], vec![]).unwrap();
    let types = vec![("", ValueType::Double); numbers.len()];
    let values: Vec<_> = numbers.iter().copied().map(ValueRef::Double).collect();
    database.register_with(definition, Some(page_of(&types, &[&values]))).unwrap();
    database.insert("t", page_of(&[("id", ValueType::BigInt)], &[[ValueRef::Integer(1)]])).unwrap();
    let names: Vec<String> = (0..numbers.len()).map(|at| format!("c{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let read = database.rows(select_all("t", &names), None).unwrap();
    assert_eq!(rows_of(&read), [values]);
}

#[test]
fn numbers_are_seen_in_the_schema_and_not_in_texts() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    for (table, numbered, create) in [
        ("a", true, "CREATE TABLE a(id INTEGER NOT NULL PRIMARY KEY /* ' */ AutoIncrement)"),
        ("b", false, "CREATE TABLE b(id INTEGER NOT NULL PRIMARY KEY -- AUTOINCREMENT\n)"),
        ("c", false, "CREATE TABLE c(id INTEGER NOT NULL /* AUTOINCREMENT */ PRIMARY KEY)"),
        (
            "d",
            false,
            "CREATE TABLE d(id INTEGER NOT NULL PRIMARY KEY, CHECK('it''s AUTOINCREMENT' <> ''))",
        ),
        (
            "e",
            false,
            "CREATE TABLE e(id INTEGER NOT NULL CONSTRAINT \"AUTOINCREMENT\" PRIMARY KEY)",
        ),
        ("f", false, "CREATE TABLE f(id INTEGER NOT NULL CONSTRAINT [AUTOINCREMENT] PRIMARY KEY)"),
        ("g", false, "CREATE TABLE g(id INTEGER NOT NULL CONSTRAINT no_AUTOINCREMENT PRIMARY KEY)"),
    ] {
        database.run(raw_update(create), None).unwrap();
        let mut columns = nullable(&[("id", ValueType::BigInt)]);
        columns[0].auto_increment = numbered;
        let same =
            TableDefinition::new(table.to_owned(), columns.clone(), vec![0], vec![]).unwrap();
        database.register(same).unwrap_or_else(|error| panic!("{create}: {error}"));
        columns[0].auto_increment = !numbered;
        let other = TableDefinition::new(table.to_owned(), columns, vec![0], vec![]).unwrap();
        refused(database.register(other), ErrorKind::TableMismatch);
    }
}

/// Two texts of one decimal would both be let in.
#[test]
fn decimals_are_refused_where_they_must_be_unique() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let columns = [("price", ValueType::Decimal)];
    let definition = TableDefinition::new("t".to_owned(), nullable(&columns), vec![0], vec![]);
    let error = refused(database.register(definition.unwrap()), ErrorKind::Unsupported);
    assert_eq!(named(&error, "column"), "price");
    let columns = [("id", ValueType::BigInt)];
    let definition =
        TableDefinition::new("SQLite_t".to_owned(), nullable(&columns), vec![0], vec![]);
    refused(database.register(definition.unwrap()), ErrorKind::InvalidStatement);
}

/// A column that is not there is an error, also where old SQLite took its name for text.
#[test]
fn a_misspelt_quoted_name_is_no_text() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("people", &COLUMNS);
    let sql = "SELECT id FROM people WHERE \"nmae\" = 'nmae'";
    refused(database.run(raw_query(sql), None), ErrorKind::Syntax);
}

/// A statement that was prepared before the table changed is prepared anew.
#[test]
fn prepared_statements_follow_the_schema() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let mut reader = backend.connect(Role::Reader).unwrap();
    database.table("people", &COLUMNS);
    database.insert("people", people(1)).unwrap();
    let all = database.request(raw_query("SELECT * FROM people"), None).unwrap();
    let control = Database::control();
    let mut width = |counters: &mut Counters| match reader.execute(&all, &control, counters) {
        Ok(tickwell_engine::backend::Outcome::Rows(page)) => page.column_count(),
        other => unreachable!("{other:?}"),
    };
    assert_eq!(width(&mut Counters::default()), 2);
    database.run(raw_update("ALTER TABLE people ADD COLUMN level INT"), None).unwrap();
    assert_eq!(width(&mut Counters::default()), 3);
}

const HOME: [(&str, ValueType); 4] = [
    ("id", ValueType::BigInt),
    ("name", ValueType::Text),
    ("world", ValueType::BigInt),
    ("size", ValueType::Int),
];

fn homes(rows: &[(i64, &'static str, i64, i64)]) -> Page {
    let integer = ValueRef::Integer;
    let rows: Vec<_> = rows
        .iter()
        .map(|&(id, name, world, size)| {
            [integer(id), ValueRef::Text(name), integer(world), integer(size)]
        })
        .collect();
    page_of(&HOME, &rows)
}

fn insert_as(page: &Page, as_mode: InsertMode, keys: bool) -> Statement {
    let mut statement = insert_into("homes", page);
    if let Statement::Insert { mode, return_keys, .. } = &mut statement {
        (*mode, *return_keys) = (as_mode, keys);
    }
    statement
}

/// A table that knows more rules than its registration: a foreign key, a check, a unique index.
fn with_homes(backend: &SqliteBackend) -> Database<'_> {
    let mut database = Database::open(backend);
    for sql in [
        "CREATE TABLE worlds (id INTEGER NOT NULL PRIMARY KEY)",
        "INSERT INTO worlds VALUES (1)",
        "CREATE TABLE homes (id INTEGER NOT NULL PRIMARY KEY, name TEXT UNIQUE, \
         world BIGINT REFERENCES worlds (id), size INT CHECK (size > 0))",
    ] {
        database.run(raw_update(sql), None).unwrap();
    }
    database.table("homes", &HOME);
    database
}

/// Only taken keys are left out or overwritten; a check or a foreign key remains an error.
#[test]
fn no_mode_of_an_insert_hides_another_error() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = with_homes(&backend);
    let upsert = InsertMode::Upsert { overwrite: vec![] };
    for (mode, keys) in
        [(InsertMode::IfAbsent, false), (InsertMode::IfAbsent, true), (upsert.clone(), false)]
    {
        for bad in [(3, "c", 77, 1), (3, "c", 1, 0)] {
            let page = homes(&[(1, "a", 1, 1), (2, "b", 1, 1), bad]);
            let outcome = database.run(insert_as(&page, mode.clone(), keys), Some(page));
            let error = refused(outcome, ErrorKind::ConstraintViolation);
            assert_eq!(named(&error, "row"), "2", "{mode:?}");
            assert_eq!(database.size("homes"), 0);
        }
    }
    let page = homes(&[(1, "a", 1, 1)]);
    database.run(insert_as(&page, upsert.clone(), false), Some(page)).unwrap();
    let page = homes(&[(1, "a", 1, -5)]);
    let outcome = database.run(insert_as(&page, upsert, false), Some(page));
    refused(outcome, ErrorKind::ConstraintViolation);
    let assignments =
        vec![Assignment { column: "size".to_owned(), change: Change::Add, parameter: 0 }];
    let update =
        Statement::Update { table: "homes".to_owned(), assignments, filter: None, limit: None };
    let by = page_of(&[("", ValueType::Int)], &[[ValueRef::Integer(-1)]]);
    refused(database.run(update, Some(by)), ErrorKind::ConstraintViolation);
}

/// The key of the row that is there, also when an index keeps it that nobody registered.
#[test]
fn an_index_that_is_not_registered_leaves_rows_out_too() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = with_homes(&backend);
    let page = homes(&[(5, "a", 1, 1), (6, "a", 1, 1), (5, "b", 1, 1), (7, "c", 1, 1)]);
    let keys = database.rows(insert_as(&page, InsertMode::IfAbsent, true), Some(page)).unwrap();
    let expected = [5, 5, 5, 7].map(|id| [ValueRef::Integer(id)]);
    assert_eq!(rows_of(&keys), expected);
    assert_eq!(database.size("homes"), 2);
}

/// A row that a trigger drops has no key, which is an error and no shorter result.
#[test]
fn a_row_without_a_key_is_an_error() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = with_homes(&backend);
    let trigger = "CREATE TRIGGER small BEFORE INSERT ON homes WHEN new.size > 100 \
                   BEGIN SELECT RAISE(IGNORE); END";
    database.run(raw_update(trigger), None).unwrap();
    let page = homes(&[(1, "a", 1, 1), (2, "b", 1, 101)]);
    let outcome = database.run(insert_as(&page, InsertMode::IfAbsent, true), Some(page));
    let error = refused(outcome, ErrorKind::ConstraintViolation);
    assert_eq!(named(&error, "row"), "1");
    assert_eq!(database.size("homes"), 0);
}

fn grow_column(column: &str) -> Statement {
    let assignments =
        vec![Assignment { column: column.to_owned(), change: Change::Add, parameter: 0 }];
    Statement::Update { table: "t".to_owned(), assignments, filter: None, limit: None }
}

fn aggregate_of(aggregate: Aggregate) -> Statement {
    Statement::Aggregate { table: "t".to_owned(), filter: None, aggregates: vec![aggregate] }
}

/// What another program stored is not computed with when it is not of the column's type.
#[test]
fn sums_are_of_values_of_their_type() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("t", &[("id", ValueType::BigInt), ("level", ValueType::TinyInt)]);
    let one = || page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(1)]]);
    for stored in ["'five'", "2.5", "300", "x'05'"] {
        let sql = format!("INSERT OR REPLACE INTO t VALUES (0, {stored})");
        database.run(raw_update(&sql), None).unwrap();
        let statements = [
            (grow_column("level"), Some(one())),
            (aggregate_of(Aggregate::Sum("level".to_owned())), None),
            (aggregate_of(Aggregate::Average("level".to_owned())), None),
            (aggregate_of(Aggregate::Max("level".to_owned())), None),
        ];
        for (statement, page) in statements {
            let error = refused(database.run(statement, page), ErrorKind::InvalidValue);
            assert!(error.message().contains("the database holds"), "{stored}: {error}");
        }
        let kept = format!("SELECT id FROM t WHERE level IS {stored}");
        assert_eq!(database.rows(raw_query(&kept), None).unwrap().rows(), 1, "{stored}");
    }
}

/// SQLite would make them real numbers.
#[test]
fn decimals_are_not_added() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("t", &[("id", ValueType::BigInt), ("price", ValueType::Decimal)]);
    let tenth = page_of(&[("", ValueType::Decimal)], &[[ValueRef::Text("0.1")]]);
    for (statement, page) in [
        (grow_column("price"), Some(tenth)),
        (aggregate_of(Aggregate::Sum("price".to_owned())), None),
        (aggregate_of(Aggregate::Average("price".to_owned())), None),
    ] {
        let error = refused(database.run(statement, page), ErrorKind::Unsupported);
        assert_eq!(named(&error, "column"), "price");
        assert!(error.message().contains("smallest unit"), "{error}");
    }
}

#[test]
fn a_limit_needs_a_key_or_a_row_number() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    let columns = ["rowid", "_ROWID_", "Oid"].map(|name| (name, ValueType::Text));
    let definition = TableDefinition::new("t".to_owned(), nullable(&columns), vec![], vec![]);
    database.register(definition.unwrap()).unwrap();
    let delete = |limit| Statement::Delete { table: "t".to_owned(), filter: None, limit };
    let error = refused(database.run(delete(Some(1)), None), ErrorKind::Unsupported);
    assert!(error.message().contains("give the table a key"), "{error}");
    database.run(delete(None), None).unwrap();
}

/// SQLite looks at a key when it changes one row, not at the end of the statement.
#[test]
fn keys_do_not_move_over_each_other() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("t", &COLUMNS);
    let rows = [1, 2, 3].map(|id| [ValueRef::Integer(id), ValueRef::Null]);
    database.insert("t", page_of(&COLUMNS, &rows)).unwrap();
    let by = |amount| Some(page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(amount)]]));
    refused(database.run(grow_column("id"), by(1)), ErrorKind::UniqueViolation);
    assert_eq!(affected(database.run(grow_column("id"), by(3))).unwrap(), Some(3));
    let read = database.rows(select_all("t", &["id"]), None).unwrap();
    assert_eq!(rows_of(&read), [4, 5, 6].map(|id| [ValueRef::Integer(id)]));
}

/// The rows of a limit are chosen before the first one changes.
#[test]
fn a_limit_holds_while_its_keys_change() {
    let (_folder, path) = place();
    let backend = backend(&path);
    let mut database = Database::open(&backend);
    database.table("t", &COLUMNS);
    let rows = [1, 2, 3, 4].map(|id| [ValueRef::Integer(id), ValueRef::Null]);
    database.insert("t", page_of(&COLUMNS, &rows)).unwrap();
    let mut statement = grow_column("id");
    if let Statement::Update { limit, .. } = &mut statement {
        *limit = Some(2);
    }
    let by = page_of(&[("", ValueType::BigInt)], &[[ValueRef::Integer(10)]]);
    for expected in [[3, 4, 11, 12], [11, 12, 13, 14], [13, 14, 21, 22]] {
        let changed = affected(database.run(statement.clone(), Some(by.clone()))).unwrap();
        assert_eq!(changed, Some(2));
        let read = database.rows(select_all("t", &["id"]), None).unwrap();
        assert_eq!(rows_of(&read), expected.map(|id| [ValueRef::Integer(id)]));
    }
}

/// A database with this many rows of 1,000 bytes each.
fn filled(path: &Path, rows: i64) -> SqliteBackend {
    let backend = backend(path);
    drop(backend.connect(Role::Writer).unwrap());
    let writer = other(path);
    writer.execute_batch("CREATE TABLE filling (id INTEGER PRIMARY KEY, text TEXT)").unwrap();
    let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?1)
               INSERT INTO filling SELECT x, printf('%1000d', x) FROM n";
    writer.execute(sql, [rows]).unwrap();
    backend
}

fn count_filling(connection: &rusqlite::Connection) -> i64 {
    connection.query_row("SELECT COUNT(*) FROM filling", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_copy_is_what_was_committed_and_one_file() {
    let (folder, path) = place();
    let backend = filled(&path, 5_000);
    // Not committed when the copy begins, so not in it; and the copy need not wait for it.
    let writer = other(&path);
    writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM filling WHERE id > 10").unwrap();
    let to = folder.path().join("copy.db");
    let progress = BackupProgress::default();
    backend.backup(&to, &progress).unwrap();
    writer.execute_batch("COMMIT").unwrap();
    let (copied, total) = progress.bytes();
    assert!(copied == total && total > 5_000_000, "{copied} of {total}");
    assert_eq!(fs::metadata(&to).unwrap().len(), total);
    assert_eq!(count_filling(&other(&to)), 5_000);
    assert_eq!(count_filling(&other(&path)), 10);
    for suffix in ["copy.db-wal", "copy.db-shm", "copy.db-journal"] {
        assert!(!folder.path().join(suffix).exists(), "{suffix}");
    }
}

#[test]
fn a_copy_ends_while_others_write() {
    let (folder, path) = place();
    let backend = filled(&path, 20_000);
    let writing = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let writer = other(&path);
            let mut written = 0;
            while writing.load(std::sync::atomic::Ordering::Relaxed) || written == 0 {
                written += 1;
                writer.execute("INSERT INTO filling VALUES (?1, 'meanwhile')", [-written]).unwrap();
            }
            written
        });
        let to = folder.path().join("copy.db");
        backend.backup(&to, &BackupProgress::default()).unwrap();
        writing.store(false, std::sync::atomic::Ordering::Relaxed);
        let written = writer.join().unwrap();
        // A state between two commits: the rows of before, and the first of those of meanwhile.
        let copy = other(&to);
        let meanwhile = count_filling(&copy) - 20_000;
        let last: Option<i64> = copy
            .query_row("SELECT -MIN(id) FROM filling WHERE id < 0", [], |row| row.get(0))
            .unwrap();
        assert_eq!(last.unwrap_or(0), meanwhile);
        assert!((0..=written).contains(&meanwhile), "{meanwhile} of {written}");
    });
}

#[test]
fn a_copy_overwrites_nothing_and_leaves_nothing_when_it_fails() {
    let (folder, path) = place();
    let backend = filled(&path, 2_000);
    let to = folder.path().join("copy.db");
    let refused_with = |progress: &BackupProgress, to: &Path, kind, message: &str| {
        let error = refused(backend.backup(to, progress), kind);
        assert!(error.to_string().contains(message), "{error}");
    };
    fs::write(&to, "mine").unwrap();
    let progress = BackupProgress::default();
    refused_with(&progress, &to, ErrorKind::InvalidConfig, "is there already");
    assert_eq!(fs::read_to_string(&to).unwrap(), "mine");
    fs::remove_file(&to).unwrap();
    let nowhere = folder.path().join("none/copy.db");
    refused_with(&progress, &nowhere, ErrorKind::InvalidConfig, "folder of the copy");
    refused_with(&progress, Path::new("copy.db"), ErrorKind::InvalidConfig, "absolute");
    progress.stop();
    refused_with(&progress, &to, ErrorKind::Cancelled, "given up");
    assert!(!to.exists());
}

#[test]
fn a_copy_of_a_damaged_database_is_refused_and_removed() {
    let (folder, path) = place();
    let backend = filled(&path, 2_000);
    other(&path).query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[100 * 4_096..101 * 4_096].fill(0xA5);
    fs::write(&path, bytes).unwrap();
    let to = folder.path().join("copy.db");
    let error = refused(backend.backup(&to, &BackupProgress::default()), ErrorKind::Corrupt);
    assert!(error.to_string().contains("the copy is damaged"), "{error}");
    assert!(!to.exists());
}
