//! Whether damage of the database file was seen. What is written into a damaged file can destroy
//! what could still be saved, so from then on nothing is, until the database is opened anew: a backend
//! lives from opening to closing. Shared by the connections of one backend; any thread.

use std::path::Path;
use std::sync::OnceLock;

use tickwell_engine::error::{Error, ErrorKind, Result};

/// The first damage that a connection met, if any did.
#[derive(Debug, Default)]
pub(crate) struct Damage(OnceLock<String>);

impl Damage {
    /// Looks at what a request gave, and remembers damage.
    pub(crate) fn note<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result
            && error.kind() == ErrorKind::Corrupt
        {
            // Another connection may have been first; either says what there is to say.
            let _ = self.0.set(error.to_string());
        }
        result
    }

    /// Whether damage was seen.
    pub(crate) fn is_seen(&self) -> bool {
        self.0.get().is_some()
    }

    /// Refuses to write a file of which damage was seen.
    ///
    /// # Errors
    /// `Corrupt`, with the first damage as `first`.
    pub(crate) fn refuse_writes(&self, operation: &'static str, path: &Path) -> Result<()> {
        let Some(first) = self.0.get() else { return Ok(()) };
        let message = "nothing more is written to the database file, as it is damaged; stop the \
                       server, keep a copy of the file and of those beside it that end in -wal and \
                       -shm, and restore a backup";
        Err(Error::new(ErrorKind::Corrupt, operation, message)
            .with("path", path.display())
            .with("first", first))
    }
}
