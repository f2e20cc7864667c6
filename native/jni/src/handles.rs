//! Handles: what Java holds in place of pointers, each the number of a slot. One that was closed, or
//! never given, is found out and refused. The registry is global; any thread.

use std::sync::Arc;

use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::runtime::{Completions, Runtime, ServerLane};
use tickwell_engine::session::{Session, Transaction};

use crate::slots::Slots;

/// What a handle stands for.
#[derive(Debug, Clone)]
pub(crate) enum Object {
    Runtime(Arc<Runtime>),
    Database(OpenDatabase),
    Lane(OpenLane),
    Transaction(OpenTransaction),
}

impl Object {
    /// Whether it is a database, lane or transaction of this runtime.
    fn is_of(&self, handle: i64) -> bool {
        match self {
            Self::Runtime(_) => false,
            Self::Database(database) => database.runtime == handle,
            Self::Lane(lane) => lane.runtime == handle,
            Self::Transaction(transaction) => transaction.runtime == handle,
        }
    }
}

/// A database and the runtime that it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct OpenDatabase {
    pub(crate) runtime: i64,
    pub(crate) session: Arc<Session>,
}

/// A transaction and the runtime that it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct OpenTransaction {
    pub(crate) runtime: i64,
    pub(crate) transaction: Arc<Transaction>,
}

/// A lane, the runtime that it belongs to, and where its records go.
#[derive(Debug, Clone)]
pub(crate) struct OpenLane {
    pub(crate) runtime: i64,
    pub(crate) lane: Arc<ServerLane>,
    pub(crate) completions: Arc<Completions>,
}

#[derive(Debug)]
pub(crate) struct Registry {
    slots: Slots<Object>,
}

/// The registry of what Java holds.
pub(crate) static HANDLES: Registry = Registry::new();

impl Registry {
    const fn new() -> Self {
        Self { slots: Slots::new() }
    }

    /// Registers an object; its handle is positive.
    pub(crate) fn insert(&self, object: Object) -> Result<i64> {
        self.slots.insert(object)
    }

    /// Forgets a handle and gives its object.
    pub(crate) fn remove(&self, handle: i64) -> Option<Object> {
        self.slots.remove(handle)
    }

    /// Forgets all databases, lanes and transactions of a runtime.
    pub(crate) fn remove_of(&self, handle: i64) {
        drop(self.slots.remove_if(|object| object.is_of(handle)));
    }

    /// Forgets everything and gives the runtimes that were open.
    pub(crate) fn take_runtimes(&self) -> Vec<Arc<Runtime>> {
        let runtime = |object| match object {
            Object::Runtime(runtime) => Some(runtime),
            Object::Database(_) | Object::Lane(_) | Object::Transaction(_) => None,
        };
        self.slots.remove_if(|_| true).into_iter().filter_map(runtime).collect()
    }

    /// The runtime with this handle.
    pub(crate) fn runtime(&self, handle: i64) -> Result<Arc<Runtime>> {
        match self.get(handle) {
            Some(Object::Runtime(runtime)) => Ok(runtime),
            _ => Err(invalid("runtime", handle)),
        }
    }

    /// The database with this handle, which must belong to this runtime.
    pub(crate) fn database(&self, runtime: i64, handle: i64) -> Result<Arc<Session>> {
        match self.get(handle) {
            Some(Object::Database(database)) if database.runtime == runtime => Ok(database.session),
            _ => Err(invalid("database", handle)),
        }
    }

    /// The transaction with this handle, which must belong to this runtime.
    pub(crate) fn transaction(&self, runtime: i64, handle: i64) -> Result<Arc<Transaction>> {
        match self.get(handle) {
            Some(Object::Transaction(open)) if open.runtime == runtime => Ok(open.transaction),
            _ => Err(invalid("transaction", handle)),
        }
    }

    /// Runs `run` on a lane without copying anything; `None` when there is no such lane. Only the
    /// opening or closing of some handle, which is rare and short, can make it wait.
    pub(crate) fn with_lane<T>(&self, handle: i64, run: impl FnOnce(&OpenLane) -> T) -> Option<T> {
        let run = |object: &Object| match object {
            Object::Lane(lane) => Some(run(lane)),
            _ => None,
        };
        self.slots.with(handle, run).flatten()
    }

    /// How many handles of a runtime are open, its own not counted.
    pub(crate) fn count_of(&self, runtime: i64) -> usize {
        self.slots.count(|object| object.is_of(runtime))
    }

    fn get(&self, handle: i64) -> Option<Object> {
        self.slots.with(handle, Object::clone)
    }
}

/// The error for a handle that is closed, stale, foreign or of another kind.
pub(crate) fn invalid(what: &'static str, handle: i64) -> Error {
    let message = format!("this {what} is not open; it was closed or never opened");
    Error::new(ErrorKind::InvalidHandle, "handle", message).with(what, format!("{handle:#x}"))
}

#[cfg(test)]
mod tests {
    use tickwell_engine::runtime::RuntimeConfig;

    use super::*;

    fn runtime() -> Object {
        Object::Runtime(Arc::new(Runtime::new(&RuntimeConfig::default())))
    }

    fn lane(registry: &Registry, runtime: i64) -> Object {
        let engine = registry.runtime(runtime).unwrap();
        let completions = engine.completions();
        Object::Lane(OpenLane { runtime, lane: engine.open_lane().unwrap(), completions })
    }

    #[test]
    fn closed_stale_foreign_and_made_up_handles_are_refused() {
        let registry = Registry::new();
        let first = registry.insert(runtime()).unwrap();
        assert!(first > 0);
        assert!(registry.remove(first).is_some());
        assert!(registry.remove(first).is_none());
        let second = registry.insert(runtime()).unwrap();
        assert_ne!(first, second, "the slot is used again, the handle is not");
        assert_eq!(registry.runtime(first).unwrap_err().kind(), ErrorKind::InvalidHandle);
        assert!(registry.runtime(second).is_ok());
        for made_up in [0, 1, -1, i64::MIN, i64::MAX, second + 1, second ^ (1 << 40)] {
            assert!(registry.runtime(made_up).is_err(), "{made_up:#x}");
            assert!(registry.with_lane(made_up, |_| ()).is_none());
        }
        assert!(registry.with_lane(second, |_| ()).is_none(), "a runtime is no lane");
        assert!(registry.database(second, second).is_err(), "a runtime is no database");
    }

    #[test]
    fn a_runtimes_handles_go_with_it() {
        let registry = Registry::new();
        let one = registry.insert(runtime()).unwrap();
        let other = registry.insert(runtime()).unwrap();
        let lane_of_one = registry.insert(lane(&registry, one)).unwrap();
        let lane_of_other = registry.insert(lane(&registry, other)).unwrap();
        assert_eq!(registry.count_of(one), 1);
        registry.remove_of(one);
        assert_eq!(registry.count_of(one), 0);
        assert!(registry.with_lane(lane_of_one, |_| ()).is_none());
        assert!(registry.with_lane(lane_of_other, |_| ()).is_some());
    }
}
