//! What the user typed to get here, so that advice can be followed as it is printed.

/// Where `gradlew` and the Gradle script leave their name.
const VARIABLE: &str = "TICKWELL_LAUNCHER";

/// The command before a task's name: `cargo xtask`, or the façade's own name.
pub fn name() -> String {
    named(std::env::var(VARIABLE).ok())
}

fn named(facade: Option<String>) -> String {
    facade.filter(|name| !name.is_empty()).unwrap_or_else(|| "cargo xtask".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_cargo_unless_a_facade_says_its_name() {
        assert_eq!(named(None), "cargo xtask");
        assert_eq!(named(Some(String::new())), "cargo xtask");
        assert_eq!(named(Some("../gradlew".to_owned())), "../gradlew");
    }
}
