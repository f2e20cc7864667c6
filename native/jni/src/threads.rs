//! The priority of background threads: below the server's, so that on a machine without a free core
//! the tick goes first. Called by each worker as it starts, and by Java's encoder and callback
//! threads.

/// The niceness of background threads. Enough for the scheduler to prefer the tick (about three
/// times the share of a core), not so much that a busy machine starves the database.
#[cfg(target_os = "linux")]
const NICENESS: libc::c_int = 5;

/// Lowers the calling thread's priority where the system can do that for one thread, and makes it a
/// batch thread: one that, woken by the tick on the tick's own core, waits until that core is free
/// instead of taking it away. A tick thread that woke an ordinary thread was measured to lose its
/// core for as long as that one ran, 0.2 to 2 ms.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: takes numbers only. On Linux 0 means the calling thread alone. A failure changes
        // nothing and needs no answer: the thread then runs as any other.
        let _ = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) };
        let priority = libc::sched_param { sched_priority: 0 };
        // SAFETY: reads the parameter, which outlives the call; as above for 0 and for a failure.
        let _ = unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const priority) };
    }
}
