//! The word that the author probably meant.

/// The nearest of `known`, when it is near enough to be a slip of the finger.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let folded = fold(word);
    let known: Vec<&str> = known.into_iter().filter(|candidate| !candidate.is_empty()).collect();
    let slip = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&folded, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.to_string());
    // A word that begins the same, such as `chrome` for `chromium`.
    slip.or_else(|| {
        known
            .iter()
            .map(|candidate| (strsim::jaro_winkler(&folded, &fold(candidate)), candidate))
            .filter(|(likeness, _)| *likeness >= 0.88)
            .max_by(|(one, _), (other, _)| one.total_cmp(other))
            .map(|(_, candidate)| candidate.to_string())
    })
}

/// `Base-URL`, `base url` and `baseUrl` are the same slip. Very long words are cut: they are no slip of anything,
/// and comparing them takes time with the square of their length.
fn fold(word: &str) -> String {
    word.chars()
        .filter(|letter| !matches!(letter, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .take(64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let keys = ["test", "steps", "expected", "base_url"];
        assert_eq!(nearest("expcted", keys).as_deref(), Some("expected"));
        assert_eq!(nearest("baseUrl", keys).as_deref(), Some("base_url"));
        assert_eq!(nearest("Steps", keys).as_deref(), Some("steps"));
        assert_eq!(nearest("chrome", ["chromium", "firefox"]).as_deref(), Some("chromium"));
        assert_eq!(nearest("colour", keys), None);
    }
}
