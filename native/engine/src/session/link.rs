//! One connection of a session: made when it is first needed, dropped after an error that leaves it
//! in doubt, and made again for the next request. Catches panics of the backend, so that a defect
//! there fails one request and not its thread. Belongs to the thread that it is lent to.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use crate::backend::{Backend, Connection, Role};
use crate::error::{Effect, Error, ErrorKind, Result};
use crate::sync::Mutex;

pub(super) struct Link {
    backend: Arc<dyn Backend>,
    role: Role,
    /// Whether a writer connection was made before, for any link of the session: it creates what
    /// readers need, such as the file.
    prepared: Arc<Mutex<bool>>,
    connection: Option<Box<dyn Connection>>,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("role", &self.role).finish_non_exhaustive()
    }
}

impl Link {
    pub(super) fn new(backend: &Arc<dyn Backend>, role: Role, prepared: &Arc<Mutex<bool>>) -> Self {
        let (backend, prepared) = (Arc::clone(backend), Arc::clone(prepared));
        Self { backend, role, prepared, connection: None }
    }

    pub(super) const fn role(&self) -> Role {
        self.role
    }

    /// Connects unless it is connected.
    ///
    /// # Errors
    /// The backend's own, with the true cause.
    pub(super) fn connect(&mut self) -> Result<()> {
        if self.connection.is_some() {
            return Ok(());
        }
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if !*prepared {
            let writer = catch("connect", || self.backend.connect(Role::Writer))?;
            *prepared = true;
            if self.role == Role::Writer {
                self.connection = Some(writer);
                return Ok(());
            }
            close(writer);
        }
        drop(prepared);
        self.connection = Some(catch("connect", || self.backend.connect(self.role))?);
        Ok(())
    }

    /// Whether it is connected; an open transaction is lost with the connection.
    pub(super) const fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    /// Calls the connection. A panic, or an error after which the connection cannot be trusted,
    /// drops it.
    ///
    /// # Errors
    /// The backend's own; `Internal` for a panic or without a connection.
    pub(super) fn call<T>(
        &mut self,
        operation: &'static str,
        run: impl FnOnce(&mut dyn Connection) -> Result<T>,
    ) -> Result<T> {
        let Some(connection) = self.connection.as_mut() else {
            return Err(Error::new(ErrorKind::Internal, operation, "there is no connection"));
        };
        let result = catch(operation, || run(connection.as_mut()));
        if let Err(error) = &result
            && is_fatal(error.kind())
        {
            self.disconnect();
        }
        result
    }

    /// Rolls back and, where that fails, drops the connection, which rolls back too.
    pub(super) fn roll_back(&mut self) {
        if self.is_connected() && self.call("rollback", |c| c.rollback()).is_err() {
            self.disconnect();
        }
    }

    /// Commits; a panic in it leaves the effect unknown.
    ///
    /// # Errors
    /// The backend's own, after rolling back.
    pub(super) fn commit(&mut self) -> Result<()> {
        let Some(connection) = self.connection.as_mut() else {
            let message = "the connection was lost before the commit";
            return Err(Error::new(ErrorKind::Internal, "commit", message));
        };
        let mut returned = false;
        let result = catch("commit", || {
            let result = connection.commit();
            returned = true;
            result
        });
        result.map_err(|error| {
            if is_fatal(error.kind()) {
                self.disconnect();
            } else {
                self.roll_back();
            }
            if returned { error } else { error.effect_is(Effect::Unknown) }
        })
    }

    /// Drops the connection, whatever its drop does.
    pub(super) fn disconnect(&mut self) {
        if let Some(connection) = self.connection.take() {
            close(connection);
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.disconnect();
    }
}

fn close(connection: Box<dyn Connection>) {
    // What a panic in it would say adds nothing: the request's error is known already.
    let _ = catch("disconnect", || {
        drop(connection);
        Ok(())
    });
}

/// After these the connection is in doubt, while a new one may work.
const fn is_fatal(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectFailed | ErrorKind::Io | ErrorKind::Corrupt | ErrorKind::Internal
    )
}

/// Runs a call into the backend; a panic becomes `Internal`.
fn catch<T>(operation: &'static str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    // A connection that unwound is dropped by the caller, so no broken state is seen afterwards.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = panic_text(payload.as_ref());
        let message = format!("the backend panicked: {text}; please report this");
        Err(Error::new(ErrorKind::Internal, operation, message))
    })
}

/// What a panic said.
pub(super) fn panic_text(payload: &(dyn std::any::Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
