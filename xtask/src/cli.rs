//! The command line: `cargo xtask TASK`, and the same tasks by the names that Gradle's users type.

use crate::commands;
use crate::failure::{Failure, Result};
use crate::launcher;
use crate::nearest;
use crate::properties::{self, Properties, Property};
use crate::table;
use crate::workspace::{VERSION, Workspace};
use clap::{CommandFactory, Parser, Subcommand};

/// Options of Gradle that change only how it reports or runs, which mean nothing here.
const HARMLESS: [&str; 14] = [
    "-q",
    "--quiet",
    "-i",
    "--info",
    "-d",
    "--debug",
    "-w",
    "--warn",
    "-s",
    "--stacktrace",
    "--no-daemon",
    "--daemon",
    "--parallel",
    "--rerun-tasks",
];

/// Builds, checks, servers and benchmarks of Tickwell.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, disable_help_subcommand = true)]
struct Arguments {
    /// Sets a property; `tasks` lists them
    #[arg(short = 'P', value_name = "NAME=VALUE", global = true)]
    properties: Vec<String>,
    #[command(subcommand)]
    task: Task,
}

/// What can be asked for.
#[derive(Subcommand)]
enum Task {
    /// Builds the plugin: build/libs/tickwell-<version>.jar
    ///
    /// Compiles the library in release mode, puts it without debug information into build/natives
    /// with its SHA-256 beside it, and packages the plugin's jar with it.
    Build,
    /// Runs all tests and lints, and a short run of the benchmark
    ///
    /// Goes on after a failed step and ends with the line `N passed, N failed, N skipped`; a step
    /// that is no test counts as one. Each step's output is in build/logs. The property
    /// tickwell.check.parts limits it to some of rust, native, java, facade, docs and benchmark.
    Check,
    /// Measures Tickwell and JDBC in a ticking server: build/benchmarks/report.html
    ///
    /// Builds the plugin, starts a server with it and the benchmark's plugin in
    /// build/server-benchmark, and copies the results to build/benchmarks. With
    /// tickwell.benchmark.paper.jar the server is that Paper server.
    #[command(visible_alias = "serverBenchmark")]
    ServerBenchmark,
    /// Puts the API, its sources and its Javadoc into the local Maven repository
    ///
    /// A plugin is compiled against dev.tickwell:tickwell-paper-api, as compileOnly (Gradle) or with
    /// scope provided (Maven); docs/dependants.md shows both.
    Install,
    /// Runs the microbenchmarks of the boundary: build/benchmarks/jmh.json
    Jmh,
    /// Starts a server with the plugin, to try by hand
    ///
    /// The server's folder is run/; jars of other plugins go into run/plugins/. Its console is this
    /// terminal: commands have no slash, and `stop` ends it.
    #[command(visible_alias = "runServer")]
    RunServer,
    /// Formats the Rust and Java sources
    Fmt,
    /// Says which tools were found, and what is missing
    Doctor,
    /// Removes build/ and the Maven modules' target folders; cargo's target folder stays
    Clean,
    /// Lists the tasks and properties
    Tasks,
    /// Takes a command line as Gradle does
    #[command(hide = true, disable_help_flag = true)]
    Gradle {
        /// Tasks, -P properties and Gradle's options
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// Runs what this process was asked for.
pub fn run() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.task {
        Task::Gradle { arguments: words } => match gradle(&words, arguments.properties)? {
            Asked::Tasks(tasks, properties) => {
                tasks.into_iter().try_for_each(|task| start(task, &properties))
            }
            Asked::Text(text) => {
                print!("{text}");
                Ok(())
            }
        },
        task => start(task, &Properties::parse(&arguments.properties)?),
    }
}

fn start(task: Task, properties: &Properties) -> Result<()> {
    let workspace = Workspace::locate();
    match task {
        Task::Build => commands::build::run(&workspace, properties),
        Task::Check => commands::check::run(&workspace, properties),
        Task::ServerBenchmark => commands::server_benchmark::run(&workspace, properties),
        Task::Install => commands::install::run(&workspace, properties),
        Task::Jmh => commands::jmh::run(&workspace, properties),
        Task::RunServer => commands::run_server::run(&workspace, properties),
        Task::Fmt => commands::fmt::run(&workspace, properties),
        Task::Doctor => commands::doctor::run(properties),
        Task::Clean => commands::clean::run(&workspace),
        Task::Tasks => {
            print!("{}", listing(&launcher::name()));
            Ok(())
        }
        Task::Gradle { .. } => Err(Failure::new("a Gradle command line inside of one")),
    }
}

/// What a Gradle-like command line asks for.
enum Asked {
    Tasks(Vec<Task>, Properties),
    Text(String),
}

/// Reads a command line as Gradle would: several tasks, `-P` properties, Gradle's own options.
fn gradle(words: &[String], mut texts: Vec<String>) -> Result<Asked> {
    let mut names = Vec::new();
    let mut help_for = None;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-P" | "--project-prop" => {
                let text = rest.next();
                texts.push(text.cloned().ok_or_else(|| Failure::new("-P: a property is missing"))?);
            }
            "--task" => help_for = rest.next().cloned(),
            "-h" | "--help" | "-?" => names.insert(0, "help".to_owned()),
            "-v" | "--version" => return Ok(Asked::Text(format!("Tickwell {VERSION}\n"))),
            "--offline" => texts.push(format!("{}=true", properties::name::OFFLINE)),
            option if is_harmless(option) => {}
            option if option.starts_with("-P") => {
                texts.push(option.trim_start_matches("-P").to_owned())
            }
            option if option.starts_with('-') => {
                return Err(Failure::new(format!(
                    "option '{option}' is not known here; `{} help` says what is",
                    launcher::name()
                )));
            }
            name => names.push(name.trim_start_matches(':').to_owned()),
        }
    }
    let properties = Properties::parse(&texts)?;
    let first = names.first().map_or("help", String::as_str);
    if first == "help" {
        let subject = help_for.or_else(|| names.get(1).cloned());
        return Ok(Asked::Text(help(subject.as_deref(), &launcher::name())?));
    }
    let tasks = names.iter().map(|name| task(name)).collect::<Result<Vec<_>>>()?;
    Ok(Asked::Tasks(tasks, properties))
}

fn is_harmless(option: &str) -> bool {
    HARMLESS.contains(&option)
        || ["--console=", "--warning-mode=", "--max-workers="].iter().any(|p| option.starts_with(p))
}

/// The task of this name.
fn task(name: &str) -> Result<Task> {
    let known = names();
    if !known.iter().any(|(gradle, command, _)| name == gradle || name == command) {
        let hint = nearest::hint(name, known.iter().map(|(gradle, _, _)| gradle.as_str()));
        return Err(Failure::new(format!(
            "unknown task '{name}'{hint}; `{} tasks` lists them",
            launcher::name()
        )));
    }
    let parsed = Arguments::try_parse_from(["xtask", name]);
    parsed.map(|arguments| arguments.task).map_err(|error| Failure::new(error.to_string()))
}

/// The visible tasks: Gradle's name, the command's name, what it does.
fn names() -> Vec<(String, String, String)> {
    let command = Arguments::command();
    let visible = command.get_subcommands().filter(|task| !task.is_hide_set());
    visible
        .map(|task| {
            let name = task.get_name().to_owned();
            let gradle =
                task.get_visible_aliases().next().map_or_else(|| name.clone(), str::to_owned);
            let about = task.get_about().map(ToString::to_string).unwrap_or_default();
            (gradle, name, about)
        })
        .collect()
}

fn listing(launcher: &str) -> String {
    let tasks: Vec<_> = names().into_iter().map(|(name, _, about)| vec![name, about]).collect();
    format!(
        "Tasks: {launcher} TASK\n{}\nProperties: -Pname=value (name, default, meaning)\n{}\n\
         `{launcher} help TASK` says more about one.\n",
        table::aligned(&tasks),
        table::aligned(&properties::ALL.iter().map(row).collect::<Vec<_>>())
    )
}

fn row(property: &Property) -> Vec<String> {
    let default = if property.default.is_empty() { "-" } else { property.default };
    vec![property.name.to_owned(), default.to_owned(), property.help.to_owned()]
}

fn help(subject: Option<&str>, launcher: &str) -> Result<String> {
    let Some(asked) = subject else {
        return Ok(format!(
            "Tickwell {VERSION}: databases that never cost a Minecraft server a tick\n\n{}",
            listing(launcher)
        ));
    };
    // An unknown name gets the same error as where it is run.
    task(asked)?;
    let mut text = format!("Usage: {launcher} {asked}");
    let command = Arguments::command();
    let found = command
        .get_subcommands()
        .find(|task| task.get_name() == asked || task.get_all_aliases().any(|name| name == asked));
    let Some(found) = found else { return Ok(text) };
    let gradle = found.get_visible_aliases().next().unwrap_or_else(|| found.get_name());
    let read: Vec<_> =
        properties::ALL.iter().filter(|property| property.tasks.contains(&gradle)).collect();
    if !read.is_empty() {
        text.push_str(" [-Pname=value ...]");
    }
    let about = found.get_long_about().or_else(|| found.get_about());
    text.push_str(&format!("\n\n{}\n", about.map(ToString::to_string).unwrap_or_default()));
    if !read.is_empty() {
        let rows: Vec<_> = read.iter().map(|property| described(property)).collect();
        text.push_str(&format!("\nProperties it reads:\n{}", rows.concat()));
    }
    Ok(text)
}

/// A property in full, with the values that it takes.
fn described(property: &Property) -> String {
    let default = match property.default {
        "" => String::new(),
        default => format!("={default}"),
    };
    let values = match property.takes.values().as_str() {
        "" => String::new(),
        values => format!("\n      takes {values}"),
    };
    format!("  {}{default}\n      {}{values}\n", property.name, property.help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(words: &[&str]) -> Result<Asked> {
        gradle(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), Vec::new())
    }

    fn text(words: &[&str]) -> String {
        match ask(words).unwrap() {
            Asked::Text(text) => text,
            Asked::Tasks(..) => panic!("{words:?} asked for tasks"),
        }
    }

    fn refusal(words: &[&str]) -> String {
        match ask(words) {
            Ok(_) => panic!("{words:?} was accepted"),
            Err(failure) => failure.to_string(),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn reads_tasks_properties_and_options_in_any_order() {
        let words = [
            "--info",
            "clean",
            "-Ptickwell.benchmark.samples=2",
            ":serverBenchmark",
            "-P",
            "tickwell.offline=true",
        ];
        let Asked::Tasks(tasks, properties) = ask(&words).unwrap() else { panic!("no tasks") };
        assert!(matches!(tasks.as_slice(), [Task::Clean, Task::ServerBenchmark]));
        assert_eq!(properties.text(properties::name::BENCHMARK_SAMPLES), "2");
        assert!(properties.flag(properties::name::OFFLINE));
    }

    #[test]
    fn gradles_offline_is_ours() {
        let Asked::Tasks(_, properties) = ask(&["build", "--offline"]).unwrap() else {
            panic!("no tasks")
        };
        assert!(properties.flag(properties::name::OFFLINE));
    }

    #[test]
    fn refuses_the_unknown_with_the_nearest() {
        assert!(refusal(&["serverBenchmrk"]).contains("did you mean 'serverBenchmark'?"));
        assert!(refusal(&["check", "--chekc"]).contains("option '--chekc'"));
        assert!(refusal(&["check", "-Ptickwell.ofline=true"]).contains("'tickwell.offline'"));
        assert!(refusal(&["check", "-P"]).contains("a property is missing"));
        assert!(refusal(&["help", "biuld"]).contains("did you mean 'build'?"));
    }

    #[test]
    fn lists_every_task_and_property() {
        let listing = listing("./gradlew");
        for name in [
            "build",
            "check",
            "install",
            "serverBenchmark",
            "jmh",
            "runServer",
            "fmt",
            "doctor",
            "clean",
        ] {
            assert!(listing.contains(&format!("\n  {name} ")), "{name} is not in\n{listing}");
        }
        for property in properties::ALL {
            assert!(listing.contains(property.name), "{} is not in\n{listing}", property.name);
        }
        assert!(!listing.contains("Gradle does"));
    }

    #[test]
    fn helps() {
        assert!(text(&[]).contains("serverBenchmark"));
        assert!(text(&["--help"]).contains("serverBenchmark"));
        assert!(text(&["help", "--task", "check"]).contains("N passed, N failed, N skipped"));
        assert!(text(&["help", "serverBenchmark"]).contains("build/benchmarks"));
        assert!(text(&["--version"]).contains(VERSION));
    }

    #[test]
    fn helps_with_the_command_that_was_typed() {
        for name in ["serverBenchmark", "server-benchmark"] {
            let text = help(Some(name), "../gradlew").unwrap();
            assert!(text.starts_with(&format!("Usage: ../gradlew {name} [-P")), "{text}");
            assert!(!text.contains("cargo xtask"), "{text}");
            assert!(text.contains("takes all, smoke, id-only,"), "{text}");
            assert!(!text.contains("tickwell.server.port"), "{text}");
        }
        let clean = help(Some("clean"), "cargo xtask").unwrap();
        assert_eq!(clean.lines().next(), Some("Usage: cargo xtask clean"));
        assert!(listing("../gradlew").contains("`../gradlew help TASK`"));
    }

    #[test]
    fn the_properties_are_read_by_tasks_that_there_are() {
        let tasks: Vec<String> = names().into_iter().map(|(gradle, ..)| gradle).collect();
        for property in properties::ALL {
            assert!(!property.tasks.is_empty(), "{}", property.name);
            let known = property.tasks.iter().all(|task| tasks.iter().any(|name| name == task));
            assert!(known, "{}: {:?}", property.name, property.tasks);
        }
    }

    /// The façade names every task, and none that is not there.
    #[test]
    fn the_gradle_script_has_the_same_tasks() {
        let path = Workspace::locate().path("build.gradle.kts");
        let script = std::fs::read_to_string(path).unwrap();
        let mut facade: Vec<&str> = script
            .lines()
            .filter_map(|line| line.trim().strip_prefix("xtask(\"")?.split('"').next())
            .collect();
        facade.sort_unstable();
        let mut ours: Vec<String> = names().into_iter().map(|(gradle, ..)| gradle).collect();
        // Gradle has a task of this name itself.
        ours.retain(|name| name != "tasks");
        ours.sort_unstable();
        assert_eq!(facade, ours);
    }
}
