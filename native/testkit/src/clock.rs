//! A clock for tests of the tick: it stands still until it is moved. Clones show the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tickwell_engine::tick::Clock;

/// A clock that moves only by [`FakeClock::advance`], from any thread.
#[derive(Debug, Clone, Default)]
pub struct FakeClock(Arc<AtomicU64>);

impl FakeClock {
    /// A clock at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the clock forward.
    pub fn advance(&self, nanos: u64) {
        self.0.fetch_add(nanos, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_show_the_same_time() {
        let clock = FakeClock::new();
        let seen = clock.clone();
        clock.advance(250);
        clock.advance(50);
        assert_eq!(seen.now(), 300);
    }
}
