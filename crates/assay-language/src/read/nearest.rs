//! Sentences that are understood, for one that is not.

use crate::NotUnderstood;

use super::acts::Misread;
use super::lexicon::verbs::{self, Verb};
use super::phrase::Phrase;

/// Verbs with sentences that show how they are used. All of them are read by a test.
const EXAMPLES: &[(&[Verb], &[&str])] = &[
    (
        &[Verb::Go, Verb::Open, Verb::Back, Verb::Forward, Verb::Reload],
        &["Go to the login page", "Navigate to https://app.example.com/login", "Open the user menu"],
    ),
    (
        &[Verb::Click, Verb::DoubleClick, Verb::RightClick, Verb::MiddleClick],
        &["Click the \"Save\" button", "Click \"Edit\" in the row of \"Ada\"", "Double-click the second row"],
    ),
    (
        &[Verb::Named, Verb::Delete, Verb::Submit],
        &["Click the \"Save\" button", "Submit the form", "Click \"Delete\" in the row of \"Ada\""],
    ),
    (&[Verb::Press], &["Press Enter", "Press Ctrl+A", "Press the \"Save\" button"]),
    (
        &[Verb::Enter, Verb::Fill, Verb::Set, Verb::Append, Verb::Clear, Verb::Search],
        &[
            "Enter \"ada@example.com\" in the email field",
            "Fill in the name with \"Ada\"",
            "Search for \"lamp\"",
        ],
    ),
    (
        &[Verb::Choose, Verb::Unchoose, Verb::Sort, Verb::Filter],
        &["Select \"France\" from the country list", "Choose \"Express\" under \"Shipping\""],
    ),
    (
        &[Verb::Check, Verb::Uncheck, Verb::Toggle, Verb::Turn, Verb::Mark],
        &["Check the \"Remember me\" checkbox", "Turn off the \"Newsletter\" switch"],
    ),
    (
        &[Verb::Hover, Verb::Focus, Verb::Move, Verb::Drag],
        &[
            "Hover over the \"Help\" icon",
            "Drag \"Task 1\" to the \"Done\" column",
            "Set the volume slider to 40",
        ],
    ),
    (&[Verb::Scroll], &["Scroll to the bottom of the page", "Scroll to the \"Comments\" section"]),
    (
        &[Verb::Copy, Verb::CopyAndPaste, Verb::Paste],
        &["Copy the text of the code field", "Paste it into the name field"],
    ),
    (&[Verb::Upload], &["Upload \"report.pdf\" to the attachment field"]),
    (
        &[Verb::Switch, Verb::Close],
        &["Switch to the new tab", "Switch to the \"payment\" frame", "Close the dialog"],
    ),
    (
        &[Verb::Accept, Verb::Dismiss, Verb::Confirm],
        &["Accept the alert", "Dismiss the dialog", "Click \"OK\" in the dialog"],
    ),
    (&[Verb::Wait], &["Wait for the spinner to disappear", "Wait until \"Done\" is shown", "Wait 2 seconds"]),
    (&[Verb::LogIn, Verb::LogOut], &["Log in as \"ada\" with password \"secret\"", "Log out"]),
    (&[Verb::Screenshot], &["Take a screenshot"]),
    (&[Verb::Expand, Verb::Collapse], &["Expand the \"Details\" section"]),
    (
        &[Verb::Verify, Verb::CheckOrVerify, Verb::See],
        &["Click the \"Save\" button", "Verify that \"Welcome\" is shown", "The \"Save\" button is disabled"],
    ),
];

/// What is said when no verb is to be seen.
pub(crate) fn plain(why: impl Into<String>) -> NotUnderstood {
    NotUnderstood { why: why.into(), instead: examples(Verb::Verify) }
}

/// What is said of a clause.
pub(crate) fn to(clause: Phrase<'_>, misread: Misread) -> NotUnderstood {
    let guessed = (misread.verb == Verb::Verify).then(|| guess(clause)).flatten();
    NotUnderstood { why: misread.why, instead: examples(guessed.unwrap_or(misread.verb)) }
}

fn examples(verb: Verb) -> Vec<String> {
    let found = EXAMPLES.iter().find(|(verbs, _)| verbs.contains(&verb));
    found.map(|(_, sentences)| sentences.iter().map(ToString::to_string).collect()).unwrap_or_default()
}

/// A verb anywhere in the clause: it is about that.
fn guess(clause: Phrase<'_>) -> Option<Verb> {
    let words = clause.words();
    (0..words.len()).find_map(|at| verbs::verb(&words[at..])).map(|found| found.verb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, read};

    #[test]
    fn every_sentence_that_is_offered_is_understood() {
        for sentence in EXAMPLES.iter().flat_map(|(_, sentences)| sentences.iter()) {
            assert!(read(sentence, &Hints::default()).is_ok(), "{sentence}");
        }
    }
}
