//! The decision about an act on the current page.

use assay_protocol::{Action, ElementLine};

use crate::Act;

#[expect(clippy::large_enum_variant, reason = "one decision a step is made; the size of it costs nothing")]
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    Do(PlannedAction),
    /// It is so already: "check the box" when it is checked.
    NothingToDo {
        because: String,
    },
    /// Several could be meant, or the best is not good enough. Never acted on.
    Unclear {
        why: String,
        candidates: Vec<ElementLine>,
        clearer: String,
    },
    /// Nothing fits. It may still come: the caller waits and asks again.
    Missing {
        why: String,
        nearest: Vec<ElementLine>,
    },
}

/// One command, and what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedAction {
    pub action: Action,
    /// The evidence in one line: `button "Log in": its name is the one asked for`.
    pub because: String,
    /// How sure the choice of the element was, where one was chosen among others.
    pub sureness: Option<Sureness>,
    /// What is left of the act once this is done and the page was looked at again: a combobox is opened first,
    /// its option chosen then.
    pub then: Option<Act>,
    /// It commits something (submits, pays, deletes): not to be repeated when its outcome is unknown.
    pub commits: bool,
}

/// How well an element fits what was said of it, and how far the next one was behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Sureness {
    /// From 0 to 1.
    pub score: f64,
    /// None if nothing else fits at all.
    pub margin: Option<f64>,
    /// `button "Cancel"`.
    pub runner_up: Option<String>,
}
