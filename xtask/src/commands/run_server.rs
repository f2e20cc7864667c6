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
    let server = server(properties)?;
    let port = properties.number(name::SERVER_PORT)?;
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

/// The server that the properties ask for.
fn server(properties: &Properties) -> Result<Server> {
    let (kind, jar) = (properties.text(name::SERVER_TYPE), properties.file(name::SERVER_JAR));
    match (kind == "paper", jar) {
        (true, Some(jar)) => Server::paper(jar, properties),
        (true, None) => {
            Err(Failure::new(format!("type paper needs its jar: -P{}=FILE", name::SERVER_JAR)))
        }
        (false, Some(_)) => Err(Failure::new(format!(
            "{} is a Paper server's jar: say -P{}=paper too",
            name::SERVER_JAR,
            name::SERVER_TYPE
        ))),
        (false, None) => Ok(Server::Host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jar_and_the_type_paper_go_together() {
        let jar = tempfile::NamedTempFile::new().unwrap();
        let jar = format!("tickwell.server.jar={}", jar.path().display());
        let (paper, eula) = ("tickwell.server.type=paper", "tickwell.server.eula=true");
        let asked = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            server(&Properties::parse(&texts)?)
        };
        let refusal = |texts: &[&str]| asked(texts).err().unwrap().to_string();
        assert!(matches!(asked(&[]), Ok(Server::Host)));
        assert!(matches!(asked(&[&jar, paper, eula]), Ok(Server::Paper(_))));
        assert!(refusal(&[paper, eula]).contains("needs its jar"));
        assert!(refusal(&[&jar, eula]).contains("say -Ptickwell.server.type=paper too"));
    }
}
