//! `doctor`: the tools that the tasks would use.

use crate::failure::{Failure, Result};
use crate::properties::Properties;
use crate::table;
use crate::tools::{self, Jdk};
use std::path::Path;
use std::process::Command;

/// Lists the tools; fails when one is missing that a task needs.
pub fn run(properties: &Properties) -> Result<()> {
    let jdk = Jdk::find(properties);
    let maven = tools::maven();
    let rows = [
        ("cargo", Ok(first_line(tools::cargo().arg("--version")))),
        ("JDK", jdk.as_ref().map(|jdk| format!("{} at {}", jdk.release, jdk.home.display()))),
        ("Maven", maven.as_ref().map(|maven| maven.display().to_string())),
        ("cc", Ok(found("cc", "build-essential"))),
        ("c++", Ok(found("c++", "build-essential"))),
        ("strip", Ok(found("strip", "binutils"))),
        ("nm", Ok(found("nm", "binutils"))),
        ("git", Ok(found("git", "git"))),
    ];
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(name, state)| {
            vec![name.to_owned(), state.unwrap_or_else(|_| "missing, see below".to_owned())]
        })
        .collect();
    print!("{}", table::aligned(&rows));
    let missing = rows.iter().any(|row| row.iter().any(|text| text.starts_with("missing")));
    jdk?;
    maven?;
    if missing {
        return Err(Failure::new("something is missing: install the packages named above"));
    }
    Ok(())
}

fn found(program: &str, package: &str) -> String {
    match tools::program(program, package) {
        Ok(path) => version(&path),
        Err(_) => format!("missing: install the package {package}"),
    }
}

fn version(program: &Path) -> String {
    format!("{} ({})", program.display(), first_line(Command::new(program).arg("--version")))
}

fn first_line(command: &mut Command) -> String {
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).lines().next().unwrap_or("no version").to_owned()
}
