//! `runServer`: a server with the plugin whose console is this terminal.

use super::build;
use super::server::Server;
use crate::console::Console;
use crate::failure::{Doing, Failure, Result};
use crate::maven::Maven;
use crate::properties::{Properties, name};
use crate::workspace::{self, Workspace};

/// Builds, then runs the server in `run/` until it is stopped.
pub fn run(workspace: &Workspace, properties: &Properties) -> Result<()> {
    let server = match properties.word(name::SERVER_TYPE, &["minestom", "paper"])? {
        "paper" => {
            let jar = properties.file(name::SERVER_JAR)?.ok_or_else(|| {
                Failure::new(format!("type paper needs its jar: -P{}=FILE", name::SERVER_JAR))
            })?;
            Server::paper(jar, properties)?
        }
        _ => Server::Host,
    };
    let port = properties.number(name::SERVER_PORT, 0..=65_535)?;
    let port = u16::try_from(port).doing(|| "use the port".to_owned())?;
    let console = Console::new(workspace, 2);
    let maven = Maven::find(workspace, properties)?;
    console.step("native library", || build::library(&console, workspace, properties))?;
    console.step("plugin and host", || {
        build::package(&console, workspace, &maven, &["java-shim/paper", "server-benchmark/host"])
    })?;
    console.finish();

    let folder = workspace.path("run");
    workspace::create_folder(&folder)?;
    server.prepare(workspace, &folder, port)?;
    let heap = properties.text(name::BENCHMARK_HEAP);
    let status = server
        .command(workspace, maven.jdk(), &folder, heap, port)
        .status()
        .doing(|| "start the server".to_owned())?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("the server ended with {status}")))
}
