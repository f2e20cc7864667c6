//! `build`: the library, then the plugin's jar around it.

use crate::console::Console;
use crate::failure::{Doing, Failure, Result};
use crate::hash;
use crate::maven::Maven;
use crate::properties::{Properties, name};
use crate::tools;
use crate::workspace::{self, VERSION, Workspace};
use std::path::PathBuf;
use std::process::Command;

/// Builds the jar and says where it is.
pub fn run(workspace: &Workspace, properties: &Properties) -> Result<()> {
    let console = Console::new(workspace, 2);
    let maven = Maven::find(workspace, properties)?;
    console.step("native library", || library(&console, workspace, properties))?;
    console.step("plugin", || package(&console, workspace, &maven, &["java-shim/paper"]))?;
    console.finish();
    let jar = workspace.plugin_jar();
    let size = std::fs::metadata(&jar).doing(|| format!("read {}", jar.display()))?.len();
    println!("{} ({:.2} MB)", jar.display(), megabytes(size));
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "shown with two digits")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Compiles the library and puts it, without debug information, where Maven takes it from, with its
/// SHA-256 beside it.
pub fn library(console: &Console, workspace: &Workspace, properties: &Properties) -> Result<()> {
    let here = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    if !here {
        return Err(Failure::new(format!(
            "the library is built on {} with glibc only, and this is {}-{}",
            workspace::PLATFORM,
            std::env::consts::OS,
            std::env::consts::ARCH
        )));
    }
    tools::program("cc", "build-essential")?;
    let strip = tools::program("strip", "binutils")?;
    console.run(
        "cargo-build",
        cargo(workspace, properties, &["build", "--release", "-p", "tickwell-jni"]),
    )?;

    let compiled = target_folder(workspace)?.join("release/libtickwell.so");
    let library = workspace.library();
    // Written beside the target and moved there: a JVM that has the old file mapped keeps it.
    let fresh = library.with_extension("so.new");
    workspace::copy(&compiled, &fresh)?;
    let mut command = Command::new(strip);
    command.arg("--strip-debug").arg(&fresh);
    console.run("strip", command)?;
    let checksum = hash::sha256_of(&fresh)?;
    std::fs::rename(&fresh, &library).doing(|| format!("write {}", library.display()))?;
    workspace::write(&library.with_extension("so.sha256"), &format!("{checksum}\n"))
}

/// Packages these modules and what they need, without tests, and copies the plugin's jar to
/// `build/libs/`.
pub fn package(
    console: &Console,
    workspace: &Workspace,
    maven: &Maven<'_>,
    modules: &[&str],
) -> Result<()> {
    let list = modules.join(",");
    maven.run(
        console,
        "maven-package",
        &["package", "-pl", &list, "-am", "-Dmaven.test.skip=true"],
    )?;
    publish(workspace)
}

/// Copies the packaged plugin to `build/libs/`.
pub fn publish(workspace: &Workspace) -> Result<()> {
    let packaged = workspace.path(&format!("java-shim/paper/target/tickwell-{VERSION}.jar"));
    workspace::copy(&packaged, &workspace.plugin_jar())
}

/// Cargo with these arguments in the clone.
pub fn cargo(workspace: &Workspace, properties: &Properties, arguments: &[&str]) -> Command {
    let mut command = tools::cargo();
    command
        .current_dir(workspace.root())
        .args(arguments)
        .args(properties.flag(name::OFFLINE).then_some("--offline"))
        .env("CARGO_TERM_COLOR", "never");
    command
}

/// Cargo's target folder, which the environment may have put outside of the clone.
fn target_folder(workspace: &Workspace) -> Result<PathBuf> {
    let output = tools::cargo()
        .current_dir(workspace.root())
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .output()
        .doing(|| "start cargo metadata".to_owned())?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).doing(|| {
        format!("read cargo's metadata: {}", String::from_utf8_lossy(&output.stderr).trim())
    })?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or_else(|| Failure::new("cargo's metadata has no target folder"))
}

/// `cargo fmt` for the whole workspace; it takes no `--offline`.
pub fn cargo_fmt(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = tools::cargo();
    command.current_dir(workspace.root()).args(["fmt", "--all"]).args(arguments);
    command
}
