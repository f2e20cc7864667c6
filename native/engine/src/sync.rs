//! Where the locks, condition variables and threads of sessions, queues and lanes come from: the
//! standard library; with the feature `shuttle`, which only the test of interleavings switches on, a
//! scheduler that tries orders of their steps, finds each lost wake-up as a deadlock, and never lets a
//! timed wait pass its time.

#[cfg(feature = "shuttle")]
pub(crate) use shuttle::{
    sync::{Condvar, Mutex, MutexGuard, atomic},
    thread,
};
#[cfg(not(feature = "shuttle"))]
pub(crate) use std::{
    sync::{Condvar, Mutex, MutexGuard, atomic},
    thread,
};
