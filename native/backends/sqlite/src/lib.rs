//! The SQLite backend: one file per database, in WAL mode, through a bundled SQLite. A connection
//! belongs to the one worker thread that uses it; nothing here starts a thread or keeps a queue.
//! What the types and statements mean on SQLite stands in `docs/semantics.md`, the figures behind
//! the constants in `docs/decisions/0005-how-sqlite-is-used.md`.

mod arithmetic;
mod backup;
mod collect;
mod connect;
mod damage;
mod dialect;
mod error;
mod execute;
mod hold;
mod map;
mod register;
mod rows;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tickwell_engine::backend::{Backend, BackupProgress, Connection, Limits, Role};
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::statement::placeholder::Dialect;

use crate::damage::Damage;
use crate::hold::Hold;

/// Values that one statement may bind: `SQLITE_MAX_VARIABLE_NUMBER` as SQLite is built by default.
const MAX_BOUND_VALUES: usize = 32_766;

/// Used when `max-bound-values` is absent.
const DEFAULT_BOUND_VALUES: usize = 30_000;

/// Rows of one `INSERT`: the fastest of 1 to 5,000 for six columns.
const FAST_CHUNK_ROWS: usize = 50;

/// The longest `busy-timeout-millis`: ten minutes, so that a typing error cannot hang a server.
const MAX_BUSY_TIMEOUT_MILLIS: u64 = 600_000;

/// How much of a crash of the machine an acknowledged write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// All of it: the log is flushed with every commit.
    #[default]
    Full,
    /// The file stays whole, but the last commits may be lost when the machine loses power.
    Normal,
    /// The file may be damaged when the machine loses power.
    Off,
}

impl Synchronous {
    /// The value as settings and `PRAGMA synchronous` name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Normal => "normal",
            Self::Off => "off",
        }
    }
}

/// The settings of one SQLite database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteConfig {
    path: PathBuf,
    synchronous: Synchronous,
    busy_timeout: Duration,
    limits: Limits,
}

impl SqliteConfig {
    /// The names that [`SqliteConfig::from_settings`] takes.
    pub const SETTINGS: &'static [&'static str] =
        &["path", "synchronous", "busy-timeout-millis", "fast-chunk-rows", "max-bound-values"];

    /// The default settings for the file at `path`. A relative path is taken from the working
    /// directory of now.
    ///
    /// # Errors
    /// `InvalidConfig` for a path that names no file.
    pub fn new(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        // SQLite gives `:memory:` and an empty name a private database per connection, and reads
        // `file:…` as a URI; an absolute path excludes all three.
        if path.as_os_str().is_empty() || path.as_os_str() == ":memory:" {
            return Err(invalid(
                "path",
                "must name a file; an in-memory database is not supported",
            ));
        }
        if path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(invalid("path", "holds U+0000"));
        }
        let path = std::path::absolute(path)
            .map_err(|cause| invalid("path", "cannot be made absolute").caused_by(cause))?;
        Ok(Self {
            path,
            synchronous: Synchronous::default(),
            busy_timeout: Duration::from_secs(5),
            limits: Limits {
                max_bound_values: DEFAULT_BOUND_VALUES,
                fast_chunk_rows: FAST_CHUNK_ROWS,
                // Embedded: nothing is sent, and a page is far below `SQLITE_MAX_LENGTH` (10^9).
                max_packet_bytes: usize::MAX,
                // SQLite turns a NaN into NULL when it is bound.
                keeps_nan: false,
                keeps_nul_in_text: true,
                dialect: Dialect::SQLITE,
            },
        })
    }

    /// Reads settings; every name in [`SqliteConfig::SETTINGS`] but `path` may be absent.
    ///
    /// # Errors
    /// `InvalidConfig` naming the setting that is missing, unknown, repeated or out of range.
    pub fn from_settings<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self> {
        let mut seen: Vec<(&str, &str)> = Vec::new();
        for (name, value) in settings {
            if !Self::SETTINGS.contains(&name) {
                let message =
                    format!("is no setting of SQLite; known are {}", Self::SETTINGS.join(", "));
                return Err(invalid(name, &message));
            }
            if seen.iter().any(|&(other, _)| other == name) {
                return Err(invalid(name, "is given twice"));
            }
            seen.push((name, value));
        }
        let find = |name: &str| seen.iter().find(|&&(other, _)| other == name).map(|&(_, v)| v);

        let mut config = Self::new(find("path").ok_or_else(|| invalid("path", "is missing"))?)?;
        if let Some(value) = find("synchronous") {
            config.synchronous = match value {
                "full" => Synchronous::Full,
                "normal" => Synchronous::Normal,
                "off" => Synchronous::Off,
                _ => return Err(invalid("synchronous", "must be full, normal or off")),
            };
        }
        if let Some(value) = find("busy-timeout-millis") {
            let millis = number("busy-timeout-millis", value, 0, MAX_BUSY_TIMEOUT_MILLIS)?;
            config.busy_timeout = Duration::from_millis(millis);
        }
        if let Some(value) = find("fast-chunk-rows") {
            config.limits.fast_chunk_rows =
                match number("fast-chunk-rows", value, 0, u64::from(u32::MAX))? {
                    0 => usize::MAX,
                    rows => usize::try_from(rows).unwrap_or(usize::MAX),
                };
        }
        if let Some(value) = find("max-bound-values") {
            let most = number("max-bound-values", value, 1, MAX_BOUND_VALUES as u64)?;
            config.limits.max_bound_values = usize::try_from(most).unwrap_or(MAX_BOUND_VALUES);
        }
        Ok(config)
    }

    /// The database file, absolute.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The durability of a commit.
    #[must_use]
    pub const fn synchronous(&self) -> Synchronous {
        self.synchronous
    }

    /// How long to wait for another connection's lock.
    #[must_use]
    pub const fn busy_timeout(&self) -> Duration {
        self.busy_timeout
    }
}

fn invalid(setting: &str, problem: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, "configure", format!("{setting} {problem}"))
        .with("setting", setting)
}

fn number(setting: &'static str, value: &str, least: u64, most: u64) -> Result<u64> {
    value.parse::<u64>().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        invalid(setting, &format!("must be a whole number from {least} to {most}"))
            .with("value", value.escape_debug())
    })
}

/// An SQLite database. The file is Tickwell's alone: another SQLite in the same process sees none of
/// its locks and drops them when it closes the file (POSIX locks belong to the process). One that
/// only reads does no harm to what is written here; one that writes can damage the file.
#[derive(Debug)]
pub struct SqliteBackend {
    config: Arc<SqliteConfig>,
    shared: Arc<Shared>,
}

/// What the connections of one backend share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) damage: Damage,
    pub(crate) hold: Hold,
}

impl SqliteBackend {
    /// A backend with these settings; opens nothing yet.
    #[must_use]
    pub fn new(config: SqliteConfig) -> Self {
        Self { config: Arc::new(config), shared: Arc::default() }
    }
}

impl Backend for SqliteBackend {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn version(&self) -> String {
        rusqlite::version().to_owned()
    }

    fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// A writer creates the file; a reader needs one that a writer has opened before. Once damage was
    /// seen there are readers alone.
    fn connect(&self, role: Role) -> Result<Box<dyn Connection>> {
        if role == Role::Writer {
            self.shared.damage.refuse_writes("connect", self.config.path())?;
        }
        Ok(Box::new(connect::open(Arc::clone(&self.config), Arc::clone(&self.shared), role)?))
    }

    fn backup(&self, to: &Path, progress: &BackupProgress) -> Result<()> {
        backup::copy(&self.config, to, progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(settings: &[(&str, &str)]) -> (ErrorKind, String) {
        let error = SqliteConfig::from_settings(settings.iter().copied()).unwrap_err();
        (error.kind(), error.message().to_owned())
    }

    #[test]
    fn settings_are_read() {
        let config = SqliteConfig::from_settings([
            ("path", "/data/a.db"),
            ("synchronous", "normal"),
            ("busy-timeout-millis", "250"),
            ("fast-chunk-rows", "0"),
            ("max-bound-values", "32766"),
        ])
        .unwrap();
        assert_eq!(config.path(), Path::new("/data/a.db"));
        assert_eq!(config.synchronous(), Synchronous::Normal);
        assert_eq!(config.busy_timeout(), Duration::from_millis(250));
        assert_eq!(config.limits.fast_chunk_rows, usize::MAX);
        assert_eq!(config.limits.max_bound_values, 32_766);
    }

    #[test]
    fn defaults_are_the_safe_ones() {
        let config = SqliteConfig::from_settings([("path", "a.db")]).unwrap();
        assert!(config.path().is_absolute());
        assert_eq!(config.synchronous(), Synchronous::Full);
        assert_eq!(config.busy_timeout(), Duration::from_secs(5));
        assert_eq!(config.limits.max_bound_values, 30_000);
        assert!(!config.limits.keeps_nan);
    }

    #[test]
    fn bad_settings_are_named() {
        for (settings, message) in [
            (&[][..], "path is missing"),
            (&[("path", "")], "path must name a file; an in-memory database is not supported"),
            (
                &[("path", ":memory:")],
                "path must name a file; an in-memory database is not supported",
            ),
            (&[("path", "a"), ("path", "b")], "path is given twice"),
            (&[("path", "a"), ("synchronous", "FULL")], "synchronous must be full, normal or off"),
            (
                &[("path", "a"), ("busy-timeout-millis", "-1")],
                "busy-timeout-millis must be a whole number from 0 to 600000",
            ),
            (
                &[("path", "a"), ("max-bound-values", "32767")],
                "max-bound-values must be a whole number from 1 to 32766",
            ),
        ] {
            assert_eq!(refused(settings), (ErrorKind::InvalidConfig, message.to_owned()));
        }
        let (kind, message) = refused(&[("path", "a"), ("readers", "2")]);
        assert_eq!(kind, ErrorKind::InvalidConfig);
        assert!(message.starts_with("readers is no setting of SQLite"), "{message}");
    }
}
