//! The `tickwell.*` properties that `-P` sets: their names, values, defaults and meaning in one
//! table, which `tasks` and `help` print and against which a mistyped name or value is refused.

use crate::failure::{Doing, Failure, Result};
use crate::launcher;
use crate::nearest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One property that may be given.
pub struct Property {
    /// Its full name.
    pub name: &'static str,
    /// What holds without it, as shown to people; empty when there is nothing to show.
    pub default: &'static str,
    /// Which values it has.
    pub takes: Takes,
    /// The tasks that read it, by Gradle's names.
    pub tasks: &'static [&'static str],
    /// What it does, in one sentence.
    pub help: &'static str,
}

/// The values that a property may have.
#[derive(Clone, Copy)]
pub enum Takes {
    /// Any text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// One of these.
    Word(&'static [&'static str]),
    /// One of `alone`, or one or more of `words` with commas between.
    List { alone: &'static [&'static str], words: &'static [&'static str] },
    /// A heap size as the JVM takes it.
    Size,
    /// An existing file.
    File,
}

/// The properties' names, spelled once.
pub mod name {
    pub const BENCHMARK_CASES: &str = "tickwell.benchmark.cases";
    pub const BENCHMARK_SAMPLES: &str = "tickwell.benchmark.samples";
    pub const BENCHMARK_WARMUPS: &str = "tickwell.benchmark.warmups";
    pub const BENCHMARK_DATABASE: &str = "tickwell.benchmark.database";
    pub const BENCHMARK_CONVERSION: &str = "tickwell.benchmark.conversion.micros";
    pub const BENCHMARK_HEAP: &str = "tickwell.benchmark.heap";
    pub const BENCHMARK_MINUTES: &str = "tickwell.benchmark.minutes";
    pub const BENCHMARK_PAPER: &str = "tickwell.benchmark.paper.jar";
    pub const SERVER_TYPE: &str = "tickwell.server.type";
    pub const SERVER_JAR: &str = "tickwell.server.jar";
    pub const SERVER_PORT: &str = "tickwell.server.port";
    pub const EULA: &str = "tickwell.server.eula";
    pub const JMH_INCLUDE: &str = "tickwell.jmh.include";
    pub const JMH_OPTIONS: &str = "tickwell.jmh.options";
    pub const CHECK_PARTS: &str = "tickwell.check.parts";
    pub const JAVA_HOME: &str = "tickwell.java.home";
    pub const OFFLINE: &str = "tickwell.offline";
}

/// The benchmark's cases; a test compares them with the scenarios' source.
pub const CASES: &[&str] = &[
    "id-only",
    "id-only-repeated",
    "raw-sql",
    "six-columns",
    "mixed-scopes",
    "replace-results",
    "item-location",
    "named-item",
    "tick-thread-only",
    "split",
    "callers",
    "crowd",
];

/// The parts of `check`.
pub const PARTS: &[&str] = &["rust", "native", "java", "facade", "docs", "benchmark"];

const BENCHMARK: &[&str] = &["serverBenchmark"];
const RUN: &[&str] = &["runServer"];
const SERVERS: &[&str] = &["serverBenchmark", "runServer"];
const JMH: &[&str] = &["jmh"];
const CHECK: &[&str] = &["check"];
const JVM: &[&str] =
    &["build", "check", "install", "serverBenchmark", "jmh", "runServer", "fmt", "doctor"];
const BUILDS: &[&str] =
    &["build", "check", "install", "serverBenchmark", "jmh", "runServer", "fmt"];

/// Every property, in the order in which `tasks` lists them.
#[rustfmt::skip]
pub const ALL: &[Property] = &[
    property(name::BENCHMARK_CASES, "all", Takes::List { alone: &["all", "smoke"], words: CASES }, BENCHMARK, "all, smoke, or some cases with commas between"),
    property(name::BENCHMARK_SAMPLES, "10", Takes::Number(1, 1_000), BENCHMARK, "measured samples per case"),
    property(name::BENCHMARK_WARMUPS, "3", Takes::Number(0, 1_000), BENCHMARK, "samples per case that are not counted"),
    property(name::BENCHMARK_DATABASE, "sqlite", Takes::Word(&["sqlite"]), BENCHMARK, "the database under test"),
    property(name::BENCHMARK_CONVERSION, "50", Takes::Number(0, 10_000), BENCHMARK, "µs that a value needs on the server thread"),
    property(name::BENCHMARK_HEAP, "2g", Takes::Size, SERVERS, "fixed heap of the server's JVM, runServer's too"),
    property(name::BENCHMARK_MINUTES, "60", Takes::Number(1, 1_440), BENCHMARK, "a run longer than this is stopped and fails"),
    property(name::BENCHMARK_PAPER, "", Takes::File, BENCHMARK, "a Paper server's jar to run instead of our host"),
    property(name::SERVER_TYPE, "minestom", Takes::Word(&["minestom", "paper"]), RUN, "runServer: minestom (our host) or paper"),
    property(name::SERVER_JAR, "", Takes::File, RUN, "runServer: the Paper server's jar, for type paper"),
    property(name::SERVER_PORT, "25565", Takes::Number(0, 65_535), RUN, "runServer: loopback port for players, 0 for a free one"),
    property(name::EULA, "false", Takes::Flag, SERVERS, "true: you agree to Minecraft's EULA; a Paper server needs it"),
    property(name::JMH_INCLUDE, ".*", Takes::Text, JMH, "jmh: regular expression of the benchmarks to run"),
    property(name::JMH_OPTIONS, "", Takes::Text, JMH, "jmh: further options of JMH, separated by spaces"),
    property(name::CHECK_PARTS, "all", Takes::List { alone: &["all"], words: PARTS }, CHECK, "check: all, or some parts with commas between"),
    property(name::JAVA_HOME, "", Takes::Text, JVM, "the JDK to use, 25 or newer; else JAVA_HOME, then the usual folders"),
    property(name::OFFLINE, "false", Takes::Flag, BUILDS, "true: cargo and Maven use only what is on this machine"),
];

const fn property(
    name: &'static str,
    default: &'static str,
    takes: Takes,
    tasks: &'static [&'static str],
    help: &'static str,
) -> Property {
    Property { name, default, takes, tasks, help }
}

impl Takes {
    /// The values that may be given, for people; empty when that is no short list.
    pub fn values(self) -> String {
        match self {
            Self::Text | Self::Size | Self::File => String::new(),
            Self::Flag => "true, false".to_owned(),
            Self::Number(low, high) => format!("{low} to {high}"),
            Self::Word(words) => words.join(", "),
            Self::List { alone, words } => [alone, words].concat().join(", "),
        }
    }

    /// Refuses what is none of the values; `name` is the property's, for the message.
    fn check(self, name: &str, text: &str) -> Result<()> {
        let refused =
            |needed: &str| Err(Failure::new(format!("{name}={text}: {needed} is needed")));
        match self {
            Self::Text => Ok(()),
            Self::Flag if text == "true" || text == "false" => Ok(()),
            Self::Flag => refused("true or false"),
            Self::Number(low, high) => match text.parse::<u64>() {
                Ok(number) if (low..=high).contains(&number) => Ok(()),
                _ => refused(&format!("a whole number from {low} to {high}")),
            },
            Self::Word(words) if words.contains(&text) => Ok(()),
            Self::Word(words) => {
                let hint = nearest::hint(text, words.iter().copied());
                refused(&format!("one of {}{hint}", words.join(", ")))
            }
            Self::List { alone, .. } if alone.contains(&text) => Ok(()),
            Self::List { alone, words } => split(text).try_for_each(|word| {
                if words.contains(&word) {
                    return Ok(());
                }
                if alone.contains(&word) {
                    return Err(Failure::new(format!("{name}={text}: '{word}' stands alone")));
                }
                let known = [alone, words].concat();
                let hint = nearest::hint(word, known.iter().copied());
                let known = known.join(", ");
                Err(Failure::new(format!("{name}: '{word}' is not known{hint}; take {known}")))
            }),
            Self::Size => {
                let digits = text.trim_end_matches(['m', 'M', 'g', 'G']);
                let unit = text.len() - digits.len() == 1;
                if unit && digits.parse::<u32>().is_ok_and(|size| size > 0) {
                    return Ok(());
                }
                refused("a size such as 2g or 1500m")
            }
            Self::File if Path::new(text).is_file() => Ok(()),
            Self::File => Err(Failure::new(format!("{name}={text}: there is no such file"))),
        }
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

/// The properties of this run, each with a value that its row of the table takes.
#[derive(Debug, Default)]
pub struct Properties(BTreeMap<&'static str, String>);

impl Properties {
    /// Reads `name=value` texts. A name that is not in the table and a value that its property does
    /// not take are refused with the nearest one, whether or not the task would read it: what was
    /// mistyped is told before anything is built.
    pub fn parse(texts: &[String]) -> Result<Self> {
        let mut values = BTreeMap::new();
        for text in texts {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Failure::new(format!("-P {text}: write it as -Pname=value, without spaces"))
            })?;
            let known = ALL.iter().find(|known| known.name == name).ok_or_else(|| {
                let hint = nearest::hint(name, ALL.iter().map(|known| known.name));
                Failure::new(format!(
                    "unknown property '{name}'{hint}; `{} tasks` lists them",
                    launcher::name()
                ))
            })?;
            // An empty value is as none.
            if !value.is_empty() {
                known.takes.check(name, value)?;
            }
            values.insert(known.name, value.to_owned());
        }
        Ok(Self(values))
    }

    /// What was given, if it is not empty.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// What was given, else the default of the table.
    pub fn text(&self, name: &str) -> &str {
        let default = ALL.iter().find(|known| known.name == name).map_or("", |known| known.default);
        self.given(name).unwrap_or(default)
    }

    /// A number's value.
    pub fn number(&self, name: &str) -> Result<u64> {
        self.text(name).parse().doing(|| format!("read the number {name}"))
    }

    /// A flag's value.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// The words of a list, without the spaces around them.
    pub fn list(&self, name: &str) -> Vec<&str> {
        split(self.text(name)).collect()
    }

    /// A file, made absolute, or `None` when the property was not given.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let text = self.given(name)?;
        Some(std::path::absolute(text).unwrap_or_else(|_| PathBuf::from(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{self, Workspace};

    fn parse(texts: &[&str]) -> Result<Properties> {
        Properties::parse(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    fn refusal(text: &str) -> String {
        parse(&[text]).unwrap_err().to_string()
    }

    #[test]
    fn gives_what_was_set_else_the_default() {
        let properties = parse(&["tickwell.benchmark.samples=4", "tickwell.offline="]).unwrap();
        assert_eq!(properties.number(name::BENCHMARK_SAMPLES).unwrap(), 4);
        assert_eq!(properties.number(name::BENCHMARK_WARMUPS).unwrap(), 3);
        assert_eq!(properties.text(name::BENCHMARK_CASES), "all");
        assert!(properties.given(name::JAVA_HOME).is_none());
        assert!(properties.file(name::SERVER_JAR).is_none());
        assert!(!properties.flag(name::OFFLINE));
    }

    #[test]
    fn refuses_an_unknown_name_with_the_nearest() {
        let error = refusal("tickwell.benchmark.sampels=4");
        assert!(error.contains("unknown property 'tickwell.benchmark.sampels'"), "{error}");
        assert!(error.contains("did you mean 'tickwell.benchmark.samples'?"), "{error}");
    }

    #[test]
    fn refuses_what_a_property_does_not_take() {
        let refusals = [
            ("tickwell.benchmark.samples=many", "samples=many: a whole number from 1 to 1000"),
            ("tickwell.benchmark.samples=1001", "from 1 to 1000"),
            ("tickwell.benchmark.minutes=0", "from 1 to 1440"),
            ("tickwell.benchmark.database=sqlit", "one of sqlite (did you mean 'sqlite'?)"),
            ("tickwell.offline=maybe", "true or false"),
            ("tickwell.server.eula=yes", "true or false"),
            ("tickwell.server.type=papr", "one of minestom, paper (did you mean 'paper'?)"),
            ("tickwell.server.jar=/nowhere/paper.jar", "/nowhere/paper.jar: there is no such file"),
            (
                "tickwell.check.parts=rust,jav",
                "'jav' is not known (did you mean 'java'?); take all,",
            ),
            ("tickwell.offline", "-Pname=value"),
        ];
        for (text, wanted) in refusals {
            let found = refusal(text);
            assert!(found.contains(wanted), "{text}: {wanted} is not in {found}");
        }
    }

    #[test]
    fn refuses_an_unknown_case_with_the_nearest_and_all() {
        let error = refusal("tickwell.benchmark.cases=split,six-colums");
        assert!(
            error.contains("'six-colums' is not known (did you mean 'six-columns'?)"),
            "{error}"
        );
        assert!(CASES.iter().all(|case| error.contains(case)), "{error}");
        assert!(refusal("tickwell.benchmark.cases=split,smoke").contains("'smoke' stands alone"));
        assert!(refusal("tickwell.benchmark.cases=split,").contains("'' is not known"));
        let some = parse(&["tickwell.benchmark.cases=split, raw-sql"]).unwrap();
        assert_eq!(some.list(name::BENCHMARK_CASES), ["split", "raw-sql"]);
    }

    /// The scenarios' source has these cases and no other, in this order.
    #[test]
    fn the_cases_are_those_of_the_scenarios() {
        let source =
            "server-benchmark/scenarios/src/main/java/dev/tickwell/benchmark/Scenario.java";
        let text = workspace::read(&Workspace::locate().path(source)).unwrap();
        let mut found: Vec<&str> = Vec::new();
        let split =
            text.split("SPLIT = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        for call in text.split("of(").skip(1) {
            let id = match call.strip_prefix('"') {
                Some(rest) => rest.split('"').next().unwrap(),
                None if call.starts_with("SPLIT,") => split,
                None => continue,
            };
            if !found.contains(&id) {
                found.push(id);
            }
        }
        // The cases that are no statement of their own come last.
        for constant in ["CALLERS", "CROWD"] {
            assert!(text.contains(&format!("ids.add({constant});")), "{constant}");
        }
        found.extend(["callers", "crowd"]);
        assert_eq!(found, CASES);
    }

    #[test]
    fn refuses_a_heap_that_the_jvm_would_not_take() {
        let check = |text: &str| Takes::Size.check("heap", text);
        check("2g").unwrap();
        check("1500M").unwrap();
        for bad in ["", "2", "g", "0g", "-1g", "2gb", "2gg", "1.5g"] {
            assert!(check(bad).unwrap_err().to_string().contains("a size such as"), "{bad}");
        }
    }

    #[test]
    fn defaults_of_the_table_are_valid() {
        for property in ALL.iter().filter(|property| !property.default.is_empty()) {
            property.takes.check(property.name, property.default).unwrap();
        }
    }
}
