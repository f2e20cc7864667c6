//! Steps on the terminal: a bar with the running step's last line of output where somebody watches,
//! plain lines elsewhere. Sub-commands write to `build/logs/`; their output is shown only when they
//! fail or when a step asks for it line by line.

use crate::failure::{Doing, Failure, Result};
use crate::workspace::{self, Workspace};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much of a command line is shown when it failed.
const SHOWN_CHARS: usize = 160;

/// How a step ended, for the count at the end of `check`.
pub enum Outcome {
    /// The step is one check, and it holds.
    Passed,
    /// The step ran tests of its own.
    Tests(Tally),
    /// The step could not run here; the reason is shown.
    Skipped(String),
}

/// Counts of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that hold.
    pub passed: u64,
    /// Tests that do not.
    pub failed: u64,
    /// Tests that did not run.
    pub skipped: u64,
}

impl Tally {
    /// Adds another count to this one.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// The terminal and the logs of one run of the xtask.
pub struct Console {
    bar: ProgressBar,
    watched: bool,
    logs: PathBuf,
    steps: usize,
    started: std::cell::Cell<usize>,
}

impl Console {
    /// A console for so many steps.
    pub fn new(workspace: &Workspace, steps: usize) -> Self {
        let watched = std::io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        let bar = if watched {
            let bar = ProgressBar::new(u64::try_from(steps).unwrap_or(0));
            // The template is a constant; were it wrong, the default style would still do.
            if let Ok(style) =
                ProgressStyle::with_template("{bar:20} {pos}/{len} {elapsed} {prefix}: {wide_msg}")
            {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
        };
        let logs = workspace.build("logs");
        Self { bar, watched, logs, steps, started: std::cell::Cell::new(0) }
    }

    /// Runs one step and says how it went; a failure is the caller's to show.
    pub fn step<T>(&self, name: &str, body: impl FnOnce() -> Result<T>) -> Result<T> {
        let number = self.started.get() + 1;
        self.started.set(number);
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message("");
        if !self.watched {
            println!("[{number}/{}] {name}", self.steps);
        }
        let begin = Instant::now();
        let result = body();
        let word = if result.is_ok() { "done" } else { "FAILED" };
        let seconds = begin.elapsed().as_secs_f64();
        self.line(&format!("[{number}/{}] {name}: {word} in {seconds:.1} s", self.steps));
        self.bar.inc(1);
        result
    }

    /// Prints a line that stays.
    pub fn line(&self, text: &str) {
        if self.watched {
            self.bar.println(text);
        } else {
            println!("{text}");
        }
    }

    /// Removes the bar before other output follows.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Runs a sub-command with its output in `build/logs/<log>.log`.
    ///
    /// Gives the log's path, or a failure with the log's end when the command cannot be started or
    /// does not end with 0.
    pub fn run(&self, log: &str, command: Command) -> Result<PathBuf> {
        self.run_with(log, command, None, |_| {})
    }

    /// As [`Console::run`], with a time limit and each line of output given to `on_line`.
    pub fn run_with(
        &self,
        log: &str,
        mut command: Command,
        limit: Option<Duration>,
        mut on_line: impl FnMut(&str),
    ) -> Result<PathBuf> {
        workspace::create_folder(&self.logs)?;
        let path = self.logs.join(format!("{log}.log"));
        let mut file = File::create(&path).doing(|| format!("create {}", path.display()))?;
        let program = command.get_program().to_string_lossy().into_owned();
        let arguments: Vec<_> = command.get_args().map(|a| a.to_string_lossy()).collect();
        let shown = format!("{program} {}", arguments.join(" "));
        writeln!(file, "$ {shown}").doing(|| format!("write {}", path.display()))?;

        let (reader, writer) = std::io::pipe().doing(|| "open a pipe".to_owned())?;
        let twin = writer.try_clone().doing(|| "open a pipe".to_owned())?;
        let child = command
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(twin)
            .spawn()
            .doing(|| format!("start {program}"))?;
        // The pipe ends when its last writer is gone, and the command holds two of them.
        drop(command);

        let child = Mutex::new(child);
        let lock = || child.lock().unwrap_or_else(PoisonError::into_inner);
        let (ended, end) = mpsc::channel::<()>();
        let stopped = std::thread::scope(|scope| -> Result<bool> {
            let watch = scope.spawn(|| {
                let Some(limit) = limit else { return false };
                let end = end;
                let late = end.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
                late && lock().kill().is_ok()
            });
            let copied = copy_lines(reader, &mut file, |line| {
                if self.watched {
                    self.bar.set_message(line.trim().to_owned());
                }
                on_line(line);
            });
            drop(ended);
            let stopped = watch.join().unwrap_or(false);
            copied.doing(|| format!("write {}", path.display()))?;
            Ok(stopped)
        })?;
        let shown = shortened(&shown);
        let status = lock().wait().doing(|| format!("wait for {program}"))?;
        if stopped {
            let seconds = limit.unwrap_or_default().as_secs();
            let message = format!("{shown}\n  was stopped: it took longer than {seconds} s");
            return Err(Failure::with_log(message, &path));
        }
        if !status.success() {
            return Err(Failure::with_log(format!("{shown}\n  ended with {status}"), &path));
        }
        Ok(path)
    }
}

/// The beginning of a command line; the log has all of it.
fn shortened(command: &str) -> String {
    let mut text: String = command.chars().take(SHOWN_CHARS).collect();
    if text.len() < command.len() {
        text.push('…');
    }
    text
}

/// Copies output to the log as it is, and gives each line to `on_line` as text.
fn copy_lines(
    reader: impl std::io::Read,
    file: &mut File,
    mut on_line: impl FnMut(&str),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        file.write_all(&line)?;
        on_line(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn console() -> (tempfile::TempDir, Console) {
        let folder = tempfile::tempdir().unwrap();
        let console = Console {
            bar: ProgressBar::hidden(),
            watched: false,
            logs: folder.path().join("logs"),
            steps: 1,
            started: std::cell::Cell::new(0),
        };
        (folder, console)
    }

    #[test]
    fn keeps_both_streams_in_the_log_and_gives_each_line() {
        let (_folder, console) = console();
        let mut lines = Vec::new();
        let log = console
            .run_with("both", shell("echo one; echo two >&2; printf three"), None, |line| {
                lines.push(line.to_owned());
            })
            .unwrap();
        assert_eq!(lines, ["one", "two", "three"]);
        let text = std::fs::read_to_string(log).unwrap();
        assert!(text.ends_with("one\ntwo\nthree"), "{text}");
    }

    #[test]
    fn shows_the_end_of_the_log_of_what_failed() {
        let (_folder, console) = console();
        let script = "seq 1 100; echo 'the reason' >&2; exit 3";
        let failure = console.run("bad", shell(script)).unwrap_err().to_string();
        assert!(failure.contains("exit status: 3"), "{failure}");
        assert!(failure.contains("| the reason"), "{failure}");
        assert!(failure.contains("| 100") && !failure.contains("| 50\n"), "{failure}");
    }

    #[test]
    fn names_a_program_that_is_not_there() {
        let (_folder, console) = console();
        let failure = console.run("none", Command::new("no-such-program-here")).unwrap_err();
        assert!(failure.to_string().contains("cannot start no-such-program-here"), "{failure}");
    }

    #[test]
    fn stops_what_takes_too_long() {
        let (_folder, console) = console();
        // `exec`, so that the process that is stopped is the one that holds the pipe.
        let limit = Some(Duration::from_millis(50));
        let failure = console.run_with("late", shell("exec sleep 600"), limit, |_| {}).unwrap_err();
        assert!(failure.to_string().contains("was stopped"), "{failure}");
    }

    #[test]
    fn shortens_long_command_lines() {
        assert_eq!(shortened("cargo test"), "cargo test");
        let long = shortened(&"é".repeat(1000));
        assert!(long.ends_with('…') && long.chars().count() == SHOWN_CHARS + 1, "{long}");
    }

    #[test]
    fn adds_tallies() {
        let mut sum = Tally { passed: 1, failed: 2, skipped: 3 };
        sum.add(Tally { passed: 10, failed: 20, skipped: 30 });
        assert_eq!(sum.to_string(), "11 passed, 22 failed, 33 skipped");
    }
}
