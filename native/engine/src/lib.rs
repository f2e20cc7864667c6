//! The engine: values, pages, statements, planning, sessions, the tick budget, phases and the
//! runtime that owns them. Knows nothing of Java and nothing of a particular database.

pub mod backend;
pub mod error;
pub mod page;
pub mod pairs;
pub mod phase;
pub mod plan;
pub mod runtime;
pub mod schema;
pub mod session;
pub mod statement;
mod sync;
pub mod tick;
pub mod validate;
pub mod value;
