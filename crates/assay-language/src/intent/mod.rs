//! The meaning of a sentence, independent of any page.
//!
//! An intent describes itself: its file gives its pieces, its words and its form with example sentences, and all other
//! code uses these. A new form of sentence therefore touches three files:
//!
//! 1. its own, `act.rs` or `claim.rs`: the variant, and one arm each in the pieces, the meaning and the forms;
//! 2. its reader, in `read/acts/verbs.rs` (words, and a call for what follows them) or `read/claims/`;
//! 3. its grounding or judging, in `ground/mod.rs` or `judge/mod.rs`.
//!
//! The compiler requires every one of these arms. A longer reader or grounding has its own file behind them.

mod act;
mod claim;
mod form;
mod matcher;
mod performance;
mod piece;
mod target;

pub use act::{Act, ClickKind, Destination, ScrollGoal, TabChoice, Toggle, WaitGoal};
pub use claim::{About, ChangeIs, Claim, EachIs, SortOrder, Tone};
pub use form::{FormProperty, SentenceForm};
pub use matcher::{Matcher, NumberIs};
pub use performance::Performance;
pub use piece::{MatcherRole, Piece, PieceMut, TargetRole, TextRole, Unnamed};
pub use target::{ElementKind, Nearness, Ordinal, Relation, StateWord, Target};

/// One thing that a sentence asks for. A sentence may hold several: "Type X and press Enter".
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    Act(Act),
    Claim(Claim),
}

impl Intent {
    /// Shows each piece to `see`.
    pub fn visit<'a>(&'a self, see: &mut dyn FnMut(Piece<'a>)) {
        match self {
            Intent::Act(act) => act.visit(see),
            Intent::Claim(claim) => claim.about.visit(see),
        }
    }

    /// The form of sentence that says it.
    pub fn form(&self) -> &'static SentenceForm {
        match self {
            Intent::Act(act) => act.form(),
            Intent::Claim(claim) => claim.about.form(),
        }
    }

    /// In words, for `assay run --dry-run`.
    pub fn meaning(&self) -> String {
        match self {
            Intent::Act(act) => act.meaning(),
            Intent::Claim(claim) => claim.meaning(),
        }
    }
}

/// All forms of sentences that ask for an act.
pub fn act_forms() -> &'static [SentenceForm] {
    act::FORMS
}

/// All forms of sentences that claim something.
pub fn claim_forms() -> &'static [SentenceForm] {
    claim::FORMS
}

/// Why a sentence was not understood, and what would be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("not understood: {why}")]
pub struct NotUnderstood {
    pub why: String,
    /// Sentences like it that are understood.
    pub instead: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, read};

    #[test]
    fn every_example_is_read_as_its_form_and_nothing_more() {
        let mut wrong = Vec::new();
        for form in act_forms().iter().chain(claim_forms()) {
            for example in form.examples {
                let read = read(example, &Hints::default());
                let found: Vec<&str> = read.iter().flatten().map(|intent| intent.form().name).collect();
                if found != [form.name] {
                    wrong.push(format!("{example}: expected `{}`, found {found:?} in {read:?}", form.name));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_form_has_one_to_three_examples_and_a_name_of_its_own() {
        for forms in [act_forms(), claim_forms()] {
            for (at, form) in forms.iter().enumerate() {
                let is_read = form.name != "sequence";
                let expected = if is_read { 1..=3 } else { 0..=0 };
                assert!(expected.contains(&form.examples.len()), "{}", form.name);
                assert!(forms[..at].iter().all(|other| other.name != form.name), "{}", form.name);
            }
        }
    }
}
