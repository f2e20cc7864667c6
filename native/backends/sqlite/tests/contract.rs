//! SQLite keeps the contract of backends.
#![allow(clippy::unwrap_used, reason = "helpers of tests: a broken expectation ends the test")]

use tempfile::TempDir;
use tickwell_sqlite::{SqliteBackend, SqliteConfig};
use tickwell_testkit::Subject;

fn empty() -> (TempDir, Subject) {
    let folder = tempfile::tempdir().unwrap();
    let config = SqliteConfig::new(folder.path().join("data.db")).unwrap();
    let subject = Subject {
        backend: Box::new(SqliteBackend::new(config)),
        endless_query: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                        SELECT COUNT(*) FROM n",
    };
    (folder, subject)
}

tickwell_testkit::contract_tests!(empty);
tickwell_testkit::contract_tests!(streams: empty);
