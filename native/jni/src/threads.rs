//! The priority of background threads: below the server's, so that on a machine without a free core
//! the tick goes first. Each function is called by the thread that it is about: by the engine's own
//! threads and by Java's workers as they start, and by a worker while it executes.

/// The niceness of background threads. Enough for the scheduler to prefer the tick (about three times
/// the share of a core), not so much that a busy machine starves the database.
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
/// one's own core, it waits until the core is free instead of taking it away.
pub(crate) fn yield_to_ticks() {
    #[cfg(target_os = "linux")]
    set_policy(libc::SCHED_BATCH);
}

/// While it lives, the calling thread, which yields to ticks otherwise, is a normal one: a statement
/// waits for the disk many times, and a batch thread on a busy machine would wait for a core each time.
pub(crate) struct Prompt(());

impl Prompt {
    pub(crate) fn begin() -> Self {
        #[cfg(target_os = "linux")]
        set_policy(libc::SCHED_OTHER);
        Self(())
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        yield_to_ticks();
    }
}

#[cfg(target_os = "linux")]
fn set_policy(policy: libc::c_int) {
    let priority = libc::sched_param { sched_priority: 0 };
    // SAFETY: reads the parameter, which outlives the call. 0 means the calling thread alone, and a
    // failure changes nothing.
    let _ = unsafe { libc::sched_setscheduler(0, policy, &raw const priority) };
}
