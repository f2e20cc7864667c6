//! Every export of the C interface runs inside [`call`], which turns an error or a panic into a status
//! and fills in the caller's error.

use std::any::Any;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tickwell_engine::error::{Effect, Error, ErrorKind, Result};

use super::arguments::Caller;
use super::types::{TICKWELL_MESSAGE_BYTES, TickwellError, TickwellStatus};
use crate::guard::panic_if_armed;

/// Runs an export.
///
/// # Safety
/// The export's caller keeps to the header's rules about pointers, and `error` is null or writable.
pub(super) unsafe fn call(
    export: &'static str,
    error: *mut TickwellError,
    run: impl for<'c> FnOnce(Caller<'c>) -> Result<TickwellStatus>,
) -> TickwellStatus {
    // SAFETY: so promises our own caller; nothing that `run` is lent leaves it, whatever `'c` is.
    let caller = unsafe { Caller::promises(export) };
    let result = catch_unwind(AssertUnwindSafe(|| {
        panic_if_armed(export);
        run(caller)
    }));
    let failure = match result {
        Ok(Ok(status)) => {
            let written = Written { code: status, effect: Effect::None, retryable: false };
            // SAFETY: null or writable, as our caller promises.
            unsafe { write(error, &written, "") };
            return status;
        }
        Ok(Err(failure)) => failure,
        Err(payload) => panicked(export, payload),
    };
    let code = TickwellStatus::from(failure.kind().code());
    let written = Written { code, effect: failure.effect(), retryable: failure.retryable() };
    // SAFETY: null or writable, as our caller promises.
    unsafe { write(error, &written, &failure.to_string()) };
    code
}

/// The error for a panic, after which nobody knows what was done.
fn panicked(export: &'static str, payload: Box<dyn Any + Send>) -> Error {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message");
    let message = format!("the library panicked: {text}; please report this");
    let error = Error::new(ErrorKind::Internal, export, message).effect_is(Effect::Unknown);
    // Its drop could panic again.
    std::mem::forget(payload);
    error
}

/// The numbers of an error.
struct Written {
    code: TickwellStatus,
    effect: Effect,
    retryable: bool,
}

/// Fills in an error; of its message only as much as is used.
///
/// # Safety
/// `error` is null or writable; it need not hold anything yet.
unsafe fn write(error: *mut TickwellError, written: &Written, message: &str) {
    if error.is_null() || !error.is_aligned() {
        return;
    }
    let text = shortened(message);
    // SAFETY: writable, as our caller promises, and aligned, as checked. Fields are written one by one,
    // without a reference to what may be no value yet. The text and its NUL fit the field.
    unsafe {
        (&raw mut (*error).code).write(written.code);
        (&raw mut (*error).effect).write(written.effect as u8);
        (&raw mut (*error).retryable).write(u8::from(written.retryable));
        (&raw mut (*error).reserved).write([0; 2]);
        let field = (&raw mut (*error).message).cast::<c_char>();
        field.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
        field.add(text.len()).write(0);
    }
}

/// A message as C can take it: without NULs, and cut at a character where it would not fit.
fn shortened(message: &str) -> String {
    const CUT: &str = "…";
    let mut text = message.replace('\0', "\\0");
    if text.len() >= TICKWELL_MESSAGE_BYTES {
        let mut end = TICKWELL_MESSAGE_BYTES - 1 - CUT.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(CUT);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_fit_and_end_at_a_character() {
        assert_eq!(shortened("a\0b"), "a\\0b");
        let longest = "x".repeat(TICKWELL_MESSAGE_BYTES - 1);
        assert_eq!(shortened(&longest), longest);
        for lead in 0..4 {
            let long = "x".repeat(lead) + &"\u{1F600}".repeat(TICKWELL_MESSAGE_BYTES / 4 + 1);
            let short = shortened(&long);
            assert!(
                short.len() < TICKWELL_MESSAGE_BYTES && short.len() > TICKWELL_MESSAGE_BYTES - 8
            );
            let kept = short.strip_suffix('…').unwrap();
            assert!(long.starts_with(kept));
        }
    }

    #[test]
    fn errors_and_panics_become_a_status_and_an_error() {
        let mut error = TickwellError {
            code: 99,
            effect: 99,
            retryable: 99,
            reserved: [9; 2],
            message: [1; TICKWELL_MESSAGE_BYTES],
        };
        let refused = |_: Caller<'_>| -> Result<TickwellStatus> {
            Err(Error::new(ErrorKind::Busy, "insert", "full").effect_is(Effect::Applied))
        };
        // SAFETY: the error is writable, and no other pointer is given.
        let status = unsafe { call("x", &raw mut error, refused) };
        assert_eq!(status, 21);
        assert_eq!((error.code, error.effect, error.retryable, error.reserved), (21, 1, 1, [0; 2]));
        assert_eq!(text(&error), "insert: full");

        // SAFETY: as above.
        let status = unsafe { call("x", &raw mut error, |_| Ok(-1)) };
        assert_eq!((status, error.code, error.effect, text(&error).as_str()), (-1, -1, 0, ""));

        let panics = |_: Caller<'_>| -> Result<TickwellStatus> { std::panic::panic_any("oops") };
        // SAFETY: as above.
        let status = unsafe { call("tickwell_x", &raw mut error, panics) };
        assert_eq!((status, error.effect), (60, Effect::Unknown as u8));
        assert_eq!(text(&error), "tickwell_x: the library panicked: oops; please report this");
        // SAFETY: null is allowed.
        assert_eq!(unsafe { call("x", std::ptr::null_mut(), refused) }, 21);
    }

    fn text(error: &TickwellError) -> String {
        let bytes: Vec<u8> =
            error.message.iter().take_while(|c| **c != 0).map(|c| *c as u8).collect();
        String::from_utf8(bytes).unwrap()
    }
}
