//! A server's folder: the plugin, what the server reads before it starts, and its command line, for
//! our host and for a Paper server that is given.

use crate::failure::{Doing, Failure, Result};
use crate::properties::{Properties, name};
use crate::tools::Jdk;
use crate::workspace::{self, Workspace};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What runs the plugins.
pub enum Server {
    /// Our host on Minestom.
    Host,
    /// The Paper server in this jar, whose EULA was agreed to.
    Paper(PathBuf),
}

impl Server {
    /// A Paper server in this jar; refused without the agreement that its makers ask for.
    pub fn paper(jar: PathBuf, properties: &Properties) -> Result<Self> {
        if properties.flag(name::EULA) {
            return Ok(Self::Paper(jar));
        }
        Err(Failure::new(format!(
            "a Paper server starts only for who agrees to Minecraft's EULA \
             (https://aka.ms/MinecraftEULA): say so with -P{}=true",
            name::EULA
        )))
    }

    /// Prepares the folder; a server of an earlier run may have left its world there.
    pub fn prepare(&self, workspace: &Workspace, folder: &Path, port: u16) -> Result<()> {
        workspace::copy(&workspace.plugin_jar(), &folder.join("plugins/tickwell.jar"))?;
        if let Self::Paper(_) = self {
            workspace::write(&folder.join("eula.txt"), "eula=true\n")?;
            let text = format!(
                "server-ip=127.0.0.1\nserver-port={port}\nonline-mode=false\nlevel-type=minecraft\\:flat\n\
                 spawn-protection=0\nview-distance=4\nsimulation-distance=4\nenable-query=false\n\
                 enable-rcon=false\nsync-chunk-writes=false\n"
            );
            workspace::write(&folder.join("server.properties"), &text)?;
        }
        Ok(())
    }

    /// The command that starts it in the folder, with a fixed heap so that its growth is no part of
    /// what is measured.
    pub fn command(
        &self,
        workspace: &Workspace,
        jdk: &Jdk,
        folder: &Path,
        heap: &str,
        port: u16,
    ) -> Command {
        let mut command = Command::new(jdk.java());
        command.current_dir(folder).arg(format!("-Xms{heap}")).arg(format!("-Xmx{heap}")).args([
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-jar",
        ]);
        match self {
            Self::Host => {
                command.arg(
                    workspace.path("server-benchmark/host/target/tickwell-benchmark-host.jar"),
                );
                command.arg("--work").arg(folder).arg("--plugins").arg(folder.join("plugins"));
                command.arg("--port").arg(port.to_string());
            }
            Self::Paper(jar) => {
                command.arg(jar).arg("nogui");
            }
        }
        command
    }
}

/// A port of the loopback interface that is free now.
pub fn free_port() -> Result<u16> {
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).doing(|| "find a free port".to_owned())?;
    Ok(listener.local_addr().doing(|| "find a free port".to_owned())?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paper_needs_the_agreement() {
        let jar = PathBuf::from("paper.jar");
        let failure = Server::paper(jar.clone(), &Properties::default()).err().unwrap().to_string();
        assert!(failure.contains("-Ptickwell.server.eula=true"), "{failure}");
        let agreed = Properties::parse(&["tickwell.server.eula=true".to_owned()]).unwrap();
        assert!(matches!(Server::paper(jar, &agreed), Ok(Server::Paper(_))));
    }

    #[test]
    fn a_free_port_can_be_bound() {
        let port = free_port().unwrap();
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
    }
}
