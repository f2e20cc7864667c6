//! The library's dynamic symbols against the class `Native` and the C header: every native method and
//! every function of the header is exported, and nothing else is, so that the SQLite inside cannot meet
//! another one in the same process.

use crate::failure::{Doing, Failure, Result};
use crate::tools;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// What the JVM calls by name besides the native methods.
const LIFECYCLE: [&str; 2] = ["JNI_OnLoad", "JNI_OnUnload"];

/// Compares the library's exports with what the Java source and the C header declare.
pub fn check(library: &Path, native_java: &Path, header: &Path) -> Result<()> {
    let nm = tools::program("nm", "binutils")?;
    let output = Command::new(&nm)
        .args(["--dynamic", "--defined-only", "--extern-only", "--format=posix"])
        .arg(library)
        .output()
        .doing(|| format!("start {}", nm.display()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("nm {}: {}", library.display(), message.trim())));
    }
    let exported = symbols(&String::from_utf8_lossy(&output.stdout));
    let mut declared = natives(&crate::workspace::read(native_java)?);
    if declared.is_empty() {
        return Err(Failure::new("no native method was found in Native.java"));
    }
    let functions = functions(&crate::workspace::read(header)?);
    if functions.is_empty() {
        return Err(Failure::new("no function was found in tickwell.h"));
    }
    declared.extend(functions);
    compare(&exported, &declared)
}

fn compare(exported: &BTreeSet<String>, declared: &BTreeSet<String>) -> Result<()> {
    let missing: Vec<&str> = declared.difference(exported).map(String::as_str).collect();
    let foreign: Vec<&str> = exported
        .difference(declared)
        .map(String::as_str)
        .filter(|symbol| !LIFECYCLE.contains(symbol))
        .collect();
    if missing.is_empty() && foreign.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "the library's exports are not those of Native.java and tickwell.h\n  declared but not exported: {}\n  \
         exported but not declared: {}",
        listed(&missing),
        listed(&foreign)
    )))
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The first word of each of nm's lines.
fn symbols(nm: &str) -> BTreeSet<String> {
    nm.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// The symbols of the `native` methods of a Java class in `dev.tickwell.core`.
fn natives(java: &str) -> BTreeSet<String> {
    // Declarations may be wrapped before the parenthesis; none of our names needs an escape.
    let words = java.replace('(', " ( ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut names = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let declared = *word == "native"
            && at.checked_sub(1).and_then(|before| words.get(before)) == Some(&"static")
            && words.get(at + 3) == Some(&"(");
        if declared && let Some(name) = words.get(at + 2) {
            names.insert(format!("Java_dev_tickwell_core_Native_{name}"));
        }
    }
    names
}

/// The functions that the C header declares.
fn functions(header: &str) -> BTreeSet<String> {
    let code = header.lines().filter(|line| !line.trim_start().starts_with("//"));
    let before_parentheses = code.filter_map(|line| line.split_once('(')).map(|(before, _)| before);
    let names = before_parentheses.filter_map(|text| text.split([' ', '*']).next_back());
    names.filter(|name| name.starts_with("tickwell_")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "
// Compare with tickwell_nothing() first.
uint32_t tickwell_abi_version(void);
const char *tickwell_version(void);
typedef void (*TickwellCallback)(void *context, struct TickwellRequest request);
TickwellStatus tickwell_open(const struct TickwellSetting *settings,
                             size_t setting_count);";

    #[test]
    fn finds_the_functions_of_the_header() {
        let wanted = set(&["tickwell_abi_version", "tickwell_version", "tickwell_open"]);
        assert_eq!(functions(HEADER), wanted);
    }

    const JAVA: &str = "
        /** A native thing. */
        static native int abiVersion();
        static native void submit(long runtime, byte[] page);
        static native byte[][] awaitCompletions(
            long runtime, int max);
        static long notNative(long x) { return x; }";

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn finds_the_native_methods() {
        let wanted = set(&[
            "Java_dev_tickwell_core_Native_abiVersion",
            "Java_dev_tickwell_core_Native_submit",
            "Java_dev_tickwell_core_Native_awaitCompletions",
        ]);
        assert_eq!(natives(JAVA), wanted);
    }

    #[test]
    fn reads_nm() {
        let text = "JNI_OnLoad T 1f0 20\nsqlite3_open T 2f0 20\n";
        assert_eq!(symbols(text), set(&["JNI_OnLoad", "sqlite3_open"]));
    }

    #[test]
    fn names_what_is_missing_and_what_is_foreign() {
        let declared = natives(JAVA);
        let mut exported = declared.clone();
        exported.insert("JNI_OnLoad".to_owned());
        compare(&exported, &declared).unwrap();
        exported.insert("sqlite3_open".to_owned());
        exported.remove("Java_dev_tickwell_core_Native_submit");
        let failure = compare(&exported, &declared).unwrap_err().to_string();
        assert!(
            failure.contains("not exported: Java_dev_tickwell_core_Native_submit"),
            "{failure}"
        );
        assert!(failure.contains("not declared: sqlite3_open"), "{failure}");
    }
}
