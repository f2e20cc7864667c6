//! The tools that the builds need: found where they usually are, installed through apt where that is
//! possible, else named exactly.

use crate::failure::{Doing, Failure, Result};
use crate::properties::{Properties, name};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The JDK that the host needs; what is shipped is compiled for 21.
const JDK_RELEASE: u32 = 25;

/// A JDK on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder, as JAVA_HOME has it.
    pub home: PathBuf,
    /// Its feature release.
    pub release: u32,
}

impl Jdk {
    /// Its launcher.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin").join("java")
    }

    /// The property's JDK (which must do), else JAVA_HOME's, else the oldest sufficient one of the
    /// usual folders, else a newly installed one.
    pub fn find(properties: &Properties) -> Result<Self> {
        if let Some(home) = properties.given(name::JAVA_HOME) {
            return Self::at(Path::new(home)).filter(Self::sufficient).ok_or_else(|| {
                Failure::new(format!(
                    "{}={home}: there is no JDK {JDK_RELEASE} or newer (bin/javac and release)",
                    name::JAVA_HOME
                ))
            });
        }
        if let Some(jdk) = Self::search() {
            return Ok(jdk);
        }
        let package = format!("openjdk-{JDK_RELEASE}-jdk-headless");
        if install(&package)?
            && let Some(jdk) = Self::search()
        {
            return Ok(jdk);
        }
        Err(Failure::new(format!(
            "no JDK {JDK_RELEASE} or newer was found in JAVA_HOME and the usual folders. Install the \
             package {package} (or Eclipse Temurin {JDK_RELEASE}), or name a JDK with \
             -P{}=FOLDER",
            name::JAVA_HOME
        )))
    }

    fn search() -> Option<Self> {
        if let Some(home) = std::env::var_os("JAVA_HOME")
            && let Some(jdk) = Self::at(Path::new(&home)).filter(Self::sufficient)
        {
            return Some(jdk);
        }
        let home = std::env::home_dir().unwrap_or_default();
        let folders = [
            PathBuf::from("/usr/lib/jvm"),
            PathBuf::from("/opt"),
            PathBuf::from("/opt/java"),
            home.join(".sdkman/candidates/java"),
            home.join(".jdks"),
        ];
        Self::oldest_in(&folders)
    }

    /// The oldest sufficient release is the one that the project is tested with.
    fn oldest_in(folders: &[PathBuf]) -> Option<Self> {
        let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        entries
            .flatten()
            .filter_map(|entry| Self::at(&entry.path()))
            .filter(Self::sufficient)
            .min_by_key(|jdk| jdk.release)
    }

    fn sufficient(&self) -> bool {
        self.release >= JDK_RELEASE
    }

    fn at(home: &Path) -> Option<Self> {
        if !home.join("bin").join("javac").is_file() {
            return None;
        }
        let text = std::fs::read_to_string(home.join("release")).ok()?;
        Some(Self { home: home.to_path_buf(), release: feature_release(&text)? })
    }
}

/// The feature release in a JDK's file `release`: 25 in `JAVA_VERSION="25.0.1"`.
fn feature_release(text: &str) -> Option<u32> {
    let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let digits = version.trim_matches('"');
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Maven's launcher: of MAVEN_HOME, of the PATH, or newly installed.
pub fn maven() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("MAVEN_HOME") {
        let launcher = Path::new(&home).join("bin").join("mvn");
        if launcher.is_file() {
            return Ok(launcher);
        }
    }
    program("mvn", "maven")
}

/// A program of the PATH; when it is missing, its package is installed, or named in the failure.
pub fn program(name: &str, package: &str) -> Result<PathBuf> {
    if let Some(found) = on_path(name) {
        return Ok(found);
    }
    if install(package)?
        && let Some(found) = on_path(name)
    {
        return Ok(found);
    }
    Err(Failure::new(format!("'{name}' is not on the PATH: install the package {package}")))
}

/// Looks a program up on the PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Installs a package where this process may: as root, with apt, when apt has it. Says so first.
/// Gives false where it may not or where apt does not know the package.
fn install(package: &str) -> Result<bool> {
    let Some(apt) = on_path("apt-get") else { return Ok(false) };
    if !is_root() {
        return Ok(false);
    }
    println!("{package} is missing: installing it with apt-get");
    // A list that cannot be renewed may still be good enough; the installation decides.
    let _ = quiet(&apt, ["update", "-qq"]);
    if !has_candidate(package) {
        println!("apt has no package {package} here");
        return Ok(false);
    }
    let status = quiet(&apt, ["install", "-y", "-qq", "--no-install-recommends", package])
        .doing(|| format!("start {}", apt.display()))?;
    Ok(status.success())
}

fn quiet<I: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = I>,
) -> std::io::Result<std::process::ExitStatus> {
    Command::new(program)
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
}

fn has_candidate(package: &str) -> bool {
    let output = Command::new("apt-cache").args(["policy", package]).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&text)
        .lines()
        .any(|line| line.trim().starts_with("Candidate:") && !line.contains("(none)"))
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Cargo: the one that runs this program, so that the tool chain is the same.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // `cargo run` describes the xtask's package in the environment; a build script that looks there
    // would be run again for nothing.
    for (variable, _) in std::env::vars_os() {
        let text = variable.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&variable);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fake_jdk(folder: &Path, name: &str, version: &str, compiler: bool) -> PathBuf {
        let home = folder.join(name);
        std::fs::create_dir_all(home.join("bin")).unwrap();
        if compiler {
            std::fs::write(home.join("bin/javac"), "").unwrap();
        }
        let text = format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{version}\"\n");
        std::fs::write(home.join("release"), text).unwrap();
        home
    }

    #[test]
    fn reads_the_release() {
        assert_eq!(feature_release("JAVA_VERSION=\"25.0.1\"\n"), Some(25));
        assert_eq!(feature_release("A=\"b\"\nJAVA_VERSION=\"26\""), Some(26));
        assert_eq!(feature_release("JAVA_VERSION=\"25-ea\""), Some(25));
        assert_eq!(feature_release("nothing"), None);
    }

    #[test]
    fn takes_the_oldest_sufficient_jdk() {
        let folder = tempfile::tempdir().unwrap();
        fake_jdk(folder.path(), "a", "26.0.1", true);
        let wanted = fake_jdk(folder.path(), "b", "25.0.2", true);
        fake_jdk(folder.path(), "c", "21.0.9", true);
        fake_jdk(folder.path(), "runtime-only", "25.0.2", false);
        let found = Jdk::oldest_in(&[folder.path().to_path_buf()]);
        assert_eq!(found, Some(Jdk { home: wanted, release: 25 }));
    }

    #[test]
    fn refuses_the_property_when_it_names_no_sufficient_jdk() {
        let folder = tempfile::tempdir().unwrap();
        let old = fake_jdk(folder.path(), "old", "21.0.9", true);
        let text = format!("tickwell.java.home={}", old.display());
        let failure = Jdk::find(&Properties::parse(&[text]).unwrap()).unwrap_err().to_string();
        assert!(failure.contains("there is no JDK 25 or newer"), "{failure}");
    }
}
