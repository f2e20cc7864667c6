//! Copies a database that is in use into a new file, by SQLite's own online backup: the file itself
//! is never read beside SQLite, and writers go on. Runs on the thread that asks for it, with
//! connections of its own.

use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use tickwell_engine::backend::BackupProgress;
use tickwell_engine::error::{Error, ErrorKind, Result};

use crate::SqliteConfig;
use crate::connect::harden;
use crate::error::Site;

/// Pages copied between two looks at whether to stop: 1 MiB, some milliseconds.
const PAGES_PER_STEP: i32 = 256;

const OPERATION: &str = "backup";

/// Copies the database of `config` into the file `to`, which must not exist. The copy is what was
/// committed when it began: one read transaction holds that state, so that writers need not wait and
/// cannot make SQLite begin again. A copy that fails leaves no file.
pub(crate) fn copy(config: &SqliteConfig, to: &Path, progress: &BackupProgress) -> Result<()> {
    check_target(to)?;
    let copied = fill(config, to, progress).and_then(|()| verify(to));
    if copied.is_err() {
        for file in with_companions(to) {
            // What was never made cannot be removed.
            let _ = std::fs::remove_file(file);
        }
    }
    copied
}

fn check_target(to: &Path) -> Result<()> {
    let refused = |message: &str| {
        Err(Error::new(ErrorKind::InvalidConfig, OPERATION, message).with("path", to.display()))
    };
    if !to.is_absolute() {
        return refused("the path of a copy must be absolute");
    }
    if to.symlink_metadata().is_ok() {
        return refused("a file of this name is there already; a copy overwrites nothing");
    }
    if !to.parent().is_some_and(Path::is_dir) {
        return refused("the folder of the copy does not exist; create it first");
    }
    Ok(())
}

fn fill(config: &SqliteConfig, to: &Path, progress: &BackupProgress) -> Result<()> {
    let source = Site { operation: OPERATION, path: config.path() };
    let target = Site { operation: OPERATION, path: to };
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let from = Connection::open_with_flags(config.path(), read_only)
        .and_then(|from| from.busy_timeout(config.busy_timeout()).map(|()| from))
        .map_err(|error| source.error(error))?;
    let page_bytes: u32 = from
        .execute_batch("BEGIN")
        // A transaction begins to read with its first statement.
        .and_then(|()| from.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(())))
        .and_then(|()| from.pragma_query_value(None, "page_size", |row| row.get(0)))
        .map_err(|error| source.error(error))?;

    let page_bytes = u64::from(page_bytes);
    let create = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut copy = Connection::open_with_flags(to, create).map_err(|error| target.error(error))?;
    {
        let backup = Backup::new(&from, &mut copy).map_err(|error| target.error(error))?;
        loop {
            if progress.is_stopped() {
                let message = "the copy was given up, as the database is being closed";
                return Err(target.fail(ErrorKind::Cancelled, message));
            }
            let step = backup.step(PAGES_PER_STEP).map_err(|error| target.error(error))?;
            let pages = backup.progress();
            let total = u64::try_from(pages.pagecount).unwrap_or(0);
            let left = u64::try_from(pages.remaining).unwrap_or(0);
            progress.set(total.saturating_sub(left) * page_bytes, total * page_bytes);
            match step {
                StepResult::Done => break,
                StepResult::Busy | StepResult::Locked => {
                    let message = "another program holds a lock of the database or of the copy";
                    return Err(target.fail(ErrorKind::Locked, message));
                }
                _ => {}
            }
        }
    }
    // One file, without a log beside it that somebody could forget to take along.
    copy.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()))
        .and_then(|()| copy.close().map_err(|(_, error)| error))
        .map_err(|error| target.error(error))
}

/// Reads the whole copy, as an owner who needs it one day cannot make another one then.
fn verify(to: &Path) -> Result<()> {
    let site = Site { operation: OPERATION, path: to };
    let failed = |error| site.error(error);
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copy = Connection::open_with_flags(to, read_only).map_err(failed)?;
    harden(&copy).map_err(failed)?;
    let found: String =
        copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if found == "ok" {
        return Ok(());
    }
    let message = "the copy is damaged, and so is probably the database; stop the server, keep the \
                   file, and restore an older copy";
    Err(site.fail(ErrorKind::Corrupt, message).with("path", to.display()).with("reported", found))
}

/// The file and those that SQLite may put beside it.
fn with_companions(to: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-journal", "-wal", "-shm"].into_iter().map(move |suffix| {
        let mut name = to.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}
