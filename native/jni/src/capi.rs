//! The C interface: what `include/tickwell.h` declares, for native plugins and other programs without
//! a JVM. It has runtimes, databases and requests of its own, apart from Java's, behind handles that are
//! checked like those. Any thread may call; callbacks come from one thread of the runtime.
//! `docs/c-api.md` is its manual. The header is generated from these files and a test compares it.

mod arguments;
mod exports;
mod guard;
mod runtime;
mod statements;
mod types;
