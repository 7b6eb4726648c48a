//! What a model says instead of calling a tool: a skill to load, a question, or an answer. Pure.

/// What a text of the model is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spoken {
    /// `LOAD SKILL name`
    Load(String),
    /// `ASK question`, for the user.
    Asks(String),
    /// `EARLIER answer`: from what earlier turns found.
    Earlier(String),
    /// Anything else.
    Says(String),
}

/// Models decorate what they say: marks of Markdown and quotes around it do not count.
pub fn spoken(text: &str) -> Spoken {
    for line in text.lines() {
        if let Some(name) = after(line, "LOAD SKILL") {
            let name: String = name
                .chars()
                .skip_while(|letter| !letter.is_alphanumeric())
                .take_while(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
                .collect();
            if !name.is_empty() {
                return Spoken::Load(name.to_lowercase().replace('_', "-"));
            }
        }
    }
    let whole = text.trim();
    if let Some(question) = after(whole, "ASK") {
        return Spoken::Asks(question);
    }
    if let Some(answer) = after(whole, "EARLIER") {
        return Spoken::Earlier(answer);
    }
    Spoken::Says(whole.to_string())
}

/// What follows the words at the beginning of a text.
fn after(text: &str, words: &str) -> Option<String> {
    let plain = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let (start, rest) = plain.split_at_checked(words.len())?;
    let is_word = rest.chars().next().is_none_or(|letter| !letter.is_alphanumeric());
    (start.eq_ignore_ascii_case(words) && is_word && start.chars().all(|letter| !letter.is_lowercase()))
        .then(|| rest.trim_start_matches([':', '*', '`', ' ', '\n']).trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Spoken) {
        assert_eq!(spoken(text), expected, "{text}");
    }

    #[test]
    fn a_skill_is_named_with_and_without_decoration() {
        for text in [
            "LOAD SKILL run-script",
            "I choose:\n\n**LOAD SKILL run-script**",
            "`LOAD SKILL run-script`",
            "LOAD SKILL: run_script.",
            "> LOAD SKILL `Run-Script` now",
        ] {
            check(text, Spoken::Load("run-script".to_string()));
        }
    }

    #[test]
    fn questions_and_answers_are_told_apart() {
        check("ASK Which script: goto or login?", Spoken::Asks("Which script: goto or login?".to_string()));
        check("**ASK:** Which one?", Spoken::Asks("Which one?".to_string()));
        check("EARLIER it passed", Spoken::Earlier("it passed".to_string()));
        check("Ask away.", Spoken::Says("Ask away.".to_string()));
        check("ASKED nothing", Spoken::Says("ASKED nothing".to_string()));
        check("I could load skill run-script", Spoken::Says("I could load skill run-script".to_string()));
        check("LOAD SKILL", Spoken::Says("LOAD SKILL".to_string()));
    }
}
