//! `cargo xtask …`: builds, checks, servers and benchmarks, for Gradle's tasks and for continuous
//! integration alike. It runs on one thread, owns everything below `build/` and nothing else, and
//! leaves the real work to cargo, Maven and the JVM.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program prints")]

mod cli;
mod commands;
mod console;
mod examples;
mod exports;
mod facade;
mod failure;
mod hash;
mod launcher;
mod maven;
mod nearest;
mod properties;
mod results;
mod table;
mod tools;
mod troubles;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("{failure}");
            ExitCode::FAILURE
        }
    }
}
