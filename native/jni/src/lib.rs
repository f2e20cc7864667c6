//! The library `tickwell` that Java loads: exports for the class `dev.tickwell.core.Native`, the
//! registry of handles behind them, and the guard that turns errors and panics into exceptions.
//! They run on threads of the JVM only; the engine's own threads never come there. `docs/boundary.md`
//! states the contract. Beside them lies what other native plugins link, the C interface (`capi`).
#![allow(unsafe_code, reason = "exported symbols, byte arrays, C pointers; each block says why")]
#![deny(clippy::indexing_slicing)]

mod capi;
mod exports;
mod frames;
mod guard;
mod handles;
mod slots;
mod threads;
