//! `docs/troubles.md` names tests; this says which of the names no source defines.

use crate::failure::{Doing, Failure, Result};
use crate::workspace::{self, Workspace};
use std::collections::BTreeSet;
use std::path::Path;

/// Where tests are.
const SOURCES: [&str; 4] = ["native", "java-shim", "server-benchmark", "tests"];

/// Looks for each test that the page names.
pub fn check(workspace: &Workspace) -> Result<()> {
    let named = tests_of(&workspace::read(&workspace.path("docs/troubles.md"))?);
    let mut defined = BTreeSet::new();
    for folder in SOURCES {
        collect(&workspace.path(folder), &mut defined)?;
    }
    let missing: Vec<String> = named.difference(&defined).cloned().collect();
    if named.is_empty() {
        return Err(Failure::new("docs/troubles.md names no test"));
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("docs/troubles.md: no test is called {}", missing.join(", "))))
}

/// The names in backquotes in the last column of each table.
fn tests_of(page: &str) -> BTreeSet<String> {
    let columns = page.lines().filter_map(|line| line.strip_suffix(" |")?.rsplit(" | ").next());
    columns.flat_map(|column| column.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// The functions and methods that the folder's sources define.
fn collect(folder: &Path, defined: &mut BTreeSet<String>) -> Result<()> {
    let entries = std::fs::read_dir(folder).doing(|| format!("list {}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                collect(&path, defined)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "java")
        {
            defined.extend(functions(&workspace::read(&path)?));
        }
    }
    Ok(())
}

fn functions(source: &str) -> impl Iterator<Item = String> {
    source.lines().filter_map(|line| {
        let declared = line.split_once("fn ").or_else(|| line.split_once("void "))?.1;
        Some(declared.split_once('(')?.0.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn finds_the_names_of_the_last_column() {
        let page =
            "| a `x` | b | `one_test`, `anotherTest`, and a check |\n| --- | --- | --- |\n`not`\n";
        assert_eq!(tests_of(page), set(&["one_test", "anotherTest"]));
    }

    #[test]
    fn finds_functions_and_methods() {
        let source = "    fn one_test() {\npub fn case(subject: &Subject) {\n  void anotherTest() throws X {\nlet x = 1;";
        assert_eq!(
            functions(source).collect::<BTreeSet<_>>(),
            set(&["one_test", "case", "anotherTest"])
        );
    }
}
