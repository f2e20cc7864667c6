//! `install`: what plugin authors compile against, put into the local Maven repository.

use crate::console::Console;
use crate::failure::Result;
use crate::maven::Maven;
use crate::properties::Properties;
use crate::workspace::{VERSION, Workspace};

/// The modules that a plugin is compiled against; what they need of ours comes along.
const MODULES: &str = "java-shim/api,java-shim/paper-api";

/// Installs the API's jars, sources and Javadoc and says how to ask for them.
pub fn run(workspace: &Workspace, properties: &Properties) -> Result<()> {
    let console = Console::new(workspace, 1);
    let maven = Maven::find(workspace, properties)?;
    console.step("API, sources and Javadoc", || {
        let arguments = ["install", "-Partifacts", "-pl", MODULES, "-am", "-Dmaven.test.skip=true"];
        maven.run(&console, "maven-install", &arguments).map(|_| ())
    })?;
    console.finish();
    println!("dev.tickwell:tickwell-paper-api:{VERSION} is in the local Maven repository");
    Ok(())
}
