//! Files that are damaged, cut off or may not be written: each is said once and clearly, and what was
//! seen to be damaged is not written any more.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests: a broken expectation ends the test"
)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tickwell_engine::backend::{Backend, Role};
use tickwell_engine::error::{Effect, Error, ErrorKind};
use tickwell_engine::page::Page;
use tickwell_engine::statement::Statement;
use tickwell_engine::value::{ValueRef, ValueType};
use tickwell_sqlite::{SqliteBackend, SqliteConfig};
use tickwell_testkit::{Database, page_of};

const COLUMNS: [(&str, ValueType); 2] = [("id", ValueType::BigInt), ("name", ValueType::Text)];

const PAGE_BYTES: usize = 4_096;

fn backend(path: &Path) -> SqliteBackend {
    SqliteBackend::new(SqliteConfig::new(path).unwrap())
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    (folder, path)
}

fn people(ids: std::ops::Range<i64>) -> Page {
    let rows: Vec<_> = ids
        .map(|id| [ValueRef::Integer(id), ValueRef::Text("somebody with a rather long name")])
        .collect();
    page_of(&COLUMNS, &rows)
}

fn read_all(table: &str) -> Statement {
    Statement::RawQuery { sql: format!("SELECT count(name) FROM {table}") }
}

fn open(backend: &SqliteBackend) -> Database<'_> {
    let mut database = Database::open(backend);
    database.table("whole", &COLUMNS);
    database.table("broken", &COLUMNS);
    database
}

/// A database whose table `whole` is sound while every page of rows of `broken` is overwritten.
fn half_damaged(path: &Path) -> Vec<u8> {
    {
        let backend = backend(path);
        let mut database = open(&backend);
        database.insert("whole", people(0..10)).unwrap();
        database.insert("broken", people(0..2_000)).unwrap();
    }
    // Closing put the log into the file: the schema, the table `whole`, and then `broken`.
    let mut bytes = fs::read(path).unwrap();
    assert!(bytes.len() > 16 * PAGE_BYTES);
    for page in bytes.chunks_mut(PAGE_BYTES).skip(3) {
        page[..64].fill(0xa5);
    }
    fs::write(path, &bytes).unwrap();
    bytes
}

#[track_caller]
fn refused<T>(result: Result<T, Error>, kind: ErrorKind) -> Error {
    let error = result.err().expect("it is refused");
    assert_eq!(error.kind(), kind, "{error}");
    error
}

fn named(error: &Error, fact: &str) -> String {
    let found = error.context().iter().find(|(name, _)| *name == fact);
    found.map(|(_, value)| value.clone()).unwrap_or_default()
}

#[track_caller]
fn is_write_refusal(error: &Error, path: &Path) {
    assert!(error.message().starts_with("nothing more is written"), "{error}");
    assert!(error.message().contains("restore a backup"), "{error}");
    assert_eq!(named(error, "path"), path.display().to_string());
    assert!(named(error, "first").contains("the database file is damaged"), "{error}");
    assert_eq!(error.effect(), Effect::None);
    assert!(!error.retryable());
}

#[test]
fn a_damaged_file_is_not_written_until_it_is_opened_anew() {
    let (folder, path) = place();
    let bytes = half_damaged(&path);
    let log = folder.path().join("data.db-wal");
    {
        let backend = backend(&path);
        let mut database = open(&backend);
        // Nobody has met the damage so far; this waits in the log.
        assert_eq!(database.insert("whole", people(10..11)).unwrap(), Some(1));
        refused(database.run(read_all("broken"), None), ErrorKind::Corrupt);
        for _ in 0..2 {
            let error = refused(database.insert("whole", people(11..12)), ErrorKind::Corrupt);
            is_write_refusal(&error, &path);
        }
        is_write_refusal(&refused(backend.connect(Role::Writer), ErrorKind::Corrupt), &path);
        // What is sound can still be read, and saved elsewhere.
        assert_eq!(database.size("whole"), 11);
        drop(backend.connect(Role::Reader).unwrap());
    }
    assert!(fs::read(&path).unwrap() == bytes, "closing wrote into the file");
    assert!(fs::metadata(&log).unwrap().len() > 0, "what was answered is in the log");

    let backend = backend(&path);
    let mut database = open(&backend);
    assert_eq!(database.size("whole"), 11);
    assert_eq!(database.insert("whole", people(11..12)).unwrap(), Some(1));
}

#[test]
fn damage_that_one_connection_meets_stops_the_transaction_of_another() {
    let (_folder, path) = place();
    half_damaged(&path);
    let backend = backend(&path);
    let mut writing = open(&backend);
    let mut reading = open(&backend);
    writing.connection.begin(&Database::control()).unwrap();
    let page = people(10..12);
    writing.execute(tickwell_testkit::insert_into("whole", &page), Some(page)).unwrap();
    refused(reading.run(read_all("broken"), None), ErrorKind::Corrupt);
    is_write_refusal(&refused(writing.connection.commit(), ErrorKind::Corrupt), &path);
    writing.connection.rollback().unwrap();
    assert_eq!(reading.size("whole"), 10);
}

/// As a copy is that was made of a file in use: a part of it is of another moment, or missing.
#[test]
fn a_part_of_a_file_is_reported_as_damage() {
    let (folder, path) = place();
    {
        let backend = backend(&path);
        let mut database = open(&backend);
        database.insert("broken", people(0..2_000)).unwrap();
    }
    let copy = folder.path().join("copy.db");
    let bytes = fs::read(&path).unwrap();
    fs::write(&copy, &bytes[..bytes.len() / PAGE_BYTES / 2 * PAGE_BYTES]).unwrap();
    // SQLite compares the length with the header before it reads the first row.
    let error = refused(backend(&copy).connect(Role::Writer), ErrorKind::Corrupt);
    assert_eq!(named(&error, "path"), copy.display().to_string());
    assert!(error.message().contains("restore a backup"), "{error}");
}

/// Runs the named test of this file once more as a user who is not root, to whom permissions apply;
/// gives false where this is such a user already and the test is to do its work.
fn ran_as_another_user(test: &str) -> bool {
    let (folder, probe) = place();
    fs::write(&probe, b"").unwrap();
    fs::set_permissions(&probe, Permissions::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&probe).is_err() {
        return false;
    }
    const NOBODY: u32 = 65_534;
    let program = folder.path().join("tests");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let output = Command::new(&program)
        .args(["--exact", test])
        .current_dir(folder.path())
        .env("TMPDIR", folder.path())
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    true
}

#[test]
fn a_read_only_file_or_folder_is_said() {
    if ran_as_another_user("a_read_only_file_or_folder_is_said") {
        return;
    }
    let (folder, path) = place();
    {
        let backend = backend(&path);
        open(&backend).insert("whole", people(0..10)).unwrap();
    }
    let bytes = fs::read(&path).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    let error = refused(backend(&path).connect(Role::Writer), ErrorKind::PermissionDenied);
    assert_eq!(named(&error, "path"), path.display().to_string());
    assert!(error.message().contains("let the server's user write it"), "{error}");

    // Readers need the files of the log beside the database, so a read-only folder refuses them too.
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    for role in [Role::Writer, Role::Reader] {
        let error = refused(backend(&path).connect(role), ErrorKind::PermissionDenied);
        assert_eq!(named(&error, "path"), path.display().to_string());
        assert!(error.message().contains("folder"), "{error}");
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    assert!(fs::read(&path).unwrap() == bytes);
}
