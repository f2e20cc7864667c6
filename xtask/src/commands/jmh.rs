//! `jmh`: the microbenchmarks of the boundary.

use super::build;
use crate::console::Console;
use crate::failure::Result;
use crate::maven::Maven;
use crate::properties::{Properties, name};
use crate::workspace::{self, VERSION, Workspace};
use std::process::Command;

/// Builds the benchmarks' jar and runs it; the figures go to `build/benchmarks/jmh.json`.
pub fn run(workspace: &Workspace, properties: &Properties) -> Result<()> {
    let console = Console::new(workspace, 3);
    let maven = Maven::find(workspace, properties)?;
    console.step("native library", || build::library(&console, workspace, properties))?;
    console.step("benchmarks", || {
        let arguments = ["package", "-pl", "jmh", "-am", "-Dmaven.test.skip=true"];
        maven.run(&console, "maven-jmh", &arguments).map(|_| ())
    })?;
    let figures = workspace.build("benchmarks/jmh.json");
    workspace::create_folder(&workspace.build("benchmarks"))?;
    console.step("measuring", || {
        let mut command = Command::new(maven.jdk().java());
        command
            .current_dir(workspace.root())
            .arg("--enable-native-access=ALL-UNNAMED")
            .arg("-jar")
            .arg(workspace.path(&format!("jmh/target/tickwell-jmh-{VERSION}.jar")))
            .arg(properties.text(name::JMH_INCLUDE))
            // A benchmark that fails ends the run with a failure, instead of with fewer figures.
            .args(["-foe", "true", "-prof", "gc", "-rf", "json", "-rff"])
            .arg(&figures)
            // The forks inherit it through the environment, whatever options a benchmark sets.
            .env("TICKWELL_LIBRARY", workspace.library())
            .args(properties.text(name::JMH_OPTIONS).split_whitespace());
        let mut table = false;
        console
            .run_with("jmh", command, None, |line| {
                // The summary at the end begins with its heading.
                table = table || line.starts_with("Benchmark  ");
                if table {
                    console.line(line);
                }
            })
            .map(|_| ())
    })?;
    console.finish();
    println!("figures: {}", figures.display());
    Ok(())
}
