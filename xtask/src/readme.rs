//! The README's Java example is a part of a source file that the build compiles; this says where the
//! two differ.

use crate::failure::{Failure, Result};
use crate::workspace::{self, Workspace};

const SOURCE: &str =
    "java-shim/paper-api/src/test/java/dev/tickwell/paper/example/RichestPlugin.java";
const BEGIN: &str = "// README: begin";
const END: &str = "// README: end";

/// Compares the README's first Java block with the marked part of the compiled source.
pub fn check(workspace: &Workspace) -> Result<()> {
    let readme = workspace::read(&workspace.path("README.md"))?;
    let source = workspace::read(&workspace.path(SOURCE))?;
    compare(&readme, &source)
}

fn compare(readme: &str, source: &str) -> Result<()> {
    let shown = between(readme, "```java", "```")
        .ok_or_else(|| Failure::new("README.md has no ```java block"))?;
    let compiled = between(source, BEGIN, END)
        .ok_or_else(|| Failure::new(format!("{SOURCE} has no part between {BEGIN} and {END}")))?;
    if shown == compiled {
        return Ok(());
    }
    let line = shown.iter().zip(&compiled).take_while(|(a, b)| a == b).count();
    let of = |lines: &[String]| lines.get(line).cloned().unwrap_or_else(|| "nothing".to_owned());
    Err(Failure::new(format!(
        "the README's example is not the compiled one; line {} of it is\n  {}\nin README.md and\n  \
         {}\nin {SOURCE}",
        line + 1,
        of(&shown),
        of(&compiled)
    )))
}

/// The lines between two marker lines, without their common indentation.
fn between(text: &str, begin: &str, end: &str) -> Option<Vec<String>> {
    let mut lines = text.lines().skip_while(|line| line.trim() != begin).skip(1);
    let mut found = Vec::new();
    loop {
        let line = lines.next()?;
        if line.trim() == end {
            break;
        }
        found.push(line.trim_end());
    }
    let indent = found
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    Some(found.iter().map(|line| line.get(indent..).unwrap_or("").to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str = "# T\n```sh\nx\n```\n```java\nrun();\n  more();\n```\n";

    #[test]
    fn accepts_the_same_lines_at_another_indentation() {
        let source =
            "class A {\n    // README: begin\n    run();\n      more();\n    // README: end\n}\n";
        compare(README, source).unwrap();
    }

    #[test]
    fn names_the_first_line_that_differs() {
        let source = "// README: begin\nrun();\n  less();\n// README: end\n";
        let failure = compare(README, source).unwrap_err().to_string();
        assert!(failure.contains("line 2") && failure.contains("less();"), "{failure}");
        let longer = "// README: begin\nrun();\n  more();\nand();\n// README: end\n";
        assert!(compare(README, longer).unwrap_err().to_string().contains("nothing"));
    }

    #[test]
    fn needs_both_parts() {
        assert!(compare("# nothing", "").unwrap_err().to_string().contains("README.md has no"));
        let unended = "// README: begin\nrun();\n";
        assert!(compare(README, unended).unwrap_err().to_string().contains("has no part"));
    }
}
