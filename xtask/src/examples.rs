//! The examples of the documents in Java and C are parts of source files that the build compiles; this
//! says where the two differ.

use crate::failure::{Failure, Result};
use crate::workspace::{self, Workspace};

/// Documents, the language of their examples, and the sources that have them between
/// `// DOCUMENT: begin` and `// DOCUMENT: end`.
const EXAMPLES: [(&str, &str, &str); 3] = [
    ("README.md", "java", "java-shim/paper/src/test/java/dev/tickwell/plugin/ReadmeExample.java"),
    (
        "docs/plugins.md",
        "java",
        "java-shim/paper-api/src/test/java/dev/tickwell/paper/example/HomesPlugin.java",
    ),
    ("docs/c-api.md", "c", "native/jni/tests/c/example.c"),
];

/// Compares every block of the language in each document with the marked parts of its source, in their order.
pub fn check(workspace: &Workspace) -> Result<()> {
    EXAMPLES.iter().try_for_each(|(document, language, source)| {
        let shown = workspace::read(&workspace.path(document))?;
        let compiled = workspace::read(&workspace.path(source))?;
        compare(document, language, &shown, source, &compiled)
    })
}

fn compare(document: &str, language: &str, text: &str, source: &str, code: &str) -> Result<()> {
    let shown = parts(text, &format!("```{language}"), "```");
    let compiled = parts(code, &format!("// {document}: begin"), &format!("// {document}: end"));
    if shown.is_empty() {
        return Err(Failure::new(format!("{document} has no ```{language} block")));
    }
    if shown.len() != compiled.len() {
        return Err(Failure::new(format!(
            "{document} has {} blocks of {language}, and {source} has {} parts between `// {document}: \
             begin` and `// {document}: end`: each block needs its part",
            shown.len(),
            compiled.len()
        )));
    }
    for (number, (shown, compiled)) in shown.iter().zip(&compiled).enumerate() {
        if shown != compiled {
            let line = shown.iter().zip(compiled).take_while(|(a, b)| a == b).count();
            let of =
                |lines: &[String]| lines.get(line).cloned().unwrap_or_else(|| "nothing".to_owned());
            return Err(Failure::new(format!(
                "{language} block {} of {document} is not the compiled one; its line {} is\n  {}\nthere \
                 and\n  {}\nin {source}",
                number + 1,
                line + 1,
                of(shown),
                of(compiled)
            )));
        }
    }
    Ok(())
}

/// The lines between each pair of marker lines, without their common indentation and without empty
/// lines at the end. A part that has no end is none.
fn parts(text: &str, begin: &str, end: &str) -> Vec<Vec<String>> {
    let mut parts = Vec::new();
    let mut open: Option<Vec<&str>> = None;
    for line in text.lines() {
        match &mut open {
            None if line.trim() == begin => open = Some(Vec::new()),
            None => {}
            Some(lines) if line.trim() == end => {
                parts.push(outdented(lines));
                open = None;
            }
            Some(lines) => lines.push(line.trim_end()),
        }
    }
    parts
}

fn outdented(lines: &[&str]) -> Vec<String> {
    let used = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let lines = lines.get(..used).unwrap_or(lines);
    let indent = lines
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    lines.iter().map(|line| line.get(indent..).unwrap_or("").to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str =
        "# T\n```sh\nx\n```\n```java\nrun();\n  more();\n```\nand\n```java\nend();\n```\n";
    const SOURCE: &str = "class A {\n    // R: begin\n    run();\n      more();\n\n    // R: end\n  \
                          hidden();\n// R: begin\nend();\n// R: end\n}\n";

    fn failure(text: &str, code: &str) -> String {
        compare("R", "java", text, "A.java", code).unwrap_err().to_string()
    }

    #[test]
    fn accepts_the_same_lines_at_another_indentation() {
        compare("R", "java", README, "A.java", SOURCE).unwrap();
    }

    #[test]
    fn names_the_block_and_the_first_line_that_differs() {
        let less = failure(README, &SOURCE.replace("more", "less"));
        assert!(less.contains("block 1 of R") && less.contains("line 2"), "{less}");
        assert!(less.contains("less();\nin A.java"), "{less}");
        let longer = failure(README, &SOURCE.replace("end();", "end();\nand();"));
        assert!(longer.contains("block 2 of R") && longer.contains("nothing\nthere"), "{longer}");
    }

    #[test]
    fn every_block_needs_its_part() {
        assert!(failure("# nothing", SOURCE).contains("R has no ```java block"));
        let third = format!("{README}```java\nthird();\n```\n");
        assert!(failure(&third, SOURCE).contains("has 3 blocks of java, and A.java has 2 parts"));
        let unended = SOURCE.replace("end();\n// R: end", "end();");
        assert!(failure(README, &unended).contains("A.java has 1 parts"));
    }
}
