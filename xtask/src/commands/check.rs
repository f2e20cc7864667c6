//! `check`: every test and lint, each step as independent of the others as it can be, and one line
//! of counts at the end.

use super::build;
use super::server_benchmark::{self, Run};
use crate::console::{Console, Outcome, Tally};
use crate::examples;
use crate::exports;
use crate::facade;
use crate::failure::{Failure, Result};
use crate::maven::{self, Maven};
use crate::properties::{PARTS, Properties, name};
use crate::tools;
use crate::troubles;
use crate::workspace::{self, VERSION, Workspace};
use std::cell::{Cell, RefCell};

/// The engine's tests under a scheduler in the place of threads: a build of their own.
const INTERLEAVINGS: &[&str] =
    &["--release", "-p", "tickwell-engine", "--features", "shuttle", "--test", "interleavings"];

/// Runs the steps and prints the counts as the last line.
pub fn run(workspace: &Workspace, properties: &Properties) -> Result<()> {
    let parts = Parts::of(&properties.list(name::CHECK_PARTS));
    let console = Console::new(workspace, parts.steps());
    let check = Check::new(&console);
    let cargo = |arguments: &[&str]| build::cargo(workspace, properties, arguments);

    if parts.has("docs") {
        check.step("versions", || versions(workspace));
        check.step("examples of the documents", || passed(examples::check(workspace)));
        check.step("tests of the known troubles", || passed(troubles::check(workspace)));
    }
    if parts.has("rust") {
        check.step("Rust format", || {
            passed(
                console.run(
                    "cargo-fmt",
                    build::cargo_fmt(workspace, &["--check", "--", "--color=never"]),
                ),
            )
        });
        check.step("Rust lint", || {
            let arguments =
                ["clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"];
            console.run("clippy", cargo(&arguments))?;
            let arguments = [&["clippy"], INTERLEAVINGS, &["--", "-D", "warnings"]].concat();
            passed(console.run("clippy-interleavings", cargo(&arguments)))
        });
        check.step("Rust tests", || {
            // For the programs that link the library.
            tools::program("c++", "build-essential")?;
            let arguments = ["test", "--release", "--workspace", "--no-fail-fast"];
            rust_tests(&console, "cargo-test", cargo(&arguments))
        });
        check.step("Rust interleavings", || {
            let arguments = [&["test"], INTERLEAVINGS].concat();
            rust_tests(&console, "cargo-test-interleavings", cargo(&arguments))
        });
    }
    let library = parts.needs_library()
        && check.step("native library", || passed(build::library(&console, workspace, properties)));
    if parts.has("native") {
        check.after(library, "exports", "the library was not built", || {
            let java = workspace.path("java-shim/core/src/main/java/dev/tickwell/core/Native.java");
            let header = workspace.path("native/jni/include/tickwell.h");
            passed(exports::check(&workspace.library(), &java, &header))
        });
    }
    // Everything below runs Maven or a JVM.
    let maven = Maven::find(workspace, properties);
    let maven = match (&maven, parts.needs_maven()) {
        (Ok(maven), _) => Some(maven),
        (Err(_), false) => None,
        (Err(failure), true) => {
            check.step("JDK and Maven", || Err(Failure::new(failure.to_string().trim_end())));
            None
        }
    };
    if let Some(maven) = maven {
        let mut packaged = false;
        if parts.has("java") {
            check.step("Java format", || java_format(&console, maven));
            packaged =
                check.after(library, "Java lint and tests", "the library was not built", || {
                    java_tests(&console, workspace, maven)
                });
        }
        if parts.has("facade") {
            check.step("Gradle façade", || facade::check(&console, workspace, maven));
        }
        if parts.has("benchmark") {
            check.after(library, "benchmark, smoke run", "the library was not built", || {
                smoke(&console, workspace, maven, packaged)
            });
        }
    }
    console.finish();
    check.end()
}

/// The parts that were asked for.
struct Parts(Vec<&'static str>);

impl Parts {
    fn of(words: &[&str]) -> Self {
        let asked = |part: &&&str| words == ["all"] || words.contains(*part);
        Self(PARTS.iter().filter(asked).copied().collect())
    }

    fn has(&self, part: &str) -> bool {
        self.0.contains(&part)
    }

    fn needs_library(&self) -> bool {
        ["native", "java", "benchmark"].iter().any(|part| self.has(part))
    }

    /// How many steps they have; the library is one that three parts share.
    fn steps(&self) -> usize {
        let of = |part: &str| match part {
            "rust" => 4,
            "docs" => 3,
            "java" => 2,
            _ => 1,
        };
        self.0.iter().map(|part| of(part)).sum::<usize>() + usize::from(self.needs_library())
    }

    fn needs_maven(&self) -> bool {
        ["java", "facade", "benchmark"].iter().any(|part| self.has(part))
    }
}

/// The steps' counts, and what failed.
struct Check<'a> {
    console: &'a Console,
    tally: Cell<Tally>,
    failed: RefCell<Vec<String>>,
    skips: RefCell<Vec<String>>,
}

impl<'a> Check<'a> {
    fn new(console: &'a Console) -> Self {
        Self {
            console,
            tally: Cell::default(),
            failed: RefCell::default(),
            skips: RefCell::default(),
        }
    }

    /// Runs a step, counts how it ended, and shows the reason of a failure at once. Gives whether it
    /// held, for the steps that need what it makes.
    fn step(&self, name: &str, body: impl FnOnce() -> Result<Outcome>) -> bool {
        let outcome = self.console.step(name, || {
            let outcome = body()?;
            if let Outcome::Tests(tally) = &outcome {
                self.console.line(&format!("    {tally}"));
            }
            Ok(outcome)
        });
        match outcome {
            Ok(Outcome::Passed) => self.count(Tally { passed: 1, ..Tally::default() }),
            Ok(Outcome::Tests(tally)) => {
                self.count(tally);
                if tally.failed > 0 {
                    self.failed.borrow_mut().push(name.to_owned());
                }
                return tally.failed == 0;
            }
            Ok(Outcome::Skipped(reason)) => {
                self.console.line(&format!("    skipped: {reason}"));
                self.skips.borrow_mut().push(format!("{name}: {reason}"));
                self.count(Tally { skipped: 1, ..Tally::default() });
                return false;
            }
            Err(failure) => {
                self.console.line(failure.to_string().trim_end());
                self.failed.borrow_mut().push(name.to_owned());
                self.count(Tally { failed: 1, ..Tally::default() });
                return false;
            }
        }
        true
    }

    /// A step that needs an earlier one: skipped, with the reason, when that one failed.
    fn after(
        &self,
        earlier: bool,
        name: &str,
        reason: &str,
        body: impl FnOnce() -> Result<Outcome>,
    ) -> bool {
        if earlier {
            return self.step(name, body);
        }
        self.step(name, || Ok(Outcome::Skipped(reason.to_owned())))
    }

    fn count(&self, more: Tally) {
        let mut tally = self.tally.get();
        tally.add(more);
        self.tally.set(tally);
    }

    /// Prints the counts as the last line; a failure's own text has been shown.
    fn end(self) -> Result<()> {
        for skip in self.skips.into_inner() {
            println!("skipped: {skip}");
        }
        let failed = self.failed.into_inner();
        for name in &failed {
            println!("failed: {name}");
        }
        println!("{}", self.tally.get());
        if failed.is_empty() {
            return Ok(());
        }
        // Nothing may follow the last line, so the status alone says it.
        std::process::exit(1)
    }
}

fn passed<T>(result: Result<T>) -> Result<Outcome> {
    result.map(|_| Outcome::Passed)
}

/// The workspace and every pom have one version.
fn versions(workspace: &Workspace) -> Result<Outcome> {
    let mut poms = vec![workspace.path("pom.xml")];
    poms.extend(maven::modules(workspace)?.into_iter().map(|module| module.join("pom.xml")));
    for pom in poms {
        let text = workspace::read(&pom)?;
        // The first version of each of our poms is its own or its parent's.
        let version = maven::elements(&text, "version").next().unwrap_or("none");
        if version != VERSION {
            return Err(Failure::new(format!(
                "{} has version {version}, and Cargo.toml has {VERSION}",
                pom.display()
            )));
        }
    }
    Ok(Outcome::Passed)
}

/// Cargo's tests, counted from what each test program prints.
fn rust_tests(console: &Console, log: &str, command: std::process::Command) -> Result<Outcome> {
    let mut tally = Tally::default();
    let mut reports = Reports::default();
    let ended = console.run_with(log, command, None, |line| {
        tally.add(rust_summary(line).unwrap_or_default());
        reports.take(line);
    });
    // A test that fails ends cargo with a failure too: it is counted already, and its report says
    // more than the log's end.
    if tally.failed > 0 {
        reports.lines.iter().for_each(|line| console.line(&format!("    {line}")));
        return Ok(Outcome::Tests(tally));
    }
    ended.map(|_| Outcome::Tests(tally))
}

/// What Rust's test programs print about each failed test: from `---- name stdout ----` on to the
/// list of names.
#[derive(Default)]
struct Reports {
    inside: bool,
    lines: Vec<String>,
}

impl Reports {
    fn take(&mut self, line: &str) {
        if line.starts_with("---- ") && line.ends_with(" ----") {
            self.inside = true;
        } else if line == "failures:" {
            self.inside = false;
        }
        if self.inside && !line.is_empty() {
            self.lines.push(line.to_owned());
        }
    }
}

/// The counts of `test result: ok. 5 passed; 0 failed; 1 ignored; …`.
fn rust_summary(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let count = |word: &str| {
        let part = counts.split(';').find(|part| part.trim().ends_with(word))?;
        part.trim().strip_suffix(word)?.trim().parse().ok()
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")?, skipped: count("ignored")? })
}

fn java_format(console: &Console, maven: &Maven<'_>) -> Result<Outcome> {
    let goal = "com.diffplug.spotless:spotless-maven-plugin:check";
    passed(maven.run(console, "java-format", &["--fail-at-end", goal]))
}

/// All modules compiled with Error Prone, tested and packaged in one run of Maven; the compilation
/// counts as one, the tests as what their reports say.
fn java_tests(console: &Console, workspace: &Workspace, maven: &Maven<'_>) -> Result<Outcome> {
    let modules = maven::modules(workspace)?;
    maven::forget_reports(&modules)?;
    let library = format!("-Dtickwell.test.library={}", workspace.library().display());
    // A failed test must not keep the modules that need this one from being tested.
    let arguments =
        ["verify", "-Plint", "--fail-at-end", "-Dmaven.test.failure.ignore=true", &library];
    let ended = maven.run(console, "maven-verify", &arguments);
    let (mut tally, broken) = maven::count_reports(&modules)?;
    broken.iter().for_each(|name| console.line(&format!("    failed: {name}")));
    match ended {
        Ok(_) => tally.passed += 1,
        Err(failure) => {
            console.line(failure.to_string().trim_end());
            tally.failed += 1;
        }
    }
    Ok(Outcome::Tests(tally))
}

/// A run of the benchmark that shows that it works, with the jars that the Java tests left when all of
/// them held; jars of modules that did not compile would be those of an earlier run.
fn smoke(
    console: &Console,
    workspace: &Workspace,
    maven: &Maven<'_>,
    packaged: bool,
) -> Result<Outcome> {
    if packaged {
        build::publish(workspace)?;
    } else {
        build::package(console, workspace, maven, &server_benchmark::MODULES)?;
    }
    passed(Run::smoke(workspace).start(console, workspace, maven.jdk(), |_| {}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_cargos_summary() {
        let line = "test result: FAILED. 5 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        assert_eq!(rust_summary(line), Some(Tally { passed: 5, failed: 2, skipped: 1 }));
        assert_eq!(rust_summary("test a::b ... ok"), None);
    }

    #[test]
    fn keeps_the_reports_of_failed_tests_only() {
        let mut reports = Reports::default();
        let output = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\n\npanicked: why\n\n\
                      failures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored;";
        output.lines().for_each(|line| reports.take(line));
        assert_eq!(reports.lines, ["---- a stdout ----", "panicked: why"]);
    }

    #[test]
    fn reads_the_parts() {
        assert!(PARTS.iter().all(|part| Parts::of(&["all"]).has(part)));
        let some = Parts::of(&["rust", "facade"]);
        assert!(some.has("rust") && some.has("facade") && !some.has("java") && some.needs_maven());
        assert!(!Parts::of(&["rust"]).needs_maven());
        assert_eq!(Parts::of(&["all"]).steps(), 13);
        assert_eq!(Parts::of(&["rust", "docs", "rust"]).steps(), 7);
    }

    #[test]
    fn counts_steps_and_goes_on_after_a_failure() {
        let console = Console::new(&Workspace::locate(), 5);
        let check = Check::new(&console);
        assert!(check.step("one", || Ok(Outcome::Passed)));
        assert!(!check.step("two", || Err(Failure::new("broken"))));
        assert!(!check.after(false, "three", "two failed", || Ok(Outcome::Passed)));
        let tests = Tally { passed: 7, failed: 1, skipped: 2 };
        assert!(!check.step("four", || Ok(Outcome::Tests(tests))));
        assert_eq!(check.tally.get(), Tally { passed: 8, failed: 2, skipped: 3 });
        assert_eq!(*check.failed.borrow(), ["two", "four"]);
        assert_eq!(*check.skips.borrow(), ["three: two failed"]);
    }
}
