//! Opens a connection and sets it up: durability, safety switches, the hooks through which a
//! running statement is stopped and raw SQL is watched. Runs on the thread that will use it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{OpenFlags, ffi};
use tickwell_engine::backend::{Control, Role};
use tickwell_engine::error::{Error, ErrorKind, Result};

use crate::arithmetic::{self, Failures};
use crate::collect::{self, Collected};
use crate::dialect::{DECIMAL_COLLATION, compare_decimals};
use crate::error::{Site, has_primary_code};
use crate::execute::SqliteConnection;
use crate::{Shared, SqliteConfig};

/// Prepared statements that a connection keeps. One of 50 rows of 6 columns takes 30 KiB, the
/// longest that are kept 200 KiB.
const CACHED_STATEMENTS: usize = 64;

/// Instructions of SQLite's machine between two looks at the clock: about 6 µs, of which the look
/// takes a hundredth.
const OPERATIONS_BETWEEN_CHECKS: i32 = 1_000;

/// What the log file is cut to after a checkpoint.
const LOG_LIMIT_BYTES: i64 = 64 << 20;

/// Pragmas that raw SQL may use: those that only tell something.
const READ_ONLY_PRAGMAS: &[&str] = &[
    "compile_options",
    "data_version",
    "foreign_key_check",
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
];

/// The control of the running statement, where SQLite's progress callback finds it.
#[derive(Debug, Default)]
pub(crate) struct Watch(Mutex<Option<Control>>);

impl Watch {
    /// Watches for `control` until the guard is dropped.
    pub(crate) fn arm(self: &Arc<Self>, control: &Control) -> Armed {
        self.set(Some(control.clone()));
        Armed(Arc::clone(self))
    }

    fn set(&self, control: Option<Control>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = control;
    }

    fn must_stop(&self) -> bool {
        let control = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        control.as_ref().is_some_and(|control| control.check("execute").is_err())
    }
}

/// Ends the watch when it is dropped.
#[derive(Debug)]
pub(crate) struct Armed(Arc<Watch>);

impl Drop for Armed {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

/// Whether the statement being prepared is raw SQL and so under watch.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawGate(Arc<AtomicBool>);

impl RawGate {
    /// Watches until the guard is dropped.
    pub(crate) fn close(&self) -> ClosedGate {
        self.0.store(true, Ordering::Relaxed);
        ClosedGate(self.clone())
    }

    fn decide(&self, context: &AuthContext<'_>) -> Authorization {
        if !self.0.load(Ordering::Relaxed) {
            return Authorization::Allow;
        }
        match context.action {
            AuthAction::Transaction { .. }
            | AuthAction::Savepoint { .. }
            | AuthAction::Attach { .. }
            | AuthAction::Detach { .. }
            | AuthAction::Unknown { .. }
            // They would be the writer's alone, and hide tables of the same name from it.
            | AuthAction::CreateTempTable { .. }
            | AuthAction::CreateTempView { .. }
            | AuthAction::CreateTempTrigger { .. }
            | AuthAction::CreateTempIndex { .. } => Authorization::Deny,
            AuthAction::CreateTable { .. }
            | AuthAction::CreateView { .. }
            | AuthAction::CreateVtable { .. }
                if context.database_name == Some("temp") =>
            {
                Authorization::Deny
            }
            AuthAction::Function { function_name } if is_ours(function_name) => {
                Authorization::Deny
            }
            AuthAction::Pragma { pragma_name, .. } => {
                let harmless =
                    READ_ONLY_PRAGMAS.iter().any(|name| name.eq_ignore_ascii_case(pragma_name));
                if harmless { Authorization::Allow } else { Authorization::Deny }
            }
            _ => Authorization::Allow,
        }
    }
}

/// Whether it is a function that only our own statements call.
fn is_ours(function: &str) -> bool {
    [collect::FUNCTION, arithmetic::ADD, arithmetic::SUM, arithmetic::AVERAGE]
        .iter()
        .any(|ours| ours.eq_ignore_ascii_case(function))
}

/// Ends the watch over raw SQL when it is dropped.
#[derive(Debug)]
pub(crate) struct ClosedGate(RawGate);

impl Drop for ClosedGate {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Relaxed);
    }
}

/// Opens a connection for this role.
pub(crate) fn open(
    config: Arc<SqliteConfig>,
    shared: Arc<Shared>,
    role: Role,
) -> Result<SqliteConnection> {
    let path = config.path();
    let site = Site { operation: "connect", path };
    check_place(path, role)?;
    let flags = match role {
        Role::Writer => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Role::Reader => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    // No mutex: a connection is used by one thread at a time.
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |error| cannot_open(path, site, error);
    let mut connection = rusqlite::Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(config.busy_timeout()).map_err(failed)?;
    harden(&connection).map_err(failed)?;
    match role {
        Role::Writer => {
            // SQLite opens a file that may not be written as a read-only one without a word.
            if connection.is_readonly("main").map_err(failed)? {
                return Err(site
                    .fail(
                        ErrorKind::PermissionDenied,
                        "the database file may not be written; let the server's user write it",
                    )
                    .with("path", path.display()));
            }
            let mode: String = connection
                .pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
                .map_err(failed)?;
            if mode != "wal" {
                let message = format!(
                    "the database stays in journal mode {mode}; its file system does not allow \
                     WAL, put the file on a local disk"
                );
                return Err(site
                    .fail(ErrorKind::Unsupported, message)
                    .with("path", path.display()));
            }
            connection
                .pragma_update(None, "synchronous", config.synchronous().name())
                .map_err(failed)?;
            connection
                .pragma_update(None, "journal_size_limit", LOG_LIMIT_BYTES)
                .map_err(failed)?;
        }
        Role::Reader => connection.pragma_update(None, "query_only", true).map_err(failed)?,
    }
    // The first read of the file: what is no database fails here, not in a request.
    connection
        .query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))
        .map_err(failed)?;

    let watch = Arc::new(Watch::default());
    let gate = RawGate::default();
    let (watched, gated) = (Arc::clone(&watch), gate.clone());
    connection
        .progress_handler(OPERATIONS_BETWEEN_CHECKS, Some(move || watched.must_stop()))
        .map_err(failed)?;
    connection
        .authorizer(Some(move |context: AuthContext<'_>| gated.decide(&context)))
        .map_err(failed)?;
    let collected = Collected::default();
    let failures = Failures::default();
    arithmetic::register(&connection, &failures).map_err(failed)?;
    collect::register(&connection, Arc::clone(&config), collected.clone()).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    Ok(SqliteConnection::new(connection, config, shared, watch, gate, collected, failures))
}

/// What is the same for every connection and does not depend on settings.
pub(crate) fn harden(connection: &rusqlite::Connection) -> rusqlite::Result<()> {
    // Else a misspelt column in double quotes is taken for text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    // SQL cannot write the schema or other internals.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // The folder for temporary files is often small or missing on game hosts. What needs much of
    // it, VACUUM, cannot run in a transaction and so never runs here.
    connection.pragma_update(None, "temp_store", "memory")?;
    // Memory mapping stays off: an I/O error there is a signal that ends the whole server.
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.create_collation(DECIMAL_COLLATION, compare_decimals)?;
    Ok(())
}

/// Refuses places that SQLite would only report as "unable to open", or would open although they
/// keep nothing, before it makes a file.
fn check_place(path: &Path, role: Role) -> Result<()> {
    let refused = |kind, message: &str| {
        Err(Error::new(kind, "connect", message).with("path", path.display()))
    };
    // Follows links, as SQLite does.
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => return Ok(()),
        Ok(found) if found.is_dir() => {
            return refused(
                ErrorKind::ConnectFailed,
                "the path is a folder; name a file in it, such as data.db",
            );
        }
        // SQLite would write to a device, and wait for ever for the other end of a pipe.
        Ok(_) => {
            return refused(
                ErrorKind::ConnectFailed,
                "the path is a device, a pipe or a socket and no regular file; name a file in a \
                 folder, such as data.db",
            );
        }
        // Not there yet, or the folder may not be read, which SQLite finds out.
        Err(_) => {}
    }
    if path.parent().is_some_and(|folder| !folder.is_dir()) {
        return refused(
            ErrorKind::ConnectFailed,
            "the folder of the database file does not exist; create it or choose another path",
        );
    }
    match role {
        Role::Writer => Ok(()),
        Role::Reader => refused(
            ErrorKind::ConnectFailed,
            "the database file does not exist yet; a writer creates it",
        ),
    }
}

/// The error of opening. SQLite has one code for all reasons why a file cannot be opened, so the
/// folder is asked. The database file itself is never opened beside SQLite: closing it would drop
/// the locks of this process.
fn cannot_open(path: &Path, site: Site<'_>, error: rusqlite::Error) -> Error {
    let folder_refuses = has_primary_code(&error, ffi::SQLITE_CANTOPEN)
        .then(|| path.parent().and_then(probe_folder))
        .flatten();
    let Some(cause) = folder_refuses else { return site.error(error) };
    let (kind, message) = match cause.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => (
            ErrorKind::DiskFull,
            "no space is left for the database; free space on its disk and try again",
        ),
        _ => (
            ErrorKind::PermissionDenied,
            "the folder of the database file may not be written; let the server's user write it, \
             or choose another path",
        ),
    };
    site.fail(kind, message).with("path", path.display()).caused_by(cause)
}

/// Why no file can be made in the folder; `None` when one can.
fn probe_folder(folder: &Path) -> Option<std::io::Error> {
    let probe = folder.join(format!(".tickwell-probe-{}", std::process::id()));
    match std::fs::OpenOptions::new().write(true).create_new(true).open(&probe) {
        Ok(_) => {
            // It is empty and ours; when it stays behind it does no harm.
            let _ = std::fs::remove_file(&probe);
            None
        }
        Err(cause) => Some(cause),
    }
}
