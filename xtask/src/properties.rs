//! The `tickwell.*` properties that `-P` sets: their names, defaults and meaning in one table, which
//! `tasks` prints and against which a mistyped name is refused.

use crate::failure::{Failure, Result};
use crate::nearest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One property that may be given.
pub struct Property {
    /// Its full name.
    pub name: &'static str,
    /// What holds without it, as shown to people; empty when there is nothing to show.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
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

/// Every property, in the order in which `tasks` lists them.
pub const ALL: &[Property] = &[
    property(name::BENCHMARK_CASES, "all", "all, smoke, or a comma-separated list of case ids"),
    property(name::BENCHMARK_SAMPLES, "10", "measured samples per case"),
    property(name::BENCHMARK_WARMUPS, "3", "samples per case that are not counted"),
    property(name::BENCHMARK_DATABASE, "sqlite", "the database under test"),
    property(name::BENCHMARK_CONVERSION, "50", "µs that a value needs on the server thread"),
    property(name::BENCHMARK_HEAP, "2g", "fixed heap of the server's JVM"),
    property(name::BENCHMARK_MINUTES, "60", "a run longer than this is stopped and fails"),
    property(name::BENCHMARK_PAPER, "", "a Paper server's jar to run instead of our host"),
    property(name::SERVER_TYPE, "minestom", "runServer: minestom (our host) or paper"),
    property(name::SERVER_JAR, "", "runServer: the Paper server's jar, for type paper"),
    property(name::SERVER_PORT, "25565", "runServer: loopback port for players"),
    property(name::EULA, "false", "true: you agree to Minecraft's EULA; a Paper server needs it"),
    property(name::JMH_INCLUDE, ".*", "jmh: regular expression of the benchmarks to run"),
    property(name::JMH_OPTIONS, "", "jmh: further options of JMH, separated by spaces"),
    property(name::CHECK_PARTS, "all", "check: rust, native, java, facade, docs, benchmark"),
    property(
        name::JAVA_HOME,
        "",
        "the JDK to use, 25 or newer; else JAVA_HOME, then the usual folders",
    ),
    property(name::OFFLINE, "false", "true: cargo and Maven use only what is on this machine"),
];

const fn property(name: &'static str, default: &'static str, help: &'static str) -> Property {
    Property { name, default, help }
}

/// The properties of this run.
#[derive(Debug, Default)]
pub struct Properties(BTreeMap<&'static str, String>);

impl Properties {
    /// Reads `name=value` texts; a name that is not in the table is refused with the nearest one.
    pub fn parse(texts: &[String]) -> Result<Self> {
        let mut values = BTreeMap::new();
        for text in texts {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Failure::new(format!("-P {text}: write it as -Pname=value, without spaces"))
            })?;
            let known = ALL.iter().find(|known| known.name == name).ok_or_else(|| {
                let hint = nearest::hint(name, ALL.iter().map(|known| known.name));
                Failure::new(format!(
                    "unknown property '{name}'{hint}; `./gradlew tasks` lists them"
                ))
            })?;
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

    /// A whole number within the range; what is not one is refused by name.
    pub fn number(&self, name: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64> {
        let text = self.text(name);
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            Failure::new(format!("{name}={text}: a whole number from {low} to {high} is needed"))
        })
    }

    /// `true` or `false`; anything else is refused by name.
    pub fn flag(&self, name: &str) -> Result<bool> {
        let text = self.text(name);
        text.parse().map_err(|_| Failure::new(format!("{name}={text}: true or false is needed")))
    }

    /// One of the words; anything else is refused with the nearest.
    pub fn word<'a>(&self, name: &str, words: &[&'a str]) -> Result<&'a str> {
        let text = self.text(name);
        words.iter().find(|word| **word == text).copied().ok_or_else(|| {
            let hint = nearest::hint(text, words.iter().copied());
            Failure::new(format!("{name}={text}: one of {} is needed{hint}", words.join(", ")))
        })
    }

    /// An existing file, made absolute, or `None` when the property was not given.
    pub fn file(&self, name: &str) -> Result<Option<PathBuf>> {
        let Some(text) = self.given(name) else { return Ok(None) };
        let path = std::path::absolute(Path::new(text)).unwrap_or_else(|_| PathBuf::from(text));
        if path.is_file() {
            Ok(Some(path))
        } else {
            Err(Failure::new(format!("{name}={text}: there is no such file")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Result<Properties> {
        Properties::parse(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn gives_what_was_set_else_the_default() {
        let properties = parse(&["tickwell.benchmark.samples=4"]).unwrap();
        assert_eq!(properties.number(name::BENCHMARK_SAMPLES, 1..=1000).unwrap(), 4);
        assert_eq!(properties.number(name::BENCHMARK_WARMUPS, 0..=1000).unwrap(), 3);
        assert_eq!(properties.text(name::BENCHMARK_CASES), "all");
        assert!(properties.given(name::JAVA_HOME).is_none());
        assert!(!properties.flag(name::OFFLINE).unwrap());
    }

    #[test]
    fn refuses_an_unknown_name_with_the_nearest() {
        let error = parse(&["tickwell.benchmark.sampels=4"]).unwrap_err().to_string();
        assert!(error.contains("unknown property 'tickwell.benchmark.sampels'"), "{error}");
        assert!(error.contains("did you mean 'tickwell.benchmark.samples'?"), "{error}");
    }

    #[test]
    fn refuses_values_by_name() {
        let properties = parse(&[
            "tickwell.benchmark.samples=many",
            "tickwell.offline=maybe",
            "tickwell.server.type=papr",
            "tickwell.server.jar=/nowhere/paper.jar",
        ])
        .unwrap();
        let number = properties.number(name::BENCHMARK_SAMPLES, 1..=1000).unwrap_err().to_string();
        assert!(number.contains("tickwell.benchmark.samples=many"), "{number}");
        assert!(number.contains("from 1 to 1000"), "{number}");
        assert!(properties.flag(name::OFFLINE).unwrap_err().to_string().contains("true or false"));
        let word = properties.word(name::SERVER_TYPE, &["minestom", "paper"]).unwrap_err();
        assert!(word.to_string().contains("did you mean 'paper'?"), "{word}");
        let file = properties.file(name::SERVER_JAR).unwrap_err().to_string();
        assert!(file.contains("/nowhere/paper.jar: there is no such file"), "{file}");
    }

    #[test]
    fn refuses_a_text_without_a_value() {
        assert!(parse(&["tickwell.offline"]).unwrap_err().to_string().contains("-Pname=value"));
    }

    #[test]
    fn defaults_of_the_table_are_valid() {
        let none = parse(&[]).unwrap();
        none.number(name::BENCHMARK_CONVERSION, 0..=10_000).unwrap();
        none.number(name::BENCHMARK_MINUTES, 1..=1_440).unwrap();
        none.number(name::SERVER_PORT, 0..=65_535).unwrap();
        none.flag(name::EULA).unwrap();
        none.word(name::SERVER_TYPE, &["minestom", "paper"]).unwrap();
    }
}
