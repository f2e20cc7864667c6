//! The library `tickwell` that Java loads: exports for the class `dev.tickwell.core.Native`, the
//! registry of handles behind them, and the guard that turns errors and panics into exceptions.
//! Runs on threads of the JVM only; the engine's own threads never come here. `docs/boundary.md`
//! states the contract.
#![allow(unsafe_code, reason = "JNI: exported symbols and byte arrays; each block says why")]
#![deny(clippy::indexing_slicing)]

mod exports;
mod frames;
mod guard;
mod handles;
mod threads;
