//! Acts on the environment of the page. They need no element, but the page may have one with the same name.

use assay_protocol::{Action, EmulationChange};

use crate::{Decision, Target};

use super::find::{SearchResult, find};
use super::view::View;
use super::{Grounding, entering, plain};

impl Grounding<'_> {
    /// Nothing is emulated where the sentence could mean a control as well: neither is done.
    pub(super) fn emulate(&self, change: &EmulationChange, said: &str, rivals: &[Target]) -> Decision {
        let found = rivals.iter().find_map(|rival| self.rival(rival));
        match found {
            None => plain(Action::Emulate { change: change.clone() }, "the world around the page"),
            Some(at) => Decision::Unclear {
                why: format!("\"{said}\" could mean {} or the browser", self.view.describe(at)),
                candidates: self.view.lines([at]),
                clearer: format!(
                    "name the element in quotation marks with its kind, or write: {said} in the browser"
                ),
            },
        }
    }

    /// The control that a sentence could mean. A name in quotation marks is that of any control, words are those of a
    /// field.
    fn rival(&self, rival: &Target) -> Option<usize> {
        let usable = if rival.quoted.is_some() { is_control } else { entering::takes_text };
        match find(&self.search(usable), rival) {
            SearchResult::One(found) => Some(found.at),
            SearchResult::Several(several) => several.first().map(|found| found.at),
            SearchResult::None { .. } => None,
        }
    }
}

fn is_control(view: &View, at: usize) -> f64 {
    if view.is_control(at) { 1.0 } else { 0.0 }
}
