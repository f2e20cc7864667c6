//! The nearest known name to a mistyped one.

/// The candidate with the fewest edits to `word`, unless even that one shares too little with it.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 2).max(2);
    candidates
        .into_iter()
        .map(|candidate| (edits(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// `(did you mean 'x'?)` with a leading space, or nothing.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |name| format!(" (did you mean '{name}'?)"))
}

/// Levenshtein's distance in characters.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, to) in row.iter_mut().skip(1).zip(&b) {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", ""), 3);
        assert_eq!(edits("same", "same"), 0);
        assert_eq!(edits("größe", "grösse"), 2);
    }

    #[test]
    fn names_the_nearest_and_nothing_far() {
        let names = ["serverBenchmark", "check", "build"];
        assert_eq!(nearest("serverbenchmrk", names), Some("serverBenchmark"));
        assert_eq!(nearest("chekc", names), Some("check"));
        assert_eq!(nearest("somethingElse", names), None);
        assert_eq!(hint("biuld", names), " (did you mean 'build'?)");
        assert_eq!(hint("unrelated", names), "");
    }
}
