//! One module for each task; the steps that several share lie in the one that they belong to.

pub mod build;
pub mod check;
pub mod clean;
pub mod doctor;
pub mod fmt;
pub mod install;
pub mod jmh;
pub mod run_server;
pub mod server;
pub mod server_benchmark;
