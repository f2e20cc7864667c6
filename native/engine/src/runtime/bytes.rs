//! Bytes in flight: what requests hold in memory between submit and the moment at which Java has
//! taken their result, bounded. A [`Reservation`] gives its bytes back when it is dropped, wherever
//! that happens. Any thread.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use crate::backend::Control;
use crate::error::{Error, ErrorKind, Result};
use crate::sync::{Condvar, Mutex};

/// One cap and what is reserved of it.
#[derive(Debug)]
pub struct BytesInFlight {
    /// What it is for, such as `read`; names the setting in messages.
    what: &'static str,
    cap: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

impl BytesInFlight {
    /// Nothing reserved yet.
    #[must_use]
    pub fn new(what: &'static str, cap: usize) -> Arc<Self> {
        Arc::new(Self { what, cap, used: Mutex::new(0), freed: Condvar::new() })
    }

    /// Reserves bytes.
    ///
    /// # Errors
    /// `Busy` when the cap would be passed; not retryable when it never could be kept.
    pub fn reserve(self: &Arc<Self>, operation: &'static str, bytes: usize) -> Result<Reservation> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes > self.cap {
            let message = format!(
                "the request has {bytes} bytes, all {what}s together may have {cap}; make it smaller or raise {what}-bytes-in-flight",
                what = self.what,
                cap = self.cap
            );
            return Err(Error::new(ErrorKind::Busy, operation, message).retryable_is(false));
        }
        if used.saturating_add(bytes) > self.cap {
            let message = format!(
                "{used} of {cap} bytes of {what}s are in flight; try again when earlier requests are done, or raise {what}-bytes-in-flight",
                what = self.what,
                cap = self.cap
            );
            return Err(Error::new(ErrorKind::Busy, operation, message).with("bytes", bytes));
        }
        *used += bytes;
        Ok(Reservation { pool: Arc::clone(self), bytes })
    }

    /// A reservation of nothing, for a completion whose bytes another still holds.
    #[must_use]
    pub fn empty(self: &Arc<Self>) -> Reservation {
        Reservation { pool: Arc::clone(self), bytes: 0 }
    }

    /// Waits until no more than the cap is reserved (results may pass it by one page for each
    /// reader).
    ///
    /// # Errors
    /// `Timeout` or `Cancelled` as `control` says.
    pub fn wait_for_room(&self, control: &Control) -> Result<()> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used > self.cap {
            control.check("read")?;
            let left = control.deadline().saturating_duration_since(Instant::now());
            used = self.freed.wait_timeout(used, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(())
    }

    /// Makes those who wait for room look at their control again.
    pub fn wake(&self) {
        // Under the lock: a waiter that has just looked is asleep by then.
        let _used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.freed.notify_all();
    }

    /// What is reserved now.
    #[must_use]
    pub fn used(&self) -> usize {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, before: usize, after: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits below the cap, and telling nobody costs a system call too.
        let full = *used > self.cap;
        *used = used.saturating_sub(before).saturating_add(after);
        if full && after < before {
            self.freed.notify_all();
        }
    }
}

/// Reserved bytes; given back on drop.
#[derive(Debug)]
pub struct Reservation {
    pool: Arc<BytesInFlight>,
    bytes: usize,
}

impl Reservation {
    /// Replaces the estimate by what is really held; may pass the cap, since the bytes exist.
    pub fn resize(&mut self, bytes: usize) {
        self.pool.change(self.bytes, bytes);
        self.bytes = bytes;
    }

    /// The pool that it belongs to.
    #[must_use]
    pub fn pool(&self) -> &BytesInFlight {
        &self.pool
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.pool.change(self.bytes, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_cap_is_kept_and_bytes_come_back() {
        let pool = BytesInFlight::new("read", 100);
        let first = pool.reserve("select", 60).unwrap();
        let error = pool.reserve("select", 41).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Busy);
        assert!(error.retryable());
        let second = pool.reserve("select", 40).unwrap();
        drop(first);
        assert_eq!(pool.used(), 40);
        drop(second);
        assert_eq!(pool.used(), 0);
        assert!(!pool.reserve("select", 101).unwrap_err().retryable());
    }

    #[test]
    fn a_result_past_the_cap_makes_the_next_wait_until_it_is_taken() {
        let pool = BytesInFlight::new("read", 100);
        let mut result = pool.reserve("select", 10).unwrap();
        result.resize(500);
        let late = Control::new(Instant::now());
        assert_eq!(pool.wait_for_room(&late).unwrap_err().kind(), ErrorKind::Timeout);
        let control = Control::new(Instant::now() + Duration::from_secs(60));
        let wait = |control: &Control| {
            let (pool, control) = (Arc::clone(&pool), control.clone());
            std::thread::spawn(move || pool.wait_for_room(&control))
        };
        let waiter = wait(&control);
        drop(result);
        assert!(waiter.join().unwrap().is_ok());

        let _result = {
            let mut result = pool.reserve("select", 10).unwrap();
            result.resize(500);
            result
        };
        let waiter = wait(&control);
        control.cancel();
        pool.wake();
        assert_eq!(waiter.join().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
    }
}
