//! The forms of a verb.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inflection {
    /// "click".
    Base,
    /// "clicks".
    Third,
    /// "clicking".
    Gerund,
    /// "clicked".
    Past,
}

/// Which form of a verb a word is.
pub(crate) fn form_of(word: &str, base: &str) -> Option<Inflection> {
    if word == base {
        return Some(Inflection::Base);
    }
    let without_e = base.strip_suffix('e').unwrap_or(base);
    let without_y = base.strip_suffix('y').unwrap_or(base);
    if !word.starts_with(without_y) && !word.starts_with(without_e) {
        return None;
    }
    let doubled = base.chars().next_back().map(|last| format!("{base}{last}")).unwrap_or_default();
    let is = |stem: &str, ending: &str| word.strip_suffix(ending) == Some(stem);
    if is(base, "s") || is(base, "es") || is(without_y, "ies") {
        return Some(Inflection::Third);
    }
    if is(base, "ing") || is(without_e, "ing") || is(&doubled, "ing") {
        return Some(Inflection::Gerund);
    }
    if is(base, "ed") || is(without_e, "ed") || is(&doubled, "ed") || is(without_y, "ied") {
        return Some(Inflection::Past);
    }
    None
}
