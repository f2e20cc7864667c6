//! The priority of background threads: below the server's, so that on a machine without a free core
//! the tick goes first. Each function is called by the thread that it is about, as it starts: by the
//! engine's workers the one, by Java's encoder thread the other.

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

/// Makes the calling thread a batch thread where the system has them: woken by a tick thread on that
/// one's own core, it waits until the core is free instead of taking it away. Not for workers: they
/// are woken many times for one request, and would wait each time on a busy machine.
pub(crate) fn yield_to_ticks() {
    #[cfg(target_os = "linux")]
    {
        let priority = libc::sched_param { sched_priority: 0 };
        // SAFETY: reads the parameter, which outlives the call. 0 means the calling thread alone,
        // and a failure changes nothing.
        let _ = unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const priority) };
    }
}
