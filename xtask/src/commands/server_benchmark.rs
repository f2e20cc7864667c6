//! `serverBenchmark`: the plugin and the benchmark's plugin in a server that ticks, and the results
//! that they leave.

use super::build;
use super::server::{self, Server};
use crate::console::Console;
use crate::failure::Result;
use crate::maven::Maven;
use crate::properties::{Properties, name};
use crate::results;
use crate::tools::Jdk;
use crate::workspace::{self, VERSION, Workspace};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The modules whose jars a run needs.
pub const MODULES: [&str; 3] =
    ["java-shim/paper", "server-benchmark/host", "server-benchmark/scenarios"];

/// How the lines of the benchmark's plugin begin, whatever the server's log puts before it.
const MARK: &str = "[TickwellBenchmark] ";

/// Builds, runs and publishes the results.
pub fn run(workspace: &Workspace, properties: &Properties) -> Result<()> {
    let run = Run::of(workspace, properties)?;
    let console = Console::new(workspace, 3);
    let maven = Maven::find(workspace, properties)?;
    console.step("native library", || build::library(&console, workspace, properties))?;
    console.step("plugins and host", || build::package(&console, workspace, &maven, &MODULES))?;
    let measured = console.step("benchmark", || {
        let begun = run.start(&console, workspace, maven.jdk(), |line| console.line(line));
        // A failed run's results help to see why it failed.
        begun.and(run.publish(workspace))
    });
    console.finish();
    measured?;
    println!("report: {}", workspace.build("benchmarks/report.html").display());
    Ok(())
}

/// One run of the benchmark.
pub struct Run {
    server: Server,
    folder: PathBuf,
    cases: String,
    samples: u64,
    warmups: u64,
    database: String,
    conversion_micros: u64,
    heap: String,
    limit: Duration,
}

impl Run {
    /// What the properties ask for.
    pub fn of(workspace: &Workspace, properties: &Properties) -> Result<Self> {
        let server = match properties.file(name::BENCHMARK_PAPER) {
            Some(jar) => Server::paper(jar, properties)?,
            None => Server::Host,
        };
        Ok(Self {
            server,
            folder: workspace.build("server-benchmark"),
            cases: properties.list(name::BENCHMARK_CASES).join(","),
            samples: properties.number(name::BENCHMARK_SAMPLES)?,
            warmups: properties.number(name::BENCHMARK_WARMUPS)?,
            database: properties.text(name::BENCHMARK_DATABASE).to_owned(),
            conversion_micros: properties.number(name::BENCHMARK_CONVERSION)?,
            heap: properties.text(name::BENCHMARK_HEAP).to_owned(),
            limit: Duration::from_secs(60 * properties.number(name::BENCHMARK_MINUTES)?),
        })
    }

    /// A run that shows in seconds whether everything works, in a folder of its own.
    pub fn smoke(workspace: &Workspace) -> Self {
        Self {
            server: Server::Host,
            folder: workspace.build("server-benchmark-smoke"),
            cases: "smoke".to_owned(),
            samples: 2,
            warmups: 1,
            database: "sqlite".to_owned(),
            conversion_micros: 50,
            heap: "1g".to_owned(),
            limit: Duration::from_secs(300),
        }
    }

    /// Starts the server in a fresh folder and waits until the benchmark's plugin has stopped it;
    /// `on_line` gets that plugin's lines. Checks the results.
    pub fn start(
        &self,
        console: &Console,
        workspace: &Workspace,
        jdk: &Jdk,
        mut on_line: impl FnMut(&str),
    ) -> Result<()> {
        workspace::remove_folder(&self.folder)?;
        let port = match &self.server {
            Server::Host => 0,
            Server::Paper(_) => server::free_port()?,
        };
        self.server.prepare(workspace, &self.folder, port)?;
        let plugins = self.folder.join("plugins");
        let scenarios =
            format!("server-benchmark/scenarios/target/tickwell-benchmark-scenarios-{VERSION}.jar");
        workspace::copy(&workspace.path(&scenarios), &plugins.join("benchmark.jar"))?;
        workspace::write(&plugins.join("Tickwell/config.yml"), CONFIG)?;
        let options = self.options(&Revision::of(workspace));
        workspace::write(&plugins.join("TickwellBenchmark/options.properties"), &options)?;

        let command = self.server.command(workspace, jdk, &self.folder, &self.heap, port);
        let log = self.folder.file_name().map_or("server".into(), |name| name.to_string_lossy());
        console.run_with(&log, command, Some(self.limit), |line| {
            if let Some((_, text)) = line.split_once(MARK) {
                on_line(text);
            }
        })?;
        results::check(&self.output())
    }

    /// Copies the results to `build/benchmarks/`.
    pub fn publish(&self, workspace: &Workspace) -> Result<()> {
        for file in results::FILES {
            let from = self.output().join(file);
            if from.is_file() {
                workspace::copy(&from, &workspace.build("benchmarks").join(file))?;
            }
        }
        Ok(())
    }

    fn output(&self) -> PathBuf {
        self.folder.join("results")
    }

    fn options(&self, revision: &Revision) -> String {
        format!(
            "cases={}\nsamples={}\nwarmups={}\noutput={}\ndatabase={}\nconversionMicros={}\ncommit={}\n\
             dirty={}\n",
            escaped(&self.cases),
            self.samples,
            self.warmups,
            escaped(&self.output().display().to_string()),
            self.database,
            self.conversion_micros,
            revision.commit,
            revision.dirty
        )
    }
}

/// Tickwell's settings for a run: the defaults, and a database that must split what the other sends
/// at once.
const CONFIG: &str = "version: 1
default-database: main
databases:
  main:
    type: sqlite
    path: tickwell.db
  bench-nochunk:
    type: sqlite
    path: bench-nochunk.db
    fast-chunk-rows: 0
";

/// What is being measured.
struct Revision {
    commit: String,
    dirty: bool,
}

impl Revision {
    fn of(workspace: &Workspace) -> Self {
        let git = |arguments: &[&str]| {
            let output =
                Command::new("git").current_dir(workspace.root()).args(arguments).output().ok()?;
            output
                .status
                .success()
                .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        // Sources that are no clone have no commit to name.
        let commit = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
        let dirty = git(&["status", "--porcelain"]).is_none_or(|changes| !changes.is_empty());
        Self { commit, dirty }
    }
}

/// A value as Java's properties files need it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_options_that_the_plugin_reads() {
        let workspace = Workspace::locate();
        let text =
            Run::smoke(&workspace).options(&Revision { commit: "abc".to_owned(), dirty: true });
        let keys: Vec<&str> = text.lines().filter_map(|line| line.split('=').next()).collect();
        let wanted = [
            "cases",
            "samples",
            "warmups",
            "output",
            "database",
            "conversionMicros",
            "commit",
            "dirty",
        ];
        assert_eq!(keys, wanted);
        assert!(text.contains("cases=smoke\nsamples=2\nwarmups=1\n"));
    }

    #[test]
    fn takes_what_the_properties_say() {
        let texts = ["tickwell.benchmark.cases=split, raw-sql", "tickwell.benchmark.samples=4"];
        let properties = Properties::parse(&texts.map(str::to_owned)).unwrap();
        let run = Run::of(&Workspace::locate(), &properties).unwrap();
        let text = run.options(&Revision { commit: "abc".to_owned(), dirty: false });
        assert!(text.starts_with("cases=split,raw-sql\nsamples=4\nwarmups=3\n"), "{text}");
    }
}
