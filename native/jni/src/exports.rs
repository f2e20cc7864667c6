//! The natives of `dev.tickwell.core.Native`, in the order of `docs/boundary.md`. Each takes apart
//! its arguments, calls the engine, and puts the answer together; nothing else happens here. They
//! run on the JVM thread that calls them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jni::objects::{JByteArray, JClass, JLongArray, JObjectArray, JString};
use jni::sys::{JNI_VERSION_1_8, jboolean, jint, jlong};
use jni::{Env, EnvUnowned};
use tickwell_engine::backend::Backend;
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::pairs::{Settings, decode_pairs, encode_pairs};
use tickwell_engine::phase::FIELDS;
use tickwell_engine::runtime::{Event, Runtime, RuntimeConfig, end_tick, read_submission};
use tickwell_engine::session::{SessionConfig, StreamOptions, TransactionLimits};
use tickwell_engine::statement::StatementKind;
use tickwell_engine::tick::{Ready, Step};
use tickwell_sqlite::{SqliteBackend, SqliteConfig};

use crate::frames::Frame;
use crate::guard::{Failure, arm_panic, guarded, guarded_hot};
use crate::handles::{HANDLES, Object, OpenDatabase, OpenLane, OpenTransaction, invalid};
use crate::threads::{Prompt, lower_priority, yield_to_ticks};

/// The version of this boundary; Java refuses another one.
const ABI_VERSION: jint = 1;

/// The most completions that one call takes: as many local references may be live.
const MAX_COMPLETIONS: usize = 1_024;

/// Asked by the JVM when the library is loaded.
#[unsafe(no_mangle)]
pub extern "system" fn JNI_OnLoad(
    _vm: *mut jni::sys::JavaVM,
    _reserved: *mut std::ffi::c_void,
) -> jint {
    JNI_VERSION_1_8
}

/// Asked by the JVM when the class loader is gone and the code is about to be unmapped: no thread
/// of ours may run in it then, so what was not closed is closed without waiting for its requests.
#[unsafe(no_mangle)]
pub extern "system" fn JNI_OnUnload(_vm: *mut jni::sys::JavaVM, _reserved: *mut std::ffi::c_void) {
    guarded_hot("unload", || {
        for runtime in HANDLES.take_runtimes() {
            let _unread = runtime.close(Duration::ZERO);
        }
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_abiVersion(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
) -> jint {
    guarded_hot("abiVersion", || ABI_VERSION)
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_openRuntime<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    settings: JByteArray<'local>,
) -> jlong {
    guarded(env, &class, "openRuntime", |env| {
        let mut settings = read_settings(env, "open runtime", &settings)?;
        let panicking = settings.take("test-panic");
        let mut config = RuntimeConfig::from_settings(settings)?;
        config.thread_started = Some(lower_priority);
        let handle = HANDLES.insert(Object::Runtime(Arc::new(Runtime::new(&config))))?;
        arm_panic(panicking.unwrap_or_default());
        Ok(handle)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_closeRuntime<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    timeout: jlong,
) -> JByteArray<'local> {
    guarded(env, &class, "closeRuntime", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let report = engine.close(nanos(timeout));
        HANDLES.remove_of(runtime);
        // The runtime's own handle stays until `awaitCompletions` has given the last result.
        Ok(env.byte_array_from_slice(&encode_pairs(&report))?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_openDatabase<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    settings: JByteArray<'local>,
) -> jlong {
    guarded(env, &class, "openDatabase", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let mut settings = read_settings(env, "open", &settings)?;
        let config = SessionConfig::from_settings(&mut settings)?;
        let backend = open_backend(&mut settings)?;
        settings.finish()?;
        let session = engine.open_database(backend, config)?;
        Ok(HANDLES.insert(Object::Database(OpenDatabase { runtime, session }))?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_closeDatabase<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
    timeout: jlong,
) -> JByteArray<'local> {
    guarded(env, &class, "closeDatabase", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let session = HANDLES.database(runtime, database)?;
        HANDLES.remove(database);
        let report = engine.close_database(&session, nanos(timeout));
        Ok(env.byte_array_from_slice(&encode_pairs(&report))?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_backupDatabase<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
    path: JString<'local>,
) {
    guarded(env, &class, "backupDatabase", |env| {
        let session = HANDLES.database(runtime, database)?;
        let path = path.try_to_string(env)?;
        Ok(session.backup(Path::new(&path))?)
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_openOwner<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    name: JString<'local>,
) -> jint {
    guarded(env, &class, "openOwner", |env| {
        let engine = HANDLES.runtime(runtime)?;
        Ok(engine.open_owner(name.try_to_string(env)?)?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_closeOwner<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    owner: jint,
) {
    guarded(env, &class, "closeOwner", |_| {
        HANDLES.runtime(runtime)?.close_owner(owner);
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_submit<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
    request_id: jlong,
    owner: jint,
    request: JByteArray<'local>,
    page: JByteArray<'local>,
    offer: jboolean,
) -> jboolean {
    guarded(env, &class, "submit", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let session = HANDLES.database(runtime, database)?;
        let (request, page) = read_request(env, &request, &page)?;
        Ok(engine.submit(&session, unsigned(request_id), owner, &request, page, offer)?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_stream<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
    request_id: jlong,
    owner: jint,
    request: JByteArray<'local>,
    page: JByteArray<'local>,
    page_rows: jint,
    credit: jint,
    idle: jlong,
) {
    guarded(env, &class, "stream", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let session = HANDLES.database(runtime, database)?;
        let (request, page) = read_request(env, &request, &page)?;
        let options = StreamOptions {
            page_rows: usize::try_from(page_rows).unwrap_or(0),
            credit: u32::try_from(credit).unwrap_or(0),
            idle: if idle > 0 { nanos(idle) } else { StreamOptions::IDLE },
        };
        engine.stream(&session, unsigned(request_id), owner, &request, page, options)?;
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_credit<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    request_id: jlong,
    pages: jint,
) {
    guarded(env, &class, "credit", |_| {
        let pages = u32::try_from(pages).unwrap_or(0);
        HANDLES.runtime(runtime)?.credit(unsigned(request_id), pages);
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_execute<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
) -> JObjectArray<'local, JByteArray<'local>> {
    guarded(env, &class, "execute", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let session = HANDLES.database(runtime, database)?;
        let results = {
            let _prompt = Prompt::begin();
            session.execute()
        };
        hand_over(env, &engine, results.into_iter().map(Event::from).collect())
    })
}

// A small read sleeps for nothing, and each change of the thread's policy costs it a turn of its core.
#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_executeRead<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
) -> JObjectArray<'local, JByteArray<'local>> {
    guarded(env, &class, "executeRead", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let results = HANDLES.database(runtime, database)?.execute_read();
        hand_over(env, &engine, results.into_iter().map(Event::from).collect())
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_wakeDatabase<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
) {
    guarded(env, &class, "wakeDatabase", |_| {
        HANDLES.database(runtime, database)?.wake();
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_beginTransaction<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
    request_id: jlong,
    owner: jint,
    wait: jlong,
    total: jlong,
    idle: jlong,
) -> jlong {
    guarded(env, &class, "beginTransaction", |_| {
        let engine = HANDLES.runtime(runtime)?;
        let session = HANDLES.database(runtime, database)?;
        let defaults = session.transaction_limits();
        let or = |value: jlong, default| if value > 0 { nanos(value) } else { default };
        let limits =
            TransactionLimits { total: or(total, defaults.total), idle: or(idle, defaults.idle) };
        let wait = (wait > 0).then(|| nanos(wait));
        let _prompt = Prompt::begin();
        let begun = engine.begin(&session, unsigned(request_id), owner, wait, limits)?;
        let transaction = Arc::new(begun);
        Ok(HANDLES.insert(Object::Transaction(OpenTransaction { runtime, transaction }))?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_executeInTransaction<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    transaction: jlong,
    request_id: jlong,
    request: JByteArray<'local>,
    page: JByteArray<'local>,
) -> JByteArray<'local> {
    guarded(env, &class, "executeInTransaction", |env| {
        let open = HANDLES.transaction(runtime, transaction)?;
        let (request, page) = read_request(env, &request, &page)?;
        let submission = read_submission(unsigned(request_id), &request, page)?;
        let completion = {
            let _prompt = Prompt::begin();
            open.execute(submission)
        };
        result_array(env, &Event::from(completion))
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_endTransaction<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    transaction: jlong,
    commit: jboolean,
) {
    guarded(env, &class, "endTransaction", |_| {
        let open = HANDLES.transaction(runtime, transaction)?;
        HANDLES.remove(transaction);
        let _prompt = Prompt::begin();
        if commit {
            open.commit()?;
        } else {
            open.rollback();
        }
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_cancel<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    request_id: jlong,
) -> jboolean {
    guarded(env, &class, "cancel", |_| Ok(HANDLES.runtime(runtime)?.cancel(unsigned(request_id))))
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_awaitCompletions<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    max: jint,
    timeout: jlong,
) -> JObjectArray<'local, JByteArray<'local>> {
    guarded(env, &class, "awaitCompletions", |env| {
        let engine = HANDLES.runtime(runtime)?;
        let max = usize::try_from(max).unwrap_or(0).clamp(1, MAX_COMPLETIONS);
        let Some(events) = engine.take_completions(max, nanos(timeout)) else {
            // Closed, and the last result was given before: now the handle may go.
            HANDLES.remove(runtime);
            arm_panic(String::new());
            return Ok(JObjectArray::default());
        };
        hand_over(env, &engine, events)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_background(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
) -> jlong {
    guarded_hot("background", || {
        lower_priority();
        yield_to_ticks();
        1
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_record<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    database: jlong,
    kind: jint,
    fields: JLongArray<'local>,
) {
    guarded(env, &class, "record", |env| {
        let session = HANDLES.database(runtime, database)?;
        let kind = u8::try_from(kind).ok().and_then(StatementKind::from_code).ok_or_else(|| {
            Error::new(ErrorKind::InvalidStatement, "record", "no such statement kind")
                .with("kind", kind)
        })?;
        let length = fields.len(env)?;
        let mut values = [0; FIELDS.len()];
        if length != values.len() {
            // Says how many there should be.
            return Ok(session.recorder().record(kind, &vec![0; length.min(1_000)])?);
        }
        fields.get_region(env, 0, &mut values)?;
        Ok(session.recorder().record(kind, &values)?)
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_statistics<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
) -> JByteArray<'local> {
    guarded(env, &class, "statistics", |env| {
        let mut pairs = HANDLES.runtime(runtime)?.statistics();
        pairs.push(("handles".to_owned(), HANDLES.count_of(runtime).to_string()));
        Ok(env.byte_array_from_slice(&encode_pairs(&pairs))?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_openLane<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
) -> jlong {
    guarded(env, &class, "openLane", |_| {
        let engine = HANDLES.runtime(runtime)?;
        let lane = engine.open_lane()?;
        let completions = engine.completions();
        Ok(HANDLES.insert(Object::Lane(OpenLane { runtime, lane, completions }))?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_closeLane<'local>(
    env: EnvUnowned<'local>,
    class: JClass<'local>,
    runtime: jlong,
    lane: jlong,
) {
    guarded(env, &class, "closeLane", |_| {
        let engine = HANDLES.runtime(runtime)?;
        let open = HANDLES.with_lane(lane, OpenLane::clone).filter(|open| open.runtime == runtime);
        let open = open.ok_or_else(|| invalid("lane", lane))?;
        HANDLES.remove(lane);
        engine.close_lane(&open.lane);
        Ok(())
    });
}

// The hot exports: no JNI call, no exception. They never look at their first two arguments.

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_ready(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    lane: jlong,
    request_id: jlong,
    owner: jint,
    slices: jint,
    slice_kind: jint,
    finals: jint,
) -> jlong {
    guarded_hot("ready", || {
        let ready = Ready::from_numbers(unsigned(request_id), owner, slices, slice_kind, finals);
        let accepted =
            ready.and_then(|ready| HANDLES.with_lane(lane, |open| open.lane.ready(ready)));
        jlong::from(accepted.unwrap_or(false))
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_tickStart(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    lane: jlong,
    budget: jlong,
) -> jlong {
    guarded_hot("tickStart", || {
        let started =
            HANDLES.with_lane(lane, |open| open.lane.tick_start(budget.max(0).unsigned_abs()));
        jlong::from(started.is_some())
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_next(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    lane: jlong,
) -> jlong {
    guarded_hot("next", || code(HANDLES.with_lane(lane, |open| open.lane.next()).flatten()))
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_tickEnd(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    lane: jlong,
    slack: jlong,
) -> jlong {
    guarded_hot("tickEnd", || {
        let slack = slack.max(0).unsigned_abs();
        let step = HANDLES.with_lane(lane, |open| end_tick(&open.lane, &open.completions, slack));
        code(step.flatten())
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_dev_tickwell_core_Native_drop(
    _env: EnvUnowned<'_>,
    _class: JClass<'_>,
    lane: jlong,
    request_id: jlong,
) -> jlong {
    guarded_hot("drop", || {
        let found = HANDLES.with_lane(lane, |open| open.lane.drop_request(unsigned(request_id)));
        jlong::from(found.unwrap_or(false))
    })
}

/// A step as a long; the kinds are at most 8, so the sign bit stays clear.
fn code(step: Option<Step>) -> jlong {
    step.map_or(0, |step| signed(step.code()))
}

/// Ids and times are far below 2^63; what is not cannot come from this library.
fn signed(value: u64) -> jlong {
    jlong::try_from(value).unwrap_or(jlong::MAX)
}

/// A negative number from Java becomes 0, which is no request's id.
fn unsigned(value: jlong) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

fn nanos(value: jlong) -> Duration {
    Duration::from_nanos(unsigned(value))
}

/// A request's bytes and those of the page beside it, which may be null.
fn read_request(
    env: &Env<'_>,
    request: &JByteArray<'_>,
    page: &JByteArray<'_>,
) -> Result<(Vec<u8>, Option<Vec<u8>>), Failure> {
    let request = env.convert_byte_array(request)?;
    let page = if page.is_null() { None } else { Some(env.convert_byte_array(page)?) };
    Ok((request, page))
}

fn read_settings(
    env: &Env<'_>,
    operation: &'static str,
    bytes: &JByteArray<'_>,
) -> Result<Settings, Failure> {
    let bytes = env.convert_byte_array(bytes)?;
    Ok(Settings::new(operation, decode_pairs(&bytes)?)?)
}

/// The backend that the settings name, with the settings that it knows.
pub(crate) fn open_backend(settings: &mut Settings) -> Result<Box<dyn Backend>> {
    let backend = settings.require("type")?;
    match backend.as_str() {
        "sqlite" => {
            let taken: Vec<(&str, String)> = SqliteConfig::SETTINGS
                .iter()
                .filter_map(|&name| settings.take(name).map(|value| (name, value)))
                .collect();
            let taken = taken.iter().map(|(name, value)| (*name, value.as_str()));
            Ok(Box::new(SqliteBackend::new(SqliteConfig::from_settings(taken)?)))
        }
        other => Err(Error::new(
            ErrorKind::InvalidConfig,
            "open",
            "this type of database is not known; known is sqlite",
        )
        .with("type", other.escape_debug())),
    }
}

/// Gives events to Java. When that cannot take them they go back into the completion queue, to be
/// taken with its next call.
fn hand_over<'local>(
    env: &mut Env<'local>,
    engine: &Runtime,
    events: Vec<Event>,
) -> Result<JObjectArray<'local, JByteArray<'local>>, Failure> {
    frames(env, &events).inspect_err(|_| engine.completions().put_back(events))
}

/// An array of frames. A page for which Java has no memory becomes an error of its request.
fn frames<'local>(
    env: &mut Env<'local>,
    events: &[Event],
) -> Result<JObjectArray<'local, JByteArray<'local>>, Failure> {
    let array = JObjectArray::<JByteArray>::new(env, events.len(), JByteArray::null())?;
    for (index, event) in events.iter().enumerate() {
        let bytes = result_array(env, event)?;
        array.set_element(env, index, &bytes)?;
        env.delete_local_ref(bytes);
    }
    Ok(array)
}

/// The frame of an event; a page for which Java has no memory becomes an error of its request.
fn result_array<'local>(
    env: &mut Env<'local>,
    event: &Event,
) -> Result<JByteArray<'local>, Failure> {
    let failure = match frame_array(env, &Frame::of(event)) {
        Ok(bytes) => return Ok(bytes),
        Err(failure) => failure,
    };
    let error = Error::new(
        ErrorKind::ResultTooLarge,
        "deliver",
        "the Java heap has no room for this result; read less at once or raise -Xmx",
    );
    match Frame::failed(event, &error) {
        Some(frame) => {
            env.exception_clear();
            frame_array(env, &frame)
        }
        None => Err(failure),
    }
}

fn frame_array<'local>(
    env: &mut Env<'local>,
    frame: &Frame<'_>,
) -> Result<JByteArray<'local>, Failure> {
    let array = JByteArray::new(env, frame.len())?;
    array.set_region(env, 0, as_jbytes(&frame.head))?;
    if !frame.page.is_empty() {
        let offset = i32::try_from(frame.head.len()).unwrap_or(i32::MAX);
        array.set_region(env, offset, as_jbytes(frame.page))?;
    }
    Ok(array)
}

fn as_jbytes(bytes: &[u8]) -> &[i8] {
    // SAFETY: u8 and i8 have the same size, alignment and validity; the lifetime is kept.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}
