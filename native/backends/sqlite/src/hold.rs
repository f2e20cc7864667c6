//! Keeps others from taking the log away. SQLite's locks belong to the process, so another copy of it
//! in this server sees none of ours: when it closes the file, it believes to be the last, writes the log
//! into the file and removes it, and what we write afterwards is in a file without a name, gone with
//! the next crash. A lock that belongs to an open file is seen by everybody, and held as long as a
//! connection of this backend is open. Any thread.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

/// The bytes that SQLite locks to read; who removes the log must lock all of them to write.
/// <https://sqlite.org/src/file/src/os.h>, `SHARED_FIRST` and `SHARED_SIZE`.
const SHARED_FIRST: i64 = 0x4000_0002;
const SHARED_BYTES: i64 = 510;

/// The lock of one backend, and how many of its connections need it.
#[derive(Debug, Default)]
pub(crate) struct Hold(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    connections: usize,
    /// Closing it drops all locks that this process has on the file by SQLite's way, so it stays open
    /// until the last connection has closed.
    file: Option<File>,
}

impl Hold {
    /// Counts a connection, after it has read the file for the first time. Where the lock is not to
    /// be had, as on some network file systems, there is none; the next connection tries again.
    pub(crate) fn enter(&self, path: &Path) {
        let mut state = self.state();
        state.connections += 1;
        if state.file.is_none() {
            state.file = File::open(path).ok();
            if let Some(file) = &state.file {
                // Kept also without the lock: closing it now would drop SQLite's.
                let _ = lock(file, libc::F_RDLCK);
            }
        }
    }

    /// Counts a connection that is about to close. The last one gets the file, without the lock, which
    /// would keep it from writing the log into the database; it closes the file after itself.
    pub(crate) fn leave(&self) -> Option<File> {
        let mut state = self.state();
        state.connections = state.connections.saturating_sub(1);
        if state.connections > 0 {
            return None;
        }
        let file = state.file.take()?;
        let _ = lock(&file, libc::F_UNLCK);
        Some(file)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lock(file: &File, kind: i32) -> nix::Result<i32> {
    let range = libc::flock {
        l_type: kind as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: SHARED_FIRST,
        l_len: SHARED_BYTES,
        l_pid: 0,
    };
    fcntl(file, FcntlArg::F_OFD_SETLK(&range))
}
