//! The one error of the xtask: a sentence for whoever typed the command, and the log whose end
//! explains it.

use std::fmt;
use std::path::{Path, PathBuf};

/// How many lines of a log are shown when its step failed.
const TAIL_LINES: usize = 40;

/// What went wrong, where, and what to do.
#[derive(Debug)]
pub struct Failure {
    message: String,
    log: Option<PathBuf>,
    telling: fn(&str) -> bool,
}

/// The result of everything here.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure that its message explains completely.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), log: None, telling: |_| true }
    }

    /// A failure whose log's last lines are shown below the message.
    pub fn with_log(message: impl Into<String>, log: &Path) -> Self {
        Self { log: Some(log.to_path_buf()), ..Self::new(message) }
    }

    /// Shows only these lines of the log, for a tool that ends with a page of general advice.
    pub fn telling(self, telling: fn(&str) -> bool) -> Self {
        Self { telling, ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.message)?;
        let Some(log) = &self.log else { return Ok(()) };
        // A log in the encoding of a broken tool is still worth showing.
        let text = std::fs::read(log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().filter(|line| (self.telling)(line)).collect();
        for line in lines.iter().skip(lines.len().saturating_sub(TAIL_LINES)) {
            writeln!(f, "  | {line}")?;
        }
        writeln!(f, "  the whole log: {}", log.display())
    }
}

/// Adds to an I/O error what was being done, since the error alone does not even name the file.
pub trait Doing<T> {
    /// `what` completes "cannot …".
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: fmt::Display> Doing<T> for std::result::Result<T, E> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure::new(format!("cannot {}: {error}", what())))
    }
}
