//! The one place where errors and panics become Java exceptions. Every export runs inside
//! [`guarded`] or, when it must be fast and throws nothing, inside [`guarded_hot`]. The exception is
//! made by a static method of the class `Native` itself, which each export is handed by the JVM: so
//! no class is looked up by name, whatever the thread's class loader, and no global reference keeps
//! a plugin's class loader alive.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use jni::errors::ErrorPolicy;
use jni::objects::{JClass, JObjectArray, JString, JThrowable, JValue};
use jni::{Env, EnvUnowned, jni_sig, jni_str};
use tickwell_engine::error::{Error, ErrorKind};

/// Why an export failed.
#[derive(Debug)]
pub(crate) enum Failure {
    Engine(Error),
    Jni(jni::errors::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl From<jni::errors::Error> for Failure {
    fn from(error: jni::errors::Error) -> Self {
        Self::Jni(error)
    }
}

/// Runs an export; an error or a panic becomes a `TickwellException` and the default value.
pub(crate) fn guarded<'local, T: Default>(
    mut env: EnvUnowned<'local>,
    class: &JClass<'local>,
    export: &'static str,
    run: impl FnOnce(&mut Env<'local>) -> Result<T, Failure>,
) -> T {
    env.with_env(|env| {
        panic_if_armed(export);
        run(env)
    })
    .resolve_with::<Throw, _>(|| Thrown { class, export })
}

/// Runs a hot export: a panic gives the default value.
pub(crate) fn guarded_hot<T: Default>(export: &'static str, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(|| {
        panic_if_armed(export);
        run()
    }))
    .unwrap_or_default()
}

struct Throw;

struct Thrown<'local, 'call> {
    class: &'call JClass<'local>,
    export: &'static str,
}

impl<T: Default> ErrorPolicy<T, Failure> for Throw {
    type Captures<'local: 'call, 'call> = Thrown<'local, 'call>;

    fn on_error<'local: 'call, 'call>(
        env: &mut Env<'local>,
        thrown: &mut Thrown<'local, 'call>,
        failure: Failure,
    ) -> jni::errors::Result<T> {
        // An exception that is pending already, such as an OutOfMemoryError, says more.
        if !env.exception_check() {
            let error = match failure {
                Failure::Engine(error) => error,
                Failure::Jni(error) => Error::new(
                    ErrorKind::Internal,
                    thrown.export,
                    format!("the JVM refused a call: {error}"),
                ),
            };
            throw(env, thrown.class, &error)?;
        }
        Ok(T::default())
    }

    fn on_panic<'local: 'call, 'call>(
        env: &mut Env<'local>,
        thrown: &mut Thrown<'local, 'call>,
        payload: Box<dyn Any + Send>,
    ) -> jni::errors::Result<T> {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("without a message");
        let message = format!("the library panicked: {text}; please report this");
        let error = Error::new(ErrorKind::Internal, thrown.export, message);
        if !env.exception_check() {
            throw(env, thrown.class, &error)?;
        }
        Ok(T::default())
    }
}

/// Throws the exception that `Native.exception` makes of an error.
fn throw(env: &mut Env<'_>, class: &JClass<'_>, error: &Error) -> jni::errors::Result<()> {
    let operation = JString::new(env, error.operation())?;
    let message = JString::new(env, error.message())?;
    let empty = JString::new(env, "")?;
    let context = JObjectArray::<JString>::new(env, error.context().len() * 2, &empty)?;
    for (index, (name, value)) in error.context().iter().enumerate() {
        for (offset, text) in [(0, *name), (1, value.as_str())] {
            let text = JString::new(env, text)?;
            context.set_element(env, index * 2 + offset, &text)?;
            env.delete_local_ref(text);
        }
    }
    let throwable = env
        .call_static_method(
            class,
            jni_str!("exception"),
            jni_sig!((int, int, boolean, JString, JString, JString[]) -> JThrowable),
            &[
                JValue::Int(i32::from(error.kind().code())),
                JValue::Int(error.effect() as i32),
                JValue::Bool(error.retryable()),
                (&operation).into(),
                (&message).into(),
                (&context).into(),
            ],
        )?
        .into_object()?;
    let throwable = env.cast_local::<JThrowable>(throwable)?;
    match env.throw(&throwable) {
        // Says that an exception is pending now, as it shall be.
        Err(jni::errors::Error::JavaException) => Ok(()),
        other => other,
    }
}

/// The export that panics on purpose, named by the runtime setting `test-panic`: it shows that the
/// guard holds in the very library that is shipped.
static ARMED: AtomicBool = AtomicBool::new(false);
static ARMED_EXPORT: Mutex<String> = Mutex::new(String::new());

/// Makes an export panic from now on; an empty name makes none.
pub(crate) fn arm_panic(export: String) {
    let armed = !export.is_empty();
    *ARMED_EXPORT.lock().unwrap_or_else(PoisonError::into_inner) = export;
    ARMED.store(armed, Ordering::Release);
}

#[allow(clippy::panic, reason = "the very panic that the guard is tested with")]
pub(crate) fn panic_if_armed(export: &'static str) {
    if ARMED.load(Ordering::Relaxed) {
        let armed = ARMED_EXPORT.lock().unwrap_or_else(PoisonError::into_inner).clone();
        assert!(armed != export, "test-panic in {export}");
    }
}
