//! Programs in C and C++ that link the library as another native plugin would: compiled by the system's
//! compiler with every warning, and run.
#![allow(clippy::unwrap_used, reason = "a broken expectation ends the test")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the library is: cargo puts it beside the tests that are built with it.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_path_buf()
}

/// Compiles a program of `tests/c` into this folder.
fn compile(compiler: &str, standard: &str, source: &str, folder: &Path) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = libraries();
    let program = folder.join(source).with_extension("out");
    let output = Command::new(compiler)
        .arg(format!("-std={standard}"))
        .args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-pthread", "-I"])
        .arg(tests.join("include"))
        .arg(tests.join("tests/c").join(source))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&libraries)
        .arg("-ltickwell")
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Runs a program and gives what it printed.
fn run(program: &Path, arguments: &[&Path]) -> String {
    let mut command = Command::new(program);
    // Cargo's goes before what the program says itself, and may hold an older library.
    let output = command.args(arguments).env_remove("LD_LIBRARY_PATH").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {printed}{errors}", output.status);
    printed
}

#[test]
fn a_c_program_uses_every_part() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile("cc", "c11", "program.c", folder.path());
    let printed = run(&program, &[folder.path()]);
    assert!(printed.ends_with(" checks, 0 failures\n"), "{printed}");
}

#[test]
fn the_example_stores_and_lists_homes() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile("cc", "c11", "example.c", folder.path());
    let database = folder.path().join("homes.db");
    for _ in 0..2 {
        assert_eq!(run(&program, &[&database]), "base at -120, 40\nfarm at 310, -7\n");
    }
}

#[test]
fn the_library_can_be_unloaded_and_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile("cc", "c11", "load.c", folder.path());
    let library = libraries().join("libtickwell.so");
    assert_eq!(run(&program, &[&library, &folder.path().join("main.db")]), "");
}

#[test]
fn the_header_is_cpp_too() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile("c++", "c++17", "header.cpp", folder.path());
    assert_eq!(run(&program, &[]), "");
}
