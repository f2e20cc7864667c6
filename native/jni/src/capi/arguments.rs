//! The one place that reads and writes through pointers of C. Each is checked for what can be checked,
//! null, alignment, size and UTF-8; that it points to something is the caller's promise, which the
//! header states and a [`Caller`] stands for. Runs on the thread that calls.

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;

use tickwell_engine::error::{Error, ErrorKind, Result};

use super::types::{TICKWELL_OK, TickwellStatus};

/// The promise that pointers given in the running call are null or point to what their types say,
/// `count` of them where a count belongs to them, and for a text up to a NUL; readable, and for places
/// of answers writable, until the call returns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Caller<'c> {
    export: &'static str,
    call: PhantomData<&'c ()>,
}

/// A place for an answer.
#[derive(Debug)]
pub(super) struct Place<'c, T> {
    to: *mut T,
    call: PhantomData<&'c ()>,
}

impl<'c> Caller<'c> {
    /// The promise for a call of this export.
    ///
    /// # Safety
    /// The caller of the export has given it, and `'c` ends with the call.
    pub(super) const unsafe fn promises(export: &'static str) -> Self {
        Self { export, call: PhantomData }
    }

    /// An error about an argument.
    pub(super) fn invalid(&self, argument: &str, problem: &str) -> Error {
        let message = format!("{argument} {problem}");
        Error::new(ErrorKind::InvalidArgument, self.export, message)
    }

    /// What an argument points to.
    pub(super) fn get<T>(&self, argument: &str, from: *const T) -> Result<&'c T> {
        self.optional(argument, from)?.ok_or_else(|| self.invalid(argument, "is NULL"))
    }

    /// What an argument points to; `None` when it is null.
    pub(super) fn optional<T>(&self, argument: &str, from: *const T) -> Result<Option<&'c T>> {
        if !from.is_null() && !from.is_aligned() {
            return Err(self.invalid(argument, "is not aligned as its type needs"));
        }
        // SAFETY: null or, as the caller promises, readable for the call; aligned, as checked. Types
        // that C fills in hold numbers and pointers alone, for which any bytes are a value.
        Ok(unsafe { from.as_ref() })
    }

    /// The `count` things to which an argument points.
    pub(super) fn list<T>(&self, argument: &str, from: *const T, count: usize) -> Result<&'c [T]> {
        if count == 0 {
            return Ok(&[]);
        }
        let bytes = count.checked_mul(size_of::<T>());
        if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            return Err(self.invalid(argument, "has more elements than memory can hold"));
        }
        if from.is_null() {
            return Err(self.invalid(argument, "is NULL and its count is not 0"));
        }
        if !from.is_aligned() {
            return Err(self.invalid(argument, "is not aligned as its type needs"));
        }
        // SAFETY: not null, aligned and of a possible size, as checked; the caller promises that so
        // many are readable for the call. As above, any bytes are a value.
        Ok(unsafe { std::slice::from_raw_parts(from, count) })
    }

    /// The bytes to which an argument points.
    pub(super) fn bytes(
        &self,
        argument: &str,
        from: *const c_void,
        length: usize,
    ) -> Result<&'c [u8]> {
        self.list(argument, from.cast::<u8>(), length)
    }

    /// The text, up to its NUL, to which an argument points.
    pub(super) fn text(&self, argument: &str, from: *const c_char) -> Result<&'c str> {
        if from.is_null() {
            return Err(self.invalid(argument, "is NULL"));
        }
        // SAFETY: not null, and the caller promises a NUL, and that it is readable for the call.
        let text = unsafe { CStr::from_ptr(from) };
        text.to_str().map_err(|_| self.invalid(argument, "is not UTF-8"))
    }

    /// The texts to which the elements of a list point.
    pub(super) fn texts(
        &self,
        argument: &str,
        from: *const *const c_char,
        count: usize,
    ) -> Result<Vec<String>> {
        let texts = self.list(argument, from, count)?;
        texts.iter().map(|&text| Ok(self.text(argument, text)?.to_owned())).collect()
    }

    /// The place for an answer. Asked for before anything is done, so that a place that is missing
    /// loses nothing.
    pub(super) fn place<T>(&self, argument: &str, to: *mut T) -> Result<Place<'c, T>> {
        if to.is_null() {
            return Err(self.invalid(argument, "is NULL"));
        }
        if !to.is_aligned() {
            return Err(self.invalid(argument, "is not aligned as its type needs"));
        }
        Ok(Place { to, call: PhantomData })
    }

    /// The places for `count` answers, one after the other.
    pub(super) fn places<T>(
        &self,
        argument: &str,
        to: *mut T,
        count: usize,
    ) -> Result<impl Iterator<Item = Place<'c, T>> + use<'c, T>> {
        if count > 0 {
            self.place(argument, to)?;
        }
        if count.checked_mul(size_of::<T>()).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            return Err(self.invalid(argument, "has more elements than memory can hold"));
        }
        // Wrapping, as no more than `count` are there and the size was checked.
        Ok((0..count).map(move |index| Place { to: to.wrapping_add(index), call: PhantomData }))
    }
}

impl<T: Copy> Place<'_, T> {
    /// Writes the answer, and gives how a call ends with that.
    pub(super) fn put(self, value: T) -> TickwellStatus {
        // SAFETY: not null and aligned, as checked; the caller promises that it is writable for the
        // call. What was there is not read: it may be no value yet.
        unsafe { self.to.write(value) };
        TICKWELL_OK
    }
}
