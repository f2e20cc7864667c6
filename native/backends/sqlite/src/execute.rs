//! One connection at work: transactions, savepoints and the execution of requests. Belongs to the
//! worker thread that uses it; the database's lock is held from `begin` to `commit` or `rollback`.

use std::cell::RefCell;
use std::fs::File;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Row, Statement as Prepared, ffi};
use tickwell_engine::backend::{
    Connection, Control, Counters, Outcome, PageSink, Request, ResultLimits,
};
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::{Page, PageBuilder, PageColumn, Scratch};
use tickwell_engine::schema::TableDefinition;
use tickwell_engine::statement::{Filter, Order, Statement};
use tickwell_engine::value::{ValueRef, ValueType};

use crate::arithmetic::Failures;
use crate::collect::Collected;
use crate::connect::{RawGate, Watch};
use crate::dialect::{Bind, Sql};
use crate::error::{Site, has_primary_code};
use crate::map;
use crate::register::register;
use crate::rows::Typed;
use crate::{Shared, SqliteConfig};

mod change;
mod insert;
mod read;

/// The longest text whose prepared statement is kept: about 2,000 `?`, which take 200 KiB. Longer
/// ones cost less to prepare, in proportion, than they cost to keep.
const MAX_CACHED_TEXT_BYTES: usize = 4 << 10;

/// Columns, filter, order, and limit with offset.
type SelectParts<'a> = (&'a [String], Option<&'a Filter>, &'a [Order], (Option<u32>, u32));

/// A prepared statement that goes back to the connection's cache, or one that does not.
enum Reusable<'c> {
    Cached(CachedStatement<'c>),
    Once(Prepared<'c>),
}

impl<'c> Deref for Reusable<'c> {
    type Target = Prepared<'c>;

    fn deref(&self) -> &Prepared<'c> {
        match self {
            Self::Cached(statement) => statement,
            Self::Once(statement) => statement,
        }
    }
}

impl<'c> DerefMut for Reusable<'c> {
    fn deref_mut(&mut self) -> &mut Prepared<'c> {
        match self {
            Self::Cached(statement) => statement,
            Self::Once(statement) => statement,
        }
    }
}

/// A connection to one file.
pub(crate) struct SqliteConnection {
    connection: rusqlite::Connection,
    config: Arc<SqliteConfig>,
    shared: Arc<Shared>,
    watch: Arc<Watch>,
    raw_gate: RawGate,
    /// The busy timeout that SQLite has now.
    busy_timeout: Duration,
    /// Whether `begin` succeeded and neither `commit` nor `rollback` followed. SQLite itself may
    /// have ended the transaction since.
    began: bool,
    /// Memory for the next result.
    scratch: RefCell<Scratch>,
    /// The page that the function of [`crate::collect`] fills.
    collected: Collected,
    /// Why a sum of ours was refused.
    failures: Failures,
    /// What [`crate::hold`] leaves to the last connection; closed after it, as it stands behind it.
    released: Option<File>,
}

impl SqliteConnection {
    pub(crate) fn new(
        connection: rusqlite::Connection,
        config: Arc<SqliteConfig>,
        shared: Arc<Shared>,
        watch: Arc<Watch>,
        raw_gate: RawGate,
        collected: Collected,
        failures: Failures,
    ) -> Self {
        let busy_timeout = config.busy_timeout();
        shared.hold.enter(config.path());
        Self {
            connection,
            config,
            shared,
            watch,
            raw_gate,
            busy_timeout,
            began: false,
            scratch: RefCell::default(),
            collected,
            failures,
            released: None,
        }
    }

    fn site(&self, operation: &'static str) -> Site<'_> {
        Site { operation, path: self.config.path() }
    }

    /// Keeps waiting for a lock within the deadline.
    fn bound_busy_timeout(&mut self, control: &Control, operation: &'static str) -> Result<()> {
        let left = control.deadline().saturating_duration_since(Instant::now());
        let wanted = left.min(self.config.busy_timeout());
        if wanted != self.busy_timeout {
            let failed = |error| self.site(operation).error(error);
            self.connection.busy_timeout(wanted).map_err(failed)?;
            self.busy_timeout = wanted;
        }
        Ok(())
    }

    /// The error of something that may have waited for a lock.
    fn waited(&self, error: rusqlite::Error, control: &Control, site: Site<'_>) -> Error {
        let locked = has_primary_code(&error, ffi::SQLITE_BUSY);
        if locked && self.busy_timeout < self.config.busy_timeout() {
            // SQLite waits in whole milliseconds and so gives up just before the deadline.
            return site.fail(
                ErrorKind::Timeout,
                "the deadline passed while another program or connection held the lock of the \
                 database",
            );
        }
        stopped(error, control, site)
    }

    /// SQLite ends a transaction by itself when a write in it is interrupted or the disk is full.
    fn check_transaction(&self, operation: &'static str) -> Result<()> {
        if self.began && !self.connection.is_autocommit() {
            return Ok(());
        }
        let (kind, message) = if self.began {
            let message =
                "SQLite ended the transaction after an earlier error; roll back and begin again";
            (ErrorKind::Database, message)
        } else {
            (ErrorKind::Internal, "this needs a transaction")
        };
        Err(self.site(operation).fail(kind, message))
    }

    /// Runs text of our own that is neither cached nor watched.
    fn run(&self, operation: &'static str, text: &str) -> Result<()> {
        self.connection.execute_batch(text).map_err(|error| self.site(operation).error(error))
    }

    fn prepare(&self, operation: &'static str, text: &str) -> Result<Reusable<'_>> {
        let prepared = if text.len() > MAX_CACHED_TEXT_BYTES {
            self.connection.prepare(text).map(Reusable::Once)
        } else {
            self.connection.prepare_cached(text).map(Reusable::Cached)
        };
        prepared.map_err(|error| self.site(operation).prepare_error(error))
    }

    /// The error of a statement with sums of ours: theirs, when one of them ended it.
    fn refused_sum<'r>(
        &self,
        error: Error,
        site: Site<'_>,
        definition: &TableDefinition,
        column: impl FnOnce(usize) -> Option<&'r str>,
    ) -> Error {
        let refused = match self.failures.take() {
            None => return error.with("table", definition.name().escape_debug()),
            Some(refused) => refused,
        };
        site.fail(ErrorKind::InvalidValue, refused.problem)
            .with("table", definition.name().escape_debug())
            .with("column", column(refused.place).unwrap_or_default().escape_debug())
    }

    fn table<'r>(
        &self,
        request: &'r Request,
        operation: &'static str,
    ) -> Result<&'r TableDefinition> {
        request.table.as_deref().ok_or_else(|| {
            self.site(operation)
                .fail(ErrorKind::UnknownTable, "the request has no table definition")
        })
    }
}

impl Connection for SqliteConnection {
    fn begin(&mut self, control: &Control) -> Result<()> {
        control.check("begin")?;
        self.shared.damage.refuse_writes("begin", self.config.path())?;
        self.bound_busy_timeout(control, "begin")?;
        let begun = self
            .connection
            .execute_batch("BEGIN IMMEDIATE")
            .map_err(|error| self.waited(error, control, self.site("begin")));
        self.shared.damage.note(begun)?;
        self.began = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        self.check_transaction("commit")?;
        self.shared.damage.refuse_writes("commit", self.config.path())?;
        let committed = self
            .connection
            .execute_batch("COMMIT")
            .map_err(|error| self.site("commit").commit_error(error));
        self.shared.damage.note(committed)?;
        self.began = false;
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        self.began = false;
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.run("rollback", "ROLLBACK")
    }

    fn savepoint(&mut self) -> Result<()> {
        self.check_transaction("savepoint")?;
        self.run("savepoint", "SAVEPOINT tickwell_request")
    }

    fn release_savepoint(&mut self) -> Result<()> {
        self.check_transaction("savepoint")?;
        self.run("savepoint", "RELEASE tickwell_request")
    }

    fn rollback_to_savepoint(&mut self) -> Result<()> {
        self.check_transaction("savepoint")?;
        self.run("savepoint", "ROLLBACK TO tickwell_request; RELEASE tickwell_request")
    }

    fn execute(
        &mut self,
        request: &Request,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let outcome = self.execute_one(request, control, counters);
        self.shared.damage.note(outcome)
    }

    fn stream(
        &mut self,
        request: &Request,
        pages: &mut dyn PageSink,
        counters: &mut Counters,
    ) -> Result<u64> {
        let Statement::Select { columns, filter, order, limit, offset, .. } = &request.statement
        else {
            return Err(self.site("select").fail(ErrorKind::Internal, "only selects are streamed"));
        };
        let definition = self.table(request, "select")?;
        let parts = (&columns[..], filter.as_ref(), &order[..], (*limit, *offset));
        let streamed = self.stream_select(request, definition, parts, pages, counters);
        self.shared.damage.note(streamed)
    }
}

impl SqliteConnection {
    fn execute_one(
        &mut self,
        request: &Request,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let statement = &request.statement;
        let operation = statement.kind().name();
        control.check(operation)?;
        if statement.is_write() || self.began {
            self.check_transaction(operation)?;
        } else {
            self.bound_busy_timeout(control, operation)?;
        }
        match statement {
            Statement::Register(definition) => {
                let _armed = self.watch.arm(control);
                let site = self.site(operation);
                let failed = |error| stopped(error, control, site);
                let page = request.page.as_ref();
                let changes = register(&self.connection, definition, page, counters, site, failed)?;
                changes_page(&changes, request.result_limits).map(Outcome::Rows)
            }
            Statement::Insert { columns, mode, return_keys, .. } => {
                let definition = self.table(request, operation)?;
                let parts = (columns.as_slice(), mode, *return_keys);
                self.insert(request, definition, parts, control, counters)
            }
            Statement::Select { columns, filter, order, limit, offset, .. } => {
                let definition = self.table(request, operation)?;
                let range = (*limit, *offset);
                let parts = (columns.as_slice(), filter.as_ref(), order.as_slice(), range);
                self.select(request, definition, parts, control, counters)
            }
            Statement::Count { filter, exists, .. } => {
                let definition = self.table(request, operation)?;
                self.count(request, definition, (filter.as_ref(), *exists), control, counters)
            }
            Statement::Delete { filter, limit, .. } => {
                let definition = self.table(request, operation)?;
                self.delete(request, definition, (filter.as_ref(), *limit), control, counters)
            }
            Statement::Update { assignments, filter, limit, .. } => {
                let definition = self.table(request, operation)?;
                let parts = (assignments.as_slice(), filter.as_ref(), *limit);
                self.update(request, definition, parts, control, counters)
            }
            Statement::Aggregate { filter, aggregates, .. } => {
                let definition = self.table(request, operation)?;
                let parts = (filter.as_ref(), aggregates.as_slice());
                self.aggregate(request, definition, parts, control, counters)
            }
            Statement::RawQuery { sql } => self.raw_query(request, sql, control, counters),
            Statement::RawUpdate { sql } => self.raw_update(request, sql, control, counters),
        }
    }
}

impl Drop for SqliteConnection {
    fn drop(&mut self) {
        self.released = self.shared.hold.leave();
        if self.shared.damage.is_seen() {
            // The last connection would write the log into the file. Where the switch fails, the
            // connection is in no state to do that either.
            let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}

/// What a registration changed, one row each.
fn changes_page(changes: &[String], limits: ResultLimits) -> Result<Page> {
    let column = PageColumn { name: "change".to_owned(), value_type: ValueType::Text };
    let mut page = PageBuilder::new(vec![column], limits);
    for change in changes {
        page.push(ValueRef::Text(change))?;
    }
    page.finish()
}

/// Fills the `?` of a statement of ours.
fn bind_all(
    statement: &mut Prepared<'_>,
    sql: &Sql,
    page: Option<&Page>,
    site: Site<'_>,
) -> Result<()> {
    let most = statement.parameter_count();
    if most != sql.binds.len() {
        return Err(site
            .fail(ErrorKind::Internal, "the statement has another number of parameters than values")
            .with("parameters", most)
            .with("values", sql.binds.len()));
    }
    for (index, bind) in sql.binds.iter().enumerate() {
        let value = match bind {
            Bind::Parameter(parameter) => {
                page.and_then(|page| page.value(0, usize::from(*parameter))).ok_or_else(|| {
                    site.fail(ErrorKind::InvalidStatement, "the filter names an absent parameter")
                        .with("parameter", usize::from(*parameter) + 1)
                })?
            }
            Bind::Pattern(pattern) => ValueRef::Text(pattern),
            Bind::Number(number) => ValueRef::Integer(*number),
        };
        map::bind(statement, index + 1, value)
            .map_err(|unbound| unbound.error(site).with("value", index + 1))?;
    }
    Ok(())
}

/// Fills the `?` of raw SQL with the page's columns in their order.
fn bind_raw(statement: &mut Prepared<'_>, page: Option<&Page>, site: Site<'_>) -> Result<()> {
    let wanted = statement.parameter_count();
    let given = page.map_or(0, Page::column_count);
    if wanted != given {
        let message =
            format!("the statement has {wanted} parameters and {given} values were given");
        return Err(site.fail(ErrorKind::ParameterCount, message));
    }
    for position in 0..given {
        let value = page.and_then(|page| page.value(0, position)).unwrap_or(ValueRef::Null);
        map::bind(statement, position + 1, value)
            .map_err(|unbound| unbound.error(site).with("parameter", position + 1))?;
    }
    Ok(())
}

fn take_row(page: &mut Typed, row: &Row<'_>, site: Site<'_>) -> Result<()> {
    for index in 0..page.width() {
        match row.get_ref(index) {
            Ok(ref stored) => page.take(index, stored, site)?,
            Err(error) => return Err(site.error(error)),
        }
    }
    Ok(())
}

fn outcome(page: Page, counters: &mut Counters) -> Outcome {
    counters.rows_received += page.rows() as u64;
    counters.bytes_in += page.bytes().len() as u64;
    Outcome::Rows(page)
}

/// The error of a running statement; the caller's reason when it was interrupted for one.
fn stopped(error: rusqlite::Error, control: &Control, site: Site<'_>) -> Error {
    let interrupted = has_primary_code(&error, ffi::SQLITE_INTERRUPT);
    match control.check(site.operation) {
        Err(reason) if interrupted => reason,
        _ => site.error(error),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use rusqlite::StatementStatus;
    use tickwell_engine::backend::{Backend, Limits, Role};
    use tickwell_engine::plan::Plan;
    use tickwell_testkit::{Database, nullable, page_of};

    use super::*;
    use crate::{SqliteBackend, connect, dialect};

    /// A backend whose files have room for 40 pages of 4 KiB: to SQLite a full disk.
    struct SmallDisk(SqliteBackend);

    impl Backend for SmallDisk {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn version(&self) -> String {
            self.0.version()
        }

        fn limits(&self) -> &Limits {
            self.0.limits()
        }

        fn connect(&self, role: Role) -> Result<Box<dyn Connection>> {
            let opened = connect::open(Arc::clone(&self.0.config), Arc::default(), role)?;
            opened.connection.pragma_update(None, "max_page_count", 40).unwrap();
            Ok(Box::new(opened))
        }
    }

    fn backend(folder: &tempfile::TempDir) -> SqliteBackend {
        SqliteBackend::new(SqliteConfig::new(folder.path().join("data.db")).unwrap())
    }

    /// A request as far as a select without parameters looks at it.
    fn request_of(max_rows: usize) -> Request {
        Request {
            statement: Statement::RawQuery { sql: String::new() },
            table: None,
            page: None,
            plan: Plan::single(),
            result_limits: ResultLimits { max_rows, max_bytes: 1 << 20 },
        }
    }

    #[test]
    fn a_full_disk_is_said_and_nothing_half_stored() {
        let folder = tempfile::tempdir().unwrap();
        let backend = SmallDisk(backend(&folder));
        let columns = [("id", ValueType::BigInt), ("name", ValueType::Text)];
        let rows = |ids: Range<i64>| {
            let name = ValueRef::Text("a name that fills the file after some thousand rows");
            let rows: Vec<_> = ids.map(|id| [ValueRef::Integer(id), name]).collect();
            page_of(&columns, &rows)
        };
        let mut database = Database::open(&backend);
        database.table("people", &columns);
        database.insert("people", rows(0..10)).unwrap();
        let error = database.insert("people", rows(10..5_000)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DiskFull, "{error}");
        assert!(error.message().contains("free space"), "{error}");
        assert_eq!(database.size("people"), 10);
        // What still fits is stored.
        assert_eq!(database.insert("people", rows(10..20)).unwrap(), Some(10));
    }

    #[test]
    fn a_select_is_prepared_once_whatever_is_bound() {
        let folder = tempfile::tempdir().unwrap();
        let connection =
            connect::open(backend(&folder).config, Arc::default(), Role::Writer).unwrap();
        let columns = [("id", ValueType::BigInt), ("points", ValueType::Int)];
        let definition =
            TableDefinition::new("t".to_owned(), nullable(&columns), vec![0], vec![]).unwrap();
        connection.run("test", &dialect::create_table(&definition, None)).unwrap();
        let order = [Order { column: "points".to_owned(), descending: false }];
        let mut request = request_of(10);
        let site = connection.site("select");
        let read = ["points".to_owned()];
        let select = |request: &_| {
            dialect::select(&definition, &read, None, &order, (None, 0), request).unwrap()
        };
        let mut statement = connection.prepare("select", &select(&request).text).unwrap();
        for rows in 1..4 {
            request.result_limits.max_rows = rows;
            bind_all(&mut statement, &select(&request), None, site).unwrap();
            assert!(statement.raw_query().next().unwrap().is_none());
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }

    /// Both ways of reading: by the function of `collect`, and row by row.
    #[test]
    fn a_running_select_stops_and_the_next_one_reads_all() {
        let folder = tempfile::tempdir().unwrap();
        let connection =
            connect::open(backend(&folder).config, Arc::default(), Role::Writer).unwrap();
        let columns = [("id", ValueType::BigInt)];
        let definition =
            TableDefinition::new("t".to_owned(), nullable(&columns), vec![0], vec![]).unwrap();
        connection.run("test", &dialect::create_table(&definition, None)).unwrap();
        let fill = "WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 5000) \
                    INSERT INTO t SELECT i FROM n";
        connection.run("test", fill).unwrap();
        let request = request_of(5_000);
        let read = ["id".to_owned()];
        let descending = [Order { column: "id".to_owned(), descending: true }];
        for order in [&[][..], &descending[..]] {
            let select = |control: &Control| {
                let parts = (&read[..], None, order, (None, 0));
                let counters = &mut Counters::default();
                connection.select(&request, &definition, parts, control, counters)
            };
            let cancelled = Control::new(Instant::now() + Duration::from_secs(60));
            cancelled.cancel();
            assert_eq!(select(&cancelled).unwrap_err().kind(), ErrorKind::Cancelled);
            let late = Control::new(Instant::now());
            assert_eq!(select(&late).unwrap_err().kind(), ErrorKind::Timeout);
            match select(&Database::control()).unwrap() {
                Outcome::Rows(page) => assert_eq!(page.rows(), 5_000),
                _ => panic!("a select gives rows"),
            }
        }
    }

    #[test]
    fn connections_have_their_settings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        let path = path.to_str().unwrap();
        for (synchronous, code) in [("full", 2), ("normal", 1), ("off", 0)] {
            let settings = [("path", path), ("synchronous", synchronous)];
            let config = Arc::new(SqliteConfig::from_settings(settings).unwrap());
            let writer = connect::open(Arc::clone(&config), Arc::default(), Role::Writer).unwrap();
            let reader = connect::open(config, Arc::default(), Role::Reader).unwrap();
            let number = |connection: &SqliteConnection, pragma: &str| {
                let read = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
                connection.connection.pragma_query_value(None, pragma, read).unwrap()
            };
            assert_eq!(number(&writer, "synchronous"), code);
            assert_eq!(number(&writer, "query_only"), 0);
            assert_eq!(number(&reader, "query_only"), 1);
            for connection in [&writer, &reader] {
                assert_eq!(number(connection, "foreign_keys"), 1);
                assert_eq!(number(connection, "temp_store"), 2);
                assert_eq!(number(connection, "mmap_size"), 0);
                let mode: String = connection
                    .connection
                    .pragma_query_value(None, "journal_mode", |row| row.get(0))
                    .unwrap();
                assert_eq!(mode, "wal");
            }
            assert!(reader.connection.is_readonly("main").unwrap());
        }
    }
}
