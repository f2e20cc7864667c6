//! The engine's clock: monotonic nanoseconds since the library first asked. Behind a trait so that
//! tests drive the tick with a clock of their own. Any thread.

use std::sync::OnceLock;
use std::time::Instant;

/// A monotonic clock.
pub trait Clock: Send {
    /// Nanoseconds since a fixed moment; never less than before.
    fn now(&self) -> u64;
}

/// The machine's monotonic clock, see [`now_nanos`].
#[derive(Debug, Clone, Copy, Default)]
pub struct MonotonicClock;

impl Clock for MonotonicClock {
    fn now(&self) -> u64 {
        now_nanos()
    }
}

/// Monotonic nanoseconds since the first call in this process.
#[must_use]
pub fn now_nanos() -> u64 {
    static EPOCH: OnceLock<Instant> = OnceLock::new();
    let elapsed = EPOCH.get_or_init(Instant::now).elapsed();
    elapsed.as_secs().wrapping_mul(1_000_000_000).wrapping_add(u64::from(elapsed.subsec_nanos()))
}
