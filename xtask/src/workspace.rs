//! Where things lie: the clone, and what goes below its `build/`.

use crate::failure::{Doing, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of one clone.
pub struct Workspace {
    root: PathBuf,
}

/// The only platform for which a library is built today, as the loader names it.
pub const PLATFORM: &str = "linux-x86_64";

/// The version of everything: the xtask has the workspace's.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Workspace {
    /// The clone that cargo runs this xtask for.
    pub fn locate() -> Self {
        // Cargo sets the variable for `cargo run`; a copy that lies in a shared target folder may
        // have been compiled for another clone, so the variable goes first.
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let manifest = PathBuf::from(manifest);
        Self { root: manifest.parent().unwrap_or(&manifest).to_path_buf() }
    }

    /// The clone itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path in the clone, from its root.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path below `build/`.
    pub fn build(&self, relative: &str) -> PathBuf {
        self.root.join("build").join(relative)
    }

    /// The library as it goes into the jar.
    pub fn library(&self) -> PathBuf {
        self.build("natives").join(PLATFORM).join("libtickwell.so")
    }

    /// The plugin's jar, where people find it.
    pub fn plugin_jar(&self) -> PathBuf {
        self.build(&format!("libs/tickwell-{VERSION}.jar"))
    }
}

/// Creates a folder with its parents.
pub fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).doing(|| format!("create the folder {}", folder.display()))
}

/// Removes a folder with all that is in it; one that is not there is fine.
pub fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other.doing(|| format!("remove the folder {}", folder.display())),
    }
}

/// Copies a file, creating the target's folder.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        create_folder(folder)?;
    }
    fs::copy(from, to).doing(|| format!("copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Writes a text file, creating its folder.
pub fn write(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        create_folder(folder)?;
    }
    fs::write(file, text).doing(|| format!("write {}", file.display()))
}

/// Reads a text file.
pub fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).doing(|| format!("read {}", file.display()))
}
