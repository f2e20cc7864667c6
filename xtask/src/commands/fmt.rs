//! `fmt`: the sources as rustfmt and google-java-format write them.

use super::build;
use crate::console::Console;
use crate::failure::Result;
use crate::maven::Maven;
use crate::properties::Properties;
use crate::workspace::Workspace;

/// Formats all sources in place.
pub fn run(workspace: &Workspace, properties: &Properties) -> Result<()> {
    let console = Console::new(workspace, 2);
    let maven = Maven::find(workspace, properties)?;
    console
        .step("Rust", || console.run("cargo-fmt", build::cargo_fmt(workspace, &[])).map(|_| ()))?;
    console.step("Java", || {
        let goal = "com.diffplug.spotless:spotless-maven-plugin:apply";
        maven.run(&console, "java-format", &[goal]).map(|_| ())
    })?;
    console.finish();
    Ok(())
}
