//! `clean`: what builds have left in the clone.

use crate::failure::Result;
use crate::maven;
use crate::workspace::{self, Workspace};

/// Removes `build/` and the modules' target folders. Cargo's target folder may be shared with other
/// clones, and `cargo clean` empties it.
pub fn run(workspace: &Workspace) -> Result<()> {
    workspace::remove_folder(&workspace.path("build"))?;
    for module in maven::modules(workspace)? {
        workspace::remove_folder(&module.join("target"))?;
    }
    Ok(())
}
