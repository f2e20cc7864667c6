//! The priority of the engine's worker threads: below the server's, so that on a machine without a
//! free core the tick goes first. Called by each worker as it starts.

/// The niceness of workers. Enough for the scheduler to prefer the tick (about three times the
/// share of a core), not so much that a busy machine starves the database.
#[cfg(target_os = "linux")]
const NICENESS: libc::c_int = 5;

/// Lowers the calling thread's priority where the system can do that for one thread.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: takes numbers only. On Linux 0 means the calling thread alone. A failure changes
        // nothing and needs no answer: the thread then runs as any other.
        let _ = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) };
    }
}
