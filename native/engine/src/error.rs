//! One error type for the whole engine: what kind, in which operation, about what, and what is
//! known of its effect on the database. The kinds' numbers are part of the boundary: the Java enum
//! `ErrorCode` has the same table, and a test compares the two.

use std::fmt;

/// What went wrong. The number is stable and shared with Java's `ErrorCode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u16)]
pub enum ErrorKind {
    /// A page whose header, lengths, offsets or text are not as the format says.
    InvalidPage = 1,
    /// A statement that cannot be decoded or has no meaning.
    InvalidStatement = 2,
    /// A closed, stale or foreign handle.
    InvalidHandle = 3,
    /// A setting that is missing, unknown or out of range.
    InvalidConfig = 4,
    /// An argument that is missing or has no meaning; raised by the C interface alone.
    InvalidArgument = 5,
    /// A value that its column cannot keep; names row, column and type.
    InvalidValue = 10,
    /// A table that nobody registered.
    UnknownTable = 11,
    /// A column that the table does not have.
    UnknownColumn = 12,
    /// The number of `?` differs from the number of parameters.
    ParameterCount = 13,
    /// The live table differs from its registration.
    TableMismatch = 14,
    /// A delete or update without a filter, or with an and or an or of nothing in it, that was not
    /// asked for with `all()`.
    FilterRequired = 15,
    /// This database, or this version of it, cannot do that.
    Unsupported = 16,
    /// The table belongs to another plugin.
    TableOwned = 17,
    /// More rows or bytes than a result may have; nothing of it was kept.
    ResultTooLarge = 20,
    /// Too many bytes in flight; the request was not accepted.
    Busy = 21,
    /// The deadline passed.
    Timeout = 22,
    /// Cancelled by its caller.
    Cancelled = 23,
    /// The database or the engine is closed or closing.
    Closed = 24,
    /// A unique or primary key has that value already.
    UniqueViolation = 30,
    /// A null where none may be.
    NotNullViolation = 31,
    /// A check or foreign key refused the row.
    ConstraintViolation = 32,
    /// The database could not understand the statement.
    Syntax = 33,
    /// The database could not be reached or opened.
    ConnectFailed = 40,
    /// The file, folder or account may not be written or read.
    PermissionDenied = 41,
    /// The database file is damaged or not a database.
    Corrupt = 42,
    /// No space is left.
    DiskFull = 43,
    /// Another process or connection holds the lock.
    Locked = 44,
    /// Reading or writing failed.
    Io = 45,
    /// Another error that the database reported.
    Database = 46,
    /// The library cannot be loaded; raised by Java alone.
    Unavailable = 50,
    /// A blocking call on a thread that must not block; raised by Java and the C interface.
    WrongThread = 51,
    /// The plugin, player or region that a result was meant for is gone; raised by Java alone.
    Gone = 52,
    /// A defect of this library.
    Internal = 60,
}

impl ErrorKind {
    /// Every kind, in the order of the numbers.
    pub const ALL: &'static [ErrorKind] = &[
        Self::InvalidPage,
        Self::InvalidStatement,
        Self::InvalidHandle,
        Self::InvalidConfig,
        Self::InvalidArgument,
        Self::InvalidValue,
        Self::UnknownTable,
        Self::UnknownColumn,
        Self::ParameterCount,
        Self::TableMismatch,
        Self::FilterRequired,
        Self::Unsupported,
        Self::TableOwned,
        Self::ResultTooLarge,
        Self::Busy,
        Self::Timeout,
        Self::Cancelled,
        Self::Closed,
        Self::UniqueViolation,
        Self::NotNullViolation,
        Self::ConstraintViolation,
        Self::Syntax,
        Self::ConnectFailed,
        Self::PermissionDenied,
        Self::Corrupt,
        Self::DiskFull,
        Self::Locked,
        Self::Io,
        Self::Database,
        Self::Unavailable,
        Self::WrongThread,
        Self::Gone,
        Self::Internal,
    ];

    /// The stable number.
    #[must_use]
    pub const fn code(self) -> u16 {
        self as u16
    }
}

/// What is known of a failed request's effect on the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Effect {
    /// Nothing was stored.
    #[default]
    None = 0,
    /// It was stored although the request failed afterwards.
    Applied = 1,
    /// The reply was lost: it may or may not have been stored.
    Unknown = 2,
}

/// An error with everything that a caller needs to act on it. Never holds a bound value or a
/// password.
#[derive(Debug, thiserror::Error)]
pub struct Error {
    kind: ErrorKind,
    effect: Effect,
    retryable: bool,
    operation: &'static str,
    message: String,
    context: Vec<(&'static str, String)>,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The result of every fallible operation of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A new error: nothing stored, not retryable, until said otherwise.
    #[must_use]
    pub fn new(kind: ErrorKind, operation: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            effect: Effect::None,
            retryable: matches!(kind, ErrorKind::Busy | ErrorKind::Locked),
            operation,
            message: message.into(),
            context: Vec::new(),
            source: None,
        }
    }

    /// Adds a named fact, such as the table, row or column.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.context.push((name, value.to_string()));
        self
    }

    /// Says what is known of the effect.
    #[must_use]
    pub fn effect_is(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Says whether trying again can help.
    #[must_use]
    pub fn retryable_is(mut self, retryable: bool) -> Self {
        self.retryable = retryable;
        self
    }

    /// Keeps the cause.
    #[must_use]
    pub fn caused_by(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same error for another request that failed with this one; the source stays with the
    /// first.
    #[must_use]
    pub fn duplicate(&self) -> Self {
        Self {
            kind: self.kind,
            effect: self.effect,
            retryable: self.retryable,
            operation: self.operation,
            message: self.message.clone(),
            context: self.context.clone(),
            source: None,
        }
    }

    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is known of the effect.
    #[must_use]
    pub const fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether trying again can help.
    #[must_use]
    pub const fn retryable(&self) -> bool {
        self.retryable
    }

    /// The operation that failed, such as `insert` or `connect`.
    #[must_use]
    pub const fn operation(&self) -> &'static str {
        self.operation
    }

    /// What happened and what to do, without the context.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The named facts in the order in which they were added.
    #[must_use]
    pub fn context(&self) -> &[(&'static str, String)] {
        &self.context
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.message)?;
        for (index, (name, value)) in self.context.iter().enumerate() {
            let lead = if index == 0 { " (" } else { ", " };
            write!(f, "{lead}{name}: {value}")?;
        }
        if !self.context.is_empty() {
            write!(f, ")")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_ascending() {
        assert!(ErrorKind::ALL.windows(2).all(|pair| pair[0].code() < pair[1].code()));
    }

    #[test]
    fn display_names_operation_message_and_context() {
        let error = Error::new(ErrorKind::InvalidValue, "insert", "NaN cannot be stored")
            .with("row", 3)
            .with("column", "level");
        assert_eq!(error.to_string(), "insert: NaN cannot be stored (row: 3, column: level)");
    }
}
