//! Maven, run for all modules or some, and the counts of the tests that it ran.

use crate::console::{Console, Tally};
use crate::failure::{Doing, Result};
use crate::properties::{Properties, name};
use crate::tools::{self, Jdk};
use crate::workspace::Workspace;
use std::path::PathBuf;
use std::process::Command;

/// How much of a failed test's message is shown; the report has all of it.
const MESSAGE_CHARS: usize = 300;

/// A Maven with its JDK, for one workspace.
pub struct Maven<'a> {
    workspace: &'a Workspace,
    launcher: PathBuf,
    jdk: Jdk,
    offline: bool,
}

impl<'a> Maven<'a> {
    /// Finds Maven and the JDK, and installs what is missing where it may.
    pub fn find(workspace: &'a Workspace, properties: &Properties) -> Result<Self> {
        let jdk = Jdk::find(properties)?;
        let offline = properties.flag(name::OFFLINE);
        Ok(Self { workspace, launcher: tools::maven()?, jdk, offline })
    }

    /// The JDK that Maven runs on.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// Runs Maven in the root with these arguments.
    pub fn run(&self, console: &Console, log: &str, arguments: &[&str]) -> Result<PathBuf> {
        let mut command = Command::new(&self.launcher);
        command
            .current_dir(self.workspace.root())
            .env("JAVA_HOME", &self.jdk.home)
            .args(["-B", "-ntp", "-Dstyle.color=never"])
            .args(self.offline.then_some("-o"))
            .args(arguments);
        console.run(log, command).map_err(|failure| failure.telling(is_telling))
    }
}

/// Whether a line of Maven's output says what is wrong: an error, or a warning about a source, which
/// is an error here; not Maven's advice on how to run it again.
fn is_telling(line: &str) -> bool {
    const ADVICE: [&str; 6] = [
        "[Help ",
        "To see the full stack trace",
        "Re-run Maven",
        "For more information about the errors",
        "After correcting the problems",
        "mvn <args>",
    ];
    let said = line
        .strip_prefix("[ERROR]")
        .or_else(|| line.strip_prefix("[WARNING]").filter(|warning| warning.contains(".java:[")));
    said.is_some_and(|text| !text.trim().is_empty() && !ADVICE.iter().any(|a| text.contains(a)))
}

/// The modules of the root pom that are in this clone.
pub fn modules(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let pom = crate::workspace::read(&workspace.path("pom.xml"))?;
    Ok(elements(&pom, "module").map(|module| workspace.path(module)).collect())
}

/// The texts of all elements of a name in an XML text, comments aside; for the plain elements of our
/// own poms, nothing more.
pub fn elements<'a>(xml: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    xml.lines().filter_map(move |line| {
        line.trim().strip_prefix(open.as_str())?.strip_suffix(close.as_str())
    })
}

/// Removes the reports of earlier runs, so that only this run's tests are counted.
pub fn forget_reports(modules: &[PathBuf]) -> Result<()> {
    for module in modules {
        crate::workspace::remove_folder(&module.join("target/surefire-reports"))?;
    }
    Ok(())
}

/// Sums the reports of the modules, and lists the tests that did not hold.
pub fn count_reports(modules: &[PathBuf]) -> Result<(Tally, Vec<String>)> {
    let mut tally = Tally::default();
    let mut broken = Vec::new();
    for module in modules {
        let Ok(entries) = std::fs::read_dir(module.join("target/surefire-reports")) else {
            continue;
        };
        for file in entries.flatten().map(|entry| entry.path()) {
            if file.extension().is_some_and(|extension| extension == "xml") {
                let xml = crate::workspace::read(&file)?;
                tally.add(count_report(&xml).doing(|| format!("read {}", file.display()))?);
                broken.extend(broken_tests(&xml));
            }
        }
    }
    Ok((tally, broken))
}

/// The counts in the attributes of a report's `<testsuite …>`.
fn count_report(xml: &str) -> std::result::Result<Tally, String> {
    let suite = xml
        .split_once("<testsuite ")
        .and_then(|(_, rest)| rest.split_once('>'))
        .map(|(attributes, _)| attributes)
        .ok_or("it has no <testsuite>")?;
    let number = |name: &str| -> std::result::Result<u64, String> {
        attribute(suite, name)
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| format!("its <testsuite> has no number '{name}'"))
    };
    let failed = number("errors")? + number("failures")?;
    let skipped = number("skipped")?;
    let passed = number("tests")?.saturating_sub(failed + skipped);
    Ok(Tally { passed, failed, skipped })
}

/// `class.method: message` of each test case with a failure or an error.
fn broken_tests(xml: &str) -> Vec<String> {
    xml.split("<testcase ").skip(1).filter_map(broken_test).collect()
}

fn broken_test(case: &str) -> Option<String> {
    let case = case.split("</testcase>").next()?;
    let failure = ["<failure", "<error"].iter().find_map(|tag| case.split_once(tag))?.1;
    let message = attribute(failure, "message").unwrap_or("no message");
    let message: String = plain(message).chars().take(MESSAGE_CHARS).collect();
    let (class, method) = (attribute(case, "classname")?, attribute(case, "name")?);
    Some(format!("{class}.{method}: {}", message.replace('\n', " ")))
}

/// An attribute's text without XML's escapes.
fn plain(text: &str) -> String {
    let escapes = [
        ("&#10;", "\n"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    escapes.iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let marker = format!("{name}=\"");
    // The name must be whole: `name` is also the end of `classname`.
    let start = element.match_indices(&marker).map(|(at, _)| at).find(|at| {
        element
            .get(..*at)
            .is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
    })?;
    element.get(start + marker.len()..)?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<?xml version="1.0"?>
<testsuite version="3.0" name="dev.tickwell.A" time="0.1" tests="5" errors="1" skipped="1" failures="1">
  <properties><property name="tests" value="99"/></properties>
  <testcase name="good" classname="dev.tickwell.A" time="0"/>
  <testcase name="also" classname="dev.tickwell.A" time="0"><system-out>&lt;failure</system-out></testcase>
  <testcase name="bad" classname="dev.tickwell.A" time="0"><failure message="a &lt;b&gt; &quot;c&quot;"/></testcase>
  <testcase name="worse" classname="dev.tickwell.A" time="0"><error type="x"/></testcase>
  <testcase name="later" classname="dev.tickwell.A" time="0"><skipped message="x"/></testcase>
</testsuite>"#;

    #[test]
    fn counts_a_report() {
        assert_eq!(count_report(REPORT), Ok(Tally { passed: 2, failed: 2, skipped: 1 }));
        let broken = ["dev.tickwell.A.bad: a <b> \"c\"", "dev.tickwell.A.worse: no message"];
        assert_eq!(broken_tests(REPORT), broken);
    }

    #[test]
    fn shows_what_is_wrong_and_no_advice() {
        let log = "[INFO] x\n[WARNING] /a/B.java:[1,2] unchecked\n[WARNING] some jars overlap\n\
                   [ERROR] /a/B.java:[3,4] cannot find symbol\n[ERROR] \n[ERROR] -> [Help 1]\n\
                   [ERROR] Re-run Maven using the -X switch\n[ERROR]   mvn <args> -rf :x";
        let shown: Vec<&str> = log.lines().filter(|line| is_telling(line)).collect();
        assert_eq!(shown.len(), 2);
        assert!(shown.iter().all(|line| line.contains("/a/B.java")), "{shown:?}");
    }

    #[test]
    fn refuses_a_report_without_counts() {
        assert!(count_report("<testsuite name=\"x\" tests=\"1\">").unwrap_err().contains("errors"));
        assert!(count_report("half a fi").unwrap_err().contains("no <testsuite>"));
    }

    #[test]
    fn sums_the_reports_of_this_run_only() {
        let folder = tempfile::tempdir().unwrap();
        let reports = folder.path().join("target/surefire-reports");
        let modules = [folder.path().to_path_buf(), folder.path().join("without-reports")];
        std::fs::create_dir_all(&reports).unwrap();
        std::fs::write(reports.join("TEST-a.xml"), REPORT).unwrap();
        std::fs::write(reports.join("TEST-b.xml"), REPORT).unwrap();
        std::fs::write(reports.join("a.txt"), "not a report").unwrap();
        let (tally, broken) = count_reports(&modules).unwrap();
        assert_eq!((tally.passed, tally.failed, tally.skipped, broken.len()), (4, 4, 2, 4));
        forget_reports(&modules).unwrap();
        assert_eq!(count_reports(&modules).unwrap().0, Tally::default());
    }

    #[test]
    fn lists_elements() {
        let pom = "<modules>\n  <module>a/b</module>\n  <module>c</module>\n</modules>";
        assert_eq!(elements(pom, "module").collect::<Vec<_>>(), ["a/b", "c"]);
    }
}
