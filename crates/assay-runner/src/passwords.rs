//! Passwords that a test writes as quoted text. They are secrets, although nobody declared them.

use assay_language::{Act, Hints, Intent, Target, quotations, read, with_marks};
use assay_protocol::{Action, Scene, SceneNode};

use crate::plan::{Plan, PlanStep, PreconditionMeans, StepBody};

/// A shorter one occurs in many words by chance: masking it would garble the reports.
const SHORTEST: usize = 6;

impl Plan {
    /// Adds the passwords that its sentences enter to its secrets.
    #[must_use]
    pub fn with_passwords_hidden(mut self) -> Plan {
        for password in self.passwords() {
            self.secrets.add(password);
        }
        self
    }

    fn passwords(&self) -> Vec<String> {
        let made = self.preconditions.iter().flat_map(|precondition| match &precondition.made {
            PreconditionMeans::Steps(steps) => steps.as_slice(),
            PreconditionMeans::Assumed | PreconditionMeans::ByHost(_) => &[],
        });
        let steps: Vec<&PlanStep> =
            made.chain(&self.setup).chain(&self.steps).chain(&self.expected).chain(&self.teardown).collect();
        let sentences: Vec<&str> = steps
            .iter()
            .filter_map(|step| match &step.what {
                StepBody::Sentence(sentence) => Some(sentence.as_str()),
                StepBody::Exact(_) => None,
            })
            .collect();
        passwords_of(&sentences)
    }
}

/// The values that are entered as passwords, and as nothing else.
fn passwords_of(sentences: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for sentence in sentences {
        let here = entered_in(sentence);
        let mut quoted = quotations(sentence);
        for password in &here {
            // The same word may be the user's name as well.
            if let Some(at) = quoted.iter().rposition(|text| text == password) {
                quoted.remove(at);
            }
        }
        others.extend(quoted);
        found.extend(here);
    }
    let plain: Vec<String> = sentences.iter().map(|sentence| with_marks_for_all(sentence)).collect();
    found.retain(|password| {
        let is_elsewhere = |text: &String| text.contains(password.as_str());
        can_be_masked(password) && !others.iter().any(is_elsewhere) && !plain.iter().any(is_elsewhere)
    });
    found
}

/// The passwords that a sentence enters.
fn entered_in(sentence: &str) -> Vec<String> {
    const SIGNS: &[&str] = &["pass", "log", "sign"];
    let lower = sentence.to_lowercase();
    if !SIGNS.iter().any(|sign| lower.contains(sign)) {
        return Vec::new();
    }
    let intents = read(sentence, &Hints::default()).unwrap_or_default();
    intents.iter().filter_map(password_of).collect()
}

/// A sentence without what it quotes.
fn with_marks_for_all(sentence: &str) -> String {
    let all: Vec<usize> = (1..=quotations(sentence).len()).collect();
    with_marks(sentence, &all)
}

/// A word of the language stands in too many other places: masking it would garble reports and questions.
fn can_be_masked(password: &str) -> bool {
    password.chars().count() >= SHORTEST
        && !password.chars().all(|letter| letter.is_lowercase() || letter == ' ')
}

fn password_of(intent: &Intent) -> Option<String> {
    match intent {
        Intent::Act(Act::LogIn { password, .. }) => password.clone(),
        Intent::Act(
            Act::Enter { target: Some(target), text } | Act::Append { target: Some(target), text },
        ) if is_for_passwords(target) => Some(text.clone()),
        Intent::Act(_) | Intent::Claim(_) => None,
    }
}

fn is_for_passwords(target: &Target) -> bool {
    const NAMES: &[&str] = &["password", "passphrase", "passcode", "passwort"];
    let called = target.quoted.iter().chain(&target.words);
    called.flat_map(|name| name.split_whitespace()).any(|word| NAMES.contains(&word.to_lowercase().as_str()))
}

/// The text of an act that types into a field for secrets.
pub(crate) fn typed_secret<'t>(action: &'t Action, scene: &Scene) -> Option<&'t str> {
    let (target, text) = match action {
        Action::Fill { target, text } | Action::Type { target: Some(target), text } => (target, text),
        _ => return None,
    };
    let named = target.source.trim_start_matches('@');
    let is_named = |node: &&SceneNode| node.reference.as_deref() == Some(named);
    let field = scene.nodes.iter().find(is_named)?;
    (is_for_secrets(field) && can_be_masked(text)).then_some(text.as_str())
}

/// Whether a field hides what is entered.
pub(crate) fn is_for_secrets(node: &SceneNode) -> bool {
    let completes = node.attribute("autocomplete").unwrap_or_default();
    node.is("secret")
        || node.attribute("type") == Some("password")
        || ["password", "one-time-code", "cc-"].iter().any(|kind| completes.contains(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentences: &[&str], expected: &[&str]) {
        assert_eq!(passwords_of(sentences), expected);
    }

    #[test]
    fn what_is_entered_as_a_password_is_one() {
        check(&["Log in as \"vera\" with password \"Fetlock-42\""], &["Fetlock-42"]);
        check(&["Enter \"Fetlock-42\" in the password field"], &["Fetlock-42"]);
        check(&["Enter \"Fetlock-42\" in the \"New password\" field"], &["Fetlock-42"]);
        check(&["Enter \"vera@example.com\" in the email field"], &[]);
    }

    #[test]
    fn a_value_with_another_use_and_a_short_one_are_none() {
        check(&["Log in as \"Operator\" with password \"Operator\""], &[]);
        check(&["Log in as \"Operator1\" with password \"Operator\""], &[]);
        check(&["Log in as \"demo\" with password \"password\""], &[]);
        check(&["Enter \"wrong\" in the password field"], &[]);
        check(&["Enter \"Fetlock-42\" in the password field", "The page shows \"Fetlock-42\""], &[]);
    }
}
