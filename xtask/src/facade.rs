//! `build.gradle.kts` type-checked without Gradle: its body is compiled by the Kotlin compiler
//! against Gradle's API as an extension of `Project`, with the receivers that Gradle's own script
//! compiler gives to actions.

use crate::console::{Console, Outcome};
use crate::failure::{Doing, Failure, Result};
use crate::maven::Maven;
use crate::workspace::{self, Workspace};
use std::path::PathBuf;
use std::process::Command;

/// Compiles the façade; a type error in it is the failure. Skipped where the compiler, which nothing
/// else needs, cannot be fetched.
pub fn check(console: &Console, workspace: &Workspace, maven: &Maven<'_>) -> Result<Outcome> {
    let folder = workspace.build("facade");
    let jars = folder.join("jars.txt");
    workspace::remove_folder(&folder)?;
    let pom = workspace.path("xtask/facade/pom.xml");
    let (pom, output) =
        (pom.display().to_string(), format!("-Dmdep.outputFile={}", jars.display()));
    let goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
    if let Err(failure) = maven.run(console, "facade-compiler", &["-f", &pom, goal, &output]) {
        console.line(failure.to_string().trim_end());
        return Ok(Outcome::Skipped("the Kotlin compiler cannot be fetched".to_owned()));
    }

    let script = workspace::read(&workspace.path("build.gradle.kts"))?;
    let source = folder.join("Facade.kt");
    workspace::write(&source, &as_extension(&script))?;
    let found = Jars::of(&workspace::read(&jars)?)?;
    let mut command = Command::new(maven.jdk().java());
    command
        .arg("-cp")
        .arg(std::env::join_paths(&found.compiler).doing(|| "join a class path".to_owned())?)
        .arg("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler")
        .args(["-no-stdlib", "-no-reflect", "-Werror", "-classpath"])
        .arg(std::env::join_paths([&found.gradle, &found.library]).doing(|| "join a class path".to_owned())?)
        .arg(format!("-Xplugin={}", found.receivers.display()))
        .args(["-P", "plugin:org.jetbrains.kotlin.samWithReceiver:annotation=org.gradle.api.HasImplicitReceiver"])
        .arg("-d")
        .arg(folder.join("classes"))
        .arg(&source);
    console.run("facade", command)?;
    Ok(Outcome::Passed)
}

/// The script as a Kotlin file: imports first, the rest in a function whose receiver is the project.
fn as_extension(script: &str) -> String {
    let (imports, body): (Vec<&str>, Vec<&str>) =
        script.lines().partition(|line| line.starts_with("import "));
    format!(
        "import org.gradle.api.*\nimport org.gradle.api.tasks.*\n{}\n\nfun Project.buildScript() {{\n{}\n}}\n",
        imports.join("\n"),
        body.join("\n")
    )
}

/// The jars of the Kotlin compiler, sorted by what each is for.
struct Jars {
    compiler: Vec<PathBuf>,
    gradle: PathBuf,
    library: PathBuf,
    receivers: PathBuf,
}

impl Jars {
    /// Sorts a class path as Maven writes it.
    fn of(class_path: &str) -> Result<Self> {
        let jars: Vec<PathBuf> = std::env::split_paths(class_path.trim()).collect();
        let one = |prefix: &str| {
            let named = |jar: &&PathBuf| {
                jar.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
            };
            jars.iter().find(named).cloned().ok_or_else(|| {
                Failure::new(format!("there is no {prefix}*.jar on the class path {class_path}"))
            })
        };
        let gradle = one("gradle-api-")?;
        let library = one("kotlin-stdlib-")?;
        let receivers = one("kotlin-sam-with-receiver-")?;
        let compiler = jars.into_iter().filter(|jar| *jar != gradle).collect();
        Ok(Self { compiler, gradle, library, receivers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_the_class_path() {
        let names = ["kotlin-compiler-2.jar", "gradle-api-8.5.jar", "kotlin-stdlib-2.jar"];
        let mut paths: Vec<PathBuf> =
            names.iter().map(|name| PathBuf::from("/m2").join(name)).collect();
        let join = |paths: &[PathBuf]| std::env::join_paths(paths).unwrap().into_string().unwrap();
        let failure = Jars::of(&join(&paths)).err().unwrap().to_string();
        assert!(failure.contains("no kotlin-sam-with-receiver-*.jar"), "{failure}");
        paths.push(PathBuf::from("/m2/kotlin-sam-with-receiver-x.jar"));
        let jars = Jars::of(&join(&paths)).unwrap();
        assert_eq!(jars.gradle, PathBuf::from("/m2/gradle-api-8.5.jar"));
        assert!(jars.compiler.len() == 3 && !jars.compiler.contains(&jars.gradle));
    }

    #[test]
    fn moves_imports_before_the_function() {
        let text = as_extension("import a.B\n\nval x = 1\n");
        let import = text.find("import a.B").unwrap();
        let function = text.find("fun Project.buildScript").unwrap();
        assert!(import < function && function < text.find("val x = 1").unwrap());
    }
}
