//! The benchmark's result files: what their readers rely on, checked before they are published.

use crate::failure::{Doing, Failure, Result};
use serde_json::Value;
use std::path::Path;

/// The files of a run, as `build/benchmarks/` has them.
pub const FILES: [&str; 4] =
    ["pipeline-results.json", "tick-results.json", "environment.json", "report.html"];

/// What every sample and summary states, beside phases that a case may lack.
const TIMES: [&str; 3] = ["wallNs", "asyncWallNs", "consumedNs"];

/// What is stated of the ticks of a case and of the whole run.
const TICK_FIELDS: [&str; 7] = ["ticks", "lateTicks", "p50Ns", "p90Ns", "p99Ns", "p999Ns", "maxNs"];

/// Checks the files of a finished run in a folder: that they are there, have the documented shape,
/// say that nothing failed, and that the report shows every case and loads nothing from elsewhere.
pub fn check(folder: &Path) -> Result<()> {
    for file in FILES {
        if !folder.join(file).is_file() {
            return Err(Failure::new(format!("the run left no {file} in {}", folder.display())));
        }
    }
    let pipeline = parse(&folder.join("pipeline-results.json"))?;
    let ticks = parse(&folder.join("tick-results.json"))?;
    let environment = parse(&folder.join("environment.json"))?;
    let report = crate::workspace::read(&folder.join("report.html"))?;
    let mut problems = Vec::new();
    check_pipeline(&pipeline, &mut problems);
    check_ticks(&ticks, &mut problems);
    check_environment(&environment, &mut problems);
    check_report(&report, &pipeline, &mut problems);
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "the results in {} are not as documented:\n  {}",
        folder.display(),
        problems.join("\n  ")
    )))
}

fn parse(file: &Path) -> Result<Value> {
    let text = crate::workspace::read(file)?;
    serde_json::from_str(&text).doing(|| format!("read {}", file.display()))
}

fn check_pipeline(pipeline: &Value, problems: &mut Vec<String>) {
    if !pipeline["environment"].is_object() {
        problems.push("pipeline-results.json: no object 'environment'".to_owned());
    }
    if let Some(failed) = pipeline["failed"].as_array() {
        problems.extend(failed.iter().map(|line| format!("failed: {line}")));
    }
    let list = |name: &str| pipeline[name].as_array().map_or(&[][..], Vec::as_slice);
    if list("cases").is_empty() && list("small").is_empty() {
        problems.push("pipeline-results.json: no 'cases' and no 'small'".to_owned());
    }
    for (index, case) in list("cases").iter().enumerate() {
        let label = format!("cases[{index}] ({})", case["id"].as_str().unwrap_or("no id"));
        check_case(case, &label, problems);
    }
    for (index, case) in list("small").iter().enumerate() {
        let label = format!("small[{index}] ({})", case["id"].as_str().unwrap_or("no id"));
        check_small(case, &label, problems);
    }
}

fn check_case(case: &Value, label: &str, problems: &mut Vec<String>) {
    let mut need = |holds: bool, what: &str| {
        if !holds {
            problems.push(format!("{label}: {what}"));
        }
    };
    for name in ["id", "database", "scope"] {
        need(
            case[name].as_str().is_some_and(|text| !text.is_empty()),
            &format!("no text '{name}'"),
        );
    }
    let word =
        |name: &str, words: &[&str]| case[name].as_str().is_some_and(|text| words.contains(&text));
    need(word("implementation", &["tickwell", "jdbc"]), "'implementation' is not tickwell or jdbc");
    need(word("operation", &["read", "write"]), "'operation' is not read or write");
    for name in ["rows", "columns"] {
        need(case[name].is_u64(), &format!("no whole number '{name}'"));
    }
    need(case["refused"].is_boolean(), "no boolean 'refused'");
    let samples = case["samples"].as_array().map_or(&[][..], Vec::as_slice);
    need(samples.iter().any(|sample| sample["warmup"] == false), "no measured sample");
    for (index, sample) in samples.iter().enumerate() {
        need(sample["warmup"].is_boolean(), &format!("samples[{index}]: no boolean 'warmup'"));
        let whole = sample.as_object().is_some_and(|fields| {
            fields
                .iter()
                .all(|(name, value)| !name.ends_with("Ns") || value.is_i64() || value.is_u64())
        });
        need(whole, &format!("samples[{index}]: a time is not in whole nanoseconds"));
    }
    // A refused case has no result whose end could be timed.
    if case["refused"] == false {
        for time in TIMES {
            let summary = &case["summary"][time];
            let complete = ["median", "p95", "max"].iter().all(|name| summary[name].is_u64());
            need(complete, &format!("no summary of '{time}' with median, p95 and max"));
        }
    }
}

/// A case of many small requests: rounds instead of samples, and how long the requests took.
fn check_small(case: &Value, label: &str, problems: &mut Vec<String>) {
    let rounds = case["rounds"].as_array().map_or(&[][..], Vec::as_slice);
    if !rounds.iter().any(|round| round["warmup"] == false) {
        problems.push(format!("{label}: no measured round"));
    }
    for name in ["requests", "p50Ns", "p90Ns", "p99Ns", "p999Ns", "maxNs"] {
        if !case["latency"][name].is_u64() {
            problems.push(format!("{label}: no whole number '{name}' in 'latency'"));
        }
    }
    if !case["requestsPerSecond"].is_u64() {
        problems.push(format!("{label}: no whole number 'requestsPerSecond'"));
    }
}

fn check_ticks(ticks: &Value, problems: &mut Vec<String>) {
    let cases = ticks["cases"].as_array().map_or(&[][..], Vec::as_slice);
    if cases.is_empty() {
        problems.push("tick-results.json: no 'cases'".to_owned());
    }
    let labelled = cases.iter().enumerate().map(|(index, case)| (format!("cases[{index}]"), case));
    for (label, ticks) in std::iter::once(("run".to_owned(), &ticks["run"])).chain(labelled) {
        for name in TICK_FIELDS {
            if !ticks[name].is_u64() {
                problems.push(format!("tick-results.json: {label}: no whole number '{name}'"));
            }
        }
    }
}

fn check_environment(environment: &Value, problems: &mut Vec<String>) {
    if environment.as_object().is_none_or(|fields| fields.is_empty()) {
        problems.push("environment.json: it is empty".to_owned());
    }
}

fn check_report(report: &str, pipeline: &Value, problems: &mut Vec<String>) {
    let list = |name: &str| pipeline[name].as_array().map_or(&[][..], Vec::as_slice);
    for case in list("cases").iter().chain(list("small")) {
        let id = case["id"].as_str().unwrap_or("");
        if !report.contains(id) {
            problems.push(format!("report.html: case {id} is not in it"));
        }
    }
    for marker in ["src=\"http", "href=\"http", "url(http", "@import", "<script src", "<link "] {
        if report.contains(marker) {
            problems.push(format!("report.html: it loads something from elsewhere ({marker})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIPELINE: &str = r#"{"environment":{"cores":2},"failed":[],"cases":[{"id":"six-columns",
        "database":"sqlite","implementation":"tickwell","operation":"read","scope":"local",
        "rows":5000,"columns":6,"refused":false,
        "samples":[{"warmup":true,"wallNs":9},{"warmup":false,"wallNs":7,"mainNs":3}],
        "summary":{"wallNs":{"median":7,"p95":7,"max":7},"asyncWallNs":{"median":7,"p95":7,"max":7},
        "consumedNs":{"median":7,"p95":7,"max":7}}}]}"#;

    /// The ticks of a run with one case, whose last figure has this name.
    fn ticks(last: &str) -> String {
        let fields = r#""ticks":9,"lateTicks":0,"p50Ns":1,"p90Ns":2,"p99Ns":3,"p999Ns":4"#;
        let cases = format!(r#"[{{{fields},"{last}":5}}]"#);
        format!(r#"{{"run":{{{fields},"maxNs":5}},"cases":{cases}}}"#)
    }

    fn folder(pipeline: &str, report: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let files = [pipeline, &ticks("maxNs"), r#"{"cores":2}"#, report];
        for (name, text) in FILES.iter().zip(files) {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn problem(pipeline: &str, report: &str) -> String {
        check(folder(pipeline, report).path()).unwrap_err().to_string()
    }

    #[test]
    fn accepts_the_documented_shape() {
        check(folder(PIPELINE, "<p>six-columns</p>").path()).unwrap();
    }

    #[test]
    fn names_each_deviation() {
        let html = "six-columns";
        let cases = [
            ("\"failed\":[]", "\"failed\":[\"checksum\"]", "failed: \"checksum\""),
            ("\"refused\":false", "\"refused\":0", "no boolean 'refused'"),
            ("\"wallNs\":7,", "\"wallNs\":7.5,", "samples[1]: a time is not in whole nanoseconds"),
            ("\"warmup\":false", "\"warmup\":true", "no measured sample"),
            ("\"rows\":5000", "\"rows\":\"5000\"", "no whole number 'rows'"),
            ("\"tickwell\"", "\"other\"", "'implementation' is not tickwell or jdbc"),
            (
                "\"consumedNs\":{\"median\":7",
                "\"consumedNs\":{\"mean\":7",
                "summary of 'consumedNs'",
            ),
        ];
        for (from, to, wanted) in cases {
            let found = problem(&PIPELINE.replacen(from, to, 1), html);
            assert!(found.contains(wanted), "{wanted} is not in {found}");
        }
    }

    #[test]
    fn small_requests_have_rounds_and_percentiles() {
        let small = r#"{"failed":[],"environment":{"cores":2},"cases":[],"small":[{"id":"callers",
            "rounds":[{"warmup":false,"elapsedNs":9}],"requestsPerSecond":7,"latency":{"requests":1,
            "p50Ns":1,"p90Ns":2,"p99Ns":3,"p999Ns":4,"maxNs":5}}]}"#;
        check(folder(small, "callers").path()).unwrap();
        for (from, to, wanted) in [
            ("false,", "true,", "small[0] (callers): no measured round"),
            ("\"p999Ns\":4", "\"p999Ns\":4.5", "no whole number 'p999Ns' in 'latency'"),
            ("PerSecond\":7", "PerSecond\":-7", "no whole number 'requestsPerSecond'"),
        ] {
            let found = problem(&small.replacen(from, to, 1), "callers");
            assert!(found.contains(wanted), "{wanted} is not in {found}");
        }
        let none = problem(&small.replacen("\"small\"", "\"other\"", 1), "callers");
        assert!(none.contains("no 'cases' and no 'small'"), "{none}");
        assert!(problem(small, "nothing").contains("case callers is not in it"));
    }

    #[test]
    fn a_report_must_be_complete_and_self_contained() {
        assert!(problem(PIPELINE, "nothing").contains("case six-columns is not in it"));
        let foreign = "six-columns <link rel=stylesheet>";
        assert!(problem(PIPELINE, foreign).contains("loads something from elsewhere"));
    }

    #[test]
    fn ticks_need_their_percentiles() {
        let folder = folder(PIPELINE, "six-columns");
        std::fs::write(folder.path().join("tick-results.json"), ticks("longestNs")).unwrap();
        let found = check(folder.path()).unwrap_err().to_string();
        assert!(found.contains("cases[0]: no whole number 'maxNs'"), "{found}");
    }

    #[test]
    fn names_a_missing_file() {
        let folder = folder(PIPELINE, "six-columns");
        std::fs::remove_file(folder.path().join("tick-results.json")).unwrap();
        assert!(
            check(folder.path()).unwrap_err().to_string().contains("left no tick-results.json")
        );
    }
}
