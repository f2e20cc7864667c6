//! The functions of the C interface. Each takes apart its arguments, calls the engine, and puts the
//! answer together. Any thread of the program runs them. The comments are those of the header.

use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tickwell_engine::backend::Outcome;
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::Page;
use tickwell_engine::pairs::Settings;
use tickwell_engine::runtime::RuntimeConfig;
use tickwell_engine::session::SessionConfig;
use tickwell_engine::value::{ValueRef, ValueType};

use super::arguments::{Caller, Place};
use super::guard::call;
use super::runtime::{
    Listener, OBJECTS, Object, OpenDatabase, OpenRuntime, database, may_block, nothing_left,
    ticket, with_ticket,
};
use super::statements::{self, Described};
use super::types::*;
use crate::exports::open_backend;
use crate::guard::arm_panic;
use crate::handles::invalid;

/// As long as forever, and short enough to be added to any clock.
const YEAR_MILLIS: u64 = 365 * 86_400_000;

/// The library's version of the C interface. Compare it with TICKWELL_ABI_VERSION before anything else:
/// another one has other structures.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_abi_version() -> u32 {
    TICKWELL_ABI_VERSION
}

/// The library's version as text that ends in a NUL. It stays.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Opens a runtime, to be closed with tickwell_runtime_close. `settings` may be NULL with a count of 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_runtime_open(
    settings: *const TickwellSetting,
    setting_count: usize,
    runtime: *mut TickwellRuntime,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("runtime", runtime)?;
        let mut settings = read_settings(caller, "open runtime", settings, setting_count)?;
        let panicking = settings.take("test-panic");
        let config = RuntimeConfig::from_settings(settings)?;
        let opened = Arc::new(OpenRuntime::open(config)?);
        let handle = OBJECTS.insert(Object::Runtime(opened))?;
        arm_panic(panicking.unwrap_or_default());
        Ok(place.put(TickwellRuntime { handle }))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_runtime_open", error, run) }
}

/// Closes a runtime with its databases. Refuses new requests, lets accepted ones end within the
/// timeout, cancels the rest, and returns when every thread of it has ended and the last callback has
/// returned. Results that are held can still be read, and are to be closed. TICKWELL_CODE_TIMEOUT says
/// what was not written, by table; the runtime is closed then too. Blocks; not for callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_runtime_close(
    runtime: TickwellRuntime,
    timeout_millis: u64,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |_: Caller<'_>| {
        may_block("close")?;
        let handle = runtime.handle;
        let open = super::runtime::runtime(handle)?;
        // Of two threads that close it, one does.
        OBJECTS.remove(handle).ok_or_else(|| invalid("runtime", handle))?;
        arm_panic(String::new());
        let closed = open.close(Duration::from_millis(timeout_millis));
        // Only now: what is accepted may end within the limit, transactions too.
        let of_it =
            |object: &Object| matches!(object, Object::Database(open) if open.runtime == handle);
        drop(OBJECTS.remove_if(of_it));
        closed.map(|()| TICKWELL_OK)
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_runtime_close", error, run) }
}

/// Opens a database. The settings `name`, `type` (sqlite) and `path` are needed. It is connected with
/// its first request. Closed with tickwell_database_close, or with its runtime.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_database_open(
    runtime: TickwellRuntime,
    settings: *const TickwellSetting,
    setting_count: usize,
    database: *mut TickwellDatabase,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("database", database)?;
        let engine = super::runtime::runtime(runtime.handle)?;
        let mut settings = read_settings(caller, "open", settings, setting_count)?;
        let config = SessionConfig::from_settings(&mut settings)?;
        let backend = open_backend(&mut settings)?;
        settings.finish()?;
        let session = engine.engine().open_database(backend, config)?;
        let open = OpenDatabase { runtime: runtime.handle, engine, session, transaction: None };
        let handle = OBJECTS.insert(Object::Database(Arc::new(open)))?;
        Ok(place.put(TickwellDatabase { handle }))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_database_open", error, run) }
}

/// Closes a database as tickwell_runtime_close does all of them. Blocks; not for callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_database_close(
    database: TickwellDatabase,
    timeout_millis: u64,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |_: Caller<'_>| {
        may_block("close")?;
        let open = super::runtime::database(database.handle)?;
        open.not_in_transaction(
            "close",
            "this is a transaction; tickwell_transaction_end ends it",
        )?;
        OBJECTS.remove(database.handle).ok_or_else(|| invalid("database", database.handle))?;
        let limit = Duration::from_millis(timeout_millis);
        nothing_left(&open.engine.engine().close_database(&open.session, limit))?;
        Ok(TICKWELL_OK)
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_database_close", error, run) }
}

/// Copies a database into the new file `path`, which is absolute, while it is in use, and checks the
/// copy. One copy at a time. Blocks; not for callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_database_backup(
    database: TickwellDatabase,
    path: *const c_char,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        may_block("backup")?;
        let path = caller.text("path", path)?;
        super::runtime::database(database.handle)?.session.backup(Path::new(path))?;
        Ok(TICKWELL_OK)
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_database_backup", error, run) }
}

/// Begins a transaction behind every write that was submitted before, and waits for its turn; writes
/// submitted later wait for its end. What it gives is used as the database is, by one thread at a time:
/// statements run at once, in the calling thread, and have ended when the call returns, which fails with
/// their error. After an error it is rolled back. `options` may be NULL. To be ended with
/// tickwell_transaction_end. Blocks; not for callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_transaction_begin(
    database: TickwellDatabase,
    options: *const TickwellTransaction,
    transaction: *mut TickwellDatabase,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        may_block("begin")?;
        let place = caller.place("transaction", transaction)?;
        let mut name = "native";
        let mut wait = None;
        let open = super::runtime::database(database.handle)?;
        let mut limits = open.session.transaction_limits();
        if let Some(options) = caller.optional("options", options)? {
            let given =
                |millis: u64| (millis > 0).then(|| Duration::from_millis(millis.min(YEAR_MILLIS)));
            if !options.name.is_null() {
                name = caller.text("options->name", options.name)?;
            }
            wait = given(options.wait_millis);
            limits.total = given(options.limit_millis).unwrap_or(limits.total);
            limits.idle = given(options.idle_millis).unwrap_or(limits.idle);
        }
        let begun = Arc::new(open.begin(name.to_owned(), wait, limits)?);
        let handle = OBJECTS.insert(Object::Database(begun))?;
        Ok(place.put(TickwellDatabase { handle }))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_transaction_begin", error, run) }
}

/// Ends a transaction: commits it when `commit` is not 0, else rolls it back. Its handle is gone,
/// whatever comes of it. Committing one that was rolled back gives the first error. Blocks; not for
/// callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_transaction_end(
    transaction: TickwellDatabase,
    commit: u32,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |_: Caller<'_>| {
        may_block("end")?;
        let handle = transaction.handle;
        let open = super::runtime::database(handle)?;
        let running = open.transaction.as_ref().ok_or_else(|| invalid("transaction", handle))?;
        OBJECTS.remove(handle).ok_or_else(|| invalid("transaction", handle))?;
        if commit == 0 {
            running.rollback();
        } else {
            running.commit()?;
        }
        Ok(TICKWELL_OK)
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_transaction_end", error, run) }
}

/// Registers a table: creates it when it is absent, else compares it. Requests about a table need it
/// registered first, and wait for that. The result is rows of one text, what was changed of a table that
/// was there.
///
/// This and the following calls submit a request and return without waiting for the database; what they
/// are given is copied before. On success the request is to be closed with tickwell_request_close.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_register(
    database: TickwellDatabase,
    table: *const TickwellTable,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let table = caller.get("table", table)?;
        submit(database, table.deadline_millis, place, |_| statements::register(caller, table))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_register", error, run) }
}

/// Inserts rows, all or none. The result is how many, or with TICKWELL_INSERT_RETURN_KEYS their keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_insert(
    database: TickwellDatabase,
    insert: *const TickwellInsert,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let insert = caller.get("insert", insert)?;
        submit(database, insert.deadline_millis, place, |database| {
            statements::insert(caller, &database.session, insert)
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_insert", error, run) }
}

/// Reads rows of a table. A read sees every write to its table that was submitted before it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_select(
    database: TickwellDatabase,
    select: *const TickwellSelect,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let select = caller.get("select", select)?;
        submit(database, select.deadline_millis, place, |database| {
            statements::select(caller, &database.session, select)
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_select", error, run) }
}

/// Counts rows of a table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_count(
    database: TickwellDatabase,
    count: *const TickwellCount,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let count = caller.get("count", count)?;
        submit(database, count.deadline_millis, place, |database| {
            statements::count(caller, &database.session, count)
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_count", error, run) }
}

/// Changes values of rows. The result is how many rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_update(
    database: TickwellDatabase,
    update: *const TickwellUpdate,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let update = caller.get("update", update)?;
        submit(database, update.deadline_millis, place, |database| {
            statements::update(caller, &database.session, update)
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_update", error, run) }
}

/// Deletes rows. The result is how many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_delete(
    database: TickwellDatabase,
    deletion: *const TickwellDelete,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let deletion = caller.get("deletion", deletion)?;
        submit(database, deletion.deadline_millis, place, |database| {
            statements::delete(caller, &database.session, deletion)
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_delete", error, run) }
}

/// Runs SQL that reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_query(
    database: TickwellDatabase,
    sql: *const TickwellSql,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let sql = caller.get("sql", sql)?;
        submit(database, sql.deadline_millis, place, |_| statements::sql(caller, sql, true))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_query", error, run) }
}

/// Runs SQL that writes. The result is how many rows it changed, where the database tells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_execute(
    database: TickwellDatabase,
    sql: *const TickwellSql,
    request: *mut TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("request", request)?;
        let sql = caller.get("sql", sql)?;
        submit(database, sql.deadline_millis, place, |_| statements::sql(caller, sql, false))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_execute", error, run) }
}

/// Waits until a request has ended, at most so long, and gives how: TICKWELL_OK, its error, or
/// TICKWELL_PENDING when it has not. With a timeout of 0 it only asks. Several threads may wait for one
/// request. Blocks; not for callbacks, which may ask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_request_wait(
    request: TickwellRequest,
    timeout_millis: u64,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |_: Caller<'_>| {
        let ticket = ticket(request.handle)?;
        if timeout_millis > 0 && !ticket.has_ended() {
            may_block("wait")?;
            ticket.wait(Duration::from_millis(timeout_millis));
        }
        Ok(if ticket.outcome()?.is_some() { TICKWELL_OK } else { TICKWELL_PENDING })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_request_wait", error, run) }
}

/// Has `callback` called with `context` and the request, once, when the request has ended: by a thread
/// of the library, one callback at a time, or before this returns, on the calling thread, when it has
/// ended already. It is called even if the request is closed before. Once for each request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_request_notify(
    request: TickwellRequest,
    callback: TickwellCallback,
    context: *mut c_void,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let listener = Listener::new(callback, context, request)
            .ok_or_else(|| caller.invalid("callback", "is NULL"))?;
        if ticket(request.handle)?.listen(listener) {
            return Ok(TICKWELL_OK);
        }
        Err(caller.invalid("request", "has a callback already"))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_request_notify", error, run) }
}

/// Cancels a request. `cancelled` becomes 1 when it will end as cancelled, and 0 when it has ended or is
/// a write that has begun. Either way it ends, and is to be closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_request_cancel(
    request: TickwellRequest,
    cancelled: *mut u32,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("cancelled", cancelled)?;
        Ok(place.put(u32::from(ticket(request.handle)?.cancel())))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_request_cancel", error, run) }
}

/// Gives a request and its result back. Pointers into the result end with it. A request that has not
/// ended goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_request_close(
    request: TickwellRequest,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |_: Caller<'_>| {
        with_ticket(request.handle, |_| Ok(()))?;
        let closed = OBJECTS.remove(request.handle);
        drop(closed.ok_or_else(|| invalid("request", request.handle))?);
        Ok(TICKWELL_OK)
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_request_close", error, run) }
}

/// How many rows a request affected or counted; -1 when the database does not tell, and for a result
/// that is rows.
///
/// This and the following calls read the result of a request that has ended: else they return
/// TICKWELL_PENDING, and for a failed one its error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_affected(
    request: TickwellRequest,
    affected: *mut i64,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("affected", affected)?;
        with_outcome(request, |outcome| {
            let told = match outcome {
                Outcome::Affected(told) => *told,
                Outcome::Rows(_) | Outcome::Parts(_) => None,
            };
            Ok(place.put(told.and_then(|told| i64::try_from(told).ok()).unwrap_or(-1)))
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_affected", error, run) }
}

/// How many rows and columns a result has; none when it is not rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_size(
    request: TickwellRequest,
    rows: *mut usize,
    columns: *mut usize,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let (row_place, column_place) =
            (caller.place("rows", rows)?, caller.place("columns", columns)?);
        with_outcome(request, |outcome| {
            let (rows, columns) = match outcome {
                Outcome::Rows(page) => (page.rows(), page.column_count()),
                Outcome::Affected(_) | Outcome::Parts(_) => (0, 0),
            };
            row_place.put(rows);
            Ok(column_place.put(columns))
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_size", error, run) }
}

/// The type (a TickwellType) and the name of a column of a result. The name is UTF-8 of that length,
/// without a NUL, and stays until the request is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_column(
    request: TickwellRequest,
    column: usize,
    value_type: *mut u32,
    name: *mut *const c_char,
    name_length: *mut usize,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let type_place = caller.place("value_type", value_type)?;
        let name_place = caller.place("name", name)?;
        let length_place = caller.place("name_length", name_length)?;
        with_page(caller, request, |page| {
            let value_type = page.column_type(column).ok_or_else(|| outside(page, 0, column))?;
            let name = page.column_name(column).unwrap_or_default();
            type_place.put(u32::from(value_type.code()));
            name_place.put(name.as_ptr().cast());
            Ok(length_place.put(name.len()))
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_column", error, run) }
}

/// A value of a result, rows and columns counted from 0. What its `data` points to stays until the
/// request is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_value(
    request: TickwellRequest,
    row: usize,
    column: usize,
    value: *mut TickwellValue,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("value", value)?;
        with_page(caller, request, |page| Ok(place.put(value_at(page, row, column)?)))
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_value", error, run) }
}

/// The first `column_count` values of a row, at once: the short way to read many. As
/// tickwell_result_value gives them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_row(
    request: TickwellRequest,
    row: usize,
    values: *mut TickwellValue,
    column_count: usize,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let places = caller.places("values", values, column_count)?;
        with_page(caller, request, |page| {
            // Asked for first, so that nothing is written for a row that is not whole.
            if let Some(last) = column_count.checked_sub(1) {
                value_at(page, row, last)?;
            }
            for (column, place) in places.enumerate() {
                place.put(value_at(page, row, column)?);
            }
            Ok(TICKWELL_OK)
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_row", error, run) }
}

/// The integer of a boolean (0 or 1), tinyint, smallint, int, bigint, date (days since 1970-01-01),
/// time_of_day (microseconds since midnight), timestamp (microseconds since 1970-01-01T00:00:00Z) or
/// timespan (nanoseconds); TICKWELL_NULL when it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_integer(
    request: TickwellRequest,
    row: usize,
    column: usize,
    value: *mut i64,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("value", value)?;
        read(caller, request, row, column, |value| match value {
            ValueRef::Boolean(value) => Some(place.put(value.into())),
            ValueRef::Integer(value) => Some(place.put(value)),
            _ => None,
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_integer", error, run) }
}

/// The number of a float or double; TICKWELL_NULL when it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_real(
    request: TickwellRequest,
    row: usize,
    column: usize,
    value: *mut f64,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let place = caller.place("value", value)?;
        read(caller, request, row, column, |value| match value {
            ValueRef::Float(value) => Some(place.put(value.into())),
            ValueRef::Double(value) => Some(place.put(value)),
            _ => None,
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_real", error, run) }
}

/// The text of a decimal, string, text or json: UTF-8 of that length, without a NUL at its end but
/// perhaps with some inside; TICKWELL_NULL when it is null. It stays until the request is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_text(
    request: TickwellRequest,
    row: usize,
    column: usize,
    text: *mut *const c_char,
    length: *mut usize,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let (place, length) = (caller.place("text", text)?, caller.place("length", length)?);
        read(caller, request, row, column, |value| {
            let ValueRef::Text(value) = value else { return None };
            place.put(value.as_ptr().cast());
            Some(length.put(value.len()))
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_text", error, run) }
}

/// The bytes of a bytes, item, location, nbt or object, or the 16 of a uuid; TICKWELL_NULL when it is
/// null. They stay until the request is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tickwell_result_bytes(
    request: TickwellRequest,
    row: usize,
    column: usize,
    bytes: *mut *const c_void,
    length: *mut usize,
    error: *mut TickwellError,
) -> TickwellStatus {
    let run = |caller: Caller<'_>| {
        let (place, length_place) =
            (caller.place("bytes", bytes)?, caller.place("length", length)?);
        with_page(caller, request, |page| {
            let value = value_at(page, row, column)?;
            let known = u8::try_from(value.value_type).ok().and_then(ValueType::from_code);
            match known {
                None => Ok(TICKWELL_NULL),
                Some(known) if !known.is_text() && !value.data.is_null() => {
                    place.put(value.data);
                    Ok(length_place.put(value.length))
                }
                Some(_) => Err(other_type(caller, page, column)),
            }
        })
    };
    // SAFETY: the caller keeps to the header's rules about pointers.
    unsafe { call("tickwell_result_bytes", error, run) }
}

/// A value that is null.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_null() -> TickwellValue {
    NULL
}

/// A boolean: not 0 is true.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_boolean(value: i32) -> TickwellValue {
    let integer = i64::from(value != 0);
    TickwellValue { value_type: ValueType::Boolean as u32, integer, ..NULL }
}

/// A bigint, for columns of every type whose values are integers.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_integer(value: i64) -> TickwellValue {
    TickwellValue { value_type: ValueType::BigInt as u32, integer: value, ..NULL }
}

/// A double, for columns of floats too, where it becomes the nearest one.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_real(value: f64) -> TickwellValue {
    TickwellValue { value_type: ValueType::Double as u32, real: value, ..NULL }
}

/// A text of so many bytes of UTF-8, which must stay until the call that the value is given to returns.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_text(text: *const c_char, length: usize) -> TickwellValue {
    TickwellValue { value_type: ValueType::Text as u32, data: text.cast(), length, ..NULL }
}

/// Bytes, which must stay until the call that the value is given to returns.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_bytes(bytes: *const c_void, length: usize) -> TickwellValue {
    TickwellValue { value_type: ValueType::Bytes as u32, data: bytes, length, ..NULL }
}

/// A uuid of 16 bytes, most significant first, which must stay until the call that the value is given to
/// returns.
#[unsafe(no_mangle)]
pub extern "C" fn tickwell_uuid(bytes: *const c_void) -> TickwellValue {
    TickwellValue { value_type: ValueType::Uuid as u32, data: bytes, length: 16, ..NULL }
}

const NULL: TickwellValue =
    TickwellValue { value_type: 0, integer: 0, real: 0.0, data: std::ptr::null(), length: 0 };

fn read_settings(
    caller: Caller<'_>,
    operation: &'static str,
    settings: *const TickwellSetting,
    count: usize,
) -> Result<Settings> {
    let pairs = caller
        .list("settings", settings, count)?
        .iter()
        .map(|setting| {
            let name = caller.text("a setting's name", setting.name)?;
            Ok((name.to_owned(), caller.text("a setting's value", setting.value)?.to_owned()))
        })
        .collect::<Result<Vec<_>>>()?;
    Settings::new(operation, pairs)
}

/// Describes a request, submits it, and gives its handle.
fn submit(
    handle: TickwellDatabase,
    deadline_millis: u32,
    place: Place<'_, TickwellRequest>,
    describe: impl FnOnce(&OpenDatabase) -> Result<Described>,
) -> Result<TickwellStatus> {
    let database = database(handle.handle)?;
    let (statement, page) = describe(&database)?;
    let ticket = database.submit(deadline_millis, statement, page)?;
    let handle = OBJECTS.insert(Object::Request(Arc::clone(&ticket))).inspect_err(|_| {
        // Nobody could ask for it.
        ticket.cancel();
    })?;
    Ok(place.put(TickwellRequest { handle }))
}

/// Reads a result, once it is there.
fn with_outcome(
    request: TickwellRequest,
    read: impl FnOnce(&Outcome) -> Result<TickwellStatus>,
) -> Result<TickwellStatus> {
    with_ticket(request.handle, |ticket| match ticket.outcome()? {
        None => Ok(TICKWELL_PENDING),
        Some(outcome) => read(outcome),
    })
}

/// Reads a result of rows, once it is there.
fn with_page(
    caller: Caller<'_>,
    request: TickwellRequest,
    read: impl FnOnce(&Page) -> Result<TickwellStatus>,
) -> Result<TickwellStatus> {
    with_outcome(request, |outcome| match outcome {
        Outcome::Rows(page) => read(page),
        Outcome::Affected(_) | Outcome::Parts(_) => {
            Err(caller.invalid("request", "has a result that is not rows"))
        }
    })
}

/// Gives a value to `take`, which gives `None` for one that it does not take.
fn read(
    caller: Caller<'_>,
    request: TickwellRequest,
    row: usize,
    column: usize,
    take: impl FnOnce(ValueRef<'_>) -> Option<TickwellStatus>,
) -> Result<TickwellStatus> {
    with_page(caller, request, |page| {
        match page.value(row, column).ok_or_else(|| outside(page, row, column))? {
            ValueRef::Null => Ok(TICKWELL_NULL),
            value => take(value).ok_or_else(|| other_type(caller, page, column)),
        }
    })
}

/// A value as C reads it; it points into the page.
fn value_at(page: &Page, row: usize, column: usize) -> Result<TickwellValue> {
    let found = page.value(row, column).zip(page.column_type(column));
    let (value, value_type) = found.ok_or_else(|| outside(page, row, column))?;
    let of = TickwellValue { value_type: value_type as u32, ..NULL };
    Ok(match value {
        ValueRef::Null => NULL,
        ValueRef::Boolean(value) => TickwellValue { integer: value.into(), ..of },
        ValueRef::Integer(integer) => TickwellValue { integer, ..of },
        ValueRef::Float(value) => TickwellValue { real: value.into(), ..of },
        ValueRef::Double(real) => TickwellValue { real, ..of },
        ValueRef::Text(text) => {
            TickwellValue { data: text.as_ptr().cast(), length: text.len(), ..of }
        }
        ValueRef::Bytes(bytes) => {
            TickwellValue { data: bytes.as_ptr().cast(), length: bytes.len(), ..of }
        }
        ValueRef::Uuid(_) => {
            let bytes = page.uuid(row, column).ok_or_else(|| outside(page, row, column))?;
            TickwellValue { data: bytes.as_ptr().cast(), length: bytes.len(), ..of }
        }
    })
}

fn outside(page: &Page, row: usize, column: usize) -> Error {
    let (rows, columns) = (page.rows(), page.column_count());
    let message = format!("the result has {rows} rows and {columns} columns, counted from 0");
    Error::new(ErrorKind::InvalidArgument, "result", message)
        .with("row", row)
        .with("column", column)
}

fn other_type(caller: Caller<'_>, page: &Page, column: usize) -> Error {
    let name = page.column_type(column).map_or("none", ValueType::name);
    caller.invalid("column", "has values of another type than this call reads").with("type", name)
}
