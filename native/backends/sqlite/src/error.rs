//! Turns SQLite's extended result codes into typed errors that say what to do. The text that
//! SQLite reports is passed on for people and never decides anything.

use std::path::Path;

use rusqlite::ffi;
use tickwell_engine::error::{Effect, Error, ErrorKind};

/// Where an error happened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) operation: &'static str,
    pub(crate) path: &'a Path,
}

impl Site<'_> {
    /// The typed error for what rusqlite reported.
    pub(crate) fn error(self, error: rusqlite::Error) -> Error {
        let kind_of = |code| match code & 0xff {
            ffi::SQLITE_CONSTRAINT => constraint(code),
            ffi::SQLITE_ERROR => (ErrorKind::Database, "SQLite reported an error"),
            primary => classify(primary),
        };
        self.build(error, kind_of)
    }

    /// The same for an error while a statement was being prepared, when SQLite's general code means
    /// that it could not understand the statement.
    pub(crate) fn prepare_error(self, error: rusqlite::Error) -> Error {
        match error {
            rusqlite::Error::MultipleStatement => self.fail(
                ErrorKind::InvalidStatement,
                "one request holds one statement; send the others on their own",
            ),
            rusqlite::Error::Empty => {
                self.fail(ErrorKind::InvalidStatement, "the text holds no statement")
            }
            rusqlite::Error::NulError(_) => {
                self.fail(ErrorKind::InvalidStatement, "the text of a statement holds U+0000")
            }
            error => self.build(error, |code| match code & 0xff {
                ffi::SQLITE_ERROR => {
                    (ErrorKind::Syntax, "SQLite could not understand the statement")
                }
                primary => classify(primary),
            }),
        }
    }

    /// The same for an error of `COMMIT`: when the disk failed, nobody knows what is stored.
    pub(crate) fn commit_error(self, error: rusqlite::Error) -> Error {
        let error = self.error(error);
        let lost = error.kind() == ErrorKind::Io;
        if lost { error.effect_is(Effect::Unknown) } else { error }
    }

    /// An error of our own, without a context.
    pub(crate) fn fail(self, kind: ErrorKind, message: impl Into<String>) -> Error {
        Error::new(kind, self.operation, message)
    }

    fn build(
        self,
        error: rusqlite::Error,
        kind_of: impl FnOnce(i32) -> (ErrorKind, &'static str),
    ) -> Error {
        let (code, reported) = match error {
            rusqlite::Error::SqliteFailure(error, reported) => (error.extended_code, reported),
            rusqlite::Error::SqlInputError { error, msg, .. } => (error.extended_code, Some(msg)),
            other => {
                return self
                    .fail(ErrorKind::Internal, "the SQLite binding refused a call")
                    .caused_by(other);
            }
        };
        let (kind, message) = kind_of(code);
        let mut typed = self.fail(kind, message);
        if concerns_file(kind) {
            typed = typed.with("path", self.path.display());
        }
        typed = typed.with("code", code);
        match reported {
            Some(reported) => typed.with("reported", reported),
            None => typed,
        }
    }
}

/// The extended code of what rusqlite reported; `None` for an error of the binding itself.
pub(crate) fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    match error {
        rusqlite::Error::SqliteFailure(error, _) | rusqlite::Error::SqlInputError { error, .. } => {
            Some(error.extended_code)
        }
        _ => None,
    }
}

/// Whether rusqlite reported this primary code.
pub(crate) fn has_primary_code(error: &rusqlite::Error, primary: i32) -> bool {
    extended_code(error).is_some_and(|code| code & 0xff == primary)
}

const fn concerns_file(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectFailed
            | ErrorKind::PermissionDenied
            | ErrorKind::Corrupt
            | ErrorKind::DiskFull
            | ErrorKind::Locked
            | ErrorKind::Io
    )
}

const fn constraint(code: i32) -> (ErrorKind, &'static str) {
    match code {
        ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_ROWID => {
            (ErrorKind::UniqueViolation, "a row with this key or unique value is there already")
        }
        ffi::SQLITE_CONSTRAINT_NOTNULL => {
            (ErrorKind::NotNullViolation, "a column that may not be null has no value")
        }
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => {
            (ErrorKind::ConstraintViolation, "a foreign key refused the change")
        }
        _ => (ErrorKind::ConstraintViolation, "a constraint refused the row"),
    }
}

/// Every primary code but the general one and constraints. <https://sqlite.org/rescode.html>
const fn classify(primary: i32) -> (ErrorKind, &'static str) {
    match primary {
        ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => (
            ErrorKind::Locked,
            "another program or connection holds the lock of the database; close the other program \
             or raise busy-timeout-millis",
        ),
        ffi::SQLITE_READONLY | ffi::SQLITE_PERM => (
            ErrorKind::PermissionDenied,
            "the database file or its folder may not be written; let the server's user write the \
             file, its folder and the files beside it that end in -wal and -shm",
        ),
        ffi::SQLITE_CORRUPT => (
            ErrorKind::Corrupt,
            "the database file is damaged; stop the server, keep a copy of the file, and restore a \
             backup",
        ),
        ffi::SQLITE_NOTADB => (
            ErrorKind::Corrupt,
            "the file is no SQLite database, or it is encrypted; choose another path or restore a \
             backup",
        ),
        ffi::SQLITE_FULL => (
            ErrorKind::DiskFull,
            "no space is left for the database; free space on its disk and try again",
        ),
        ffi::SQLITE_IOERR => (
            ErrorKind::Io,
            "reading or writing the database file failed; check the disk and its file system",
        ),
        ffi::SQLITE_CANTOPEN => (
            ErrorKind::ConnectFailed,
            "the database file, or a file beside it, cannot be opened; check the path and who may \
             write its folder",
        ),
        ffi::SQLITE_AUTH => (
            ErrorKind::Unsupported,
            "raw SQL may not begin or end transactions, attach databases, change settings or make \
             temporary tables; the database's own settings and transactions do that",
        ),
        ffi::SQLITE_INTERRUPT => (ErrorKind::Cancelled, "the statement was interrupted"),
        ffi::SQLITE_TOOBIG => (
            ErrorKind::InvalidValue,
            "a value or a row is longer than the 1,000,000,000 bytes that SQLite keeps",
        ),
        ffi::SQLITE_MISMATCH => {
            (ErrorKind::InvalidValue, "an integer key was given a value of another type")
        }
        ffi::SQLITE_RANGE => (ErrorKind::ParameterCount, "a parameter has no placeholder"),
        ffi::SQLITE_NOMEM => (ErrorKind::Database, "SQLite got no memory"),
        _ => (ErrorKind::Database, "SQLite reported an error"),
    }
}
