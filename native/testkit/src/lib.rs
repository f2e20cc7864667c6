//! What tests of several crates share: the contract that every backend must keep, pages written as
//! rows of values, and a clock that moves when the test says so. Never part of the product.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a library of tests: a broken expectation ends the test that it belongs to"
)]

mod changes;
mod clock;
pub mod contract;
mod database;
mod filters;
mod pages;

pub use clock::FakeClock;
pub use database::{Database, Subject, affected, insert_into, nullable};
pub use pages::{page_of, rows_of};
